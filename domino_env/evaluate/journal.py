"""The journal of a tournament: its checkpoint on disk, to resume from after a crash.

The first line identifies the tournament, each other line is a chunk that was counted; every line
begins with a checksum of what follows. A line that is cut short or damaged, and all after it, are
played again.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from domino_env.agents.language.usage import Usage
from domino_env.config.loader import result_settings, with_current_names
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate.forfeits import Forfeit
from domino_env.evaluate.pairing import ChunkResult
from domino_env.execution.versions import versions
from domino_env.files import write_whole
from domino_env.games import has_mark, mark_of
from domino_env.record import parse

if TYPE_CHECKING:
    from domino_env.evaluate.tournament import TournamentSettings

JOURNAL = "unfinished.jsonl"


class Journal:
    """Appends every chunk that counts to a file, and reads the file to resume.

    Args:
        folder: of the tournament.
        settings: of it.
        resumed: go on with the journal in the folder, which must be of the same tournament;
            otherwise a new one is begun, over any but one of the same tournament.

    Attributes:
        known: the chunks in the journal, by the number of the pairing and of the chunk.
    """

    def __init__(self, folder: Path, settings: TournamentSettings, *, resumed: bool) -> None:
        self._file, self._kind = folder / JOURNAL, type(settings)
        self.known: dict[tuple[int, int], ChunkResult] = {}
        self._games = settings.all_rules
        about = json.loads(json.dumps(_identity(settings)))
        lines = self._resumed(about) if resumed else self._started(about)
        write_whole(self._file, "".join(lines))
        self._stream: IO[str] | None = None
        try:
            self._stream = self._file.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            self._fail(error)

    def _started(self, about: dict[str, Any]) -> list[str]:
        """A new journal; refused over an unfinished one of the same tournament."""
        if self._file.exists() and self._identity_in(_verified_lines(self._text())) == about:
            raise BadOption(
                f"this tournament is unfinished in {self._file.parent}: go on with --resume, or "
                "give another --out"
            )
        return [_as_line(about)]

    def _text(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError as error:
            told = f"nothing is unfinished in {self._file.parent}: leave --resume out"
            raise BadOption(told) from error
        except OSError as error:
            raise BadOption(f"{self._file} cannot be read: {error.strerror or error}") from error

    def _resumed(self, about: dict[str, Any]) -> list[str]:
        """Reads the journal up to the first damaged line; keeps the lines before it."""
        lines, found = [_as_line(about)], _verified_lines(self._text())
        _must_agree(self._identity_in(found), about, self._file)
        for content, line in found:
            try:
                pairing, number, *outcome = content
                key, result = (int(pairing), int(number)), _chunk_result(*outcome)
            except (DominoError, TypeError, ValueError):
                break
            self.known[key] = result
            lines.append(line)
        return lines

    def _identity_in(self, contents: Iterator[tuple[Any, str]]) -> Any:
        """The first line's content, with the settings under their current names."""
        found, _ = next(contents, (None, ""))
        if not isinstance(found, dict) or not isinstance(found.get("settings"), dict):
            return found
        settings = with_current_names(self._kind, found["settings"])
        return {**found, "settings": settings, "rules": self._marks_now(found.get("rules"))}

    def _marks_now(self, marks: Any) -> Any:
        """Marks of rules as they are made now, where they are of these rules as spelled before."""
        if not isinstance(marks, list) or len(marks) != len(self._games):
            return marks
        pairs = zip(self._games, marks, strict=True)
        return [mark_of(game) if has_mark(game, mark) else mark for game, mark in pairs]

    def append(self, pairing: int, number: int, result: ChunkResult) -> None:
        """Adds a chunk."""
        records = [record.line() for record in result.records]
        margins, forfeits = result.margins.tolist(), [list(each) for each in result.forfeits]
        usage = [astuple(each) for each in result.usage] if any(result.usage) else []
        luck = [] if result.luck is None else result.luck.tolist()
        told = [pairing, number, margins, records, forfeits, usage, luck]
        while told and told[-1] == []:
            told.pop()
        self._write(_as_line(told))

    def close(self) -> None:
        """Closes the file, which stays."""
        if self._stream is not None:
            with suppress(OSError):
                self._stream.close()

    def remove(self) -> None:
        """Removes the file: the tournament is complete."""
        self.close()
        self._file.unlink(missing_ok=True)

    def _write(self, line: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(line)
            self._stream.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        """Goes on without a journal: the games are worth more than the record of them."""
        self.close()
        self._stream = None
        print(
            f"domino: {self._file} cannot be written ({error.strerror or error}): playing goes on, "
            "but could not be resumed",
            file=sys.stderr,
        )


def _identity(settings: TournamentSettings) -> dict[str, Any]:
    """Everything that the results depend on."""
    files = [
        (value, sha256(Path(value).read_bytes()).hexdigest())
        for entrant in settings.agents
        for value in entrant.options.values()
        if isinstance(value, (str, Path)) and Path(value).is_file()
    ]
    return {
        "settings": result_settings(settings),
        "rules": [mark_of(game) for game in settings.all_rules],
        "files": {str(name): told for name, told in files},
        "agents": {entrant.name: code for entrant in settings.agents if (code := entrant.code_sum)},
        "versions": versions(),
    }


def _must_agree(found: Any, wanted: dict[str, Any], file: Path) -> None:
    if not isinstance(found, dict):
        raise BadOption(f"{file} is damaged: leave --resume out to start again")
    for part, value in wanted.items():
        if found.get(part) != value:
            raise BadOption(
                f"{file} is of a tournament with other {part}: resume it as it was begun, or leave "
                "--resume out to start again"
            )


def _as_line(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=False)
    return f"{zlib.crc32(text.encode()):08x} {text}\n"


def _verified_lines(text: str) -> Iterator[tuple[Any, str]]:
    """The content of each line, and the line, up to the first that is damaged."""
    for line in text.splitlines(keepends=True):
        told, _, content = line.rstrip("\n").partition(" ")
        if not line.endswith("\n") or told != f"{zlib.crc32(content.encode()):08x}":
            return
        yield json.loads(content), line


def _chunk_result(
    margins: Any, records: Any = (), forfeits: Any = (), usage: Any = (), luck: Any = ()
) -> ChunkResult:
    numbers, chance = np.array(margins, np.float64), np.array(luck, np.float64)
    if numbers.ndim != 2 or (chance.size and chance.shape != numbers.shape):
        raise ValueError("margins")
    given_up = tuple(
        Forfeit(int(deal), int(game), int(side), str(why)) for deal, game, side, why in forfeits
    )
    spent = tuple(Usage(*each) for each in usage or ((), ()))
    found = [parse(record) for record in records]
    return ChunkResult(numbers, found, given_up, spent, chance if chance.size else None)
