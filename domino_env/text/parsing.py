"""Reads a move out of an answer: `parse`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from domino_env.actions import Move
from domino_env.errors import GameOver, IllegalMove, NotAMove
from domino_env.text.statements import Statement
from domino_env.text.vocabulary import Vocabulary, vocabulary_of

if TYPE_CHECKING:
    from domino_env.batches import Batch

MOST_NAMED = 4  # legal moves that an error names


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
    if not isinstance(answer, str):
        raise _not_a_move(f"an answer is a text, not {type(answer).__name__}", batch, lane)
    said = answer.strip()
    for action in legal:
        if vocabulary.name(action) == said:
            return action
    statement = vocabulary.read(said)
    if isinstance(statement, str):
        raise _not_a_move(statement, batch, lane)
    return _Matching(batch, lane, vocabulary, statement).only(legal)


class _Matching:
    """A statement beside the legal moves of a lane."""

    def __init__(
        self, batch: Batch, lane: int, vocabulary: Vocabulary, statement: Statement
    ) -> None:
        self._batch, self._lane = batch, lane
        self._words, self._said = vocabulary, statement
        self._game: Any = batch._games[lane]

    def only(self, legal: list[int]) -> int:
        """The one legal action that the statement fits."""
        fitting = [action for action in legal if self._fits(self._words.move(action))]
        if len(fitting) == 1 and self._words.is_curved and self._names_no_end:
            fitting += self._elsewhere(fitting[0], legal)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            named = ", or ".join(map(self._words.name, sorted(fitting)[:MOST_NAMED]))
            raise _not_a_move(f"{self._said.said!r} fits {len(fitting)} moves: {named}")
        why = self._impossible()
        if why:
            raise _not_a_move(why, self._batch, self._lane)
        raise self._illegal()

    @property
    def _names_no_end(self) -> bool:
        said = self._said
        named = (said.end, said.side, said.asks, said.bare, said.turn, said.by)
        return said.tile is not None and all(each is None for each in named)

    def _elsewhere(self, action: int, legal: list[int]) -> list[int]:
        """Where else a double can turn left only: which end is meant is not said."""
        here = self._words.move(action)
        others = (each for each in legal if self._words.move(each).tile == here.tile)
        return [each for each in others if self._words.move(each).end != here.end]

    # What fits ------------------------------------------------------------------------------------

    def _fits(self, move: Move) -> bool:
        said = self._said
        if move.kind == "knock":
            return said.kind == "knock" and self._is_junction(move)
        if said.tile is None:
            return move.kind == said.kind
        if move.tile is None or self._words.tile_number(move.tile) != said.tile:
            return False
        if move.kind == "move":
            return self._goes_to(move)
        return self._joins(move) and self._is_on(move)

    def _is_junction(self, move: Move) -> bool:
        """Is it the pair that is named by its place, or by its tiles?"""
        said, place = self._said, move.place or 0
        if said.tile is None:
            return said.place == place and said.end is None
        row = self._game["row"]
        pair = {int(row[place]), int(row[place + 1])}
        return pair == {said.tile, said.other} and said.place in (None, place)

    def _goes_to(self, move: Move) -> bool:
        """Is it the column that is named?"""
        said = self._said
        if said.empty:
            return move.place is None and said.place is None and said.bare is None
        named = said.place if said.place is not None else said.bare
        if any(each is not None for each in (said.end, said.asks, said.side, said.train)):
            return False
        return named is None or (move.place is not None and str(move.place) == str(named))

    def _joins(self, move: Move) -> bool:
        """Does it join by the half that is named, and turn as is said? A double of which nothing is
        said turns right."""
        said, tile, half = self._said, move.tile, move.half
        if tile is None or half is None:
            return False
        if said.by is not None and str(tile[half]) != said.by:
            return False
        if said.turn is not None:
            return self._words.is_curved and half == said.turn
        return half == 0 or not tile.is_double

    def _is_on(self, move: Move) -> bool:
        """Is it the end that is named, or one that cannot be told from it?"""
        said, end = self._said, move.end or 0
        if said.place is not None or said.empty:
            return False
        if said.end is not None and self._alike(said.end) != end:
            return False
        if said.side is not None and self._alike(said.side) != end:
            return False
        if said.train is not None and self._train() != end:
            return False
        if said.asks is not None and said.asks not in self._shows(end):
            return False
        if said.bare is None:
            return True
        as_end = said.bare.isdigit() and self._alike(int(said.bare)) == end
        return as_end or said.bare in self._shows(end)

    def _train(self) -> int | None:
        """The end of the train that is named."""
        return self._words.train(self._said.train or "", int(self._game["to_move"]))

    def _shows(self, end: int) -> tuple[str, ...]:
        """What an end shows, by its colour and by its symbol; nothing on the empty table."""
        value = int(self._game["end_value"][end])
        if value >= len(self._words.values):
            return ()
        return str(self._words.asks[value]), self._words.values[value]

    def _alike(self, end: int) -> int:
        """The first end that this one cannot be told from (G19)."""
        return self._words.first_alike(self._game, end)

    # What does not --------------------------------------------------------------------------------

    def _impossible(self) -> str:
        """Why it is no move of this game, whatever has been dealt; empty if it is one."""
        said, words = self._said, self._words
        if said.end is not None and not (words.has_table and said.end < words.ends):
            return f"there is no end {said.end}: ends are 0 to {words.ends - 1}"
        if said.side is not None and not words.has_sides:
            return "this table has no left and right: name the end by its number"
        if said.train is not None and self._train() is None:
            return "there is no such train: who has one is told with its end"
        if said.turn is not None and not words.is_curved:
            return "tiles turn to no side in this game"
        if said.by is not None and said.tile is not None:
            if said.by not in map(str, words.faces[said.tile]):
                return f"{words.tiles[said.tile]} has no half {said.by}"
        if said.kind == "knock" and said.tile is None and said.place is None:
            return "KNOCK needs the number of the place where two tiles touch"
        return ""

    def _illegal(self) -> IllegalMove:
        said = self._said
        seat = int(self._game["to_move"])
        what = f"{said.said!r} is not legal for seat {seat} now"
        error = IllegalMove(f"{what}; {_told(self._batch, self._lane)}")
        error.reason = what
        return error


def _not_a_move(why: str, batch: Batch | None = None, lane: int = 0) -> NotAMove:
    error = NotAMove(f"{why}; {_told(batch, lane)}" if batch is not None else why)
    error.reason = why
    return error


def _told(batch: Batch, lane: int) -> str:
    """What would be legal."""
    return batch._engine.describe(batch.position(lane))
