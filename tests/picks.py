"""The tiles that the engine takes out of hands at random, told beforehand (G16).

The one thing that a reference game cannot know: which tile a game's own generator picks. It is
splitmix64, and a pick among n tiles is their (upper half of the next word * n) / 2**32-th, in the
order of their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_WORD = 2**64 - 1


class Picks:
    """Picks as a game's generator will, from its state and the tiles in the order of the set."""

    def __init__(self, rng: int, tiles: Sequence[Any]) -> None:
        self.rng = rng
        self.tiles = tiles

    def __call__(self, loser: int, gainer: int, hand: Sequence[Any]) -> Any:
        self.rng = (self.rng + 0x9E3779B97F4A7C15) & _WORD
        word = self.rng
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
        word ^= word >> 31
        return sorted(hand, key=self.tiles.index)[(word >> 32) * len(hand) >> 32]
