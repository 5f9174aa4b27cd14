"""The loops over lanes: the kernels by which a batch plays, written once for all kinds of game.
Each takes a range of lanes, so that threads can share a batch; lanes never touch one another.

What a game does in its lane is supplied by the engine whose record it is (`engine_kernels`). A loop
is compiled for each record by itself, with the engine's own functions in it.

Lanes are counted without a sign: to Numba a signed -1 is the last row, and it would look out for
that at every access to every array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from domino_env import engine, puzzles
from domino_env.compiling import kernel, small
from domino_env.engine.lane_checks import HOLD, all_over, first_refused
from domino_env.engine.prefetch import fetch_item, fetch_row
from domino_env.engine.rewards import rest
from domino_env.engine.rng import pick_from, seeded
from domino_env.engine.state import (
    GAMES,
    Counts,
    Earnings,
    Generators,
    Index,
    Legal,
    Log,
    Logs,
    Masks,
    Observations,
    Rewards,
    WholeNumbers,
)
from domino_env.engine_kernels import (
    begin_dealt,
    clear,
    deal_again,
    last_viewer,
    leave_undealt,
    list_moves,
    must_deal,
    new_episode,
    observe,
    pay,
    take_decision,
)
from domino_env.puzzles.puzzle_state import PUZZLE

COMPILED = {**dict.fromkeys(GAMES, engine.COMPILED), PUZZLE: puzzles.COMPILED}

MANY = 8192  # lanes: more than stay in a core's own memory
AHEAD = np.uint64(4)  # so many lanes before it is played the memory of one is asked for; its record
# twice as early, for that says where in its log the next event will stand
UNDEALT = -2  # less the lane, in the place of a lane whose action is refused

if TYPE_CHECKING:
    from domino_env.engine_kernels import Game, Games, RuleTable, RuleTables


@kernel
def step_lanes(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    actions: WholeNumbers,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    reward: Rewards,
    done: npt.NDArray[np.bool_],
    autoreset: bool,
    start: int,
    stop: int,
) -> int:
    """Takes one legal action in each lane, and prepares the next decision; answers with the first
    lane that could not be dealt again, which is over, or -1."""
    rules = rule_tables[0]
    undealt: Any = -1
    many = stop - start >= MANY
    for lane in range(np.uint64(start), np.uint64(stop)):
        if many:
            fetch_row(games, lane + AHEAD + AHEAD)
            fetch_row(mask, lane + AHEAD)
            fetch_row(legal, lane + AHEAD)
            ahead = min(lane + AHEAD, np.uint64(stop - 1))
            fetch_item(logs, ahead, games[ahead].log_size)  # where its next event will stand
        game = games[lane]
        log = logs[lane]
        if num_legal[lane] == 0 or actions[lane] == HOLD:
            rest(reward, lane)
            continue
        viewer = decide(rules, game, log, actions[lane], reward, done, lane)
        if must_deal(rules, game):
            if not deal_next(rules, game, log, done, autoreset, undealt, lane):
                undealt = np.int64(lane)
        show(rules, game, mask, legal, num_legal, observation, seat, viewer, lane)
    return int(undealt)


@kernel
def step_checked(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    actions: WholeNumbers,
    taken: WholeNumbers,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    reward: Rewards,
    done: npt.NDArray[np.bool_],
    autoreset: bool,
    may_hold: bool,
    start: int,
    stop: int,
) -> int:
    """`step_lanes`, if all the actions can be taken; the first lane whose cannot be, or -1. If a
    lane could not be dealt again, `UNDEALT` less that lane; `stop` if all games are over, and stay
    so. The actions are copied to `taken` as they are looked at."""
    if not autoreset and all_over(num_legal, start, stop):
        return stop
    refused = first_refused(legal, num_legal, actions, taken, may_hold, start, stop)
    if refused >= 0:
        return refused
    return UNDEALT - step_lanes(
        rule_tables,
        games,
        logs,
        taken,
        mask,
        legal,
        num_legal,
        observation,
        seat,
        reward,
        done,
        autoreset,
        start,
        stop,
    )


@kernel
def play_others(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    reward: Rewards,
    done: npt.NDArray[np.bool_],
    samplers: Generators,
    learner: WholeNumbers,
    owed: Earnings,
    start: int,
    stop: int,
) -> int:
    """Plays at random in each lane until it is the learner's turn, or the game is over, and shows
    finished games to the learner; answers with the first lane whose next round could not be dealt,
    which is over, or -1."""
    rules = rule_tables[0]
    undealt: Any = -1
    for lane in range(np.uint64(start), np.uint64(stop)):
        game = games[lane]
        viewer = int(learner[lane]) if 0 <= learner[lane] < reward.shape[1] else 0
        played = game.to_move < 0 and last_viewer(rules, game) != viewer
        while game.to_move >= 0 and game.to_move != learner[lane]:
            action = legal[lane, pick_from(samplers, lane, int(num_legal[lane]))]
            decide(rules, game, logs[lane], action, reward, done, lane)
            if must_deal(rules, game):
                if not deal_next(rules, game, logs[lane], done, False, undealt, lane):
                    undealt = np.int64(lane)
            if viewer == learner[lane]:
                owed[lane] += reward[lane, np.uint64(viewer)]
            list_moves(rules, game, mask, legal, num_legal, lane)
            played = True
        if played:
            seat[lane] = game.to_move
            observe(
                rules, game, int(game.to_move) if game.to_move >= 0 else viewer, observation, lane
            )
    return int(undealt)


@small
def decide(
    rules: RuleTable,
    game: Game,
    log: Log,
    action: int,
    reward: Rewards,
    done: npt.NDArray[np.bool_],
    lane: Index,
) -> int:
    """Takes a decision and pays what it earns; answers with the seat that sees a finished game."""
    take_decision(rules, game, log, action)
    pay(rules, game, reward, lane)
    done[lane] = game.over
    return int(last_viewer(rules, game))


@kernel
def deal_next(
    rules: RuleTable,
    game: Game,
    log: Log,
    done: npt.NDArray[np.bool_],
    autoreset: bool,
    undealt: int,
    lane: Index,
) -> bool:
    """Deals what comes after a round, if anything does; False if it cannot be dealt. Where that has
    happened in another lane it is not tried again: one lane takes long enough."""
    if game.over and not autoreset:
        game.to_move = -1
        return True
    if undealt >= 0:
        leave_undealt(rules, game)
    elif deal_again(rules, game, log):
        return True
    done[lane] = True
    return False


@small
def show(
    rules: RuleTable,
    game: Game,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    viewer: int,
    lane: Index,
) -> None:
    """Writes a lane's seat, moves and observation; a finished game is shown to `viewer`."""
    seat[lane] = game.to_move
    list_moves(rules, game, mask, legal, num_legal, lane)
    observe(rules, game, int(game.to_move) if game.to_move >= 0 else viewer, observation, lane)


