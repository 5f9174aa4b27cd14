"""`domino new-agent`: a file with an agent of one's own, to start from."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("new-agent", help="write a file with an agent to start from")
    command.add_argument(
        "name", metavar="NAME", help="name of the agent: my_agent is written to my_agent.py"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the file, and says what to do next."""
    from domino_env.cli.new_agent import next_steps, write

    print(next_steps(write(options.name)))
    return 0
