"""`SoloPosition`: a readable snapshot of a one-player game, with its row or its columns."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from domino_env.actions import Tile
from domino_env.engine.log import unpack
from domino_env.lazy import lazy_fields, read_by
from domino_env.position import Event, Position
from domino_env.puzzles.puzzle_state import (
    COLUMNS,
    CUT_OFF,
    KNOCKED,
    MOVED,
    REMOVED,
    STOPPED,
    STUCK,
    TURNED,
    TURNED_UP,
    WON,
)
from domino_env.table_reader import GameReader
from domino_env.words import ALONE

if TYPE_CHECKING:
    from domino_env.batches import Batch

NAMES = {
    REMOVED: "remove",
    KNOCKED: "knock",
    MOVED: "move",
    TURNED_UP: "turn_up",
    WON: "won",
    STOPPED: "stop",
    STUCK: "stuck",
    CUT_OFF: "cut_off",
}


@dataclass(frozen=True)
class SoloEvent(Event):
    """Something that happened: "remove" (`tile`), "knock" (`tile` and `other`), "move" (`tile` and
    all below it go to the column `place`), "turn_up" (`tile`, in the column `place`), "won",
    "stop", "stuck" or "cut_off"."""

    other: Tile | None = None
    place: int | None = None

    def __str__(self) -> str:
        tile, other = f"[{self.tile}]", f"[{self.other}]"
        return ALONE[self.kind].format(tile=tile, other=other, place=self.place)


@lazy_fields
@dataclass(frozen=True, kw_only=True)
class SoloPosition(Position):
    """A snapshot of a one-player game. Tiles are written as they lie: left or upper half first."""

    row: list[Tile] = field(default_factory=list)
    """The tiles in the row, from the left."""
    place: int | None = None
    """Which tile of the row is counted next."""
    number: int | None = None
    """The number that will be said there."""
    columns: list[list[Tile | None]] = field(default_factory=list)
    """The tiles of each column, the innermost first; None: it lies face down, for the player."""
    face_up: list[int] = field(default_factory=list)
    """How many of each column's lowest tiles are face up."""
    moves: int = 0
    """Moves made so far."""
    won: bool = False
    """Is everything removed, or face up?"""
    truncated: bool = False
    """Has the game been cut off?"""

    def _hidden_from(self, viewer: int | str) -> dict[str, Any]:
        """What a viewer knows of the tiles: what lies face up."""
        return {
            "columns": [
                [None if place < len(column) - up else tile for place, tile in enumerate(column)]
                for column, up in zip(self.columns, self.face_up, strict=True)
            ]
        }

    def __str__(self) -> str:
        lines = [f"{self.title}  {self.scores[0]} points"]
        if self.columns:
            lines += self._columns()
        else:
            lines.append("  row       " + (" ".join(f"[{t}]" for t in self.row) or "empty"))
        if self.number is not None and self.place is not None and not self.over:
            lines.append(f"  counting  {self.number} on [{self.row[self.place]}]")
        if self.events:
            lines.append(f"  last      {self.events[-1]}")
        if self.over:
            lines.append("  over      " + ("won" if self.won else "not won"))
        else:
            lines.append(f"  legal     {', '.join(map(str, self.legal))}")
        return "\n".join(lines)

    def _columns(self) -> list[str]:
        lines = []
        for number, (column, up) in enumerate(zip(self.columns, self.face_up, strict=True)):
            down = ["[   ]"] * (len(column) - up)
            shown = [f"[{tile}]" for tile in column[len(column) - up :]]
            lines.append(f"  column {number}  " + (" ".join(down + shown) or "empty"))
        return lines


def read_solo(batch: Batch, lane: int) -> SoloPosition:
    """The position of one lane of a batch."""
    return read_by(SoloPosition, _SoloReader(batch, lane))


_OF_A_TABLE = {each.name: each for each in fields(Position) if each.name != "viewer"}


class _SoloReader(GameReader):
    """What the fields of a one-player position are read from."""

    round = 1

    def __getattr__(self, name: str) -> Any:
        """What only games at a table have is what it is by default."""
        field = _OF_A_TABLE.get(name)
        if field is None:
            raise AttributeError(name)
        return field.default if field.default_factory is MISSING else field.default_factory()

    @property
    def events(self) -> list[SoloEvent]:
        return [_event(self._tiles, word) for word in self._words[len(self._tiles) :]]

    @property
    def deal(self) -> list[Tile]:
        return [_as_dealt(self._tiles, word) for word in self._words[: len(self._tiles)]]

    @property
    def winners(self) -> list[int]:
        return [0] if self.over and self.won else []

    @property
    def won(self) -> bool:
        return bool(self._game["won"])

    @property
    def truncated(self) -> bool:
        return bool(self.over and self._game["cut_off"])

    @property
    def columns(self) -> list[list[Tile]]:
        if self.rules.play != "turning_up":
            return []
        heights = self._game["height"].tolist()
        return [
            [_lying(self._game, tile) for tile in self._game["column"][column][: heights[column]]]
            for column in range(COLUMNS)
        ]

    @property
    def face_up(self) -> list[int]:
        up: list[int] = self._game["face_up"].tolist() if self.rules.play == "turning_up" else []
        return up

    @property
    def moves(self) -> int:
        return int(self._game["moves"]) if self.rules.play == "turning_up" else 0

    @property
    def row(self) -> list[Tile]:
        if self.rules.play == "turning_up":
            return []
        length = int(self._game["length"])
        left = self._game["row"].tolist()
        if self.rules.play == "counting":
            left = left[: int(self._game["kept"])] + left[int(self._game["finger"]) : length]
        else:
            left = left[:length]
        return [_lying(self._game, tile) for tile in left]

    @property
    def place(self) -> int | None:
        return int(self._game["kept"]) if self.rules.play == "counting" else None

    @property
    def number(self) -> int | None:
        return int(self._game["number"]) if self.rules.play == "counting" else None


def _lying(game: Any, tile: int) -> Tile:
    return Tile(int(game["first"][tile]), int(game["second"][tile]))


def _as_dealt(tiles: list[Tile], word: int) -> Tile:
    tile = tiles[word & (TURNED - 1)]
    return Tile(tile.second, tile.first) if word & TURNED else tile


def _event(tiles: list[Tile], word: int) -> SoloEvent:
    kind, _, tile, end, _ = unpack(word)
    name = NAMES[kind]
    if name == "knock":
        return SoloEvent(name, 0, tiles[tile], other=tiles[end])
    if name in ("move", "turn_up"):
        return SoloEvent(name, 0, tiles[tile], place=end)
    return SoloEvent(name, 0, tiles[tile] if name == "remove" else None)
