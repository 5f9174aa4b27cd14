"""Plays the games of a batch on by given actions: how positions that are kept are set up again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from domino_env.batches.batch import Batch


def play_on(batch: Batch, actions: Sequence[Sequence[int]]) -> None:
    """Plays lane i on by its actions, `actions[i]`."""
    for step in range(max(map(len, actions), default=0)):
        lanes = [lane for lane, some in enumerate(actions) if step < len(some)]
        batch.step([actions[lane][step] for lane in lanes], np.array(lanes, np.int64))
