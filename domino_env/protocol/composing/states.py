"""The states of many games, written on a page: each composed in terms, and spelled out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.state import (
    Counts,
    Game,
    Games,
    Legal,
    Log,
    Logs,
    Numbers,
    RuleTable,
    RuleTables,
)
from domino_env.protocol.composing.ends import put_ends
from domino_env.protocol.composing.events import put_events, put_moves, put_table
from domino_env.protocol.composing.lists import put_named, put_term
from domino_env.protocol.composing.optional import put_optional
from domino_env.protocol.composing.public import put_public
from domino_env.protocol.spelling import Line, Page, spell
from domino_env.protocol.terms import (
    COMMA,
    END_OF_STATE,
    END_OF_TABLE,
    ENDS,
    EVENTS,
    FIRST,
    GAME,
    MOVES,
    RULES,
    SEAT,
    TABLE,
    WIDTH,
    Terms,
)

NO_ROOM = -1


class Asked(NamedTuple):
    """Which games are to be written, and what is known of each."""

    lanes: Numbers
    seats: Numbers  # that see them, and are to move
    numbers: Numbers  # of the games
    told: Numbers  # how many events are known already
    clocks: Page  # what is said of their clocks, one after the other
    clock_ends: Numbers  # where in that each ends


@kernel
def write_states(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    legal: Legal,
    num_legal: Counts,
    asked: Asked,
    rules_number: int,
    terms: Terms,
    line: Line,
    page: Page,
) -> int:
    """The states as JSON, with commas between them; how many bytes that is, or `NO_ROOM` if the
    page is too short."""
    rules, at = rule_tables[0], 0
    for place in range(len(asked.lanes)):
        lane: Any = np.uint64(asked.lanes[place])
        game, log, seat = games[lane], logs[lane], int(asked.seats[place])
        size = put_term(line, 0, COMMA) if place else 0
        size = put_named(line, size, GAME, int(asked.numbers[place]))
        size = put_named(line, size, RULES, rules_number)
        size = put_what_is(rules, game, log, seat, terms, line, size)
        if at + WIDTH * size + len(asked.clocks) > len(page):
            return NO_ROOM
        at = spell(terms, line, size, page, at)
        at = copy_clock(asked, place, page, at)
        size = put_what_was(rules, game, log, seat, int(asked.told[place]), line)
        size = put_moves(rules, legal, num_legal, lane, line, put_term(line, size, MOVES))
        size = put_term(line, size, END_OF_STATE)
        if at + WIDTH * size > len(page):
            return NO_ROOM
        at = spell(terms, line, size, page, at)
    return at


@small
def put_what_is(
    rules: RuleTable, game: Game, log: Log, seat: int, terms: Terms, line: Line, at: int
) -> int:
    """The state as it is now, and the tiles on the table."""
    at = put_public(rules, game, seat, line, put_named(line, at, SEAT, seat))
    at = put_ends(rules, game, terms, line, put_term(line, at, ENDS))
    at = put_term(line, at, TABLE)
    at = put_table(log, seat, int(rules.tiles), int(game.log_size), line, at)
    return put_optional(rules, game, terms, line, put_term(line, at, END_OF_TABLE))


@small
def put_what_was(rules: RuleTable, game: Game, log: Log, seat: int, told: int, line: Line) -> int:
    """The events that are not known yet; they are put first into the line."""
    at = put_term(line, put_named(line, 0, FIRST, told), EVENTS)
    return put_events(log, seat, int(rules.tiles) + told, int(game.log_size), line, at)


@small
def copy_clock(asked: Asked, place: int, page: Page, at: int) -> int:
    """What is said of the clock of a game."""
    first = int(asked.clock_ends[place - 1]) if place else 0
    for offset in range(first, int(asked.clock_ends[place])):
        page[at] = asked.clocks[offset]
        at += 1
    return at
