"""`domino replay`: a recorded game, in the terminal, as a GIF, or as a web page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("replay", help="show a recorded game, or export it (GIF, HTML)")
    command.add_argument("file", metavar="FILE", help="a record, or a .jsonl file with one a line")
    command.add_argument(
        "--game", type=int, default=1, help="which record of a .jsonl file (default 1, the first)"
    )
    command.add_argument(
        "--out", metavar="FILE", help="write a .gif or .html file instead of printing"
    )
    command.add_argument(
        "--viewer",
        default="all",
        help="whose view is shown: all, nobody or the number of a seat (default all)",
    )
    command.add_argument(
        "--seconds", type=float, default=0.8, help="how long each frame is shown (default 0.8)"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Shows the record, or writes it to a file."""
    from domino_env.cli.record_viewer import chosen, show, viewer_of

    record = chosen(Path(options.file), options.game)
    out = Path(options.out) if options.out else None
    show(record, viewer_of(options.viewer), out, options.seconds)
    return 0
