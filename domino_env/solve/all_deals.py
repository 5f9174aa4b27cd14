"""All deals of a game: who holds which tiles. The order of the boneyard is left to the tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.engine.rule_table import MIDDLE

Deals = npt.NDArray[np.uint8]  # [deals, tiles]: hands seat by seat, the boneyard, what is left out


def number_of(table: Any) -> int:
    """How many deals there are, those that the rules would deal again among them."""
    tiles, number = len(_dealt(table)), 1
    for _ in range(table["seats"]):
        number *= comb(tiles, int(table["hand_size"]))
        tiles -= int(table["hand_size"])
    return number


def all_of(table: Any) -> Deals:
    """Every deal, once."""
    found = [*_hands(tuple(_dealt(table)), int(table["seats"]), int(table["hand_size"]))]
    return _decks(table, np.array(found, np.uint8))


def some_of(table: Any, number: int, rng: np.random.Generator) -> Deals:
    """So many deals, drawn at random."""
    tiles = np.array(_dealt(table), np.uint8)
    return _decks(table, np.array([rng.permutation(tiles) for _ in range(number)]))


def _dealt(table: Any) -> list[int]:
    """The tiles that hands are dealt from."""
    left_out = table["left_out"]
    kept = [t for t in range(table["tiles"]) if not int(left_out[t >> 6]) >> (t & 63) & 1]
    if table["opening"] == MIDDLE:
        kept.remove(int(table["round_doubles"][0]))
    return kept


def _hands(tiles: tuple[int, ...], seats: int, hand_size: int) -> Iterator[tuple[int, ...]]:
    """Hands for so many seats, and the tiles that are left."""
    if not seats:
        yield tiles
        return
    for hand in combinations(tiles, hand_size):
        others = tuple(tile for tile in tiles if tile not in hand)
        for rest in _hands(others, seats - 1, hand_size):
            yield hand + rest


def _decks(table: Any, dealt: Deals) -> Deals:
    """With the double that lies in the middle before the boneyard, and what is left out behind."""
    hands = int(table["seats"]) * int(table["hand_size"])
    parts = [dealt[:, :hands], dealt[:, hands:]]
    if table["opening"] == MIDDLE:
        parts.insert(1, np.full((len(dealt), 1), table["round_doubles"][0], np.uint8))
    known = {*dealt[0].tolist()} | ({int(table["round_doubles"][0])} if len(parts) == 3 else set())
    left_out = [tile for tile in range(table["tiles"]) if tile not in known]
    parts.append(np.tile(np.array(left_out, np.uint8), (len(dealt), 1)))
    return np.ascontiguousarray(np.concatenate(parts, 1))
