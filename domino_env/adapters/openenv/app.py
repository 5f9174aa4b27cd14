"""The application that `openenv.yaml` names: `DOMINO_GAME` says which game, Block & Draw if not."""

from __future__ import annotations

import os

from domino_env.adapters.openenv.server import make_app
from domino_env.games import DEFAULT_GAME

app = make_app(os.environ.get("DOMINO_GAME", DEFAULT_GAME))
