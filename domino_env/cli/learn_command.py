"""`domino learn`: learning algorithms on mini games, by exact exploitability against seconds."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import Any

from domino_env.cli.arguments import add_changes, add_settings_file, load_settings
from domino_env.errors import DominoError
from domino_env.extras import must_have


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "learn", help="run a learning algorithm: exploitability on mini games against seconds"
    )
    add_settings_file(command, "mmd")
    add_changes(command, "seed=1 or learning_rate=0.001")
    command.add_argument(
        "--game",
        action="append",
        default=[],
        metavar="NAME",
        help="a mini game (`domino exploit --list`), or any game of two players, which is measured "
        "by points over `heuristic`; may be repeated (default: that of the settings)",
    )
    command.add_argument(
        "--seconds",
        type=float,
        default=20.0,
        metavar="S",
        help="of processor time for each run (default 20)",
    )
    command.add_argument(
        "--seeds", type=int, default=1, metavar="N", help="runs of each game (default 1)"
    )
    command.add_argument(
        "--deals",
        type=int,
        default=10_000,
        metavar="N",
        help="duplicate deals against `heuristic`, where there is no tree (default 10000)",
    )
    command.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    command.set_defaults(run=run, extra="train")


def run(options: argparse.Namespace) -> int:
    """Runs the algorithm on each game with each seed, and prints what it reached."""
    must_have("torch", extra="train")
    from domino_env.cli import learning
    from domino_env.files import write_whole
    from domino_env.train.algorithms.arena import arena_of
    from domino_env.train.algorithms.hyperparameters import AlgorithmSettings

    settings = load_settings(options, AlgorithmSettings, options.file, "learn")
    if settings is None:
        return 0
    if options.seeds < 1:
        raise DominoError(f"--seeds must be 1 or more, not {options.seeds}")
    chosen = [replace(settings, game=name) for name in options.game or [settings.game]]
    for each in chosen:  # all are looked at before the first learns
        arena_of(each.game, each.rules)
    found = learning.measure(chosen, options)
    learning.show(found)
    if options.json:
        write_whole(options.json, json.dumps(found, indent=1) + "\n")
    return 0
