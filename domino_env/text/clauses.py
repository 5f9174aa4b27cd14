"""Splits an answer into clauses, and says of each what it names: tiles, ends, halves, actions; or
why it is no statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domino_env.text import word_lists as words
from domino_env.text.lexer import HALVES, Token, tokens_of
from domino_env.text.trains import BEGUN, train_at

Phrases = dict[str, list[tuple[tuple[str, ...], str]]]
"""The moves that are no tiles as they are said, by the first word of that, the longest first."""
MOST_CLAUSES = 400  # of an answer: its last ones
_PLAIN = words.FILLERS.difference(
    words.NUMBERED_END | words.PLACES | words.TURNING | {*words.SIDES} | words.ON | words.BY,
    words.NEGATIONS | words.HEDGES | words.HOLDING | words.VERBS | words.OWN | BEGUN,
)
"""Words that say nothing, wherever they stand."""


class Clause:
    """What a part of a sentence names.

    Attributes:
        tiles: the texts of the halves of each tile.
        kind: a move that is no tile, such as "draw".
        specs: "end", "asks", "bare", "by", "turn", "side", "train", "place" or "empty", and what is
            said.
        why: why it cannot be taken for a statement; empty if it can.
        other: it tells of something else than a move of the player's.
        is_loose: it speaks of an end or a turn, and it is not clear which.
    """

    def __init__(self, tokens: Sequence[Token], phrases: Phrases) -> None:
        self.tiles: list[tuple[str, str]] = []
        self.kind = self.why = ""
        self.specs: dict[str, str] = {}
        self.other = self.has_verb = self.is_own = False
        self.is_negated = self.is_hedged = self.holds = False
        self._tokens, self._phrases = tokens, phrases
        self._strange: list[str] = []
        self._dangling = self.is_loose = False
        self._read()

    @property
    def said(self) -> str:
        """Its words."""
        return " ".join(token.text for token in self._tokens)

    @property
    def names_something(self) -> bool:
        """Is a move named in it?"""
        return bool(self.tiles or self.kind)

    @property
    def is_nothing(self) -> bool:
        """Can it be passed over?"""
        return self.other or not (self.names_something or self.specs or self.why)

    @property
    def is_spec(self) -> bool:
        """Does it only say where or how the tile of the clause before is played?"""
        return bool(self.specs) and not self.names_something and not self.why

    @property
    def begins_reason(self) -> bool:
        """Does it give a reason, or follow one?"""
        return self.other and self._word(0) in words.REASONS

    @property
    def is_bare(self) -> bool:
        """Is it only a tile, as in a list?"""
        return bool(self.tiles) and not (self.specs or self.has_verb)

    def take(self, more: Clause) -> bool:
        """Takes over what another clause specifies; False if both say different things."""
        for name, text in more.specs.items():
            if self.specs.setdefault(name, text) != text:
                return False
        return not ({"end", "asks", "bare", "side"} <= {*self.specs})

    # Reading --------------------------------------------------------------------------------------

    def _read(self) -> None:
        first = self._word(0)
        self.other = first in words.REASONS or (first in words.OTHERS and not self._train(0)[1])
        at = 0
        while at < len(self._tokens):
            at = self._read_one(at)
        self.is_loose = self.is_loose or (self._dangling and not self.specs)
        if self._dangling and not {"end", "asks", "side", "bare"} & {*self.specs}:
            self._strange.append("end")
        self._judge()

    def _read_one(self, at: int) -> int:
        """Reads a token and what belongs to it; the place after that."""
        token = self._tokens[at]
        if token.kind == "tile":
            self.tiles.append((token.first, token.second))
            return at + 1
        if token.kind == "arrow":
            return self._numbered(at + 1, "bare", "bare") or at + 1
        if token.kind == "number":
            return self._loose_number(at)
        if token.kind != "word":
            self._strange.append(token.text)
            return at + 1
        if token.text in self._phrases and (after := self._phrase(at)):
            return after
        if token.text in _PLAIN:
            return at + 1
        if token.text in BEGUN and (after := self._read_train(at)):
            return after
        return self._read_word(at, token.text)

    def _phrase(self, at: int) -> int:
        """The longest move without a tile that begins here."""
        for phrase, kind in self._phrases[self._tokens[at].text]:
            size = len(phrase)
            if size == 1 or self._texts(at, size) == phrase:
                if self.kind not in ("", kind):
                    self._strange.append(kind)
                self.kind = kind
                return self._numbered(at + size, "place", "place") or at + size
        return 0

    def _train(self, at: int) -> tuple[str, int]:
        """The train that is named here, and the number of words that name it."""
        if self._word(at) not in BEGUN:
            return "", 0
        return train_at([token.text for token in self._tokens[at : at + 8]])

    def _read_train(self, at: int) -> int:
        """Reads what a train is called; the place after it, or 0 if none is named here."""
        train, size = self._train(at)
        if not size:
            return 0
        self._specify("train", train)
        return at + size

    def _read_word(self, at: int, word: str) -> int:
        if word in words.NUMBERED_END:
            self._dangling = True
            return self._numbered(at + 1, "end", "end") or at + 1
        if word in words.PLACES:
            return self._numbered(at + 1, "place", "place") or at + 1
        if word == "empty":
            self.specs["empty"] = "1"
        elif word in words.TURNING:
            return self._turning(at)
        elif word in words.SIDES and not self.holds:
            self._specify("side", str(words.SIDES[word]))
        elif word in words.ON:
            return self._numbered(at + 1, "bare", "asks") or self._after_on(at, word)
        elif word in words.BY:
            return self._numbered(at + 1, "by", "by") or at + 1
        else:
            self._note(word, at)
        return at + 1

    def _after_on(self, at: int, word: str) -> int:
        """A preposition without a number: "to" and a verb begin a purpose, which is no statement;
        what stands before a place is read with it."""
        following = self._word(at + 1)
        known = words.DETERMINERS | words.NUMBERED_END | words.PLACES | {*words.SIDES, "empty"}
        is_place = following in known or self._train(at + 1)[1]
        if word == "to" and self.names_something and following and not is_place:
            return len(self._tokens)
        if word == "against":
            self.is_negated = True
        return at + 1

    def _turning(self, at: int) -> int:
        after = at + 1
        while self._word(after) in ("to", "the", "it"):
            after += 1
        side = self._word(after)
        if side not in words.TURNS:
            if self._word(at - 1) not in words.FILLERS and self._word(at) in words.TO_A_SIDE:
                self._strange.append(self._word(at))
                self.is_loose = True
            return at + 1
        self._specify("turn", str(words.TURNS[side]))
        return after + 1

    def _note(self, word: str, at: int) -> None:
        """What a word says that names nothing."""
        if word in words.NEGATIONS or word.endswith("n't"):
            self.is_negated = True
        elif word in words.HEDGES:
            self.is_hedged = True
        elif word in words.HOLDING:
            self.holds = True
        if word in words.VERBS:
            self.has_verb = True
            self.holds = self.holds and self.names_something  # "I have decided to play ..."
        if word in words.OWN:
            self.is_own = True
        known = word in words.FILLERS or word in words.VERBS or word in words.HOLDING
        if not known and (self.names_something or not self._verb_follows(at)):
            self._strange.append(word)

    def _verb_follows(self, at: int) -> bool:
        """Is a verb of playing still to come before anything is named?"""
        for token in self._tokens[at:]:
            if token.kind == "tile":
                return False
            if token.text in words.VERBS or token.text in words.OWN:
                return True
        return False

    # Numbers --------------------------------------------------------------------------------------

    def _numbered(self, at: int, name: str, with_article: str) -> int:
        """A number that belongs to the word before; the place after it, or 0 if there is none."""
        article = False
        while (word := self._word(at)) in words.BETWEEN:
            article = article or word in words.DETERMINERS
            at += 1
        number = self._number(at)
        if number is None:
            return 0
        after = at + 1
        if name == "bare" and self._word(after) in ("end", "ends", "side"):
            after, article = after + 1, True
        name = with_article if article else name
        if name in ("end", "place") and not number.isdigit():
            self._strange.append(number)
        else:
            self._specify(name, number)
        return after

    def _loose_number(self, at: int) -> int:
        """A number that no word before asks for."""
        after = self._word(at + 1)
        if after in ("end", "ends", "side"):
            self._specify("asks", self._tokens[at].text)
            return at + 2
        if after not in words.COUNTED:
            self._strange.append(self._tokens[at].text)
        return at + 1

    def _specify(self, name: str, text: str) -> None:
        if text.isdigit():
            text = str(int(text))
        if self.specs.setdefault(name, text) != text:
            self._strange.append(text)

    def _number(self, at: int) -> str | None:
        if at >= len(self._tokens):
            return None
        token = self._tokens[at]
        if token.kind == "number":
            return token.text
        if token.text in ("star", "stars", "wild"):
            return "*"
        return HALVES.get(token.text) if token.text != "one" else None

    def _word(self, at: int) -> str:
        if not 0 <= at < len(self._tokens) or self._tokens[at].kind != "word":
            return ""
        return self._tokens[at].text

    def _texts(self, at: int, size: int) -> tuple[str, ...]:
        return tuple(token.text for token in self._tokens[at : at + size])

    # Judging --------------------------------------------------------------------------------------

    def _judge(self) -> None:
        """Is it a statement, or why not?"""
        if self.tiles and self.holds:
            self.other = True
        if not self.names_something:
            self._judge_without_move()
        elif self.is_negated:
            self.other = not self.is_hedged
            self.why = "" if self.other else "it takes something back"
        elif self.is_hedged:
            self.why = "it names what may be done, not what is done"
        elif self._strange:
            self.why = f"{self._strange[0]!r} is not understood"
        elif len({*self.tiles}) > (2 if self.kind == "knock" else 1):
            self.why = "it names more than one tile"
        elif self.tiles and self.kind not in ("", "knock"):
            self.why = "it names a tile and an action"

    def _judge_without_move(self) -> None:
        if self.is_negated and len(self._tokens) <= 3:
            self.why = "it takes something back"
        elif self.specs and self._strange:
            self.specs = {}  # prose in which an end is mentioned
            self.other = self.is_loose = True
        elif self.specs and self.is_hedged:
            self.why = "it names what may be done, not what is done"
        elif self.specs and self.is_negated:
            self.specs = {}
        elif any(token.kind == "bad" or token.kind == "number" for token in self._tokens):
            self.why = "" if len(self._tokens) > 1 else "a number alone says nothing"


def clauses_backwards(text: str, phrases: Phrases) -> Iterator[Clause]:
    """The clauses of a normalised text, the last one first. Nothing is read of a line before it is
    asked for: thoughts may be long, and most answers end in a statement."""
    count = 0
    for line in reversed(text.split("\n")):
        sentences = [*_split(tokens_of(line), "stop", _NO_WORDS)]
        for sentence in reversed(sentences):
            for clause in reversed(_of_sentence(sentence, phrases)):
                yield clause
                count += 1
                if count == MOST_CLAUSES:
                    return


def _of_sentence(sentence: Sequence[Token], phrases: Phrases) -> list[Clause]:
    """The clauses of one sentence. What follows a reason is part of it, and what follows the head
    of a list is listed, until the speaker begins anew; a tile alone after another is listed too."""
    found: list[Clause] = []
    head: Clause | None = None
    for part in _split(sentence, "comma", words.JOINTS):
        clause = Clause(part, phrases)
        if _comes_to_the_point(clause, part[0].text):
            head = None
        elif part[0].text in words.REASONS:
            clause.other = True
        if head is not None:
            _list(clause, head)
        if clause.names_something or clause.other or clause.is_hedged or clause.holds:
            head = clause
        found.append(clause)
    return found


def _comes_to_the_point(clause: Clause, first: str) -> bool:
    """Does the speaker begin anew, with what is to be done?"""
    own = clause.is_own and clause.has_verb and first not in words.REASONS
    return own or first in words.TURNED


def _list(clause: Clause, head: Clause) -> None:
    """Has a clause share what the one is that it follows."""
    if head.begins_reason:
        clause.other = True
    elif head.kind == "knock" and len(head.tiles) == 1 and clause.is_bare:
        head.tiles += clause.tiles  # "the 3-5 and the 5-1"
        clause.tiles = []
    elif head.names_something and not head.other:
        if clause.is_loose and not clause.begins_reason:
            clause.other, clause.why = False, "it is not clear where or how"
        elif clause.names_something:
            clause.why = clause.why or "more than one move is named"
    elif clause.names_something and head.is_hedged:
        clause.why = clause.why or "it names what may be done, not what is done"
    elif clause.is_bare:
        clause.other = True


_AWAITING = words.NUMBERED_END | words.PLACES | words.ON | words.BY | words.TURNING


_NO_WORDS: frozenset[str] = frozenset()


def _split(tokens: Sequence[Token], kind: str, joints: frozenset[str]) -> Iterator[Sequence[Token]]:
    """The parts between tokens of a kind; a word that joins two begins the second. A colon after a
    word that awaits a number ends nothing."""
    part: list[Token] = []
    for token in tokens:
        if token.kind != kind and token.text not in joints:
            part.append(token)
            continue
        if token.text == ":" and part and part[-1].text in _AWAITING:
            continue
        if part:
            yield part
        part = [token] if token.kind == "word" else []
    if part:
        yield part
