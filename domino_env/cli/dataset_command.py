"""`domino dataset`: games as Parquet files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from domino_env.cli.arguments import (
    add_engine,
    add_settings,
    add_settings_file,
    executor_of,
    extra_for,
    load_settings,
    results_folder,
)
from domino_env.errors import DominoError
from domino_env.extras import must_have
from domino_env.games import DEFAULT_GAME


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("dataset", help="generate games as Parquet files to learn from")
    add_settings_file(command, DEFAULT_GAME)
    add_settings(command, "games=500 or keep.hands=true")
    command.add_argument(
        "--canonical",
        choices=("small", "full"),
        help="the data set that is the same for everybody, of the game that FILE is the id of: "
        "10,000 decisions, or a million",
    )
    add_engine(command)
    command.set_defaults(run=run, extra="data")


def run(options: argparse.Namespace) -> int:
    """Plays and writes the games; what was written of an interrupted run is used."""
    must_have("pyarrow", extra=extra_for(options))
    if options.canonical:
        return _run_canonical(options)
    from domino_env.data import writer
    from domino_env.data.generate import DatasetSettings

    settings = load_settings(options, DatasetSettings, options.file, "datasets")
    if settings is None:
        return 0
    folder = results_folder(options, settings, f"dataset-{settings.game}")
    with _told_how_to_go_on(folder):
        writer.run(settings, folder, executor_of(options))
    return 0


def _run_canonical(options: argparse.Namespace) -> int:
    """Makes a canonical data set, and compares it with what is published."""
    from domino_env.data import canonical
    from domino_env.data.generate import DatasetSettings

    changed = load_settings(options, DatasetSettings, None, "datasets")
    if changed is None:
        return 0
    if replace(changed, threads=1) != DatasetSettings():
        raise DominoError("a canonical data set is always the same: only threads can be set")
    game = options.file or DEFAULT_GAME
    folder = Path(options.out or f"runs/canonical-{options.canonical}-{game}")
    with _told_how_to_go_on(folder):
        made = canonical.run(game, options.canonical, folder, changed.threads, executor_of(options))
    return 0 if made else 1


@contextmanager
def _told_how_to_go_on(folder: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        print(f"\nrun the same command again to continue in {folder}", file=sys.stderr)
        raise
