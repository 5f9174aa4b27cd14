"""`domino bench`: how fast it is, and what agents score in one-player games."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("bench", help="measure speed, relative to OpenSpiel's dominoes")
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
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures, prints the tables, and writes the figures if asked to."""
    from domino_env.bench.speed import run as measure

    return measure(options.repeats, options.seconds, options.only, options.deals, options.json)
