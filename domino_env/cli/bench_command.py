"""`domino bench`: how fast it is beside its peers, and what agents score in one-player games."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("bench", help="measure speed, beside other environments")
    command.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    command.add_argument(
        "--repeats", type=int, default=5, help="measurements per row; medians count (default 5)"
    )
    command.add_argument(
        "--seconds", type=float, default=0.4, help="length of each measurement (default 0.4)"
    )
    command.add_argument(
        "--only", nargs="+", metavar="WORD", help="only rows whose name contains one of these words"
    )
    command.add_argument(
        "--deals",
        type=int,
        default=10_000,
        help="deals of each one-player game, for mean scores (default 10000; 0: no scores)",
    )
    command.add_argument(
        "--get-peers",
        action="store_true",
        help="first install the environments that it is compared with, each apart from the others",
    )
    command.add_argument(
        "--peers",
        metavar="FOLDER",
        type=Path,
        default=Path(".peers"),
        help="where these are (default .peers)",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures, prints the tables, and writes the figures if asked to."""
    from domino_env.bench.speed import Settings
    from domino_env.bench.speed import run as measure

    settings = Settings(
        repeats=options.repeats,
        seconds=options.seconds,
        only=tuple(options.only or ()),
        deals=options.deals,
        peers=options.peers,
        get_peers=options.get_peers,
    )
    return measure(settings, options.json)
