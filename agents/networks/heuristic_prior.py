"""A prior for trained policies: logits from the weights of `heuristic`, added to the network's own.

A network has to discover by itself what each action scores, and where several ends are added up
that takes very long. With the prior a policy starts out as `heuristic` and its network learns the
corrections (residual policy learning). Like `heuristic` it looks at no tile that the seat to move
has not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Lanes
from domino_env.agents.features.heuristic_features import FEATURES, NUM_FEATURES, Weights, weight_of
from domino_env.agents.heuristic import Heuristic, as_row
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.state import Counts, Games, Legal, RuleTables, records
from domino_env.errors import BadOption
from domino_env.games import Game

COMPILED = ("the agent ppo", 2)

Numbers = npt.NDArray[np.float32]

FLOOR = -8.0  # the least prior logit: low, but not too low for a network to overrule
MOST = 1e6
ROUNDS = 1000  # played to measure the usual spread of weights


@dataclass(frozen=True)
class HeuristicPrior:
    """Logits proportional to the weights of `heuristic`.

    Attributes:
        weights: a number for each feature of `heuristic`, by name.
        scale: the logit for each 1 of weight.
    """

    weights: Mapping[str, float]
    scale: float

    def __post_init__(self) -> None:
        if not all(abs(number) <= MOST for number in (*self.weights.values(), self.scale)):
            raise BadOption(f"weights and scale of a prior must be numbers up to {MOST:g}")
        as_row(dict(self.weights))

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> HeuristicPrior:
        """From plain data, as policy files and checkpoints hold it."""
        return cls(dict(plain["weights"]), float(plain["keenness"]))

    def to_plain(self) -> dict[str, Any]:
        """As plain data. `keenness` is what policy files have always called the scale."""
        return {"weights": dict(self.weights), "keenness": self.scale}

    def logits(self, batch: Batch, lanes: Lanes) -> Numbers:
        """float32[n, A]: how far each legal action is behind the best one; 0 for the others."""
        found = behind(batch, lanes, as_row(dict(self.weights)))
        found *= np.float32(self.scale)
        return np.maximum(found, np.float32(FLOOR), out=found)


def heuristic_prior(
    game: Game, players: int, weights: npt.NDArray[np.float64], prior_weight: float, seed: int
) -> HeuristicPrior:
    """A prior whose logits have a standard deviation of `prior_weight` within a usual decision:
    weights are larger in one game than in another."""
    row = {name: float(weight) for name, weight in zip(FEATURES, weights, strict=True)}
    return HeuristicPrior(row, prior_weight / usual_spread(game, players, weights, seed))


def usual_spread(game: Game, players: int, weights: npt.NDArray[np.float64], seed: int) -> float:
    """The mean standard deviation of a decision's weights, over rounds that `heuristic` plays."""
    batch = Batch(game, ROUNDS, players, seed=seed, autoreset=False)
    batch.reset()
    heuristic, spreads = Heuristic(), []
    while len(live := np.flatnonzero(batch.seat >= 0)):
        free = live[batch._num_legal[live] > 1]
        found, legal = behind(batch, free, weights), batch.mask[free] == 1
        spreads.append(np.std(found, 1, where=legal))
        batch.step(heuristic.act(batch, live), live)
    return float(np.concatenate(spreads).mean()) or 1.0


def behind(batch: Batch, lanes: Lanes, weights: npt.NDArray[np.float64]) -> Numbers:
    """float32[n, A]: how much less each legal action weighs than the best; 0 for the others."""
    if np.shape(weights) != (NUM_FEATURES,):
        raise BadOption(f"weights are {NUM_FEATURES} numbers, not {weights!r}")
    with batch._held:
        some = batch._lanes_to_decide(lanes)
        found = np.zeros((len(some), batch.num_actions), np.float32)
        weigh_lanes(
            batch._rule_table,
            batch._games,
            batch._legal,
            batch._num_legal,
            some,
            np.array(weights, np.float64),
            records(1, batch._games.dtype),
            np.zeros(NUM_FEATURES),
            found,
        )
    return found


@kernel
def weigh_lanes(
    rule_tables: RuleTables,
    games: Games,
    legal: Legal,
    num_legal: Counts,
    lanes: Lanes,
    weights: Weights,
    table: Games,
    features: Weights,
    found: Numbers,
) -> None:
    """Writes how much less each legal action weighs than the best."""
    for row in range(len(lanes)):
        lane: Any = np.uint64(lanes[row])
        most = -np.inf
        for k in range(num_legal[lane]):
            action = int(legal[lane, k])
            weight = weight_of(rule_tables[0], games[lane], action, weights, table, features)
            found[row, action] = weight
            most = max(most, weight)
        for k in range(num_legal[lane]):
            found[row, legal[lane, k]] -= most
