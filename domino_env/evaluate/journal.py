"""What has been played of a tournament, kept on the disk chunk by chunk: so it can go on after the
machine that asked for it has died.

The first line says of which tournament, each other is a chunk that was counted; all begin with a
sum of what follows. A line that is cut short or damaged, and all after it, are played again.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from domino_env.config.loader import as_called_now, that_matter
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate.forfeits import Forfeit
from domino_env.evaluate.pairing import Played
from domino_env.execution.versions import versions
from domino_env.files import write_whole
from domino_env.games import mark_of
from domino_env.record import parse

if TYPE_CHECKING:
    from domino_env.evaluate.tournament import TournamentSettings

JOURNAL = "unfinished.jsonl"


class Journal:
    """The journal of a tournament.

    Args:
        folder: of the tournament.
        settings: of it.
        resumed: go on with the journal that is there, which must be of the same tournament; or else
            begin a new one, which must not be the same.

    Attributes:
        known: what was played, by the number of the meeting and of its chunk.
    """

    def __init__(self, folder: Path, settings: TournamentSettings, *, resumed: bool) -> None:
        self._file = folder / JOURNAL
        self.known: dict[tuple[int, int], Played] = {}
        about = json.loads(json.dumps(_about(settings)))
        lines = self._recalled(about) if resumed else self._begun(about)
        write_whole(self._file, "".join(lines))
        self._stream: IO[str] | None = None
        try:
            self._stream = self._file.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            self._give_up(error)

    def _begun(self, about: dict[str, Any]) -> list[str]:
        """A new journal; hours of play are not thrown away by a word that was forgotten."""
        if self._file.exists() and _tournament(_contents(self._text())) == about:
            raise BadOption(
                f"this tournament is unfinished in {self._file.parent}: go on with --resume, or "
                "give another --out"
            )
        return [_line(about)]

    def _text(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError as error:
            told = f"nothing is unfinished in {self._file.parent}: leave --resume out"
            raise BadOption(told) from error
        except OSError as error:
            raise BadOption(f"{self._file} cannot be read: {error.strerror or error}") from error

    def _recalled(self, about: dict[str, Any]) -> list[str]:
        """Reads what is there, as far as it can be trusted; the lines are kept."""
        lines, found = [_line(about)], _contents(self._text())
        _must_agree(_tournament(found), about, self._file)
        for content, line in found:
            try:
                meeting, number, *came = content
                key, played = (int(meeting), int(number)), _played(*came)
            except (DominoError, TypeError, ValueError):
                break
            self.known[key] = played
            lines.append(line)
        return lines

    def note(self, meeting: int, number: int, played: Played) -> None:
        """Keeps what came of a chunk."""
        records = [record.line() for record in played.records]
        margins, forfeits = played.margins.tolist(), [list(each) for each in played.forfeits]
        self._append(_line([meeting, number, margins, records, forfeits]))

    def close(self) -> None:
        """Nothing more is to be kept; what is there remains."""
        if self._stream is not None:
            with suppress(OSError):
                self._stream.close()

    def over(self) -> None:
        """The tournament is over, and this of no more use."""
        self.close()
        self._file.unlink(missing_ok=True)

    def _append(self, line: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(line)
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """The games are worth more than the journal of them."""
        self.close()
        self._stream = None
        print(
            f"domino: {self._file} cannot be written ({error.strerror or error}): playing goes on, "
            "but could not be resumed",
            file=sys.stderr,
        )


def _about(settings: TournamentSettings) -> dict[str, Any]:
    """All that the results depend on."""
    files = [
        (value, sha256(Path(value).read_bytes()).hexdigest())
        for entrant in settings.agents
        for value in entrant.options.values()
        if isinstance(value, (str, Path)) and Path(value).is_file()
    ]
    return {
        "settings": that_matter(settings),
        "rules": [mark_of(game) for game in settings.all_rules],
        "files": {str(name): told for name, told in files},
        "agents": {entrant.name: code for entrant in settings.agents if (code := entrant.code)},
        "versions": versions(),
    }


def _must_agree(found: Any, wanted: dict[str, Any], file: Path) -> None:
    if not isinstance(found, dict):
        raise BadOption(f"{file} is damaged: leave --resume out to begin anew")
    for part, value in wanted.items():
        if found.get(part) != value:
            raise BadOption(
                f"{file} is of a tournament with other {part}: resume it as it was begun, or leave "
                "--resume out to begin anew"
            )


def _tournament(contents: Iterator[tuple[Any, str]]) -> Any:
    """What the first line says, if it is one of a journal."""
    found, _ = next(contents, (None, ""))
    if not isinstance(found, dict) or not isinstance(found.get("settings"), dict):
        return found
    return {**found, "settings": as_called_now(found["settings"])}


def _line(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=False)
    return f"{zlib.crc32(text.encode()):08x} {text}\n"


def _contents(text: str) -> Iterator[tuple[Any, str]]:
    """What the lines say, up to the first that is not whole, and the lines."""
    for line in text.splitlines(keepends=True):
        told, _, content = line.rstrip("\n").partition(" ")
        if not line.endswith("\n") or told != f"{zlib.crc32(content.encode()):08x}":
            return
        yield json.loads(content), line


def _played(margins: Any, records: Any, forfeits: Any) -> Played:
    numbers = np.array(margins, np.float64)
    if numbers.ndim != 2:
        raise ValueError("margins")
    given_up = tuple(
        Forfeit(int(deal), int(game), int(side), str(why)) for deal, game, side, why in forfeits
    )
    return Played(numbers, [parse(record) for record in records], given_up)
