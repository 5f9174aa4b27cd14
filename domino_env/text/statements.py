"""Reads a statement from an answer: which tile is to be played where, or what else is to be done.

An answer is read from its end: the last statement counts. A statement is a clause that names a
tile, or a move that is no tile, and says nothing else that is not understood. Whatever might be
meant otherwise (a negation, an alternative, two tiles, a number that belongs to nothing) is not
read at all: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from domino_env.text import word_lists as words
from domino_env.text.clauses import Clause, Phrases, clauses_backwards
from domino_env.text.lexer import normalised
from domino_env.text.objects import Found, last_object, sentence_of
from domino_env.text.wrapping import unwrapped

MOST_QUOTED = 80  # characters of an answer that an error quotes


class Statement(NamedTuple):
    """What an answer says, whether or not it is legal. None: it does not say."""

    said: str
    kind: str
    """"play" for a tile, or the kind of a move without one."""
    tile: int | None = None
    other: int | None = None
    """The second tile of a pair."""
    end: int | None = None
    asks: str | None = None
    """What the end shows."""
    bare: str | None = None
    """A number that may be that of an end, of a column, or what an end shows."""
    by: str | None = None
    """The half that joins."""
    turn: int | None = None
    """0 where a curved tile is to turn right, 1 left."""
    side: int | None = None
    """The left end of a line, 0, or the right one, 1."""
    train: str | None = None
    """Whose train: "mine", "all" or a seat's number."""
    place: int | None = None
    empty: bool = False
    """Does it go to an empty column?"""


class Reader:
    """Reads statements of one game.

    Args:
        number_of: the number of a tile by the texts of its halves, or None.
        kinds: the moves of the game that are no tiles.
    """

    def __init__(
        self,
        number_of: Callable[[str, str], int | None],
        kinds: Sequence[str],
    ) -> None:
        self._number_of = number_of
        self._kinds, self._phrases = {*kinds}, _phrases(kinds)
        self._foreign = _phrases(sorted(words.MOVES_BY_NAME - {*kinds}))

    def read(self, answer: str) -> Statement | str:
        """The last statement of an answer, or what is wrong."""
        text, why = unwrapped(answer)
        if why:
            return why
        found = last_object(text)
        if _BEGUN.search(text, found.end if found is not None else 0):
            return "the object is not complete"
        if found is not None:
            return self._read_after(text, found)
        return self._read_text(text)

    def _read_after(self, text: str, found: Found) -> Statement | str:
        """What follows an object, if that is a statement, or else the object itself."""
        after = text[found.end :]
        if after.strip():
            said = self._read_text(after)
            if not isinstance(said, _Nothing):
                return said
        sentence, why = sentence_of(found.value)
        return why or self._read_text(sentence)

    def _read_text(self, text: str) -> Statement | str:
        every = clauses_backwards(normalised(text), self._phrases)
        clauses = (each for each in every if not each.is_nothing)
        pending: list[Clause] = []
        for clause in clauses:
            if clause.is_spec:
                pending.append(clause)
                continue
            if clause.why:
                return f"{clause.said[:MOST_QUOTED]!r} is not clear: {clause.why}"
            if not clause.specs and not pending:
                before = next(clauses, None)
                if before is not None and before.is_spec:
                    clause.take(before)  # "end 1: the 5-3"
            for more in pending:
                if not clause.take(more):
                    return f"{clause.said!r} and {more.said!r} do not go together"
            return self._statement(clause, clause.kind, clause.said)
        return self._nothing(text, pending)

    def _nothing(self, text: str, pending: list[Clause]) -> str:
        if not text.strip():
            return _Nothing("the answer is empty")
        if pending:
            return f"{pending[0].said!r} names no tile"
        for clause in clauses_backwards(normalised(text), self._foreign):
            if clause.kind and not clause.why:
                return f"this game has no move {_upper(clause.kind)}"
        return _Nothing(f"{text.strip()[-MOST_QUOTED:]!r} names no tile and no action")

    def _statement(self, clause: Clause, kind: str, said: str) -> Statement | str:
        """A clause as a statement, if the game has such tiles and moves."""
        numbers = []
        for first, second in clause.tiles:
            number = self._number_of(first, second)
            if number is None:
                return f"there is no tile {first}|{second} in this game"
            numbers.append(number)
        if not numbers and kind not in self._kinds:
            return f"this game has no move {_upper(kind)}" if kind else f"{said!r} names no tile"
        pair = len(numbers) == 2
        specs = clause.specs
        return Statement(
            said[:MOST_QUOTED],
            kind or "play",
            numbers[0] if numbers else None,
            numbers[1] if pair else None,
            _whole(specs.get("end")),
            specs.get("asks"),
            specs.get("bare"),
            specs.get("by"),
            _whole(specs.get("turn")),
            _whole(specs.get("side")),
            specs.get("train"),
            _whole(specs.get("place")),
            "empty" in specs,
        )


_BEGUN = re.compile(r"\{\s*[\"'{]")  # an object that is not complete


class _Nothing(str):
    """Why nothing at all can be read."""


def _phrases(kinds: Sequence[str]) -> Phrases:
    """How the moves that are no tiles are said, by their first words."""
    found: Phrases = {}
    for kind in kinds:
        for said in {kind, kind.replace("_", " "), *words.SYNONYMS.get(kind, ())}:
            phrase = tuple(said.split())
            found.setdefault(phrase[0], []).append((phrase, kind))
    for phrases in found.values():
        phrases.sort(key=lambda each: -len(each[0]))
    return found


def _whole(text: str | None) -> int | None:
    return None if text is None else int(text)


def _upper(kind: str) -> str:
    return kind.upper().replace("_", " ")
