"""Given deals: the hands, and the boneyard in drawing order.

    batch.reset(options={"deal": {"hands": [["6|6", (0, 1)], [...]], "boneyard": [...]}})
    batch.reset(options={"deal": order})         # all tiles: dealt seat by seat, then the boneyard
    batch.reset(options={"deals": [deal, ...]})  # one for each lane

In a game of rows the hands are the rows, top first, and the boneyard is what was set aside. A start
tile that is taken before hands are dealt (YT1) comes first in the boneyard, after any doubles that
precede it; a double that lies in the middle (TR1) comes first, and says which round this is. Where
the first player is drawn by lot, `"starter"` names the seat; without it the lane's seed decides.
Where later rounds of a match are led by somebody else, `"starter"` deals such a round, with a free
lead, though a double opens the first. Where each round has a double that opens, `"round"` says
which round it is: the first unless it is named. In a one-player game a deal is the order of all
tiles, each written as it lies: left or upper half first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.actions import Tile, tile_number
from domino_env.engine.game_setup import Setup
from domino_env.errors import BadAction, BadDeal, did_you_mean, is_whole
from domino_env.puzzles.puzzle_state import TURNED

Deck = npt.NDArray[np.uint8]


def read_deal(setup: Setup, deal: Any) -> tuple[Deck, int]:
    """A deal as a deck of tile numbers and a starter (-1: none is named); where each round has its
    double, the number of the round in the place of a starter, counted from 0."""
    if not setup.rules.has_opponents:
        raise BadDeal(f"{setup.rules.id} is played alone: its deal is a row, see `read_row`")
    if isinstance(deal, Mapping):
        order = _order_of_hands(setup, deal)
        starter = _starter(setup, deal.get("starter"))
        if deal.get("round") is not None:
            starter = _round(setup, deal["round"]) - 1
    elif is_list(deal):
        order = deal.tolist() if isinstance(deal, np.ndarray) else list(deal)
        starter = -1
    else:
        raise BadDeal(
            "a deal is a dict of 'hands' and 'boneyard', or the order of all tiles; "
            f"not {type(deal).__name__}"
        )
    return _deck(setup.rules, _with_left_out(setup, order)), starter


def read_row(setup: Setup, deal: Any) -> tuple[Deck, int]:
    """The deal of a one-player game: all tiles in their order, each written as it lies."""
    rules = setup.rules
    if not is_list(deal):
        raise BadDeal(f"a deal of {rules.id} is the order of all tiles, not {deal!r}")
    row = deal.tolist() if isinstance(deal, np.ndarray) else list(deal)
    turned = [lies_turned(rules, tile) for tile in row]
    return _deck(rules, row) + np.uint8(TURNED) * np.array(turned, np.uint8), -1


def lies_turned(rules: Any, tile: Any) -> bool:
    """Does a tile lie with its second half first?"""
    faces = rules.tile_set.faces[read_tile(rules, tile)]
    if is_whole(tile):
        raise BadDeal(f"a tile lies one way or the other: write it (3, 5) or '3|5', not {tile!r}")
    return bool(_halves(tile)[0] != faces[0])


def is_list(value: Any) -> bool:
    """Is this a list of things, of Python's or of NumPy's? A text is none."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _order_of_hands(setup: Setup, deal: Mapping[str, Any]) -> list[Any]:
    known = ("hands", "boneyard", "starter", "round")
    for key in deal:
        if key not in known:
            raise BadDeal(f"a deal has no {key!r}{did_you_mean(str(key), known)}")
    if "hands" not in deal:
        raise BadDeal("a deal needs 'hands': a list of tiles for each seat")
    hands = [_tiles("each of 'hands'", hand) for hand in _tiles("'hands'", deal["hands"])]
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
    return order + _tiles("'boneyard'", deal.get("boneyard", []))


def _with_left_out(setup: Setup, order: list[Any]) -> list[Any]:
    """A deal with the tiles behind it that are not played with; it may not have them elsewhere."""
    left_out = setup.rules.left_out_with(setup.players)
    played = len(order) - len(left_out) if len(order) == setup.rules.num_tiles else len(order)
    for tile in order[:played]:
        if read_tile(setup.rules, tile) in left_out:
            raise BadDeal(
                f"tile {tile!r} is left out with {setup.players} players: it is in no deal"
            )
    return order[:played] + left_out


def _tiles(name: str, tiles: Any) -> list[Any]:
    if not is_list(tiles):
        raise BadDeal(f"{name} is a list, not {tiles!r}")
    return list(tiles)


def _starter(setup: Setup, starter: Any) -> int:
    if starter is None:
        return -1
    opening = setup.rules.opening
    if opening.starter not in ("lot", "in_turn") and opening.later == "as_first":
        raise BadDeal(f"in {setup.rules.id} the tiles say who starts: leave 'starter' out")
    if not is_whole(starter):
        raise BadDeal(f"'starter' is the number of a seat, not {starter!r}")
    if not 0 <= starter < setup.players:
        raise BadDeal(f"'starter' is a seat from 0 to {setup.players - 1}, not {starter}")
    return int(starter)


def _round(setup: Setup, number: Any) -> int:
    rules = setup.rules
    if rules.opening.starter != "round_double":
        raise BadDeal(f"in {rules.id} a deal is of any round: leave 'round' out")
    most = len(rules.tile_set.round_doubles)
    if not is_whole(number) or not 1 <= number <= most:
        raise BadDeal(f"'round' is a number from 1 to {most}, not {number!r}")
    return int(number)


def _deck(rules: Any, order: list[Any]) -> Deck:
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


def read_tile(rules: Any, tile: Any) -> int:
    """The number of a tile given as (3, 5), "3|5", "3-5" or already as its number."""
    halves = _halves(tile)
    if is_whole(tile):
        if not 0 <= tile < rules.num_tiles:
            raise BadDeal(f"{rules.set} numbers its tiles 0 to {rules.num_tiles - 1}, not {tile}")
        return int(tile)
    if not isinstance(halves, (tuple, list)) or len(halves) != 2:
        raise BadDeal(f"a tile is written (3, 5), '3|5' or as its number; not {tile!r}")
    try:
        return tile_number(rules, Tile(*halves))
    except BadAction as error:
        raise BadDeal(f"{rules.set} has no tile {tile!r}") from error


def _halves(tile: Any) -> Any:
    """The halves of a tile that is written as text, or None; any other is left as it is."""
    if not isinstance(tile, str):
        return tile
    written = re.fullmatch(r"\s*\[?(\*|[>+]?\d{1,3})\s*[|-]\s*(\*|[>+]?\d{1,3})\]?\s*", tile)
    return tuple(map(_face, written.groups())) if written else None


def _face(half: str) -> int | str:
    """A half as a tile names it: "3" is the number 3."""
    return int(half) if half.isdigit() else half
