"""`domino new-game`: the files of a new game, in a checkout of this project."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import domino_env
from domino_env.errors import BadOption

CHECKOUT = Path(domino_env.__file__).parent.parent


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "new-game", help="write the files of a new game, in a checkout of this project"
    )
    command.add_argument("id", metavar="ID", help="id of the new game, like tavern_draw")
    command.add_argument("--like", metavar="ID", help="the game that it is a variant of")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Has the checkout's own tool write them: a game comes with its tests, which are not part of
    the package."""
    if not (CHECKOUT / "tools" / "new_game.py").exists():
        raise BadOption(
            "new-game adds a game with its tests and pages to a checkout of this project, and this "
            "is an installed package: clone the project and run the command there. A house rule "
            "needs no checkout: see `domino_env.rules`"
        )
    like = [] if options.like is None else ["--like", options.like]
    command = [sys.executable, "-m", "tools.new_game", options.id, *like]
    return subprocess.run(command, cwd=CHECKOUT, check=False).returncode
