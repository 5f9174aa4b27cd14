"""The fields that only some games have."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import holds
from domino_env.engine.seats import CLOCKWISE
from domino_env.engine.state import PLAY, Game, RuleTable
from domino_env.protocol.composing.lists import (
    go_on,
    put_named,
    put_number,
    put_number_or_null,
    put_seats,
    put_term,
    put_tile_or_null,
)
from domino_env.protocol.spelling import Line
from domino_env.protocol.terms import (
    CLOSE,
    COMMA,
    DRAWS,
    DUE_LEFT,
    DUE_TILE,
    END_OF_OBJECT,
    FALSE,
    NULL,
    OPEN,
    OPTION,
    OPTIONAL,
    PLAYS_AGAIN,
    TILE,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    TRUE,
    Terms,
)
from domino_env.tileset import DRAW_ONE, PLAY_AGAIN

DUE, MARKERS, OUT, DIRECTION, STAKES, CLAIM, PENDING = range(7)  # as OPTIONAL has them
ROWS, SPINNER, LEAD, FREE, LAST, WON = range(7, len(OPTIONAL))
NUMBER_OF_FIELDS = len(OPTIONAL)


@kernel
def put_optional(rules: RuleTable, game: Game, terms: Terms, line: Line, at: int) -> int:
    """Those of them that the game has, each with a comma behind it."""
    for field in range(NUMBER_OF_FIELDS):
        if terms.has[np.uint64(field)]:
            at = put_term(line, at, OPTION + field)
            at = put_field(rules, game, field, line, at)
            at = put_term(line, at, COMMA)
    return at


@small
def put_field(rules: RuleTable, game: Game, field: int, line: Line, at: int) -> int:
    """The value of a field."""
    if field == DUE:
        return put_due(game, line, at)
    if field == MARKERS:
        return put_seats(line, at, int(game.markers), int(rules.seats))
    if field == OUT:
        return put_out(rules, game, line, at)
    if field == ROWS:
        return put_rows(rules, game, line, at)
    if field == SPINNER:
        return put_tile_or_null(line, at, int(game.spinner))
    if field == LAST:
        return put_number_or_null(line, at, int(game.laid_by))
    if field in (DIRECTION, PENDING, FREE):
        return put_term(line, at, word_for(game, field))
    return put_number(line, at, number_for(game, field))


@small
def word_for(game: Game, field: int) -> int:
    """The word that a field has."""
    if field == DIRECTION:
        return TO_THE_LEFT if game.direction == CLOCKWISE else TO_THE_RIGHT
    if field == FREE:
        return TRUE if game.free_lead else FALSE
    if game.stage == PLAY:  # nothing is to be asked: what a symbol does has been done
        return NULL
    if game.effect == DRAW_ONE:
        return DRAWS
    return PLAYS_AGAIN if game.effect == PLAY_AGAIN else NULL


@small
def number_for(game: Game, field: int) -> int:
    """The number that a field has."""
    if field == STAKES:
        return int(game.stakes)
    if field == CLAIM:
        return int(game.claim)
    return int(game.starter) if field == LEAD else int(game.rounds_won)


@small
def put_due(game: Game, line: Line, at: int) -> int:
    """The double that must have tiles before anything else, and how many."""
    if game.due < 0:
        return put_term(line, at, NULL)
    at = put_term(line, put_term(line, at, DUE_TILE), TILE + int(game.due))
    return put_term(line, put_named(line, at, DUE_LEFT, int(game.due_left)), END_OF_OBJECT)


@small
def put_out(rules: RuleTable, game: Game, line: Line, at: int) -> int:
    """The seats that have gone out, in their order."""
    first = at = put_term(line, at, OPEN)
    for place in range(1, int(rules.seats) + 1):
        for seat in range(int(rules.seats)):
            if game.out_place[np.uint64(seat)] == place:
                at = put_number(line, go_on(line, first, at), seat)
    return put_term(line, at, CLOSE)


@kernel
def put_rows(rules: RuleTable, game: Game, line: Line, at: int) -> int:
    """Each seat's row, its top first."""
    first = at = put_term(line, at, OPEN)
    for seat in range(int(rules.seats)):
        at = put_row(rules, game, seat, line, go_on(line, first, at))
    return put_term(line, at, CLOSE)


@small
def put_row(rules: RuleTable, game: Game, seat: int, line: Line, at: int) -> int:
    """A row, of which the tiles that nobody has seen are null (BL3)."""
    size = int(rules.hand_size)
    first = at = put_term(line, at, OPEN)
    for place in range(int(game.hand_size[seat])):
        slot = seat * size + (int(game.row_head[seat]) + place) % size
        tile = int(game.deck[slot])
        is_known = tile == game.flipped or holds(game.seen, tile)
        at = put_tile_or_null(line, go_on(line, first, at), tile if is_known else -1)
    return put_term(line, at, CLOSE)