@kernel
def deal_lanes(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    reward: Rewards,
    done: npt.NDArray[np.bool_],
    deals: WholeNumbers,
    starters: WholeNumbers,
    start: int,
    stop: int,
) -> int:
    """Begins an episode with an explicit deal in each lane; answers with the first lane whose deal
    the rules would deal again, or -1."""
    rules = rule_tables[0]
    for lane in range(np.uint64(start), np.uint64(stop)):
        game = games[lane]
        if not begin_dealt(rules, game, logs[lane], deals[lane], starters[lane]):
            return int(np.int64(lane))
        done[lane] = 0
        rest(reward, lane)
        show(rules, game, mask, legal, num_legal, observation, seat, 0, lane)
    return -1


@kernel
def restart_lanes(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    reward: Rewards,
    done: npt.NDArray[np.bool_],
    lanes: WholeNumbers,
    start: int,
    stop: int,
) -> int:
    """Begins a new episode in some lanes; their generators go on. Answers with the first that could
    not be dealt, or -1; that one and all after it are over."""
    undealt: Any = -1
    for place in range(start, stop):
        lane: Any = np.uint64(lanes[place])
        game = games[lane]
        clear(rule_tables[0], game)
        if undealt >= 0:
            leave_undealt(rule_tables[0], game)
        elif not new_episode(rule_tables[0], game, logs[lane]):
            undealt = np.int64(lane)
        done[lane] = game.over
        rest(reward, lane)
        show(rule_tables[0], game, mask, legal, num_legal, observation, seat, 0, lane)
    return int(undealt)


@kernel
def show_lanes(
    rule_tables: RuleTables,
    games: Games,
    mask: Masks,
    legal: Legal,
    num_legal: Counts,
    observation: Observations,
    seat: npt.NDArray[np.int16],
    start: int,
    stop: int,
) -> None:
    """Writes anew all that is shown of a range of lanes, after their state has been replaced."""
    for lane in range(np.uint64(start), np.uint64(stop)):
        game = games[lane]
        viewer = int(last_viewer(rule_tables[0], game))
        show(rule_tables[0], game, mask, legal, num_legal, observation, seat, viewer, lane)


@kernel
def observe_lanes(
    rule_tables: RuleTables,
    games: Games,
    lanes: WholeNumbers,
    seats: WholeNumbers,
    out: Observations,
) -> None:
    """What a seat of each of some lanes sees now, whether or not it is to move."""
    for place in range(len(lanes)):
        observe(rule_tables[0], games[lanes[place]], int(seats[place]), out, place)


@kernel
def sample_lanes(
    num_legal: Counts,
    legal: Legal,
    samplers: Generators,
    actions: WholeNumbers,
    start: int,
    stop: int,
) -> None:
    """A legal action in each lane, each as likely; -1 in a finished lane."""
    for lane in range(np.uint64(start), np.uint64(stop)):
        actions[lane] = -1
        if num_legal[lane] > 0:
            actions[lane] = legal[lane, pick_from(samplers, lane, int(num_legal[lane]))]


@kernel
def sample_some(
    num_legal: Counts,
    legal: Legal,
    samplers: Generators,
    lanes: WholeNumbers,
    actions: WholeNumbers,
) -> None:
    """A legal action in each of some lanes, each as likely."""
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        actions[place] = legal[lane, pick_from(samplers, lane, int(num_legal[lane]))]


@kernel
def seed_lanes(games: Games, samplers: Generators, lanes: WholeNumbers, seeds: Generators) -> None:
    """Seeds some lanes' own generators, and those that `sample` uses for them."""
    for place in range(len(lanes)):
        games[lanes[place]].rng = seeded(seeds[place])
        samplers[lanes[place]] = seeded(~seeds[place])
