"""What a seat has witnessed in this round, as rows of bytes: its own tiles, then every event.

A row is `(kind, seat, tile, end, half)`, each counted from 1, so that 0 means "none" or "not seen".
Seats are counted from the observer, clockwise. The tile of a draw is seen only by the seat that
drew it, a tile taken out of a hand by both (the end is then the seat that it is taken from).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine import events
from domino_env.engine.state import (
    ANSWERED,
    DREW,
    FLIPPED,
    LAID_OUT,
    NOBODY,
    PLAYED,
    PUT_BACK,
    TOOK,
    Game,
    Games,
    Index,
    Log,
    Logs,
    Numbers,
    Observations,
    RuleTable,
    RuleTables,
)

COLUMNS = ("kind", "seat", "tile", "end", "half")
KIND, SEAT, TILE, END, HALF = (np.uint64(column) for column in range(len(COLUMNS)))
DEALT = ANSWERED + 12  # between the answers: no stage has these two numbers
"""The kind of the rows that name the observer's own tiles."""

U = np.uint64
_WITH_TILE = sum(1 << kind for kind in (PLAYED, DREW, FLIPPED, PUT_BACK, LAID_OUT, TOOK))


@kernel
def recall_lanes(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    lanes: Numbers,
    seats: Numbers,
    out: Observations,
    first: int,
    start: int,
    stop: int,
) -> None:
    """Writes what a seat of each of some lanes has witnessed, from a row on; nothing for no seat,
    which is -1."""
    row: Index = U(first)
    for place in range(U(start), U(stop)):
        lane: Any = U(lanes[place])
        if seats[place] >= 0:
            seat = int(seats[place])
            row = recall(rule_tables[0], games[lane], logs[lane], seat, out, row)


@small
def recall(
    rules: RuleTable, game: Game, log: Log, seat: int, out: Observations, row: Index
) -> Index:
    """Writes what a seat has witnessed from a row on; the row after the last. What is the same for
    all rows is read before: a byte that is written might be anybody's, as far as compilers know."""
    seats, tiles, last = int(rules.seats), U(rules.tiles), U(game.log_size)
    if not rules.rows:  # there nobody has seen the tiles that lie in front of them
        dealt = U(rules.hand_size)
        for place in range(U(seat) * dealt, U(seat + 1) * dealt):
            write_row(out, row, U(DEALT), U(1), U(log[place]) + U(1), U(0), U(0))
            row += U(1)
    for at in range(tiles, last):
        write_event(seats, U(log[at]), U(seat), out, row)
        row += U(1)
    return row


@small
def write_event(
    seats: int, word: np.uint64, seat: np.uint64, out: Observations, row: Index
) -> None:
    """Writes an event as a seat has seen it, without branches where any kind is as likely."""
    kind, who = word & U(31), (word >> U(events.SEAT)) & U(15)
    tile, end = (word >> U(events.TILE)) & U(255), (word >> U(events.END)) & U(255)
    half = (word >> U(events.HALF)) & U(15)
    played = U(kind == U(PLAYED))
    seen = (U(_WITH_TILE) >> kind) & U(1) & ~(U(kind == U(DREW)) & U(who != seat))
    place = (end + U(1)) * played
    if kind == U(TOOK):
        seen = U(who == seat) | U(end == seat)
        place = seen_from(seats, end, seat)
    relative = seen_from(seats, who, seat) * U(who != U(NOBODY))
    write_row(out, row, kind, relative, (tile + U(1)) * seen, place, (half + U(1)) * played)


@small
def seen_from(seats: int, other: np.uint64, seat: np.uint64) -> np.uint64:
    """The number of a seat, counted from another, which is 1."""
    return other - seat + U(1) + U(seats) * U(other < seat)


@small
def write_row(
    out: Observations,
    row: Index,
    kind: np.uint64,
    seat: np.uint64,
    tile: np.uint64,
    end: np.uint64,
    half: np.uint64,
) -> None:
    """Writes the five numbers of a row."""
    out[row, KIND] = kind
    out[row, SEAT] = seat
    out[row, TILE] = tile
    out[row, END] = end
    out[row, HALF] = half
