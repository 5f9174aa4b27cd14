"""`determinised`: a search over determinizations for Solitaire.

Until a tile is turned up nothing is uncertain. So it enumerates the arrangements that it can reach
without turning one, breadth first, and the ways to turn a tile from there. It evaluates these in
the same determinizations, in which the hidden tiles lie at random, by rollouts of `turn_first`, and
heads for the best one. Where everything is face up it heads for the arrangement with the most empty
columns, and stops there. It looks at no tile that is face down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.agents import Actions, Lanes, Shown, at_decisions, parts
from domino_env.agents.features.column_moves import action_of, plays_columns, turn_first
from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, Words, lowest
from domino_env.engine.rng import pick_from, scramble
from domino_env.engine.state import Generators, Numbers, records
from domino_env.errors import BadOption, is_whole
from domino_env.puzzles.columns import STOP, TARGETS, lower_ends, move_run, targets, targets_of
from domino_env.puzzles.one_player_game import take_decision
from domino_env.puzzles.puzzle_state import (
    COLUMNS,
    PUZZLE,
    TILES,
    Log,
    Puzzle,
    Puzzles,
    RuleTable,
    RuleTables,
)

if TYPE_CHECKING:
    from domino_env.agents.searching.plan_types import Plan, Way
    from domino_env.engine.record_types import Records

COMPILED = ("the agent determinised", 5)

LATER = 0.998  # what a point is worth one move later: the moves of a game are numbered
PATIENCE = 12  # moves in a row that gain nothing, after which a world is left
MOST_WAYS = 16  # to turn a tile, that are compared
FLOOR = TILES  # what the uppermost tile of a column lies under, if all of the column is face up
KEYS = np.random.default_rng(2026).integers(0, 2**64, (TILES, TILES + 1 + COLUMNS), np.uint64)

PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("game", PUZZLE),  # an arrangement that can be reached
                ("opening", np.int64),  # the move that leads there
                ("steps", np.int64),  # how many moves it takes
            ],
            align=True,
        ),
    )
)
WAY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("plan", np.int64),  # from which arrangement
                ("action", np.int64),  # the move that turns a tile
                ("gained", np.float64),  # in all determinizations
                ("of", np.int64),  # of the first: how many ways there are
            ],
            align=True,
        ),
    )
)

AT_ONCE = 256  # lanes times worlds between two looks at the keyboard


class Determinised(Shown):
    """Plans up to the next tile that is turned up, and evaluates plans by determinized rollouts.

    Args:
        arrangements: the maximum number it enumerates to find ways to turn a tile.
        worlds: the number of determinizations.
        depth: the number of moves in a rollout.
        seed: of the determinizations.
    """

    name = "determinised"
    searches = True

    def __init__(
        self, arrangements: int = 60, worlds: int = 4, depth: int = 60, seed: int | None = None
    ) -> None:
        for name, value in (("arrangements", arrangements), ("worlds", worlds), ("depth", depth)):
            if not is_whole(value) or not 1 <= value <= 10_000:
                raise BadOption(f"{name} must be a whole number from 1 to 10000, not {value!r}")
        self._worlds, self._depth = worlds, depth
        self._rng: Generators = np.zeros(1, np.uint64)
        self._rng[0] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        self._plans = records(arrangements, PLAN)
        self._ways = records(MOST_WAYS, WAY)
        room = 1 << (4 * (arrangements + MOST_WAYS)).bit_length()
        self._seen = np.zeros(room, np.uint64)  # a hash table that is never full
        self._worlds_at_hand = records(2, PUZZLE)

    @staticmethod
    def plays(rules: Any) -> bool:
        """Does it play this game?"""
        return plays_columns(rules)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        chosen, log = np.empty(len(lanes), np.int64), np.zeros_like(batch._logs[0])
        # Few worlds for some lanes, or some of many for one lane: then Ctrl-C takes effect.
        at_once = max(1, AT_ONCE // self._worlds)
        for part in parts(len(lanes), at_once):
            for worlds in parts(self._worlds, AT_ONCE):
                _choose(
                    batch._rule_table,
                    batch._games,
                    lanes[part],
                    self._plans,
                    self._ways,
                    self._seen,
                    self._worlds_at_hand,
                    log,
                    worlds.start,
                    worlds.stop,
                    self._depth,
                    self._rng,
                    chosen[part],
                )
        return chosen


@kernel
def _choose(
    rule_tables: RuleTables,
    games: Puzzles,
    lanes: Numbers,
    plans: Records[Plan],
    ways: Records[Way],
    seen: Words,
    at_hand: Puzzles,
    log: Log,
    first: int,
    last: int,
    depth: int,
    rng: Generators,
    chosen: Numbers,
) -> None:
    """Chooses in some lanes, by some of the worlds; where it is not by all, in one lane alone."""
    for place in range(len(lanes)):
        game = games[lanes[place]]
        if first == 0:
            num_plans, num_ways = plan(game, plans, ways, seen, log)
            ways[0].of = num_ways
            if game.won:
                chosen[place] = clear_most(plans, num_plans)
            elif num_ways == 0:
                chosen[place] = turn_first(game, rng, True)
        num_ways = int(ways[0].of)
        if num_ways > 0 and not game.won:
            for _ in range(last - first if num_ways > 1 else 0):
                at_hand[0] = game
                determinize(at_hand[0], rng)
                compare(rule_tables[0], plans, ways, num_ways, at_hand, log, depth, rng)
            chosen[place] = towards_best(plans, ways, num_ways)


# Planning ----------------------------------------------------------------------------------------


@kernel
def plan(
    game: Puzzle, plans: Records[Plan], ways: Records[Way], seen: Words, log: Log
) -> tuple[int, int]:
    """Lists what can be reached without turning a tile, and the ways to turn one: how many."""
    for place in range(len(seen)):
        seen[place] = NONE
    plans[0].game = game
    plans[0].opening = STOP
    plans[0].steps = 0
    is_new(seen, arrangement(game))
    num_plans, num_ways, at = 1, 0, 0
    while at < num_plans:
        ends = lower_ends(plans[at].game)
        for column in range(COLUMNS):
            start = int(plans[at].game.height[column] - plans[at].game.face_up[column])
            others, empty = targets_of(ends, column)
            for place in range(start, int(plans[at].game.height[column])):
                bits = targets(plans[at].game, column, place, others, empty)
                while bits != NONE:
                    action = action_of(plans[at].game, column, place, lowest(bits))
                    bits &= bits - ONE
                    if place == start and start > 0:
                        num_ways = add_way(ways, num_ways, seen, at, action)
                    else:
                        num_plans = add_plan(plans, num_plans, seen, at, action, log)
        at += 1
    return num_plans, num_ways


@small
def add_way(ways: Records[Way], num_ways: int, seen: Words, at: int, action: int) -> int:
    """Notes a way to turn a tile; of moves alike, the one that can be made soonest."""
    if num_ways < len(ways) and is_new(seen, scramble(np.uint64(action + 1))):
        ways[num_ways].plan = at
        ways[num_ways].action = action
        ways[num_ways].gained = 0.0
        num_ways += 1
    return num_ways


@kernel
def add_plan(
    plans: Records[Plan], num_plans: int, seen: Words, at: int, action: int, log: Log
) -> int:
    """Notes an arrangement that a move leads to, unless it is known already."""
    if num_plans == len(plans):
        return num_plans
    plans[num_plans].game = plans[at].game
    plans[num_plans].game.log_size = TILES
    move_run(plans[num_plans].game, log, action // TARGETS, action % TARGETS)
    if not is_new(seen, arrangement(plans[num_plans].game)):
        return num_plans
    plans[num_plans].opening = action if at == 0 else plans[at].opening
    plans[num_plans].steps = plans[at].steps + 1
    return num_plans + 1


@kernel
def arrangement(game: Puzzle) -> np.uint64:
    """A number for how the face-up tiles lie; columns that are all face up are alike."""
    key = ONE
    for column in range(COLUMNS):
        start = int(game.height[column] - game.face_up[column])
        above = FLOOR if start == 0 else FLOOR + 1 + column
        for place in range(start, int(game.height[column])):
            tile = int(game.column[column, place])
            key ^= KEYS[tile, above]
            above = tile
    return key


@kernel
def is_new(seen: Words, key: np.uint64) -> bool:
    """Notes a number in a hash table; False if it was there."""
    last = np.uint64(len(seen) - 1)
    at = key & last
    while seen[at] != NONE:
        if seen[at] == key:
            return False
        at = (at + ONE) & last
    seen[at] = key
    return True


@kernel
def clear_most(plans: Records[Plan], num_plans: int) -> int:
    """Towards the arrangement with the most empty columns; STOP if it is there."""
    best, most = 0, -1
    for at in range(num_plans):
        empty = 0
        for column in range(COLUMNS):
            if plans[at].game.height[column] == 0:
                empty += 1
        if empty > most:
            best, most = at, empty
    return int(plans[best].opening)


# Determinizations ---------------------------------------------------------------------------------


@kernel
def compare(
    rules: RuleTable,
    plans: Records[Plan],
    ways: Records[Way],
    num_ways: int,
    at_hand: Puzzles,
    log: Log,
    depth: int,
    rng: Generators,
) -> None:
    """Tries every way in one determinization, with the same random numbers."""
    generator = rng[0]
    for way in range(num_ways):
        rng[0] = generator
        at = int(ways[way].plan)
        at_hand[1] = plans[at].game
        lie_as(at_hand[1], at_hand[0])
        gained = play_on(rules, at_hand[1], log, int(ways[way].action), depth, rng)
        ways[way].gained += LATER ** int(plans[at].steps) * gained


@kernel
def towards_best(plans: Records[Plan], ways: Records[Way], num_ways: int) -> int:
    """The next move towards the way that has gained most."""
    best = 0
    for way in range(1, num_ways):
        if ways[way].gained > ways[best].gained:
            best = way
    at = int(ways[best].plan)
    return int(ways[best].action) if at == 0 else int(plans[at].opening)


@kernel
def lay_in_order(game: Puzzle) -> None:
    """Lays the face-down tiles in the order of their numbers: how they lie is forgotten."""
    unseen = NONE
    for column in range(COLUMNS):
        for place in range(game.height[column] - game.face_up[column]):
            unseen |= ONE << np.uint64(game.column[column, place])
    for column in range(COLUMNS):
        for place in range(game.height[column] - game.face_up[column]):
            tile = lowest(unseen)
            unseen &= unseen - ONE
            game.column[column, place] = tile
            low = min(game.first[tile], game.second[tile])
            high = max(game.first[tile], game.second[tile])
            game.first[tile], game.second[tile] = low, high


@kernel
def determinize(game: Puzzle, rng: Generators) -> None:
    """Shuffles the tiles that are face down, and lets each lie either way."""
    lay_in_order(game)
    for column in range(COLUMNS):
        for place in range(game.height[column] - game.face_up[column]):
            swap_with_a_later(game, column, place, rng)
            tile = game.column[column, place]
            if pick_from(rng, 0, 2):
                game.first[tile], game.second[tile] = game.second[tile], game.first[tile]


@small
def swap_with_a_later(game: Puzzle, column: int, place: int, rng: Generators) -> None:
    """One step of a shuffle over the face-down tiles of all columns."""
    later = -place
    for other in range(column, COLUMNS):
        later += game.height[other] - game.face_up[other]
    skip = pick_from(rng, 0, later) + place
    other = column
    while skip >= game.height[other] - game.face_up[other]:
        skip -= int(game.height[other] - game.face_up[other])
        other += 1
    mine, theirs = game.column[column, place], game.column[other, skip]
    game.column[column, place], game.column[other, skip] = theirs, mine


@kernel
def lie_as(game: Puzzle, world: Puzzle) -> None:
    """Lays the face-down tiles of a determinization under an arrangement."""
    for column in range(COLUMNS):
        for place in range(world.height[column] - world.face_up[column]):
            tile = world.column[column, place]
            game.column[column, place] = tile
            game.column_of[tile] = column
            game.depth_of[tile] = place
            game.first[tile] = world.first[tile]
            game.second[tile] = world.second[tile]


@kernel
def play_on(
    rules: RuleTable, game: Puzzle, log: Log, first: int, depth: int, rng: Generators
) -> float:
    """What a move gains, and so many more after it; a point counts the less the later it comes."""
    game.gained = 0
    worth, share, action, idle = 0.0, 1.0, first, 0
    for _ in range(depth):
        game.log_size = TILES
        take_decision(rules, game, log, action)
        worth += share * game.gained
        idle = 0 if game.gained > 0 else idle + 1
        if game.over or idle == PATIENCE:
            break
        game.gained = 0
        share *= LATER
        action = turn_first(game, rng, True)
    return worth
