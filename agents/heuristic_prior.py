"""What a trained policy leans on: the weights of `heuristic`, beside what its network says.

A network that sees the table has to find out by itself what each action scores, and where several
ends are added up it needs very long for that. A policy that leans begins as `heuristic` does, and
its network learns where to do otherwise. Like `heuristic` it looks at no tile that the seat to move
has not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Lanes
from domino_env.agents.heuristic import FEATURES, NUM_FEATURES, Heuristic, as_row, weight_of
from domino_env.batches import Batch
from domino_env.engine.compiling import kernel
from domino_env.engine.state import GAME
from domino_env.errors import BadOption
from domino_env.games import Game

COMPILED = ("the agent ppo", 2)

Numbers = npt.NDArray[np.float32]

FLOOR = -8.0  # nothing is so far behind that a network could not think better of it
MOST = 1e6
ROUNDS = 1000  # that are played to see how far apart weights usually are


@dataclass(frozen=True)
class Leaning:
    """Scores of the actions by what they weigh.

    Attributes:
        weights: a number for each feature of `heuristic`, by name.
        keenness: what is added to the score of an action for each 1 that it weighs more.
    """

    weights: Mapping[str, float]
    keenness: float

    def __post_init__(self) -> None:
        if not all(abs(number) <= MOST for number in (*self.weights.values(), self.keenness)):
            raise BadOption(f"what is leaned on must be numbers up to {MOST:g}")
        as_row(dict(self.weights))

    def scores(self, batch: Batch, lanes: Lanes) -> Numbers:
        """For each action of some lanes how far it is behind the best legal one; 0 for what is not
        legal."""
        found = behind(batch, lanes, as_row(dict(self.weights)))
        found *= np.float32(self.keenness)
        return np.maximum(found, np.float32(FLOOR), out=found)


def leaning(
    game: Game, players: int, weights: npt.NDArray[np.float64], lean: float, seed: int
) -> Leaning:
    """So keen that `lean` is what is added for the usual distance between the actions of a
    decision: weights are larger in one game than in another."""
    row = {name: float(weight) for name, weight in zip(FEATURES, weights, strict=True)}
    return Leaning(row, lean / usual_spread(game, players, weights, seed))


def usual_spread(game: Game, players: int, weights: npt.NDArray[np.float64], seed: int) -> float:
    """How far apart the weights of a decision's actions are: the mean of their deviations, over
    rounds that `heuristic` plays."""
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
    """How much less each action of some lanes weighs than the best legal one; 0 for what is not
    legal."""
    if np.shape(weights) != (NUM_FEATURES,):
        raise BadOption(f"weights are {NUM_FEATURES} numbers, not {weights!r}")
    with batch._held:
        some = batch._lanes_to_decide(lanes)
        found = np.zeros((len(some), batch.num_actions), np.float32)
        weigh_lanes(
            batch._book,
            batch._games,
            batch._legal,
            batch._num_legal,
            some,
            np.array(weights, np.float64),
            np.zeros(1, GAME),
            np.zeros(NUM_FEATURES),
            found,
        )
    return found


@kernel
def weigh_lanes(
    books: Any,
    games: Any,
    legal: Any,
    num_legal: Any,
    lanes: Any,
    weights: Any,
    table: Any,
    features: Any,
    found: Any,
) -> None:
    """Writes how much less each legal action weighs than the best."""
    for row in range(len(lanes)):
        lane: Any = np.uint64(lanes[row])
        most = -np.inf
        for k in range(num_legal[lane]):
            action = int(legal[lane, k])
            weight = weight_of(books[0], games[lane], action, weights, table, features)
            found[row, action] = weight
            most = max(most, weight)
        for k in range(num_legal[lane]):
            found[row, legal[lane, k]] -= most
