"""What has happened in a round, as a seat has seen it, and the moves that it may make."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.events import end_of, half_of, kind_of, seat_of, tile_of
from domino_env.engine.state import (
    DREW,
    FLIPPED,
    LAID_OUT,
    PLAYED,
    PUT_BACK,
    TOOK,
    Counts,
    Index,
    Legal,
    Log,
    RuleTable,
)
from domino_env.protocol.composing.lists import go_on, put_number, put_term
from domino_env.protocol.seen import HIDDEN_TILE, seen_at
from domino_env.protocol.spelling import Line
from domino_env.protocol.terms import (
    BY_SEAT,
    END_OF_OBJECT,
    EXTRA,
    GIVER,
    KIND,
    KIND_OF_TILE,
    MOVE,
    ON_END,
    PLAY_OF,
    TILE,
)


@kernel
def put_table(log: Log, seat: int, first: int, last: int, line: Line, at: int) -> int:
    """The tiles on the table as they were laid: events between two places of the log."""
    begin = at
    for place in range(first, last):
        word = seen_at(log, place, seat)
        if kind_of(word) in (PLAYED, LAID_OUT):
            at = put_event(word, line, go_on(line, begin, at))
    return at


@kernel
def put_events(log: Log, seat: int, first: int, last: int, line: Line, at: int) -> int:
    """All events between two places of the log."""
    begin = at
    for place in range(first, last):
        word = seen_at(log, place, seat)
        at = put_event(word, line, go_on(line, begin, at))
    return at


@small
def put_event(word: int, line: Line, at: int) -> int:
    """An event, without the tile if that was not seen."""
    kind, tile = kind_of(word), tile_of(word)
    at = put_term(line, at, BY_SEAT + seat_of(word))
    if says_tile(kind) and tile != HIDDEN_TILE:
        at = put_term(line, put_term(line, at, KIND_OF_TILE + kind), TILE + tile)
    else:
        at = put_term(line, at, KIND + kind)
    if kind == PLAYED:
        return put_term(line, at, ON_END + 2 * end_of(word) + half_of(word))
    return put_term(line, at, GIVER + end_of(word) if kind == TOOK else END_OF_OBJECT)


@small
def says_tile(kind: int) -> bool:
    """Is it an event with a tile?"""
    return kind in (PLAYED, LAID_OUT, FLIPPED, DREW, PUT_BACK, TOOK)


@kernel
def put_moves(
    rules: RuleTable, legal: Legal, num_legal: Counts, lane: Index, line: Line, at: int
) -> int:
    """The legal moves of a lane in the order of their numbers. They are sorted further down the
    line, where there is room for them, and what is written before does not come so far."""
    number = int(num_legal[lane])
    ids = line[len(line) - number :]
    sort_into(legal, lane, ids)
    begin = at
    for place in range(number):
        at = put_move(rules, int(ids[np.uint64(place)]), line, go_on(line, begin, at))
    return at


@small
def sort_into(legal: Legal, lane: Index, ids: Line) -> None:
    """The actions that are listed for a lane, from the lowest up. There are few, and most stand
    where they belong."""
    for place in range(len(ids)):
        action, to = np.int64(legal[lane, np.uint64(place)]), place
        while to > 0 and ids[to - 1] > action:
            ids[to] = ids[to - 1]
            to -= 1
        ids[to] = action


@small
def put_move(rules: RuleTable, action: int, line: Line, at: int) -> int:
    """A move: see `actions`."""
    at = put_number(line, put_term(line, at, MOVE), action)
    plays = 2 * int(rules.tiles * rules.ends)
    if action >= plays:
        return put_term(line, at, EXTRA + action - plays)
    place = np.uint64(action) >> np.uint64(1)
    ends = np.uint64(rules.ends)
    at = put_term(line, put_term(line, at, PLAY_OF), TILE + int(place // ends))
    return put_term(line, at, ON_END + 2 * int(place % ends) + (action & 1))
