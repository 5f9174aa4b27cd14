"""Guesses who holds what, for many games at once: by counting, and exactly.

A *guess* is a function of a batch and some of its lanes. It answers with float64[N, tiles,
seats + 1], for each tile that the seat to move has not seen how likely it is where: column 0 is the
seat itself, then the others clockwise, and last the boneyard. Rows of tiles that it has seen are
zero.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from domino_env.arrays import tiles_held
from domino_env.batches import Batch
from domino_env.belief.marginals import marginals
from domino_env.errors import BadOption, GameOver

Lanes = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]  # [lane, tile, column]
Tiles = npt.NDArray[np.bool_]


class Guess(Protocol):
    """Says who holds what."""

    def __call__(self, batch: Batch, lanes: Lanes) -> Shares:
        """How likely which tile is where, in some lanes."""
        ...


def exact(batch: Batch, lanes: Lanes) -> Shares:
    """What `marginals` say: all deals that agree with everything seen are as likely."""
    lanes = lanes_to_guess(batch, lanes)
    hidden, seats = hidden_tiles(batch, lanes), batch._seat[lanes].tolist()
    found = np.zeros((*hidden.shape, batch.num_players + 1))
    for row, (lane, seat) in enumerate(zip(lanes.tolist(), seats, strict=True)):
        found[row] = _from_seat(marginals(batch, lane, seat), seat)
    return found * hidden[:, :, None]


def counting(batch: Batch, lanes: Lanes) -> Shares:
    """Every tile not seen is as likely to be any of those that others hold, or that nobody does."""
    lanes = lanes_to_guess(batch, lanes)
    hidden = hidden_tiles(batch, lanes)
    room = places_of(batch, lanes, hidden)
    shares = hidden[:, :, None] * room[:, None, :]
    return normalised(shares)


def shown_lacks(batch: Batch, lanes: Lanes) -> Shares:
    """What `heuristic` counts by: the same, but tiles that somebody held when it showed to be
    without a number do not have that number."""
    lanes = lanes_to_guess(batch, lanes)
    hidden = hidden_tiles(batch, lanes)
    room = places_of(batch, lanes, hidden)
    unseen = np.maximum(hidden.sum(1), 1.0)
    shares = hidden[:, :, None] * (room / unseen[:, None])[:, None, :]
    for column in range(1, batch.num_players):
        shares[:, :, column] = _by_lacks(batch, lanes, column, hidden, room[:, column])
    return normalised(shares)


def _by_lacks(
    batch: Batch, lanes: Lanes, column: int, hidden: Tiles, size: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """How likely the seat of a column holds each tile: what it drew since it showed a lack is any
    tile not seen, what it held before is none of those it lacked."""
    games, other = batch.games[lanes], (batch._seat[lanes] + column) % batch.num_players
    here = np.arange(len(lanes))
    recent = np.minimum(games["drawn_since"][here, other], size)
    free = hidden & ~_lacked(batch, games["lacks"][here, other])
    number = free.sum(1)
    recent = np.where(number > 0, recent, size)
    any_tile = recent / np.maximum(hidden.sum(1), 1)
    old_tile = (size - recent) / np.maximum(number, 1)
    return hidden * any_tile[:, None] + free * old_tile[:, None]


def _lacked(batch: Batch, lacks: npt.NDArray[np.uint64]) -> Tiles:
    """The tiles that somebody showed to be without."""
    table: Any = batch.rule_table[0]
    curved = bool(table["curved"])
    by_bit = table["fits"].reshape(-1, table["fits"].shape[-1]) if curved else table["joins"]
    tiles = tiles_held(by_bit, batch.rules.num_tiles)
    bits = (lacks[:, None] >> np.arange(min(64, len(tiles)), dtype=np.uint64)) & np.uint64(1)
    lacked: Tiles = bits.astype(np.int64) @ tiles[: bits.shape[1]].astype(np.int64) > 0
    return lacked


# What is hidden ----------------------------------------------------------------------------------


def lanes_to_guess(batch: Batch, lanes: npt.ArrayLike) -> Lanes:
    """Lanes in which there may be something to guess; refuses others."""
    batch.must_be_reset("a guess")
    if not batch.rules.has_opponents:
        raise BadOption(f"guesses are about what others hold: {batch.rules.id} has one player")
    some = batch.some_lanes(lanes)
    over = some[batch._seat[some] < 0]
    if len(over):
        raise GameOver(f"lane {over[0]} is over: there is nothing left to guess")
    return some


def hidden_tiles(batch: Batch, lanes: Lanes) -> Tiles:
    """bool[N, tiles]: which tiles the seats to move have not seen. A tile that was seen and then
    went into another hand is hidden, too, in all games but those of rows."""
    games, number = batch.games[lanes], batch.rules.num_tiles
    seen = tiles_held(np.bitwise_or.reduce(games["played"], 1), number)
    seen |= tiles_held(batch.rule_table["left_out"], number)
    if batch.rules.rows:
        seen |= tiles_held(games["seen"], number)
        flipped = games["flipped"]
        turned = np.flatnonzero(flipped >= 0)
        seen[turned, flipped[turned]] = True
    else:
        seen |= tiles_held(games["hands"][np.arange(len(lanes)), batch._seat[lanes]], number)
    return ~seen


def holders(batch: Batch, lanes: Lanes) -> npt.NDArray[np.int8]:
    """int8[N, tiles]: in which column each hidden tile really is, and -1 for one that is seen."""
    hidden, seats = hidden_tiles(batch, lanes), batch.num_players
    found = np.where(hidden, seats, -1).astype(np.int8)
    hands = batch.games["hands"][lanes]
    here = np.arange(len(lanes))
    for column in range(seats):
        hand = hands[here, (batch._seat[lanes] + column) % seats]
        found[tiles_held(hand, batch.rules.num_tiles) & hidden] = column
    return found


def places_of(batch: Batch, lanes: Lanes, hidden: Tiles) -> npt.NDArray[np.float64]:
    """float64[N, columns]: how many hidden tiles are in each column; everybody can count them."""
    seats, games = batch.num_players, batch.games[lanes]
    around = (batch._seat[lanes][:, None] + np.arange(seats)) % seats
    sizes = np.take_along_axis(games["hand_size"].astype(np.int64), around, 1).astype(np.float64)
    if batch.rules.rows:
        sizes -= _seen_in_rows(batch, lanes)
    else:
        sizes[:, 0] = 0.0
    left = hidden.sum(1, keepdims=True) - sizes.sum(1, keepdims=True)
    return np.concatenate([sizes, np.maximum(left, 0.0)], axis=1)


def _seen_in_rows(batch: Batch, lanes: Lanes) -> npt.NDArray[np.int64]:
    """How many tiles of each row have been seen, from the seat to move on."""
    games, seats, number = batch.games[lanes], batch.num_players, batch.rules.num_tiles
    around = (batch._seat[lanes][:, None] + np.arange(seats)) % seats
    hands = tiles_held(games["hands"][np.arange(len(lanes))[:, None], around], number)
    return (hands & ~hidden_tiles(batch, lanes)[:, None]).sum(2)


# In numbers --------------------------------------------------------------------------------------


def normalised(shares: Shares) -> Shares:
    """The same with the sum 1 in each row that is not zero."""
    total = shares.sum(2, keepdims=True)
    return np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)


def _from_seat(shares: npt.NDArray[np.float64], seat: int) -> npt.NDArray[np.float64]:
    """Marginals with the columns from a seat on, clockwise."""
    return np.concatenate([np.roll(shares[:, :-1], -seat, axis=1), shares[:, -1:]], axis=1)
