"""`random`: every legal action is as likely. The least that an agent must beat."""

from __future__ import annotations

import numpy as np

from domino_env.agents import Actions, Lanes, Shown, at_decisions
from domino_env.batches import Batch


class Random(Shown):
    """Chooses uniformly among the legal actions, from a generator of its own."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        places = self._generator.integers(0, batch._num_legal[lanes])
        return batch._legal[lanes, places].astype(np.int64)
