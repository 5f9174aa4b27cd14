"""`domino dataset`: many games by chosen agents, as a folder of Parquet files.

Each file is a task of its own (`harvest`), made by whoever has time and written whole or not at
all; the manifest says which are there, with their checksums. So a run that was killed goes on where
it was, and ends with the same bytes as one that was not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from domino_env.config.loader import as_called_now, as_dict, that_matter
from domino_env.data.generate import DatasetSettings, File, games_each, make_file, shape_of
from domino_env.data.reader import (
    FORMAT,
    MANIFEST,
    PLAIN,
    WIDE,
    Part,
    checked_content,
    read_manifest,
)
from domino_env.errors import BadDataset
from domino_env.execution.executor import Crew, carry_out, threads
from domino_env.execution.versions import versions
from domino_env.files import must_be_writable, write_whole
from domino_env.games import mark_of
from domino_env.locks import locked

OFTEN = 2.0  # seconds from one manifest to the next: with many files it is long


def write(
    settings: DatasetSettings,
    folder: Path | str,
    crew: Crew | None = None,
    watch: Callable[[int, int], None] = lambda done, wanted: None,
) -> Path:
    """Writes a data set, or what is missing of it; `watch` is told how many files of how many are
    there. Returns the manifest."""
    folder = Path(folder)
    must_be_writable(folder)
    packed = settings.packed()
    with locked(folder):
        files = Files(settings, folder, _begun(settings, folder), watch)
        gather = threads(settings.threads) if crew is None else crew
        if not files.done:
            with gather(partial(make_file, packed, files.games_each)) as hands:
                carry_out(files, hands)
        files.keep()
    return folder / MANIFEST


def _begun(settings: DatasetSettings, folder: Path) -> dict[str, Any]:
    """What the manifest of a run that was begun says, or the first one of a new run."""
    if (folder / MANIFEST).exists():
        found = read_manifest(folder)
        _must_agree(found, settings, folder)
        return found
    games = games_each(settings.packed())
    return {**_manifest(settings), "games_each": games, "files_in_all": -(-settings.games // games)}


def _manifest(settings: DatasetSettings) -> dict[str, Any]:
    """All that is known before anything has been played."""
    shape, keep = shape_of(settings), settings.keep
    kept = [name for name in WIDE if getattr(keep, name)]
    return {
        "format": FORMAT,
        "complete": False,
        "settings": that_matter(settings),
        "mark": mark_of(settings.played),
        "games": settings.games,
        "agents": settings.names,
        "columns": [*PLAIN, *kept],
        "shape": as_dict(shape),
        "fields": [[field.name, field.size] for field in settings.table(1).fields],
        "versions": versions(),
        "code": {each.name: code for each in settings.agents if (code := each.code)},
        "files": [],
    }


def _must_agree(found: dict[str, Any], settings: DatasetSettings, folder: Path) -> None:
    """Refuses to go on with anything that would write other bytes."""
    wanted = json.loads(json.dumps(_manifest(settings)))
    found = {**found, "settings": as_called_now(found["settings"])}
    for part in ("settings", "versions"):
        for name, value in wanted[part].items():
            before = found[part].get(name)
            if before != value:
                raise BadDataset(
                    f"{folder} has a data set with {name}: {json.dumps(before)}, not "
                    f"{json.dumps(value)}; go on as it was begun, or give another --out"
                )
    if found.get("code", {}) != wanted["code"]:
        raise BadDataset(
            f"{folder} has a data set by other code of {', '.join(wanted['code'])}: "
            "give another --out"
        )
    if found["mark"] != wanted["mark"]:
        raise BadDataset(f"{folder} has a data set of other rules: give another --out")


class Files:
    """The files of a data set: a plan for a crew."""

    def __init__(
        self,
        settings: DatasetSettings,
        folder: Path,
        manifest: dict[str, Any],
        watch: Callable[[int, int], None],
    ) -> None:
        self._folder, self._manifest, self._watch = folder, manifest, watch
        self.games_each = int(manifest["games_each"])
        self._wanted = int(manifest["files_in_all"])
        there = (Part(**each) for each in manifest["files"])
        # One that was damaged meanwhile is made anew.
        self._there = {each.name: each for each in there if checked_content(folder, each)}
        self._numbers = iter([n for n in range(self._wanted) if name_of(n) not in self._there])
        self._written = time.monotonic()
        self.keep()
        watch(len(self._there), self._wanted)

    @property
    def done(self) -> bool:
        """Are all files there?"""
        return len(self._there) == self._wanted

    def next(self) -> int | None:
        """The next file that is missing."""
        return next(self._numbers, None)

    def put(self, number: int, file: File) -> list[int]:
        """Writes a file; the manifest follows, so that it names none that is not there."""
        name = name_of(number)
        write_whole(self._folder / name, file.content)
        told = sha256(file.content).hexdigest()
        self._there[name] = Part(name, file.rows, len(file.content), told)
        if time.monotonic() - self._written > OFTEN:
            self.keep()
        self._watch(len(self._there), self._wanted)
        return []

    def keep(self) -> None:
        """Writes the manifest."""
        files = [self._there[name]._asdict() for name in sorted(self._there)]
        manifest = {**self._manifest, "complete": self.done, "files": files}
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        write_whole(self._folder / MANIFEST, text)
        self._written = time.monotonic()


def name_of(number: int) -> str:
    """Of a file, in the order of the games."""
    return f"games-{number:06}.parquet"


def run(settings: DatasetSettings, folder: Path, crew: Crew | None = None) -> None:
    """Writes a data set, and shows how it goes."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("files", total=None)

        def watch(done: int, wanted: int) -> None:
            progress.update(bar, completed=done, total=wanted)

        manifest = write(settings, folder, crew, watch)
    told = json.loads(manifest.read_text(encoding="utf-8"))
    rows = sum(file["rows"] for file in told["files"])
    size = sum(file["bytes"] for file in told["files"])
    print(
        f"written into {folder}: {told['games']:,} games, {rows:,} decisions in "
        f"{len(told['files']):,} files, {size / max(1, rows):.1f} bytes a decision"
    )
