"""The words of one game: its tiles, halves and moves by their numbers, and back.

A vocabulary depends on the rules and on how they are played, never on a position; it is made once
for all batches that play so.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from domino_env.actions import Move, Tile, decode
from domino_env.engine.game_setup import Setup, extras, num_ends
from domino_env.engine.state import LONE, SIDE
from domino_env.puzzles.puzzle_state import COLUMNS
from domino_env.text.statements import Reader
from domino_env.text.trains import ALL, MINE

if TYPE_CHECKING:
    from domino_env.batches import Batch

ALIKE = (LONE, SIDE)  # kinds of ends of which several on a tile are alike
KINDS_ALONE = {"counting": ("go_on",), "pairs": ("knock",), "turning_up": ("stop",)}
"""What is done in one-player games, beside moving tiles."""
MOST_KEPT = 4096  # answers whose reading is remembered


class Vocabulary:
    """The words of a game as it is played.

    Attributes:
        tiles: of each tile what it is called, like "[3|5]".
        values: of each value that a half can show its text, like "3" or ">4".
        asks: of each value what an end that shows it asks for.
        kinds: the moves besides playing a tile that the game can use.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup, self.rules = setup, setup.rules
        tile_set = self.rules.tile_set
        self.faces = [Tile(*faces) for faces in tile_set.faces]
        self.tiles = [f"[{tile}]" for tile in self.faces]
        self.values = [value.text for value in tile_set.values]
        self.asks = [value.asks for value in tile_set.values]
        self.has_table = self.rules.engine == "table"
        self.kinds = tuple(self._extras())
        self._moves: dict[int, Move] = {}
        self._names: dict[int, str] = {}
        self.read = lru_cache(MOST_KEPT)(Reader(self.number_of, self.kinds).read)

    def _extras(self) -> list[str]:
        if self.has_table:
            return extras(self.rules, self.setup.calls)
        return list(KINDS_ALONE[self.rules.play])

    def number_of(self, first: str, second: str) -> int | None:
        """The number of a tile by the texts of its halves, either first."""
        return self._by_halves.get((first, second))

    @cached_property
    def _by_halves(self) -> dict[tuple[str, str], int]:
        found = {}
        for number, (first, second) in enumerate(self.faces):
            found[str(first), str(second)] = found[str(second), str(first)] = number
        return found

    def tile_number(self, tile: Tile) -> int:
        """The number of a tile, as moves name it."""
        return self._by_faces[tile]

    @cached_property
    def _by_faces(self) -> dict[Tile, int]:
        return {tile: number for number, tile in enumerate(self.faces)}

    def first_alike(self, game: Any, end: int) -> int:
        """The first of the ends of a game that one cannot be told from (G19): of the untouched
        sides of a double."""
        if self.is_curved or end >= int(game["num_ends"]):
            return end
        kinds, hosts = game["end_kind"].tolist(), game["end_tile"].tolist()
        if kinds[end] not in ALIKE:
            return end
        same = (kinds[end], hosts[end])
        return next(other for other in range(end + 1) if (kinds[other], hosts[other]) == same)

    def asked_by(self, value: int) -> str:
        """What an end asks for that shows a value: the same, its colour, or what adds to it."""
        if self.rules.match.by == "same":
            return str(self.asks[value])
        shown = self.rules.tile_set.values[value].pips
        return str(self.rules.max_pip + 1 - shown) if shown else "a wild tile"

    @cached_property
    def joins_its_like(self) -> bool:
        """Does every half join the same number, and no other?"""
        plain = all(str(asks) == text for asks, text in zip(self.asks, self.values, strict=True))
        return self.has_table and self.rules.match.by == "same" and plain

    def move(self, action: int) -> Move:
        """The move that an action stands for."""
        if action not in self._moves:
            self._moves[action] = decode(self.rules, action, self.setup.calls, self.setup.players)
        return self._moves[action]

    def name(self, action: int) -> str:
        """What an action is called, like "[3|5] by 3 → end 1"."""
        if action not in self._names:
            self._names[action] = str(self.move(action))
        return self._names[action]

    @property
    def has_trains(self) -> bool:
        """Has each seat a train of its own, beside everybody's?"""
        return self.has_table and self.rules.layout.arms == "own"

    def train(self, named: str, mover: int) -> int | None:
        """The end of a train as the mover names it; None: there is none (MT2)."""
        if not self.has_trains:
            return None
        if named in (ALL, MINE):
            return 0 if named == ALL else mover + 1
        seat = int(named)
        return seat + 1 if seat < self.setup.players else None

    @cached_property
    def ends(self) -> int:
        """How many ends there can be in a round, or columns."""
        return num_ends(self.rules, self.setup.players) if self.has_table else COLUMNS

    @cached_property
    def has_sides(self) -> bool:
        """Is the table a line with a left end, 0, and a right one, 1?"""
        layout = self.rules.layout if self.has_table else None
        return layout is not None and layout.tiles == "straight" and layout.arms == "two"

    @property
    def is_curved(self) -> bool:
        """Do tiles turn to one side or the other?"""
        return bool(self.rules.is_curved)


_OF_BATCH: WeakKeyDictionary[Any, Vocabulary] = WeakKeyDictionary()


def vocabulary_of(batch: Batch) -> Vocabulary:
    """The words of the game that a batch plays."""
    found = _OF_BATCH.get(batch)
    if found is None:
        found = _OF_BATCH[batch] = _of_setup(batch.setup)
    return found


@lru_cache(64)
def _of_setup(setup: Setup) -> Vocabulary:
    return Vocabulary(setup)
