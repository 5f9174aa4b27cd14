"""The server, ready before it listens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from openenv.core.env_server.http_server import create_app

from domino_env.adapters.openenv.environment import DominoEnvironment
from domino_env.adapters.openenv.models import DominoAction, DominoObservation, DominoState
from domino_env.errors import BadOption
from domino_env.games import Game, rules_of

SESSIONS = 64


def make_app(game: Game, sessions: int = SESSIONS, **options: Any) -> Any:
    """OpenEnv's application for a game, for any ASGI server.

    Args:
        game: the id of a variant, or its rules.
        sessions: how many may be open at a time.
        options: as for `TextEnv`.
    """
    factory = partial(DominoEnvironment, game, **options)
    _warm_up(factory, game)
    return create_app(
        factory,
        DominoAction,
        DominoObservation,
        env_name="domino",
        max_concurrent_envs=sessions,
        state_cls=DominoState,
    )


def _warm_up(factory: Callable[[], DominoEnvironment], game: Game) -> None:
    """Plays on with every number of players that a session may ask for, so that nothing is compiled
    while a client waits: its connection is given up after twenty seconds."""
    env = factory()
    env.warm_up()
    for players in rules_of(game).players:
        with suppress(BadOption):  # the opponents that are given may be too many or too few
            env.warm_up(num_players=players)


def serve(
    game: Game, host: str = "127.0.0.1", port: int = 8000, sessions: int = SESSIONS, **options: Any
) -> None:
    """Serves a game until it is stopped."""
    import uvicorn

    app = make_app(game, sessions, **options)
    uvicorn.run(app, host=host, port=port, log_level="warning")
