"""Tiles that are taken out of a hand at random. Which one it is comes from the game's generator, so
a wanted one is had by giving the game a state from which it comes."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.events import end_of, kind_of, seat_of
from domino_env.engine.rng import following, number_below
from domino_env.engine.state import DREW, TOOK

_AMONG, _CHOICE = 6, 63  # a lot in a path: the bits of its choice come first


@small
def taken(log: Any, first: int, last: int) -> int:
    """How many tiles were taken out of hands, by the events from `first` on before `last`."""
    number = 0
    for place in range(first, last):
        number += kind_of(int(log[place])) == TOOK
    return number


@small
def hand_with(game: Any, log: Any, first: int, which: int) -> int:
    """How many tiles the hand had from which the tile was taken that is the `which`-th of those
    since event `first`: what it has now, but for what has come and gone since."""
    giver, size = -1, 0
    for place in range(first, int(game.log_size)):
        word = int(log[place])
        kind = kind_of(word)
        if kind == TOOK:
            if which == 0:
                giver = end_of(word)
                size = int(game.hand_size[giver])
            which -= 1
        if giver >= 0 and kind == TOOK and end_of(word) == giver:
            size += 1
        if giver >= 0 and kind in (TOOK, DREW) and seat_of(word) == giver:
            size -= 1
    return size


@kernel
def generator_for(frame: Any, first: int) -> np.uint64:
    """A state of a generator from which the lots of a frame come, which are its choices from
    `first` on: found by trying, since few are drawn in one decision, out of a few tiles each."""
    state = np.uint64(0)
    while not _gives(state, frame, first):
        state += np.uint64(1)
    return state


@small
def _gives(state: np.uint64, frame: Any, first: int) -> bool:
    for lot in range(first, int(frame.fixed)):
        state = following(state)
        if number_below(state, int(frame.among[lot])) != frame.choice[lot]:
            return False
    return True


@small
def as_word(frame: Any, lot: int) -> int:
    """A lot as a word of a path, below zero as no action is."""
    return -1 - (int(frame.choice[lot]) << _AMONG | int(frame.among[lot]))


@small
def read_word(word: int, frame: Any) -> None:
    """Adds the lot of such a word to a frame."""
    frame.choice[frame.fixed] = (-1 - word) >> _AMONG
    frame.among[frame.fixed] = (-1 - word) & _CHOICE
    frame.fixed += 1
