"""The files of `text.positions`: decisions of one game, each with the values of its moves.

A file is gzipped JSON. It says its version, the game and its options, how surely values are known,
and how many worlds that was allowed to take; and of each position the seed of its deal, the actions
that lead to it, and its legal moves, best first, each with its action, its value and its standard
error in hundredths of a point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from domino_env.games import AnyRules, rules
from domino_env.position_archive import content_in, names_in, opened, packed, path_in

FOLDER = Path(__file__).parent / "values"
HUNDREDTHS = 100


class ValuedMove(NamedTuple):
    """A legal move of a position."""

    action: int
    value: float
    """The points that it is worth."""
    error: float
    """The standard error of the points by which it is behind the best; 0 where that is exact."""


class Entry(NamedTuple):
    """A position as it is kept."""

    seed: int
    actions: tuple[int, ...]
    """What has been done since the deal."""
    moves: tuple[ValuedMove, ...]
    """The legal moves, best first."""


@dataclass
class Collection:
    """All positions of one game.

    Attributes:
        game: the id of the game.
        options: how its rules differ from the usual ones.
        seats: how many play.
        within: the standard error of the best two, in points; 0 where values are exact.
        most: how many worlds a position was allowed to take.
        tried: how many seeds have been tried, kept or not.
        entries: the positions, by their seeds.
    """

    game: str
    options: dict[str, Any]
    seats: int
    within: float
    most: int = 400_000
    tried: int = 0
    entries: list[Entry] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is called: the game, and the set if that is not the usual one."""
        return "-".join([self.game, *filter(None, [self.options.get("set")])])

    @property
    def rules(self) -> AnyRules:
        """The rules that its positions are played by."""
        return rules(self.game, **self.options)

    def packed(self) -> bytes:
        """The content of its file: the same for the same positions."""
        head = {name: value for name, value in vars(self).items() if name != "entries"}
        return packed(head, [_told(entry) for entry in self.entries])


def _told(entry: Entry) -> list[Any]:
    moves = [
        [action, _hundredths(value), _hundredths(error)] for action, value, error in entry.moves
    ]
    return [entry.seed, list(entry.actions), moves]


def _hundredths(points: float) -> int:
    return round(points * HUNDREDTHS)


def unpacked(content: bytes) -> Collection:
    """The positions of a file."""
    told = opened(content)
    entries = [_entry(*each) for each in told.pop("positions")]
    return Collection(**told, entries=entries)


def _entry(seed: int, actions: list[int], moves: list[list[int]]) -> Entry:
    valued = [
        ValuedMove(action, value / HUNDREDTHS, error / HUNDREDTHS) for action, value, error in moves
    ]
    return Entry(seed, tuple(actions), tuple(valued))


def names() -> list[str]:
    """The names of all collections that come with the package."""
    return names_in(FOLDER)


def path_of(name: str) -> Path:
    """Where a collection lies."""
    return path_in(FOLDER, name)


def collection(name: str) -> Collection:
    """A collection by its name."""
    return unpacked(content_in(FOLDER, name))
