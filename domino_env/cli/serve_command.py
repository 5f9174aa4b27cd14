"""`domino serve`: games for clients on other machines, such as trainers of language models."""

from __future__ import annotations

import argparse
from typing import Any

from domino_env.cli.arguments import add_num_players, add_seat

SERVERS = ("openenv",)


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "serve", help="serve a game as text to trainers of language models"
    )
    command.add_argument("protocol", choices=SERVERS, help="what clients speak: openenv")
    command.add_argument("game", metavar="id", help="a game, as `domino list` names it")
    command.add_argument(
        "--opponents",
        default="random",
        help="an agent, or self: the client answers for every seat (default random)",
    )
    add_seat(command)
    add_num_players(command)
    command.add_argument("--episode", default="round", help="round or match (default round)")
    command.add_argument("--reward", default="win", help="win, margin or points (default win)")
    command.add_argument("--host", default="127.0.0.1", help="the address (default 127.0.0.1)")
    command.add_argument("--port", type=int, default=8000, help="the port (default 8000)")
    command.add_argument("--sessions", type=int, default=64, help="at a time (default 64)")
    command.set_defaults(run=run, extra="openenv")


def run(options: argparse.Namespace) -> int:
    """Warms up, says so, and serves until it is stopped."""
    from domino_env.extras import must_have
    from domino_env.games import rules_of

    rules = rules_of(options.game)
    must_have("openenv", "uvicorn", extra="openenv")
    from domino_env.adapters.openenv import serve

    print(f"{rules.title} for OpenEnv at http://{options.host}:{options.port}", flush=True)
    serve(
        options.game,
        options.host,
        options.port,
        options.sessions,
        opponents=options.opponents,
        seat=options.seat,
        num_players=options.num_players,
        episode=options.episode,
        reward=options.reward,
    )
    return 0
