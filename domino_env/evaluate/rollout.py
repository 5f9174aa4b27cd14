"""Playing whole episodes with an agent in each seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.batches import Batch

Actions = npt.NDArray[np.int64]


def choose(batch: Batch, players: Sequence[Agent], who: npt.NDArray[np.int64]) -> Actions:
    """Asks whoever is to move in each lane; -1 where the game is over. `who`: int[N, P], which of
    the agents is in a seat."""
    actions = np.full(batch.num_games, -1, np.int64)
    live = np.flatnonzero(batch.seat >= 0)
    to_move = who[live, batch.seat[live]]
    for number, agent in enumerate(players):
        lanes = live[to_move == number]
        if len(lanes):
            actions[lanes] = agent.act(batch, lanes)
    return actions


def within(values: npt.NDArray[np.float64]) -> float:
    """Half the 95 % interval of a mean."""
    return 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def play_out(
    batch: Batch,
    players: Sequence[Agent],
    who: npt.NDArray[np.int64] | None = None,
    watch: Callable[[Actions], None] | None = None,
) -> npt.NDArray[np.float64]:
    """Plays one episode in every lane of a batch without autoreset; the return of each seat.

    `who` says for each lane which agent is in a seat, int[N, P]; otherwise each is in the seat of
    its number. `watch` is shown the actions before each step."""
    if who is None:
        who = np.tile(np.arange(batch.num_players), (batch.num_games, 1))
    returns = np.zeros((batch.num_games, batch.num_players))
    while (batch.seat >= 0).any():
        actions = choose(batch, players, who)
        if watch is not None:
            watch(actions)
        batch.step(actions)
        returns += batch.reward
    return returns
