"""`domino completion`: the script with which a shell completes the command."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("completion", help="print a completion script for a shell")
    command.add_argument("shell", choices=("bash", "zsh", "fish"))
    command.set_defaults(run=partial(run, commands))


def run(commands: Any, options: argparse.Namespace) -> int:
    """Prints the script, made from the parsers of all commands."""
    from domino_env.cli.completion import script

    print(script(commands, options.shell))
    return 0
