"""`random`: samples uniformly from the legal actions. The baseline that every agent must beat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, Shown, at_decisions
from domino_env.batches import Batch


class Random(Shown):
    """Samples uniformly from the legal actions, with a generator of its own."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        places = self._generator.integers(0, batch._num_legal[lanes])
        return batch._legal[lanes, places].astype(np.int64)

    @staticmethod
    def probabilities(batch: Batch, lanes: Lanes) -> npt.NDArray[np.float64]:
        """For each of the lanes how likely each action of the game is to be chosen."""
        legal = batch._mask[lanes] > 0
        return legal / legal.sum(1, keepdims=True)
