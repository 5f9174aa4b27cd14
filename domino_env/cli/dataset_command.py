"""`domino dataset`: games as Parquet files."""

from __future__ import annotations

import argparse
import sys
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
from domino_env.extras import must_have
from domino_env.games import DEFAULT_GAME


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("dataset", help="generate games as Parquet files to learn from")
    add_settings_file(command, DEFAULT_GAME)
    add_settings(command, "games=500 or keep.hands=true")
    add_engine(command)
    command.set_defaults(run=run, extra="data")


def run(options: argparse.Namespace) -> int:
    """Plays and writes the games; what was written of an interrupted run is used."""
    must_have("pyarrow", extra=extra_for(options))
    from domino_env.data import writer
    from domino_env.data.generate import DatasetSettings

    settings = load_settings(options, DatasetSettings, options.file, "datasets")
    if settings is None:
        return 0
    folder = results_folder(options, settings, f"dataset-{settings.game}")
    try:
        writer.run(settings, folder, executor_of(options))
    except KeyboardInterrupt:
        print(f"\nrun the same command again to continue in {folder}", file=sys.stderr)
        raise
    return 0
