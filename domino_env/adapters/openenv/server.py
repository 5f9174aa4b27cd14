"""The server, ready before it listens."""

from __future__ import annotations

from functools import partial
from typing import Any

from openenv.core.env_server.http_server import create_app

from domino_env.adapters.openenv.environment import DominoEnvironment
from domino_env.adapters.openenv.models import DominoAction, DominoObservation, DominoState
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
    _warm_up(factory, game, options)
    return create_app(
        factory,
        DominoAction,
        DominoObservation,
        env_name="domino",
        max_concurrent_envs=sessions,
        state_cls=DominoState,
    )


def _warm_up(factory: Any, game: Game, options: dict[str, Any]) -> None:
    """Plays an episode for every number of players that a session may ask for, so that nothing is
    compiled while a client waits: its connection is given up after twenty seconds."""
    fixed = _fixed_seats(options)
    for players in rules_of(game).players if not fixed else [options.get("num_players")]:
        env = factory()
        seen = env.reset(seed=0, num_players=players)
        while not seen.done:
            answer = str(env._env.batch.position().legal[0])
            seen = env.step(DominoAction(answer=answer))


def _fixed_seats(options: dict[str, Any]) -> bool:
    """Does a list of opponents say how many play?"""
    opponents = options.get("opponents", "random")
    return not isinstance(opponents, (str, dict)) or options.get("seat", "random") != "random"


def serve(
    game: Game, host: str = "127.0.0.1", port: int = 8000, sessions: int = SESSIONS, **options: Any
) -> None:
    """Serves a game until it is stopped."""
    import uvicorn

    app = make_app(game, sessions, **options)
    uvicorn.run(app, host=host, port=port, log_level="warning")
