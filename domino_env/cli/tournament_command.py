"""`domino tournament`: agents against each other on duplicate deals."""

from __future__ import annotations

import argparse
from typing import Any

from domino_env.cli.arguments import (
    add_engine,
    add_settings,
    add_settings_file,
    executor_of,
    load_settings,
    results_folder,
)
from domino_env.extras import must_have


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "tournament", help="play agents against each other on duplicate deals, and rate them"
    )
    add_settings_file(command, "ladder")
    add_settings(command, "deals=500 or rules.hand_size=7")
    command.add_argument("--resume", action="store_true", help="resume an interrupted tournament")
    add_engine(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plays it, with a progress bar, and prints and writes its results."""
    must_have("matplotlib")  # better missed now than after the last game
    from domino_env.evaluate import console
    from domino_env.evaluate.tournament import TournamentSettings

    settings = load_settings(options, TournamentSettings, options.file, "tournaments")
    if settings is None:
        return 0
    folder = results_folder(options, settings, "tournament")
    console.run(settings, folder, executor_of(options), resumed=options.resume)
    return 0
