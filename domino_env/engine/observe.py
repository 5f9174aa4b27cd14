"""Observations: what one seat can see, written as the fields of `features` in their order.

Seats are counted from the observer. Nothing here may depend on a tile that the observer has not
seen; the tests permute the hidden tiles and look.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.engine.bits import NONE, ONE, holds, lowest
from domino_env.engine.compiling import kernel, small
from domino_env.engine.layout.hexes import observe_arc
from domino_env.engine.layout.table import counts
from domino_env.engine.moves import choice
from domino_env.engine.rule_table import FROM_BONEYARD, NOTHING, TWO_FROM_BONEYARD
from domino_env.engine.seats import CLOCKWISE, seat_after
from domino_env.engine.state import (
    ANYTHING,
    CLAIM,
    GONE,
    LAST_TILE,
    NOBODY,
    PLAY,
    STAGES,
    Book,
    Game,
)
from domino_env.tileset import DRAW_ONE, PLAY_AGAIN

BYTE = np.uint64(255)
# Row b holds the bits of the byte b as eight numbers.
EIGHTS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(
    np.float32
)


@small
def observe(book: Book, game: Game, seat: int, out: Any, row: int) -> None:
    """Writes what a seat sees into a row of `out`."""
    lane = np.uint64(row)
    observe_tiles(book, game, seat, out, lane)
    for at in range(np.uint64(book.at_ends), np.uint64(book.features)):
        out[lane, at] = 0
    if book.curved:
        observe_curved_ends(book, game, out, lane)
    else:
        observe_ends(book, game, out, lane)
    observe_seats(book, game, seat, out, lane)
    first = np.uint64(book.at_table)
    out[lane, first] = (game.deck_end - game.next) * book.per_tile
    out[lane, first + ONE] = (game.round_number - 1) * book.per_round
    if book.at_course >= 0:
        observe_course(book, game, seat, out, lane)
    if book.rows:
        observe_rows(book, game, seat, out, lane)
    if book.at_stage >= 0:
        observe_stage(book, game, seat, out, lane)


@small
def observe_tiles(book: Book, game: Game, seat: int, out: Any, lane: Any) -> None:
    """The tiles in hand, and those on the table by who played them."""
    for w in range(book.words):
        spread(choice(book, game, seat, w), book, w, out, lane, book.at_hand)
    at = book.at_played
    for step in range(book.seats):
        who = seat_after(book, seat, step)
        for w in range(book.words):
            spread(game.played[who, w], book, w, out, lane, at)
        at += book.tiles
    if book.opening == FROM_BONEYARD or book.opening == TWO_FROM_BONEYARD:
        for w in range(book.words):
            spread(game.played[NOBODY, w], book, w, out, lane, at)


@small
def spread(bits: Any, book: Book, w: int, out: Any, lane: int, at: int) -> None:
    """Writes one word of a set of tiles as zeros and ones.

    It goes by eights: up to seven numbers past the end are written too, and then overwritten by the
    field that follows.
    """
    first = np.uint64(at + w * 64)  # unsigned, so that nobody looks for negatives
    for _ in range(min(8, (book.tiles - w * 64 + 7) >> 3)):
        pattern = bits & BYTE
        bits >>= np.uint64(8)
        for step in range(8):
            place = np.uint64(step)
            out[lane, first + place] = EIGHTS[pattern, place]
        first += np.uint64(8)


@small
def observe_ends(book: Book, game: Game, out: Any, lane: Any) -> None:
    """What each end asks for, whether it may be played on, what it counts."""
    at = book.at_ends
    for end in range(game.num_ends):
        value = int(game.end_value[end])
        if value != ANYTHING:
            out[lane, np.uint64(at + value)] = 1
        out[lane, np.uint64(at + book.values)] = (game.offered >> np.uint64(end)) & ONE
        at += book.end_features
        if book.plays != NOTHING:
            out[lane, at - 1] = counts(book, game, end) * book.per_pip


@kernel
def observe_curved_ends(book: Book, game: Game, out: Any, lane: Any) -> None:
    """What each end asks for, which turns fit and what lies around it, what it counts."""
    if game.opener < 0:  # the empty table asks for nothing
        return
    at = book.at_ends
    for end in range(game.num_ends):
        if game.end_kind[end] != GONE:
            out[lane, np.uint64(at + game.end_value[end])] = 1
            observe_arc(book, game, end, out, lane, at + book.values)
        at += book.end_features
        if book.plays != NOTHING:
            out[lane, at - 1] = counts(book, game, end) * book.per_pip


@small
def observe_seats(book: Book, game: Game, seat: int, out: Any, lane: Any) -> None:
    """What is public about each seat."""
    at = book.at_seats
    for step in range(book.seats):
        who = seat_after(book, seat, step)
        first = np.uint64(at)
        seen = np.uint64(who)
        out[lane, first] = game.hand_size[seen] * book.per_tile
        out[lane, first + np.uint64(1)] = game.drew[seen] * book.per_tile
        out[lane, first + np.uint64(2)] = game.passed[seen]
        out[lane, first + np.uint64(3)] = game.scores[seen] * book.per_point
        out[lane, first + np.uint64(4)] = game.drawn_since[seen] * book.per_tile
        lacks = game.lacks[seen]
        while lacks != NONE:
            out[lane, first + np.uint64(5 + lowest(lacks))] = 1
            lacks &= lacks - ONE
        at += book.seat_features


@kernel
def observe_course(book: Book, game: Game, seat: int, out: Any, lane: Any) -> None:
    """Who is out already, which way turns go, the stakes, and the symbols that wait."""
    at = int(book.at_course)
    if book.shows_places:
        for step in range(book.seats):
            place = game.out_place[seat_after(book, seat, step)]
            out[lane, at] = np.float32(place) / np.float32(book.seats)
            at += 1
    if book.shows_direction:
        out[lane, at] = game.direction != CLOCKWISE
        at += 1
    if book.shows_stakes:
        out[lane, at] = game.stakes - 1
        at += 1
    if book.shows_effects and game.stage != PLAY:
        out[lane, at] = game.effect == DRAW_ONE
        out[lane, at + 1] = game.effect == PLAY_AGAIN


@small
def observe_rows(book: Book, game: Game, seat: int, out: Any, lane: Any) -> None:
    """Where the tiles lie that have been flipped and put back (BL3)."""
    at = book.at_rows
    for step in range(book.seats):
        who = seat_after(book, seat, step)
        first = who * book.hand_size
        for place in range(game.hand_size[who]):
            slot = (int(game.row_head[who]) + place) % book.hand_size
            tile = int(game.deck[first + slot])
            if holds(game.seen, tile):
                out[lane, at + tile] = np.float32(place + 1) / np.float32(book.hand_size)
        at += book.tiles


@small
def observe_stage(book: Book, game: Game, seat: int, out: Any, lane: Any) -> None:
    """What is being decided, where that is not always the same."""
    at = book.at_stage
    if book.end_turn >= 0:
        out[lane, at] = game.may_stop
        at += 1
    if book.pass_turn >= 0:
        out[lane, at] = game.may_pass if seat == game.to_move else 0
        at += 1
    if book.called:
        if game.stage == CLAIM:
            out[lane, at] = game.claim * book.per_point
        at += 1
    for stage in range(LAST_TILE, STAGES):
        if book.answers[stage, 0] >= 0:
            out[lane, at] = game.stage == stage
            at += 1
    if at < book.features:
        out[lane, at + (book.seats + game.turn - seat) % book.seats] = 1
