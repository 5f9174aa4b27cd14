"""What the environments of PettingZoo and Gymnasium have in common."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from domino_env.batches import Batch
from domino_env.errors import BadOption

ILLEGAL = ("raise", "terminate")
ILLEGAL_REWARD = -1.0
RENDER_MODES = ["ansi"]


def check_render_mode(render_mode: str | None) -> None:
    """Refuses a way of drawing that there is none of."""
    if render_mode not in (None, *RENDER_MODES):
        raise BadOption(f"render_mode must be None or 'ansi', not {render_mode!r}")


def observation_box(batch: Batch) -> Any:
    """The space of what a seat sees."""
    low, high = batch.bounds()
    return spaces.Box(low, high, dtype=np.float32)


def rendered(batch: Batch, render_mode: str | None) -> str | None:
    """A game as text, all hands open, if it was made to be drawn."""
    if render_mode is None:
        gymnasium.logger.warn("render() needs render_mode='ansi', given when the env is made")
        return None
    return str(batch.position(0))
