"""A teacher that searches: what each legal move gains on average, in worlds sampled from a belief.

It knows what the seat knows, and no more. Worlds are sampled from the belief of the seat to move,
weighed by how likely the others' moves are in them, and every legal move is played out in them by
the weights of `heuristic`, as `pimc` does it. What the actual deal says of a move is mostly luck
(`oracle_teacher`); a mean over some worlds costs a playout each, and a learner has less to average.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import parts
from domino_env.agents.features.heuristic_features import Weights
from domino_env.agents.heuristic import weights_of
from domino_env.agents.pimc import LEAST_EFFECTIVE
from domino_env.agents.searching.likelihood import log_likelihood
from domino_env.agents.searching.move_stats import find_temper, thinned
from domino_env.agents.searching.playout import Scratch, gain_of, new_scratch
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.compiling import kernel
from domino_env.engine.state import Counts, Games, Legal, Logs, Numbers, RuleTables
from domino_env.errors import TooUncertain
from domino_env.train.oracle_teacher import oracle_gains

AT_ONCE = 1024  # worlds that are sampled together


class SearchTeacher:
    """Gains of moves, as means over worlds.

    Args:
        worlds: for each decision.
        seed: of the worlds.
    """

    def __init__(self, worlds: int, seed: int) -> None:
        self._num_worlds, self._seed = worlds, seed
        self._at_once = max(1, AT_ONCE // worlds)
        self._found: tuple[Batch, Belief, Batch, Scratch] | None = None
        self._log_likelihoods = np.zeros(worlds)

    def gains(self, batch: Batch, lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """float32[n, A]: the gain of each legal action over the mean of the legal ones; 0 for the
        others."""
        gains = np.zeros((len(lanes), batch.num_actions), np.float32)
        for part in parts(len(lanes), self._at_once):
            self._weigh(batch, lanes[part], gains[part])
        return gains

    def _weigh(
        self, batch: Batch, lanes: npt.NDArray[np.int64], gains: npt.NDArray[np.float32]
    ) -> None:
        belief, worlds, scratch = self._memory_for(batch)
        if len(lanes) < self._at_once:
            worlds = belief.new_worlds(len(lanes) * self._num_worlds)
        try:
            belief._fill(worlds, lanes, batch._seat[lanes])
        except TooUncertain:  # rare
            self._weigh_apart(batch, lanes, gains)
            return
        with batch._held:
            mean_gains(
                batch._rule_table,
                worlds._games,
                worlds._logs,
                batch._seat,
                batch._legal,
                batch._num_legal,
                lanes,
                weights_of(batch.rules.id),
                scratch,
                self._log_likelihoods,
                gains,
            )

    def _weigh_apart(
        self, batch: Batch, lanes: npt.NDArray[np.int64], gains: npt.NDArray[np.float32]
    ) -> None:
        """The same lane by lane: where no worlds can be drawn the actual deal has to do."""
        if len(lanes) == 1:
            gains[:] = oracle_gains(batch, lanes)
            return
        for part in parts(len(lanes), 1):
            self._weigh(batch, lanes[part], gains[part])

    def _memory_for(self, batch: Batch) -> tuple[Belief, Batch, Scratch]:
        """The beliefs of a batch, worlds of as many lanes as go together, and a table."""
        if self._found is None or self._found[0] is not batch:
            belief = Belief(batch, self._seed)
            worlds = belief.new_worlds(self._at_once * self._num_worlds)
            self._found = batch, belief, worlds, new_scratch(batch)
        return self._found[1:]


@kernel
def mean_gains(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seats: npt.NDArray[Any],
    legal: Legal,
    num_legal: Counts,
    lanes: Numbers,
    weights: Weights,
    scratch: Scratch,
    likelihoods: Weights,
    gains: npt.NDArray[np.float32],
) -> None:
    """Mean gains in each lane, over as many worlds as there are likelihoods. Of the less likely
    worlds only some are played out, with the weight of the others."""
    rules, number = rule_tables[0], len(likelihoods)
    for row in range(len(lanes)):
        lane: Any = np.uint64(lanes[row])
        seat, first, moves = int(seats[lane]), row * number, int(num_legal[lane])
        usual = weigh_all(rules, worlds, logs, first, seat, weights, scratch, likelihoods)
        waiting, mean = usual / 2.0, 0.0
        for world in range(number):
            weight, waiting = thinned(likelihoods[world], usual, waiting)
            if weight == 0.0:
                continue
            for move in range(moves):
                action = int(legal[lane, move])
                gain = gain_of(rules, worlds[first + world], seat, action, weights, scratch)
                gains[row, action] += weight * gain / (usual * number)
        for move in range(moves):
            mean += gains[row, legal[lane, move]] / moves
        for move in range(moves):
            gains[row, legal[lane, move]] -= mean


@kernel
def weigh_all(
    rules: Any,
    worlds: Games,
    logs: Logs,
    first: int,
    seat: int,
    weights: Weights,
    scratch: Scratch,
    likelihoods: Weights,
) -> float:
    """The weights of the worlds from one on, by tempered likelihoods, in place of these; their
    mean."""
    number, highest, total = len(likelihoods), -np.inf, 0.0
    for world in range(number):
        likelihoods[world] = log_likelihood(
            rules, worlds[first + world], logs[first + world], seat, weights, scratch
        )
        highest = max(highest, likelihoods[world])
    temper = find_temper(likelihoods, number, LEAST_EFFECTIVE)
    for world in range(number):
        likelihoods[world] = exp(temper * (likelihoods[world] - highest))
        total += likelihoods[world]
    return total / number
