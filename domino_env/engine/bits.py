"""Sets of tiles as bits: tile `t` is bit `t % 64` of word `t // 64`.

A hand is a few 64-bit words, so "which of my tiles fit that end?" is one AND. The helpers here are
the only place that knows. They run compiled, and as plain Python under `NUMBA_DISABLE_JIT=1`.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.compiling import instruction, small

Words: TypeAlias = npt.NDArray[np.uint64]  # a set of tiles

ONE = np.uint64(1)
NONE = np.uint64(0)


@instruction("cttz")
def lowest(bits: np.uint64) -> int:
    """Index of the lowest tile of a word that is not empty."""
    word = int(bits)
    return (word & -word).bit_length() - 1


@instruction("ctpop")
def count(bits: np.uint64) -> int:
    """How many tiles a word holds."""
    return int(bits).bit_count()


@small
def holds(words: Words, tile: int) -> bool:
    """Is the tile in the set?"""
    return (words[np.uint64(tile >> 6)] >> np.uint64(tile & 63)) & ONE != NONE


@small
def put(words: Words, tile: int) -> None:
    """Adds a tile to the set."""
    words[np.uint64(tile >> 6)] |= ONE << np.uint64(tile & 63)


@small
def take(words: Words, tile: int) -> None:
    """Takes a tile out of the set."""
    words[np.uint64(tile >> 6)] &= ~(ONE << np.uint64(tile & 63))


@small
def meet(words: Words, others: Words, num_words: int) -> bool:
    """Have the two sets a tile in common?"""
    for w in range(num_words):
        if words[w] & others[w] != NONE:
            return True
    return False


@small
def nth_of(words: Words, place: int) -> int:
    """The tile at a place of the set, counted from 0 in the order of their numbers."""
    for w in range(len(words)):
        tiles = words[w]
        while tiles != NONE:
            if place == 0:
                return w * 64 + lowest(tiles)
            place -= 1
            tiles &= tiles - ONE
    return -1
