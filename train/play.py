"""Playing whole episodes with an agent in each seat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.batches import Batch


def choose(batch: Batch, seats: Sequence[Agent]) -> npt.NDArray[np.int64]:
    """Asks the agent in each seat for the lanes where it is that seat's move; -1 elsewhere."""
    actions = np.full(batch.num_games, -1, np.int64)
    for agent in dict.fromkeys(seats):
        theirs = [seat for seat, other in enumerate(seats) if other is agent]
        lanes = np.flatnonzero(np.isin(batch.seat, theirs))
        if len(lanes):
            actions[lanes] = agent.act(batch, lanes)
    return actions


def within(values: npt.NDArray[np.float64]) -> float:
    """Half the 95 % interval of a mean."""
    return 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def play_out(batch: Batch, seats: Sequence[Agent]) -> npt.NDArray[np.float64]:
    """Plays one episode in every lane of a batch without autoreset; the return of each seat."""
    returns = np.zeros((batch.num_games, batch.num_players))
    while (batch.seat >= 0).any():
        batch.step(choose(batch, seats))
        returns += batch.reward
    return returns
