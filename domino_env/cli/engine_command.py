"""`domino engine`: engines of any language, checked; and our agents as engines for others."""

from __future__ import annotations

import argparse
import sys
from typing import Any


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "engine", help="check an engine in any language, or serve an agent as one"
    )
    kinds = command.add_subparsers(required=True, metavar="check|serve")
    _add_check(kinds)
    _add_serve(kinds)


def _add_check(kinds: Any) -> None:
    check = kinds.add_parser(
        "check", help="play every message of the protocol at an engine, and say what it does wrong"
    )
    check.add_argument("program", nargs="+", metavar="./bot", help="the engine, after --")
    check.add_argument(
        "--seconds", type=float, default=1.0, help="that it has for a move (default 1)"
    )
    check.add_argument(
        "--deals", type=int, default=8, help="games of each kind that it plays (default 8)"
    )
    check.add_argument(
        "--game", action="append", default=[], metavar="id", help="only this game; may be repeated"
    )
    check.set_defaults(run=run_check)


def _add_serve(kinds: Any) -> None:
    serve = kinds.add_parser(
        "serve", help="an agent as an engine: the protocol on standard input and output"
    )
    serve.add_argument(
        "--agent",
        required=True,
        help="an agent, or one with options like '{agent: pimc, worlds: 64}'",
    )
    serve.set_defaults(run=run_serve)


def run_check(options: argparse.Namespace) -> int:
    """0 if nothing is wrong, and 1 otherwise."""
    from domino_env.errors import BadOption
    from domino_env.games import rules
    from domino_env.protocol.checking import check

    if options.deals < 1 or options.seconds <= 0:
        raise BadOption("--deals and --seconds must be above 0")
    for game in options.game:
        if not rules(game).has_opponents:
            raise BadOption(f"{game} has one player: engines play against others")
    right = check(
        options.program,
        lambda line: print(line, flush=True),
        seconds=options.seconds,
        deals=options.deals,
        games=options.game,
    )
    return 0 if right else 1


def run_serve(options: argparse.Namespace) -> int:
    """Plays until the host says quit, or writes no more."""
    from domino_env.evaluate.entrants import read_entrant
    from domino_env.protocol.serving.serve import serve

    found = read_entrant(options.agent)
    serve(found.agent, found.options, sys.stdin, sys.stdout)
    return 0
