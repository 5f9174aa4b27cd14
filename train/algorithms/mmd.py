"""Magnetic mirror descent: small steps, each of which is drawn a little towards a magnet.

The loss is the plain gain, without PPO's clipping, plus two KL divergences: from the policy of the
last iteration, so that steps are small, and from the magnet, so that there is one policy that they
end at and no circle. Where the magnet stands still that is an equilibrium of a game in which
leaving it costs something; here it follows the policy slowly, so that it costs less and less. The
entropy bonus of PPO, which decays, is added.
"""

from __future__ import annotations

from copy import deepcopy

import torch

from domino_env.train.algorithms.arena import Arena
from domino_env.train.algorithms.contract import NetworkAlgorithm, learner_settings
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.local_learner import LearnerSettings, LocalLearner, Metrics, Minibatch
from domino_env.train.losses import divergence, log_softmax, surrogate_loss
from domino_env.train.networks import ActorCritic


class Mmd(NetworkAlgorithm):
    """Self-play by mirror descent with a magnet."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        super().__init__(arena, settings)
        made = learner_settings(settings, settings.mmd.magnet_coef)
        self._learner = MmdLearner(self._network(), made, settings.seed, settings.mmd.step_coef)

    def _learn(self) -> None:
        rollout = self._rollout(self._learner.policy_value)
        self._learner.before.load_state_dict(self._learner.network.state_dict())
        self._learner.learn("ppo", rollout, self._update())
        if self._learner.magnet is not None:
            follow(self._learner.magnet, self._learner.network, self.settings.mmd.magnet_rate)

    def _learned(self) -> ActorCritic:
        return self._learner.network


class MmdLearner(LocalLearner):
    """The learner with another loss of the policy."""

    def __init__(
        self, network: ActorCritic, settings: LearnerSettings, seed: int, step_coef: float
    ) -> None:
        super().__init__(network, settings, seed)
        self.before, self._step_coef = deepcopy(network), step_coef

    def policy_loss(
        self, phase: str, minibatch: Minibatch, log_probs: torch.Tensor
    ) -> tuple[torch.Tensor, Metrics]:
        """What is gained, less what it costs to be far from the policy before and the magnet."""
        owners, number = minibatch.inputs.owners, minibatch.decisions
        with torch.no_grad():
            before = log_softmax(self.before.policy_logits(minibatch.inputs), owners, number)
        lost = surrogate_loss(
            log_probs[minibatch.chosen], minibatch.old_log_probs, minibatch.advantages
        )
        step = divergence(log_probs, before, number)
        return lost + self._step_coef * step + self.pull(minibatch, log_probs), {}


def follow(network: ActorCritic, other: ActorCritic, rate: float) -> None:
    """Moves a network's weights some of the way to those of another."""
    with torch.no_grad():
        for ours, theirs in zip(network.parameters(), other.parameters(), strict=True):
            ours.lerp_(theirs, rate)
