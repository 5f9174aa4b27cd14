"""A teacher with perfect information: what each legal move gains in the real deal.

Every legal move is played out in the actual deal, by the weights of `heuristic`. In one deal that
says little; but a learner that sees only its own observation, and meets many deals that look alike
from there, is trained on the mean over all of them. It amortises what a search over beliefs
computes for one decision at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import Weights
from domino_env.agents.heuristic import weights_of
from domino_env.agents.searching.playout import Scratch, gain_of, new_scratch
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.state import Counts, Games, Legal, Numbers, RuleTables


def oracle_gains(batch: Batch, lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """float32[n, A]: the gain of each legal action over the mean of the legal ones; 0 for the
    others."""
    some = batch._lanes_to_decide(lanes)
    gains = np.zeros((len(some), batch.num_actions), np.float32)
    weights, scratch = weights_of(batch.rules.id), new_scratch(batch)
    moves = batch._legal, batch._num_legal
    with batch._held:
        _oracle_gains(batch._rule_table, batch._games, *moves, some, weights, scratch, gains)
    return gains


@kernel
def _oracle_gains(
    rule_tables: RuleTables,
    games: Games,
    legal: Legal,
    num_legal: Counts,
    lanes: Numbers,
    weights: Weights,
    scratch: Scratch,
    gains: npt.NDArray[np.float32],
) -> None:
    for row in range(len(lanes)):
        lane: Any = np.uint64(lanes[row])
        game, seat = games[lane], int(games[lane].to_move)
        mean = 0.0
        for move in range(num_legal[lane]):
            action = int(legal[lane, move])
            gains[row, action] = gain_of(rule_tables[0], game, seat, action, weights, scratch)
            mean += gains[row, action] / num_legal[lane]
        for move in range(num_legal[lane]):
            gains[row, legal[lane, move]] -= mean
