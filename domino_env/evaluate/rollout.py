"""Rollouts for evaluation: whole episodes with an agent in each seat, and the return of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.batches import Batch

Actions = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def choose_actions(
    batch: Batch, players: Sequence[Agent], seating: npt.NDArray[np.int64]
) -> Actions:
    """The action of whoever is to move in each lane; -1 where the game is over. `seating`:
    int[N, P], which of the agents is in a seat."""
    actions = np.full(batch.num_games, -1, np.int64)
    live = np.flatnonzero(batch.seat >= 0)
    to_move = seating[live, batch.seat[live]]
    for number, agent in enumerate(players):
        lanes = live[to_move == number]
        if len(lanes):
            actions[lanes] = agent.act(batch, lanes)
    return actions


def play_episodes(
    batch: Batch,
    players: Sequence[Agent],
    seating: npt.NDArray[np.int64] | None = None,
    on_actions: Callable[[Actions], None] | None = None,
) -> npt.NDArray[np.float64]:
    """Plays one episode in every lane of a batch without autoreset; the return of each seat.

    `seating` says for each lane which agent is in a seat, int[N, P]; otherwise each is in the seat
    of its number. `on_actions` is called with the actions before each step."""
    if seating is None:
        seating = np.tile(np.arange(batch.num_players), (batch.num_games, 1))
    returns = np.zeros((batch.num_games, batch.num_players))
    while (batch.seat >= 0).any():
        actions = choose_actions(batch, players, seating)
        if on_actions is not None:
            on_actions(actions)
        batch.step(actions)
        returns += batch.reward
    return returns


def margin_per_game(returns: Floats, seats: npt.NDArray[np.int64]) -> Floats:
    """Points of the first side less those of the second in each game: the means over their seats.
    `returns`: points, float[N, P]."""
    firsts = seats == 0
    first = (returns * firsts).sum(1) / firsts.sum(1)
    return first - (returns * ~firsts).sum(1) / (~firsts).sum(1)
