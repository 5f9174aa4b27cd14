"""Writes data sets, as a folder of Parquet files: `domino dataset`.

Each file is a task for an executor (`generate`), and is written whole or not at all; the manifest
lists those that are complete, with their checksums. So a run that was killed resumes where it was,
and ends with the same bytes as one that was not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from domino_env.config.loader import as_dict, result_settings, with_current_names
from domino_env.data.generate import (
    DatasetSettings,
    GeneratedFile,
    games_per_file,
    generate_file,
    shape_of,
)
from domino_env.data.reader import (
    FORMAT,
    MANIFEST,
    PLAIN,
    WIDE,
    FileEntry,
    checked_content,
    read_manifest,
)
from domino_env.errors import BadDataset
from domino_env.execution.executor import (
    ExecutorFactory,
    TaskFunction,
    run_tasks,
    thread_executor,
)
from domino_env.execution.versions import versions
from domino_env.files import must_be_writable, write_whole
from domino_env.games import has_mark, mark_of
from domino_env.locks import locked

MANIFEST_INTERVAL = 2.0  # seconds: the manifest of many files is long


def write_dataset(
    settings: DatasetSettings,
    folder: Path | str,
    executor: ExecutorFactory | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Path:
    """Writes a data set, or the files that an earlier run has not written; returns its manifest.

    Args:
        settings: of the data set.
        folder: where it is written.
        executor: where the games are played; by default on `settings.threads` threads.
        on_progress: is called with the number of files that are complete, and of all files.
    """
    folder = Path(folder)
    must_be_writable(folder)
    each = _games_each(settings, folder)
    manifest = {
        **identity(settings),
        "games_each": each,
        "files_in_all": -(-settings.games // each),
    }
    work = partial(generate_file, settings.packed(), each)
    return write_files(settings, folder, manifest, work, executor, on_progress)


def _games_each(settings: DatasetSettings, folder: Path) -> int:
    """How many games are in a file: as an earlier run has found, or a trial finds."""
    if (folder / MANIFEST).exists():
        found = read_manifest(folder)
        _must_agree(found, settings, folder)
        return int(found["games_each"])
    return games_per_file(settings.packed())


def write_files(
    settings: DatasetSettings,
    folder: Path,
    manifest: dict[str, Any],
    work: TaskFunction,
    executor: ExecutorFactory | None,
    on_progress: Callable[[int, int], None],
) -> Path:
    """Writes the files of a manifest that are not there yet, each by its number; returns where the
    manifest is."""
    must_be_writable(folder)
    with locked(folder):
        if (folder / MANIFEST).exists():
            found = read_manifest(folder)
            _must_agree(found, settings, folder)
            if found.get("games") != manifest.get("games"):
                told = f"{folder} was begun with another number of games: give another --out"
                raise BadDataset(told)
            manifest = found
        files = _Files(folder, manifest, on_progress)
        make_executor = thread_executor(settings.threads) if executor is None else executor
        if not files.done:
            with make_executor(work) as running:
                run_tasks(files, running)
        files.write_manifest()
    return folder / MANIFEST


def identity(settings: DatasetSettings) -> dict[str, Any]:
    """The manifest but for its files: everything that is known before any game is played."""
    shape, keep = shape_of(settings), settings.keep
    kept = [name for name in ("split", *WIDE) if getattr(keep, name)]
    return {
        "format": FORMAT,
        "complete": False,
        "settings": result_settings(settings),
        "mark": mark_of(settings.game_rules),
        "games": settings.games,
        "agents": settings.names,
        "columns": [*PLAIN, *kept],
        "shape": as_dict(shape),
        "fields": [[field.name, field.size] for field in settings.make_batch(1).fields],
        "versions": versions(),
        "code": {each.name: code for each in settings.agents if (code := each.code_sum)},
        "files": [],
    }


def _must_agree(found: dict[str, Any], settings: DatasetSettings, folder: Path) -> None:
    """Refuses to resume where other bytes would be written."""
    wanted = json.loads(json.dumps(identity(settings)))
    found = {**found, "settings": with_current_names(DatasetSettings, found["settings"])}
    for part in ("settings", "versions"):
        for name, value in wanted[part].items():
            before = found[part].get(name)
            if before != value:
                raise BadDataset(
                    f"{folder} has a data set with {name}: {json.dumps(before)}, not "
                    f"{json.dumps(value)}; continue with its settings, or give another --out"
                )
    if found.get("code", {}) != wanted["code"]:
        raise BadDataset(
            f"{folder} has a data set by other code of {', '.join(wanted['code'])}: "
            "give another --out"
        )
    if not has_mark(settings.game_rules, found["mark"]):
        raise BadDataset(f"{folder} has a data set of other rules: give another --out")


class _Files:
    """The files of a data set, as the task source of its executor."""

    def __init__(
        self, folder: Path, manifest: dict[str, Any], on_progress: Callable[[int, int], None]
    ) -> None:
        self._folder, self._manifest, self._on_progress = folder, manifest, on_progress
        self._total = int(manifest["files_in_all"])
        listed = (FileEntry(**each) for each in manifest["files"])
        # One that has been damaged since is generated again.
        self._complete = {each.name: each for each in listed if checked_content(folder, each)}
        self._missing = iter([n for n in range(self._total) if name_of(n) not in self._complete])
        self._written = time.monotonic()
        self.write_manifest()
        on_progress(len(self._complete), self._total)

    @property
    def done(self) -> bool:
        """Are all files complete?"""
        return len(self._complete) == self._total

    def next_task(self) -> int | None:
        """The number of the next missing file."""
        return next(self._missing, None)

    def add_outcome(self, number: int, file: GeneratedFile) -> list[int]:
        """Writes a file; the manifest follows, so that it lists none that is not there."""
        name = name_of(number)
        write_whole(self._folder / name, file.content)
        told = sha256(file.content).hexdigest()
        self._complete[name] = FileEntry(name, file.rows, len(file.content), told)
        if time.monotonic() - self._written > MANIFEST_INTERVAL:
            self.write_manifest()
        self._on_progress(len(self._complete), self._total)
        return []

    def write_manifest(self) -> None:
        """Writes the manifest."""
        files = [self._complete[name]._asdict() for name in sorted(self._complete)]
        manifest = {**self._manifest, "complete": self.done, "files": files}
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        write_whole(self._folder / MANIFEST, text)
        self._written = time.monotonic()


def name_of(number: int) -> str:
    """The name of a file, by its number in the order of the games."""
    return f"games-{number:06}.parquet"


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """A progress bar in the terminal, that is moved by how many files of how many are done."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("files", total=None)

        def show(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        yield show


def run(settings: DatasetSettings, folder: Path, executor: ExecutorFactory | None = None) -> None:
    """Writes a data set, with a progress bar in the terminal."""
    with progress_bar() as show:
        manifest = write_dataset(settings, folder, executor, show)
    told = json.loads(manifest.read_text(encoding="utf-8"))
    rows = sum(file["rows"] for file in told["files"])
    size = sum(file["bytes"] for file in told["files"])
    print(
        f"written into {folder}: {told['games']:,} games, {rows:,} decisions in "
        f"{len(told['files']):,} files, {size / max(1, rows):.1f} bytes a decision"
    )
