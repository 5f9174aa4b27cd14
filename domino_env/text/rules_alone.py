"""The one-player games in sentences, by what is done in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_COUNTING = (
    "All tiles lie in a row, face up.",
    "You count 0, 1, 2 ... 12 and begin again at 0, touching one tile after another, from the left "
    "and over and over; a tile whose pips add up to the number said leaves the row.",
    "There is nothing to decide: each GO ON counts one tile.",
    "You score a point for each tile that leaves; the game ends when the row is empty or can never "
    "change again.",
)
_PAIRS = (
    "All tiles lie in a row, face up.",
    "A move knocks out two neighbours whose halves are the same where they touch: KNOCK and the "
    "number of the place between them, 0 the leftmost; the gap closes.",
    "You score a point for each tile that leaves; the game ends when no pair matches, and is won "
    "when the row is empty.",
)
_TURNING_UP = (
    "The tiles lie in seven columns of 7, 6, 5 ... 1, the lowest of each face up.",
    "A tile has an upper half and a lower one, written in this order.",
    "A move takes a face-up tile and all below it to another column whose lowest half is the same "
    "as the tile's upper half, or to an empty column; a whole column may not go to an empty one.",
    "A face-down tile that is uncovered turns up, and scores a point.",
    "The game is won when all are face up; you may then go on joining columns, or STOP, for a "
    "point for each empty column.",
    "A move is written [3|5] → 2, the tile and its column, or [3|5] → empty column.",
)
_OF_PLAY = {"counting": _COUNTING, "pairs": _PAIRS, "turning_up": _TURNING_UP}


def alone(rules: Any) -> Iterator[str]:
    """The rules of a one-player game."""
    yield f"A game for one player, with the {rules.num_tiles} tiles from 0|0 to 6|6."
    yield from _OF_PLAY[rules.play]
    if rules.moves is not None:
        yield f"After {rules.moves} moves the game is over, without points for empty columns."
