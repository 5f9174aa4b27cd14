"""Prompts: what a seat may know of a game and what it has to decide, in words or as JSON."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from domino_env.batches.options import check_choice, switch
from domino_env.errors import BadOption, is_whole
from domino_env.text.events import Teller
from domino_env.text.facts import NOBODY, FactReader, Facts
from domino_env.text.plain_style import Lines
from domino_env.text.rulebook import rules as rules_in_words
from domino_env.text.vocabulary import Vocabulary, vocabulary_of

if TYPE_CHECKING:
    from domino_env.batches import Batch

STYLES = ("plain", "json")


def prompt(
    batch: Batch,
    lane: int = 0,
    seat: int | None = None,
    *,
    rules: bool = True,
    history: bool = True,
    legal: bool = True,
    style: str = "plain",
) -> str:
    """What a seat may know of a game, and what it has to decide; not a bit more.

    Args:
        batch: the games.
        lane: which of them.
        seat: whose view; the seat to move by default, and an onlooker's where the game is over.
        rules: begin with the rules of the game.
        history: tell what has happened in this round, and what of it since the seat's last
            decision.
        legal: list the legal moves. The answers of a question are always named.
        style: "plain" for lines that a person can read, "json" for one object.
    """
    check_choice("style", style, STYLES)
    switch("rules", rules)
    reader = _reader(batch, lane, seat)
    facts = reader.facts(switch("history", history), switch("legal", legal))
    if style == "json":
        return _as_json(facts, rules_in_words(batch) if rules else "")
    return _as_lines(batch, facts, rules_in_words(batch) if rules else "")


def describe(
    batch: Batch,
    lane: int = 0,
    seat: int | None = None,
    *,
    history: bool = False,
    public: bool = True,
    private: bool = True,
) -> str:
    """What a seat sees of a game, asked or not: an observation. With `history` it is all that the
    seat has witnessed in this round. The public part alone is what an onlooker sees (`seat` None),
    the private part the seat's own tiles; hands that are shown at the end are left out."""
    batch.must_be_reset("describe")
    lane, viewer = batch._lane(lane), _viewer(batch, seat)
    if not public:
        return _own(batch, lane, viewer, history) if private else ""
    reader = _reader_of(batch, lane, viewer if private else NOBODY)
    facts = reader.facts(switch("history", history), False, recall=True)
    lines = _lines(batch, facts)
    asked = [f"Question: {facts['question']}"] if "question" in facts else []
    mover = facts.get("to_move")
    turn = [*lines.question()] if mover is None else [f"Seat {mover} is to decide."]
    return "\n".join([lines.head(), *lines.body(), *asked, *turn])


def _own(batch: Batch, lane: int, viewer: int | str, history: bool) -> str:
    """What only the viewer knows: its tiles, and those that it drew."""
    facts = _reader_of(batch, lane, viewer).facts(history, False, recall=True)
    hand = " ".join(facts["hand"]) if facts.get("hand") else "no tiles that it may look at"
    events = [*facts.get("earlier", ()), *facts.get("since", ())]
    drawn = [event for event in events if event.startswith("you draw") or " take" in event]
    return "\n".join([f"Your hand: {hand}", *drawn])


def _reader(batch: Batch, lane: int, seat: int | None) -> FactReader:
    batch.must_be_reset("prompt")
    lane = batch._lane(lane)
    if seat is None:
        mover = int(batch._seat[lane])
        return _reader_of(batch, lane, mover if mover >= 0 else NOBODY)
    return _reader_of(batch, lane, _viewer(batch, seat))


def _reader_of(batch: Batch, lane: int, viewer: int | str) -> FactReader:
    words = vocabulary_of(batch)
    return FactReader(batch, lane, viewer, words, _teller(words))


@lru_cache(64)
def _teller(words: Vocabulary) -> Teller:
    return Teller(words)


def _viewer(batch: Batch, seat: int | None) -> int | str:
    if seat is None:
        return NOBODY
    if not is_whole(seat) or not 0 <= seat < batch.num_players:
        raise BadOption(f"seats are 0 to {batch.num_players - 1}, not {seat!r}")
    return int(seat)


def _lines(batch: Batch, facts: Facts) -> Lines:
    return Lines(facts, vocabulary_of(batch).has_sides, bool(batch.rules.teams))


def _as_lines(batch: Batch, facts: Facts, rules: str) -> str:
    lines = _lines(batch, facts)
    told = [rules, ""] if rules else []
    return "\n".join([*told, lines.head(), *lines.body(), *lines.question()])


def _as_json(facts: Facts, rules: str) -> str:
    told: dict[str, Any] = {"rules": rules, **facts} if rules else facts
    return json.dumps(told, ensure_ascii=False)
