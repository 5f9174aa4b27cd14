"""Explicit deals: who holds what, and the boneyard in drawing order.

    batch.reset(options={"deal": {"hands": [["6|6", (0, 1)], [...]], "boneyard": [...]}})
    batch.reset(options={"deal": order})         # all tiles: dealt seat by seat, then the boneyard
    batch.reset(options={"deals": [deal, ...]})  # one for each lane

In a game of rows the hands are the rows, top first, and the boneyard is what was set aside. Where
lots are drawn for the first player, `"starter"` names the seat; without it the lane's seed draws.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.engine.book import Setup
from domino_env.errors import BadDeal, did_you_mean
from domino_env.ruleset import Rules

Deck = npt.NDArray[np.uint8]


def read_deal(setup: Setup, deal: Any) -> tuple[Deck, int]:
    """A deal as a deck of tile numbers and a starter (-1: none is named)."""
    if isinstance(deal, Mapping):
        order = _order_of_hands(setup, deal)
        starter = _starter(setup, deal.get("starter"))
    elif isinstance(deal, Sequence) and not isinstance(deal, str):
        order, starter = list(deal), -1
    elif isinstance(deal, np.ndarray):
        order, starter = deal.tolist(), -1
    else:
        raise BadDeal(
            "a deal is a dict of 'hands' and 'boneyard', or the order of all tiles; "
            f"not {type(deal).__name__}"
        )
    return _deck(setup.rules, order), starter


def _order_of_hands(setup: Setup, deal: Mapping[str, Any]) -> list[Any]:
    known = ("hands", "boneyard", "starter")
    for key in deal:
        if key not in known:
            raise BadDeal(f"a deal has no {key!r}{did_you_mean(str(key), known)}")
    if "hands" not in deal:
        raise BadDeal("a deal needs 'hands': a list of tiles for each seat")
    hands = [list(hand) for hand in deal["hands"]]
    size = setup.rules.hand_size_for(setup.players)
    if len(hands) != setup.players:
        raise BadDeal(f"a deal for {setup.players} players needs as many hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != size:
            raise BadDeal(
                f"{setup.rules.id} deals {size} tiles to each of {setup.players} players; "
                f"seat {seat} has {len(hand)}"
            )
    order = [tile for hand in hands for tile in hand]
    return order + list(deal.get("boneyard", []))


def _starter(setup: Setup, starter: Any) -> int:
    if starter is None:
        return -1
    if setup.rules.opening.starter not in ("lot", "in_turn"):
        raise BadDeal(f"in {setup.rules.id} the tiles say who starts: leave 'starter' out")
    if isinstance(starter, bool) or not isinstance(starter, (int, np.integer)):
        raise BadDeal(f"'starter' is the number of a seat, not {starter!r}")
    if not 0 <= starter < setup.players:
        raise BadDeal(f"'starter' is a seat from 0 to {setup.players - 1}, not {starter}")
    return int(starter)


def _deck(rules: Rules, order: list[Any]) -> Deck:
    numbers = [read_tile(rules, tile) for tile in order]
    seen: set[int] = set()
    for number, tile in zip(numbers, order, strict=True):
        if number in seen:
            raise BadDeal(f"tile {tile!r} is in the deal twice")
        seen.add(number)
    if len(numbers) != rules.num_tiles:
        raise BadDeal(
            f"a deal names all {rules.num_tiles} tiles of {rules.set}, hands and boneyard "
            f"together; this one names {len(numbers)}"
        )
    return np.array(numbers, np.uint8)


def read_tile(rules: Rules, tile: Any) -> int:
    """The number of a tile given as (3, 5), "3|5", "3-5" or already as its number."""
    halves: Any = tile
    if isinstance(tile, str):
        parts = re.split(r"[|-]", tile.strip().strip("[]"))
        halves = [int(part) if part.strip().isdigit() else part.strip() for part in parts]
    elif isinstance(tile, (int, np.integer)) and not isinstance(tile, bool):
        if not 0 <= tile < rules.num_tiles:
            raise BadDeal(f"{rules.set} numbers its tiles 0 to {rules.num_tiles - 1}, not {tile}")
        return int(tile)
    if not isinstance(halves, (tuple, list)) or len(halves) != 2:
        raise BadDeal(f"a tile is written (3, 5), '3|5' or as its number; not {tile!r}")
    try:
        number = rules.tile_set.number(*(_face(half) for half in halves))
    except TypeError:
        number = None
    if number is None:
        raise BadDeal(f"{rules.set} has no tile {tile!r}")
    return number


def _face(half: Any) -> int | str:
    """A half as the tile set names it: "3" is the number 3."""
    if isinstance(half, str):
        return int(half) if half.isdigit() else half
    return operator.index(half)
