"""The open ends of the table."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.layout.table import counts
from domino_env.engine.state import GONE, NO_MEETING, Game, RuleTable
from domino_env.protocol.composing.lists import (
    go_on,
    put_named,
    put_number_or_null,
    put_term,
)
from domino_env.protocol.spelling import Line
from domino_env.protocol.terms import (
    CLOSE,
    COUNTS,
    END,
    END_OF_OBJECT,
    HALF,
    IS_OPEN,
    IS_SHUT,
    MEETS,
    ON_TILE,
    OWNER,
    SHOWN,
    SHOWS,
    TILE,
    TURNS,
    Terms,
)


@kernel
def put_ends(rules: RuleTable, game: Game, terms: Terms, line: Line, at: int) -> int:
    """The ends, of which there are none while the table is empty."""
    first = at
    if game.opener >= 0:
        for end in range(int(game.num_ends)):
            if game.end_kind[np.uint64(end)] != GONE:
                at = put_end(rules, game, terms, end, line, go_on(line, first, at))
    return at


@small
def put_end(rules: RuleTable, game: Game, terms: Terms, end: int, line: Line, at: int) -> int:
    """One end."""
    at = put_named(line, at, END, end)
    at = put_term(line, put_term(line, at, SHOWS), SHOWN + int(game.end_value[np.uint64(end)]))
    at = put_term(line, put_term(line, at, ON_TILE), TILE + int(game.end_tile[np.uint64(end)]))
    if terms.has_counts:
        at = put_named(line, at, COUNTS, counts(rules, game, end))
    at = put_term(line, at, IS_OPEN if may_go_on(rules, game, end) else IS_SHUT)
    if terms.has_owners:
        at = put_number_or_null(line, put_term(line, at, OWNER), end - 1)
    if rules.curved:
        at = put_turns(rules, game, end, line, at)
    return put_term(line, at, END_OF_OBJECT)


@small
def may_go_on(rules: RuleTable, game: Game, end: int) -> bool:
    """May an end be played on now, if a tile matches?"""
    if rules.curved:
        return may_turn(rules, game, end, 0) or may_turn(rules, game, end, 1)
    return bool(game.offered >> np.uint64(end) & np.uint64(1))


@small
def may_turn(rules: RuleTable, game: Game, end: int, half: int) -> bool:
    """May a curved tile turn right (0) or left (1) on an end? Where it would meet another end the
    rules may forbid it."""
    meets = game.end_meets[np.uint64(end), np.uint64(half)]
    fits = int(game.end_turns[np.uint64(end)]) >> half & 1
    return bool(fits and (meets == NO_MEETING or rules.ends_may_meet))


@small
def put_turns(rules: RuleTable, game: Game, end: int, line: Line, at: int) -> int:
    """The ways that a curved tile may turn, with what it would meet there."""
    first = at = put_term(line, at, TURNS)
    for half in range(2):
        if may_turn(rules, game, end, half):
            at = put_named(line, go_on(line, first, at), HALF, half)
            meets = int(game.end_meets[np.uint64(end), np.uint64(half)])
            if meets != NO_MEETING:
                at = put_term(line, put_term(line, at, MEETS), SHOWN + meets)
            at = put_term(line, at, END_OF_OBJECT)
    return put_term(line, at, CLOSE)
