"""What a move is worth in a game of columns: what `turn_first` plays by, and the rollouts of
`determinised`."""

from __future__ import annotations

from typing import Any

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, lowest
from domino_env.engine.rng import pick_from
from domino_env.engine.state import Generators
from domino_env.puzzles.columns import STOP, TARGETS, lower_ends, targets, targets_of
from domino_env.puzzles.puzzle_state import COLUMNS, Puzzle

# What a move is worth, the best first.
TURNS, CLEARS, STOPS, JOINS = 4, 3, 2, 1


def plays_columns(rules: Any) -> bool:
    """Has the game columns to turn up?"""
    return getattr(rules, "play", None) == "turning_up"


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
