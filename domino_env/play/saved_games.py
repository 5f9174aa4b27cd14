"""Where games are kept: a folder of records, each written after every move."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from domino_env.errors import BadOption, BadRecord
from domino_env.files import must_be_writable, write_whole
from domino_env.plain import whole_of
from domino_env.play.setup import PERSON, Plan
from domino_env.record import Record, read

SHOWN = 12  # games that can be chosen from


@dataclass(frozen=True)
class Kept:
    """A game on the shelf."""

    file: str
    record: Record

    @property
    def goes_on(self) -> bool:
        """Is it the person's, and not over?"""
        return PERSON in self.record.names and not self.record.result.over


class Shelf:
    """A folder of games, `0001-block_draw.json` the first."""

    def __init__(self, folder: Path) -> None:
        must_be_writable(folder)
        self.folder = folder

    def new_file(self, game: str) -> Path:
        """Where the next game is kept."""
        numbers = [whole_of(name[:4]) or 0 for name in self._names()]
        return self.folder / f"{max(numbers, default=0) + 1:04}-{game}.json"

    def keep(self, file: Path, record: Record) -> None:
        """Writes a game, whole or not at all; a click does not wait for the disk."""
        write_whole(file, record.text(), synced=False)

    def games(self) -> list[Kept]:
        """The latest games, the last first. What is no record is passed over."""
        found: list[Kept] = []
        for name in reversed(self._names()):
            if len(found) == SHOWN:
                break
            try:
                found.append(Kept(name, read(self.folder / name)))
            except BadRecord:
                continue
        return found

    def take(self, name: str) -> Kept:
        """A game by the name of its file."""
        if name not in self._names():
            raise BadOption(f"no game is kept as {name!r}")
        return Kept(name, read(self.folder / name))

    def left_off(self, plan: Plan) -> Kept | None:
        """The last game that was left before its end, if it is the one that is planned."""
        for kept in self.games():
            if kept.goes_on and agrees(kept.record, plan):
                return kept
        return None

    def _names(self) -> list[str]:
        return sorted(file.name for file in self.folder.glob("[0-9]*.json"))


def agrees(record: Record, plan: Plan) -> bool:
    """Is a record of the game that is planned, with everybody in the same seat?"""
    from domino_env.games import mark_of

    same = record.game == plan.rules.id and record.mark == mark_of(plan.rules)
    match = record.episode == "match"
    return same and (record.names, match, record.calls) == (plan.names, plan.match, plan.calls)
