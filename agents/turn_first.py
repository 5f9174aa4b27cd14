"""`turn_first`: a rule-based player of Solitaire that turns tiles face up whenever it can."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.agents import Actions, Lanes, Shown, at_decisions
from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, lowest
from domino_env.engine.rng import pick_from
from domino_env.engine.state import Generators, Numbers
from domino_env.puzzles.columns import STOP, TARGETS, lower_ends, targets, targets_of
from domino_env.puzzles.puzzle_state import COLUMNS, Puzzle, Puzzles

COMPILED = ("the agent turn_first", 2)

# What a move is worth, the best first.
TURNS, CLEARS, STOPS, JOINS = 4, 3, 2, 1


class TurnFirst(Shown):
    """Turns a tile up if it can, stops when the game is won, and otherwise moves at random."""

    name = "turn_first"

    def __init__(self, seed: int | None = None) -> None:
        self._rng: Generators = np.zeros(1, np.uint64)
        self._rng[0] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    @staticmethod
    def plays(rules: Any) -> bool:
        """Does it play this game?"""
        return plays_columns(rules)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        chosen = np.empty(len(lanes), np.int64)
        _choose(batch._games, lanes, self._rng, chosen)
        return chosen


def plays_columns(rules: Any) -> bool:
    """Has the game columns to turn up?"""
    return getattr(rules, "play", None) == "turning_up"


@kernel
def _choose(games: Puzzles, lanes: Numbers, rng: Generators, chosen: Numbers) -> None:
    for place in range(len(lanes)):
        chosen[place] = turn_first(games[lanes[place]], rng, False)


@kernel
def turn_first(game: Puzzle, rng: Generators, clears: bool) -> int:
    """The move of the greatest worth, or one of them; emptying a column may be worth more than
    other moves."""
    best, worth, alike = -1, 0, 0
    if game.won:
        best, worth, alike = STOP, STOPS, 1
    ends = lower_ends(game)
    for column in range(COLUMNS):
        start = int(game.height[column] - game.face_up[column])
        others, empty = targets_of(ends, column)
        for place in range(start, int(game.height[column])):
            bits = targets(game, column, place, others, empty)
            while bits != NONE:
                target = lowest(bits)
                bits &= bits - ONE
                value = worth_of(place, start, clears)
                if value > worth:
                    best, worth, alike = action_of(game, column, place, target), value, 1
                elif value == worth:
                    alike += 1
                    if pick_from(rng, 0, alike) == 0:
                        best = action_of(game, column, place, target)
    return best


@small
def action_of(game: Puzzle, column: int, place: int, target: int) -> int:
    """The action that moves a run to a target."""
    return int(game.column[column, place]) * TARGETS + target


@small
def worth_of(place: int, start: int, clears: bool) -> int:
    """What there is in moving the run that begins at a place of a column."""
    if place > start:
        return JOINS
    if start > 0:  # all that is face up leaves
        return TURNS
    return CLEARS if clears else JOINS
