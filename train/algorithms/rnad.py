"""Regularised Nash dynamics, the algorithm of DeepNash, on a page.

Whoever does what the regularisation policy does seldom pays for it, and the other side is paid as
much: in that game, unlike in the game as it is, learning by following advantages comes to rest. Now
and then the regularisation policy is replaced by where that was, and each time the resting point is
nearer to an equilibrium of the game without such payments.

Policies are updated by NeuRD: an advantage moves the logit itself, not the chance of the action, so
that an action that has become unlikely can come back; logits that are far apart are not driven
further. Where the paper corrects for old rollouts (v-trace), here every rollout is fresh; and the
entropy bonus of PPO, which decays, is added.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import numpy as np
import torch

from domino_env.train.algorithms.arena import SEATS, Arena
from domino_env.train.algorithms.contract import NetworkAlgorithm, learner_settings
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.algorithms.sampled import logits_of
from domino_env.train.algorithms.tree_backup import NOTHING, log_probs_of
from domino_env.train.decisions import Whole
from domino_env.train.local_learner import LocalLearner, Metrics, Minibatch
from domino_env.train.losses import log_softmax
from domino_env.train.networks import ActorCritic
from domino_env.train.self_play import Rollout, compute_gae


class Rnad(NetworkAlgorithm):
    """Self-play in a game that is regularised by a policy which is replaced now and then."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        super().__init__(arena, settings)
        self._learner = NeurdLearner(self._network(), learner_settings(settings), settings.seed)
        self._learner.begin(settings)

    def _learn(self) -> None:
        rollout = self._rollout(self._learner.policy_value)
        self._learner.learn("ppo", self._regularised(rollout), self._update())
        if (self.iterations + 1) % self.settings.rnad.every == 0:
            self._learner.regularise()

    def _regularised(self, rollout: Rollout) -> Rollout:
        """The same rollout with the payments, and advantages by them."""
        rows = rollout.decisions.firsts + rollout.chosen
        regular = log_probs_of(rollout.decisions, self._learner.regular_logits(rollout.decisions))
        paid = self.settings.rnad.eta * (rollout.log_probs - regular[rows])
        rewards = rollout.rewards - paid
        before = latest_of_others(rollout.trajectories)
        np.add.at(rewards, before[before != NOTHING], paid[before != NOTHING])
        advantages = np.empty_like(rewards)
        following = np.zeros((2, self.self_play.batch.num_games * SEATS))
        compute_gae(
            rollout.trajectories,
            rewards,
            rollout.values,
            self.settings.gae_lambda,
            following,
            advantages,
        )
        return replace(rollout, advantages=advantages, returns=advantages + rollout.values)

    def _learned(self) -> ActorCritic:
        return self._learner.network


class NeurdLearner(LocalLearner):
    """The learner with another loss of the policy."""

    def begin(self, settings: AlgorithmSettings) -> None:
        """Takes the settings; the first regularisation policy is the one that it begins with."""
        self._own = settings.rnad
        self.regularise()

    def regularise(self) -> None:
        """From now on this is the regularisation policy."""
        self._regular = deepcopy(self.network)
        self.regular_logits = logits_of(self._regular)

    def policy_loss(
        self, phase: str, minibatch: Minibatch, log_probs: torch.Tensor
    ) -> tuple[torch.Tensor, Metrics]:
        """Moves each logit by the advantage of its action."""
        owners, number = minibatch.inputs.owners, minibatch.decisions
        logits = self.network.policy_logits(minibatch.inputs)
        centred = logits - mean_of_rows(logits, owners, number)[owners]
        with torch.no_grad():
            gains = self._gains(minibatch, log_probs)
            beyond = self._own.logit_threshold
            free = torch.where(gains > 0, centred < beyond, centred > -beyond)
        return -(gains * free * centred).sum() / number, {}

    def _gains(self, minibatch: Minibatch, log_probs: torch.Tensor) -> torch.Tensor:
        """The advantage of every action: what is paid for it, and for the one that was played what
        came of it, as many times as it is seldom played."""
        owners, number = minibatch.inputs.owners, minibatch.decisions
        theirs = log_softmax(self._regular.policy_logits(minibatch.inputs), owners, number)
        gains = -self._own.eta * (log_probs - theirs)
        played = minibatch.advantages - gains[minibatch.chosen]
        times = (-minibatch.old_log_probs).exp().clamp(max=self._own.largest_ratio)
        gains[minibatch.chosen] += times * played
        expected = torch.zeros(number).index_add(0, owners, log_probs.exp() * gains)
        return gains - expected[owners]


def mean_of_rows(numbers: torch.Tensor, owners: torch.Tensor, decisions: int) -> torch.Tensor:
    """The mean of the rows of each decision."""
    counts = torch.zeros(decisions).index_add(0, owners, torch.ones_like(numbers))
    return torch.zeros(decisions).index_add(0, owners, numbers) / counts


def latest_of_others(trajectories: Whole) -> Whole:
    """For each decision the latest before it that the other seat of its lane has made."""
    order = np.argsort(trajectories // SEATS, kind="stable")
    lanes, seats = np.divmod(trajectories[order], SEATS)
    place = np.arange(len(order))
    found = np.full(len(order), NOTHING)
    for seat in range(SEATS):
        latest = np.maximum.accumulate(np.where(seats == seat, place, NOTHING))
        asks = (seats != seat) & (latest != NOTHING)
        asks &= lanes[latest] == lanes
        found[order[asks]] = order[latest[asks]]
    return found
