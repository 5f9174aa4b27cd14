"""Games for OpenEnv: a server whose sessions are games, and its client.

    domino serve openenv block_draw --port 8000

    from domino_env.adapters.openenv import DominoAction, DominoClient

    with DominoClient(base_url="http://localhost:8000").sync() as env:
        seen = env.reset(seed=0)
        seen = env.step(DominoAction(answer="5-3 on the 4"))

Every session is a `domino_env.text.TextEnv` of its own.
"""

from domino_env.adapters.openenv.client import DominoClient
from domino_env.adapters.openenv.environment import DominoEnvironment
from domino_env.adapters.openenv.models import DominoAction, DominoObservation, DominoState
from domino_env.adapters.openenv.server import make_app, serve

__all__ = [
    "DominoAction",
    "DominoClient",
    "DominoEnvironment",
    "DominoObservation",
    "DominoState",
    "make_app",
    "serve",
]
