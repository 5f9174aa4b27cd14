"""PPO with an entropy bonus, in self-play: the plainest of all.

Each player improves against the other as it is now, which in a game of hidden tiles goes round in
circles; the entropy bonus keeps policies mixed, and draws the circles in. It decays, and so the
policy that is left at the end is nearer and nearer to an equilibrium.
"""

from __future__ import annotations

from domino_env.train.algorithms.arena import Arena
from domino_env.train.algorithms.contract import NetworkAlgorithm, learner_settings
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.local_learner import LocalLearner
from domino_env.train.networks import ActorCritic


class PpoEntropy(NetworkAlgorithm):
    """The learner of this package against itself, and nothing else."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        super().__init__(arena, settings)
        self._learner = LocalLearner(self._network(), learner_settings(settings), settings.seed)

    def _learn(self) -> None:
        rollout = self._rollout(self._learner.policy_value)
        self._learner.learn("ppo", rollout, self._update())

    def _learned(self) -> ActorCritic:
        return self._learner.network
