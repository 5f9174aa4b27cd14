"""Reads a move out of an answer: `parse`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domino_env.actions import Move
from domino_env.errors import GameOver
from domino_env.text.matching import LaneTable, ListedTable, Matching, Table, not_a_move
from domino_env.text.vocabulary import Vocabulary, vocabulary_of

if TYPE_CHECKING:
    from domino_env.batches import Batch


def parse(batch: Batch, answer: str, lane: int = 0) -> Move:
    """The legal move that an answer names, for the seat to move.

    It reads what people and language models write; see docs/text.md. `str(move)` always reads back.
    Where an answer fits no move at all, or more than one, it raises `NotAMove`; where it names a
    move that is not legal now, `IllegalMove`. Nothing is guessed, and nothing has changed.
    """
    return vocabulary_of(batch).move(parse_action(batch, answer, lane))


def parse_action(batch: Batch, answer: str, lane: int = 0) -> int:
    """The same, as an action."""
    batch.must_be_reset("parse")
    lane = batch._lane(lane)
    vocabulary, legal = vocabulary_of(batch), batch._legal_of(lane)
    if not legal:
        raise GameOver(f"lane {lane} is over: nobody decides there until reset()")
    return _read(vocabulary, answer, legal, LaneTable(batch, lane, vocabulary))


def parse_listed(vocabulary: Vocabulary, answer: str, legal: list[int], mover: int) -> int:
    """The same for one who knows of the table no more than the list of legal actions shows."""
    return _read(vocabulary, answer, legal, ListedTable(vocabulary, legal, mover))


def _read(vocabulary: Vocabulary, answer: str, legal: list[int], table: Table) -> int:
    if not isinstance(answer, str):
        raise not_a_move(f"an answer is a text, not {type(answer).__name__}", table)
    said = answer.strip()
    for action in legal:
        if vocabulary.name(action) == said:
            return action
    statement = vocabulary.read(said)
    if isinstance(statement, str):
        raise not_a_move(statement, table)
    return Matching(table, vocabulary, statement).only(legal)
