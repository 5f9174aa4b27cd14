"""`domino play`: against agents, or watching them, in the browser or in the terminal."""

from __future__ import annotations

import argparse
from typing import Any

from domino_env.cli.arguments import add_num_players
from domino_env.extras import must_have


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("play", help="play in the browser or in the terminal")
    command.add_argument("game", nargs="?", metavar="id", help="a game, as `domino list` names it")
    _add_game(command)
    _add_view(command)
    command.set_defaults(run=run, extra="play")


def _add_game(command: argparse.ArgumentParser) -> None:
    """What is played, and by whom."""
    command.add_argument(
        "--against",
        nargs="+",
        default=[],
        metavar="AGENT",
        help='agents for the other seats, such as heuristic, "pimc seconds=1" or '
        "my_agent.py:MyAgent (default: the strongest agent that plays the game)",
    )
    add_num_players(command)
    command.add_argument("--seat", type=int, default=0, metavar="N", help="your seat (default 0)")
    command.add_argument("--match", action="store_true", help="play a whole match, not one round")
    command.add_argument(
        "--calls",
        choices=("automatic", "explicit"),
        default="automatic",
        help="whether calls are made for every player (the default), or each player must remember "
        "to make them (ruling G12)",
    )
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, for example hand_size=7; may be repeated",
    )
    command.add_argument("--seed", type=int, metavar="N", help="seed of a new deal")
    command.add_argument(
        "--new", action="store_true", help="deal a new game instead of resuming an unfinished one"
    )
    command.add_argument(
        "--watch", nargs="+", metavar="AGENT", help="watch these agents play in all seats"
    )
    command.add_argument("--record", metavar="FILE", help="step through a recorded game")


def _add_view(command: argparse.ArgumentParser) -> None:
    """Where it is shown, and saved."""
    command.add_argument(
        "--terminal", action="store_true", help="play in this terminal, not in a browser"
    )
    command.add_argument(
        "--port", type=int, default=0, metavar="N", help="port of the page (default: any free one)"
    )
    command.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="print the address without opening a browser",
    )
    command.add_argument(
        "--pace",
        type=float,
        default=0.8,
        metavar="SECONDS",
        help="least time between two moves of agents (default 0.8)",
    )
    command.add_argument(
        "--out",
        default="runs/play",
        metavar="DIR",
        help="folder of saved games, by default runs/play",
    )


def run(options: argparse.Namespace) -> int:
    """Opens the game in the browser, or in the terminal."""
    if not options.terminal:
        must_have("starlette", "uvicorn", extra="play")
    from domino_env.play.start import run as start

    return start(options)
