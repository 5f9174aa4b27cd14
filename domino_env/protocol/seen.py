"""Events as a seat has seen them: nothing that others are told depends on anything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import small
from domino_env.engine.events import END, end_of, kind_of, seat_of, with_tile
from domino_env.engine.state import DREW, TOOK, Log

HIDDEN_TILE = 255


@small
def seen_at(log: Log, place: int, seat: int) -> int:
    """The event at a place of the log as a seat has seen it."""
    word: Any = np.int64(log[np.uint64(place)])
    return as_seen(word, seat)


@small
def as_seen(word: int, seat: int) -> int:
    """An event of the log as a seat has seen it: the tiles that others drew or took from one
    another are hidden, and why somebody drew."""
    kind = kind_of(word)
    if kind == DREW:
        drawn = word & ~(255 << END)
        return drawn if seat_of(word) == seat else with_tile(drawn, HIDDEN_TILE)
    if kind == TOOK and seat_of(word) != seat and end_of(word) != seat:
        return with_tile(word, HIDDEN_TILE)
    return word
