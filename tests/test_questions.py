"""The table of questions keeps the order of FN12, and the page of Fundomino tells the same."""

from __future__ import annotations

import re

import pytest

from domino_env.engine import questions, state
from domino_env.engine.questions import QUESTION_TABLE
from domino_env.engine.recall import DEALT
from tools.architecture import ROOT
from tools.tables_from_code import FOLLOWS

# The step that asks each question.
ASKED_AT = {
    state.CLAIM: questions.POINTS,
    state.LAST_TILE: questions.WORD,
    state.DIRECTION: questions.WAY,
    state.TURNING: questions.WAY,
    state.STAKES: questions.RAISE,
    state.RAISED: questions.ACCEPT,
    state.LEADING: questions.NO_STEP,  # before the round begins
}


def test_every_stage_but_play_is_a_question_of_the_table() -> None:
    """But for the one whose events would have the number of a deal in a history."""
    named = [stage for stage in range(state.STAGES) if any(state.ANSWERS[stage])]
    assert [*QUESTION_TABLE] == named
    left = {*range(state.STAGES)} - {state.PLAY, *QUESTION_TABLE}
    assert [state.ANSWERED + 2 * (stage - 1) for stage in left] == [DEALT]


@pytest.mark.parametrize("question", QUESTION_TABLE)
def test_an_answer_leads_to_a_later_step(question: int) -> None:
    row = QUESTION_TABLE[question]
    for following in (row.after_yes, row.after_no):
        assert following > ASKED_AT[question] or following == questions.NO_STEP


def test_the_page_tells_the_steps_in_their_order() -> None:
    page = (ROOT / "docs" / "rules" / "fundomino.md").read_text(encoding="utf-8")
    told = re.search(
        r"\*\*After a play\*\* things happen in this order: (.*?)\.\n", page, re.DOTALL
    )
    assert told
    parts = [" ".join(part.split()) for part in told[1].split(";")]
    steps = [step for step in sorted(FOLLOWS) if step not in (questions.NO_STEP, questions.ACCEPT)]
    assert parts[:2] == ["going out", "Perfect 10"]
    assert len(parts[2:]) == len(steps)
    for part, step in zip(parts[2:], steps, strict=True):
        assert part.startswith(FOLLOWS[step])
