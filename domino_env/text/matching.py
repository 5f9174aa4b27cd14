"""A statement beside the legal moves: the one that it fits, or why there is none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from domino_env.actions import Move
from domino_env.errors import IllegalMove, NotAMove
from domino_env.text.statements import Statement
from domino_env.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from domino_env.batches import Batch

MOST_NAMED = 4  # legal moves that an error names


class Table(ABC):
    """What has to be known of a table to understand a statement."""

    mover: int

    @abstractmethod
    def shows(self, end: int) -> tuple[str, ...] | None:
        """What an end may be called by what it shows: nothing on the empty table. None: it is not
        known."""

    @abstractmethod
    def first_alike(self, end: int) -> int:
        """The first end that this one cannot be told from (G19)."""

    @abstractmethod
    def pair(self, place: int) -> set[int]:
        """The two tiles that touch at a place of a row."""

    @abstractmethod
    def told(self) -> str:
        """What would be legal."""


class LaneTable(Table):
    """The table of a lane."""

    def __init__(self, batch: Batch, lane: int, words: Vocabulary) -> None:
        self._batch, self._lane, self._words = batch, lane, words
        self._game: Any = batch._games[lane]
        self.mover = int(self._game["to_move"])

    def shows(self, end: int) -> tuple[str, ...]:
        """By its colour and by its symbol."""
        value = int(self._game["end_value"][end])
        if value >= len(self._words.values):
            return ()
        return str(self._words.asks[value]), self._words.values[value]

    def first_alike(self, end: int) -> int:
        """Of the untouched sides of a double."""
        return self._words.first_alike(self._game, end)

    def pair(self, place: int) -> set[int]:
        """From the row."""
        row = self._game["row"]
        return {int(row[place]), int(row[place + 1])}

    def told(self) -> str:
        """With the ends that are open."""
        return self._batch._engine.describe(self._batch.position(self._lane))


class ListedTable(Table):
    """As much of a table as the list of legal moves shows."""

    def __init__(self, words: Vocabulary, legal: list[int], mover: int) -> None:
        self.mover, self._names = mover, [words.name(action) for action in legal]
        self._joins: dict[int, set[str]] = {}
        for move in map(words.move, legal):
            if move.tile is not None and move.end is not None:
                joining = str(move.tile[move.half or 0])
                self._joins.setdefault(move.end, set()).add(joining)
        self._is_plain = words.joins_its_like

    def shows(self, end: int) -> tuple[str, ...] | None:
        """What all tiles join it by, where every half joins its like and no other."""
        joins = self._joins.get(end, set())
        return tuple(joins) if self._is_plain and len(joins) == 1 else None

    def first_alike(self, end: int) -> int:
        """Ends that are alike are listed once, by the first."""
        return end

    def pair(self, place: int) -> set[int]:
        """It is not known."""
        return set()

    def told(self) -> str:
        """The list."""
        return "legal moves: " + ", ".join(self._names)


class Matching:
    """A statement beside the legal moves of a table."""

    def __init__(self, table: Table, words: Vocabulary, said: Statement) -> None:
        self._table, self._words, self._said = table, words, said

    def only(self, legal: list[int]) -> int:
        """The one legal action that the statement fits."""
        fitting = [action for action in legal if self._fits(self._words.move(action))]
        if len(fitting) == 1 and self._words.is_curved and self._names_no_end:
            fitting += self._elsewhere(fitting[0], legal)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            named = ", or ".join(map(self._words.name, sorted(fitting)[:MOST_NAMED]))
            raise not_a_move(f"{self._said.said!r} fits {len(fitting)} moves: {named}")
        why = self._impossible()
        if why:
            raise not_a_move(why, self._table)
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
        return self._table.pair(place) == {said.tile, said.other} and said.place in (None, place)

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
        if said.end not in (None, end) and self._table.first_alike(said.end or 0) != end:
            return False
        if said.side is not None and self._table.first_alike(said.side) != end:
            return False
        if said.train is not None and self._train() != end:
            return False
        if said.asks is None and said.bare is None:
            return True
        shows = self._table.shows(end)
        if shows is None or (said.asks is not None and said.asks not in shows):
            return False
        if said.bare is None:
            return True
        if said.bare == str(end) or said.bare in shows:
            return True
        return said.bare.isdigit() and self._table.first_alike(int(said.bare)) == end

    def _train(self) -> int | None:
        """The end of the train that is named."""
        return self._words.train(self._said.train or "", self._table.mover)

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
        what = f"{said.said!r} is not legal for seat {self._table.mover} now"
        error = IllegalMove(f"{what}; {self._table.told()}")
        error.reason = what
        return error


def not_a_move(why: str, table: Table | None = None) -> NotAMove:
    """The error, with what would be legal where a table is given."""
    error = NotAMove(f"{why}; {table.told()}" if table is not None else why)
    error.reason = why
    return error
