"""What may be asked after a play, and what the answers bring about: a table of the questions.

`playing.carry_on` goes through the steps in their order (FN12), and waits where one of them asks
somebody. `answer` then does what `QUESTION_TABLE` says, and tells with which step to go on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.deal import log_event
from domino_env.engine.drawing import draw_one_for
from domino_env.engine.points import give
from domino_env.engine.scoring import end_by_block
from domino_env.engine.seats import mate_of, next_asked, reverse
from domino_env.engine.state import (
    ANSWERED,
    CLAIM,
    DIRECTION,
    LAST_TILE,
    LEADING,
    PLAY,
    RAISED,
    STAGES,
    STAKES,
    TURNING,
    Game,
    Log,
    RuleTable,
)

# The steps after a play, in the order of FN12: going out and points, "Domino!", the end of the
# round if it has come, which way turns go, the stakes, whether all accept them, and what the tile
# itself does.
POINTS, WORD, END, WAY, RAISE, ACCEPT, EFFECT = range(7)
NO_STEP = -1  # somebody else is asked, or the round is over

# Who is asked: the mover alone; or one after the other, until one gives the answer that settles it.
THE_MOVER, ALL_FROM_THE_MOVER, THE_OPPONENTS = range(3)
YES, NO, EITHER = range(3)

# What an answer does.
NOTHING, SCORE, LOSE_POINTS, PENALTY, TURN_BACK, DOUBLE_STAKES, END_ROUND, LEAVE_LEAD = range(8)


class Question(NamedTuple):
    """A row of the table."""

    asked: int  # who is
    settled_by: int  # the answer after which nobody else is asked
    yes: int  # what it does
    no: int  # ... said by the last who is asked, if a YES settles it; and the other way round
    after_yes: int  # the step that follows
    after_no: int


QUESTION_TABLE = {
    # who is asked, settled by, yes, no, what follows
    CLAIM: Question(ALL_FROM_THE_MOVER, YES, SCORE, LOSE_POINTS, WORD, WORD),  # G12
    LAST_TILE: Question(ALL_FROM_THE_MOVER, YES, PENALTY, NOTHING, END, END),  # G12
    DIRECTION: Question(THE_MOVER, EITHER, NOTHING, TURN_BACK, RAISE, RAISE),  # FN3
    TURNING: Question(THE_MOVER, EITHER, TURN_BACK, NOTHING, RAISE, RAISE),  # FN9
    STAKES: Question(THE_MOVER, EITHER, NOTHING, NOTHING, ACCEPT, EFFECT),  # FN10
    RAISED: Question(THE_OPPONENTS, NO, DOUBLE_STAKES, END_ROUND, EFFECT, NO_STEP),  # FN10
    LEADING: Question(THE_MOVER, EITHER, NOTHING, LEAVE_LEAD, NO_STEP, NO_STEP),  # JP1
}

# The same as columns, for kernels: by question, and where there are two by yes and no.
_ASKED = np.zeros(STAGES, np.int64)
_SETTLED_BY = np.zeros(STAGES, np.int64)
_DOES = np.zeros((STAGES, 2), np.int64)
_AFTER = np.zeros((STAGES, 2), np.int64)
for _stage, _row in QUESTION_TABLE.items():
    _ASKED[_stage], _SETTLED_BY[_stage] = _row.asked, _row.settled_by
    _DOES[_stage] = _row.yes, _row.no
    _AFTER[_stage] = _row.after_yes, _row.after_no


@kernel
def ask(rules: RuleTable, game: Game, question: int) -> bool:
    """Puts a question to the first who is asked; False if there is nobody."""
    seat = int(game.turn)
    if _ASKED[question] == THE_OPPONENTS:
        seat = next_asked(rules, game, seat, True)
    if seat < 0:
        return False
    game.stage = question
    game.to_move = seat
    game.may_stop = 0
    return True


@kernel
def answer(rules: RuleTable, game: Game, log: Log, yes: bool) -> int:
    """A seat has answered, yes or no; the step that follows, or NO_STEP if others are asked too."""
    seat, question, said = int(game.to_move), int(game.stage), YES if yes else NO
    log_event(game, log, ANSWERED + 2 * (question - 1) + said, seat, 0, 0, 0)
    following = next_to_answer(rules, game, seat, question, said)
    if following >= 0:
        game.to_move = following
        return NO_STEP
    game.stage = PLAY
    game.to_move = game.turn
    carry_out(rules, game, log, int(_DOES[question, said]), seat)
    return int(_AFTER[question, said])


@small
def next_to_answer(rules: RuleTable, game: Game, seat: int, question: int, said: int) -> int:
    """Who is asked next, after what a seat has said; -1 if that settles it."""
    if _ASKED[question] == THE_MOVER or _SETTLED_BY[question] == said:
        return -1
    return next_asked(rules, game, seat, _ASKED[question] == THE_OPPONENTS)


@kernel
def carry_out(rules: RuleTable, game: Game, log: Log, what: int, seat: int) -> None:
    """Does what the answer of a seat does."""
    if what == SCORE:
        give(rules, game, seat, int(game.claim))
    if what == SCORE or what == LOSE_POINTS:
        game.claim = 0
    elif what == PENALTY:
        if seat != game.turn:  # the mover has forgotten to say it (G12)
            draw_one_for(game, log, int(game.turn), seat)
    elif what == TURN_BACK:
        reverse(rules, game)
    elif what == DOUBLE_STAKES:
        game.stakes = 2
    elif what == LEAVE_LEAD:
        game.turn = mate_of(seat)
        game.to_move = game.turn
    elif what == END_ROUND:  # at single stakes
        end_by_block(rules, game)
