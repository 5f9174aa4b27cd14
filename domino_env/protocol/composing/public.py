"""What everybody knows in every game, and the seat's own hand."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, lowest
from domino_env.engine.state import Game, RuleTable
from domino_env.protocol.composing.lists import (
    go_on,
    put_named,
    put_numbers,
    put_term,
    put_tiles,
)
from domino_env.protocol.spelling import Line
from domino_env.protocol.terms import (
    ASKS,
    BONEYARD,
    CLOSE,
    DRAWABLE,
    DREW,
    FALSE,
    HAND,
    HELD,
    LACKED,
    LACKS,
    OPEN,
    PASSED,
    QUESTION,
    ROUND,
    SCORES,
    SINCE,
    TRUE,
    TURN,
)


@kernel
def put_public(rules: RuleTable, game: Game, seat: int, line: Line, at: int) -> int:
    """From the round to who has passed."""
    players = int(rules.seats)
    at = put_named(line, at, ROUND, int(game.round_number))
    at = put_named(line, at, TURN, int(game.turn))
    at = put_term(line, put_term(line, at, QUESTION), ASKS + int(game.stage))
    at = put_term(line, at, HAND)
    if not rules.rows:  # nobody looks at those
        at = put_tiles(line, at, game.hands[seat], int(rules.words))
    at = put_numbers(line, at, HELD, game.hand_size, players)
    at = put_numbers(line, at, SCORES, game.scores, players)
    at = put_named(line, at, BONEYARD, int(rules.dealt - game.next))
    at = put_named(line, at, DRAWABLE, max(0, int(game.deck_end - game.next)))
    at = put_lacks(game, players, line, at)
    at = put_numbers(line, at, SINCE, game.drawn_since, players)
    at = put_numbers(line, at, DREW, game.drew, players)
    return put_passed(game, players, line, at)


@small
def put_lacks(game: Game, players: int, line: Line, at: int) -> int:
    """Of each seat the halves that it has shown to be without."""
    first = at = put_term(line, at, LACKS)
    for seat in range(players):
        begin = at = put_term(line, go_on(line, first, at), OPEN)
        left = game.lacks[np.uint64(seat)]
        while left != NONE:
            at = put_term(line, go_on(line, begin, at), LACKED + lowest(left))
            left &= left - ONE
        at = put_term(line, at, CLOSE)
    return at


@small
def put_passed(game: Game, players: int, line: Line, at: int) -> int:
    """Of each seat whether it has passed in its latest turn."""
    first = at = put_term(line, at, PASSED)
    for seat in range(players):
        has_passed = TRUE if game.passed[np.uint64(seat)] else FALSE
        at = put_term(line, go_on(line, first, at), has_passed)
    return at
