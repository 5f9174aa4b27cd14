"""Neural fictitious self-play: a best response to the average of all best responses before it.

Two networks. One has the values of actions against the average policy and plays the best of them,
but for some exploring; the other learns to play as the first has played on average, over all
iterations, from a memory that forgets none of them sooner than another. In a small share of the
rounds best responses meet each other, so that the average is answered before it is reached. The
average is what approaches an equilibrium.

Where the paper has a replay buffer and one-step targets, here whole rounds are fresh in every
iteration, and values are learned by the tree backup, to the end of the round.
"""

from __future__ import annotations

import numpy as np

from domino_env.train.algorithms.arena import Arena
from domino_env.train.algorithms.contract import NetworkAlgorithm
from domino_env.train.algorithms.fitted import FittedNetwork, as_probabilities
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.algorithms.reservoir import Reservoir
from domino_env.train.algorithms.sampled import SampledPolicy
from domino_env.train.algorithms.tree_backup import best_rows, tree_backup
from domino_env.train.decisions import Decisions, Numbers
from domino_env.train.networks import ActorCritic
from domino_env.train.self_play import Opponent


class Nfsp(NetworkAlgorithm):
    """Best responses by Q-learning, averaged by supervised learning."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        super().__init__(arena, settings)
        self._values = FittedNetwork(self._network(0), settings.max_grad_norm)
        self._average = FittedNetwork(self._network(1), settings.max_grad_norm)
        self._memory = Reservoir(settings.nfsp.memory, self._rng)

    def _learn(self) -> None:
        own = self.settings.nfsp
        average = SampledPolicy(self.self_play, self._average.logits, self._rng)
        rollout = self._rollout(self._explore, [Opponent(average, 1 - own.anticipatory)])
        best = best_rows(rollout.decisions, self._values.logits(rollout.decisions))
        self._memory.add(rollout.decisions, best)
        self._fit_reservoir(self._average, self._memory, as_probabilities, own.average_batches)
        values = self._values.logits(rollout.decisions)
        worth = tree_backup(rollout, values, best)
        self._fit_chosen(self._values, rollout, worth, rollout.decisions, self.settings.n_epochs)

    def _explore(self, decisions: Decisions) -> tuple[Numbers, Numbers]:
        """The best action by the values so far, now and then any other."""
        exploring = np.float32(self._decayed(self.settings.nfsp.epsilon))
        even = 1 / np.repeat(decisions.counts, decisions.counts).astype(np.float32)
        best = best_rows(decisions, self._values.logits(decisions))
        probs = (1 - exploring) * best + exploring * even
        return np.log(probs + 1e-9), np.zeros(len(decisions), np.float32)

    def _learned(self) -> ActorCritic:
        return self._average.network
