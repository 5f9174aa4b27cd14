"""Saved games: a folder of records, each written after every move."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from domino_env.errors import BadOption, BadRecord
from domino_env.files import must_be_writable, write_whole
from domino_env.games import has_mark
from domino_env.plain import whole_of
from domino_env.play.setup import PERSON, GameSetup
from domino_env.record import Record, read

MAX_LISTED = 12  # games that the start page lists


@dataclass(frozen=True)
class SavedGame:
    """A saved game: the name of its file, and its record."""

    file: str
    record: Record

    @property
    def can_resume(self) -> bool:
        """Is it one that a person plays, and not over?"""
        return PERSON in self.record.names and not self.record.result.over


class SavedGames:
    """A folder of games, `0001-block_draw.json` the first."""

    def __init__(self, folder: Path) -> None:
        must_be_writable(folder)
        self.folder = folder

    def new_file(self, game: str) -> Path:
        """The file for the next game."""
        numbers = [whole_of(name[:4]) or 0 for name in self._names()]
        return self.folder / f"{max(numbers, default=0) + 1:04}-{game}.json"

    def save(self, file: Path, record: Record) -> None:
        """Writes a game, whole or not at all; a click does not wait for the disk."""
        write_whole(file, record.text(), synced=False)

    def latest(self) -> list[SavedGame]:
        """The latest games, the last one first. Files that are no record are skipped."""
        found: list[SavedGame] = []
        for name in reversed(self._names()):
            if len(found) == MAX_LISTED:
                break
            try:
                found.append(SavedGame(name, read(self.folder / name)))
            except BadRecord:
                continue
        return found

    def load(self, name: str) -> SavedGame:
        """The game in a file of this folder."""
        if name not in self._names():
            raise BadOption(f"there is no saved game {name!r}")
        return SavedGame(name, read(self.folder / name))

    def unfinished(self, setup: GameSetup) -> SavedGame | None:
        """The latest unfinished game of this setup, if there is one."""
        for saved in self.latest():
            if saved.can_resume and is_same_setup(saved.record, setup):
                return saved
        return None

    def _names(self) -> list[str]:
        return sorted(file.name for file in self.folder.glob("[0-9]*.json"))


def is_same_setup(record: Record, setup: GameSetup) -> bool:
    """Is a record of the same rules and seats?"""
    same = record.game == setup.rules.id and has_mark(setup.rules, record.mark)
    match = record.episode == "match"
    return same and (record.names, match, record.calls) == (setup.names, setup.match, setup.calls)
