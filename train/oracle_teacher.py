"""What each move would gain: a teacher that sees the whole deal, which the learner does not.

Every legal move is played out in the deal as it is, by the weights of `heuristic`. In one deal that
says little, but a learner that sees the same of many deals learns the mean over all that it may be
in: what a search on beliefs finds for one decision at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.heuristic import Weights, weights_of
from domino_env.agents.playout import Table, gain_of, new_table
from domino_env.batches import Batch
from domino_env.engine.compiling import kernel


def foresee(batch: Batch, lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """For each action what it would gain, less the mean of the legal ones; 0 for the others."""
    some = batch._lanes_to_decide(lanes)
    gains = np.zeros((len(some), batch.num_actions), np.float32)
    weights, table = weights_of(batch.rules.id), new_table(batch)
    shown = batch._legal, batch._num_legal
    with batch._held:
        _foresee_lanes(batch._book, batch._games, *shown, some, weights, table, gains)
    return gains


@kernel
def _foresee_lanes(
    books: Any,
    games: Any,
    legal: Any,
    num_legal: Any,
    lanes: Any,
    weights: Weights,
    table: Table,
    gains: Any,
) -> None:
    for row in range(len(lanes)):
        lane: Any = np.uint64(lanes[row])
        game, seat = games[lane], int(games[lane].to_move)
        mean = 0.0
        for move in range(num_legal[lane]):
            action = int(legal[lane, move])
            gains[row, action] = gain_of(books[0], game, seat, action, weights, table)
            mean += gains[row, action] / num_legal[lane]
        for move in range(num_legal[lane]):
            gains[row, legal[lane, move]] -= mean
