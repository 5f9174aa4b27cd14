"""The learner of a local run: a policy and a critic, trained on rollouts of batched self-play.

One network and one set of losses for all phases: behaviour cloning, distillation, and PPO on masked
actions. Nothing outside this object is changed: no global generator, and no setting of PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from domino_env.errors import BadOption
from domino_env.train.backend import UpdateSettings
from domino_env.train.decisions import Decisions, Numbers
from domino_env.train.losses import (
    DIVERGED,
    divergence,
    entropy,
    expected_gain,
    gain_error,
    imitation_log_prob,
    log_softmax,
    ppo_loss,
)
from domino_env.train.networks import ActorCritic, Inputs, Weights, as_inputs
from domino_env.train.rng_state import restore_rng, rng_state
from domino_env.train.self_play import Rollout

Metrics = dict[str, float]


@dataclass(frozen=True)
class LearnerSettings:
    """What stays the same for all updates.

    Attributes:
        clip_range, vf_coef, max_grad_norm: as in Stable-Baselines3.
        magnet_coef: weight of the KL divergence from the policy that PPO began with.
        distill_loss: `expected_gain` or `regression`.
        averaging: how much of the average of weights so far is kept in each step; 0: no average.
    """

    clip_range: float
    vf_coef: float
    max_grad_norm: float
    magnet_coef: float = 0.0
    distill_loss: str = "expected_gain"
    averaging: float = 0.0


class Minibatch(NamedTuple):
    """Some decisions of a rollout, and what came of them."""

    inputs: Inputs
    chosen: torch.Tensor  # the row of each decision's action
    old_log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    targets: torch.Tensor | None

    @property
    def decisions(self) -> int:
        """The number of decisions."""
        return len(self.returns)


class LocalLearner:
    """A network with its optimizer."""

    def __init__(self, network: ActorCritic, settings: LearnerSettings, seed: int) -> None:
        self.network, self._settings = network, settings
        self._optimizer = torch.optim.Adam(network.parameters(), eps=1e-5, fused=True)
        self.magnet: ActorCritic | None = None
        self._average = deepcopy(network) if settings.averaging else None
        self._rng = np.random.default_rng(seed)

    def policy_value(self, decisions: Decisions) -> tuple[Numbers, Numbers]:
        """The logit of each row, and the value of each decision."""
        with torch.no_grad():
            inputs = as_inputs(decisions)
            logits = self.network.policy_logits(inputs)
            if not self._settings.vf_coef:  # a critic that learns nothing is not asked
                return logits.numpy(), np.zeros(len(decisions), np.float32)
            return logits.numpy(), self.network.values(inputs).numpy()

    def weights(self) -> Weights:
        """The policy's weights, on average if they are averaged."""
        return (self._average or self.network).weights()

    def start_from(self, weights: Weights) -> None:
        """Begins with the weights of a policy that was trained before."""
        for network in (self.network, self._average):
            if network is not None:
                network.take(weights)

    # Learning -----------------------------------------------------------------------------------

    def learn(self, phase: str, rollout: Rollout, update: UpdateSettings) -> Metrics:
        """Trains on a rollout, as a phase does: imitate, distill or ppo. Returns mean figures."""
        for group in self._optimizer.param_groups:
            group["lr"] = update.learning_rate
        if phase == "ppo" and self._settings.magnet_coef and self.magnet is None:
            self.magnet = deepcopy(self.network)
        noted: list[Metrics] = []
        for _ in range(update.n_epochs):
            for minibatch in minibatches(rollout, update.batch_size, self._rng):
                loss, metrics = self._loss(phase, minibatch, update.ent_coef)
                self._optimize(loss)
                noted.append(metrics)
        return {name: float(np.mean([each[name] for each in noted])) for name in noted[0]}

    def _loss(
        self, phase: str, minibatch: Minibatch, ent_coef: float
    ) -> tuple[torch.Tensor, Metrics]:
        """The loss of a minibatch, and figures to be logged."""
        owners, number = minibatch.inputs.owners, minibatch.decisions
        log_probs = log_softmax(self.network.policy_logits(minibatch.inputs), owners, number)
        bonus = entropy(log_probs, number)
        loss, metrics = self.policy_loss(phase, minibatch, log_probs)
        loss = loss - ent_coef * bonus
        metrics["entropy_loss"] = -bonus.item()
        if self._settings.vf_coef:
            values = self.network.values(minibatch.inputs)
            value_loss = torch.nn.functional.mse_loss(values, minibatch.returns)
            loss = loss + self._settings.vf_coef * value_loss
            metrics["value_loss"] = value_loss.item()
        return loss, metrics

    def policy_loss(
        self, phase: str, minibatch: Minibatch, log_probs: torch.Tensor
    ) -> tuple[torch.Tensor, Metrics]:
        """What the policy's parameters are trained on, besides entropy."""
        if phase == "distill":
            assert minibatch.targets is not None
            return self._distill_loss(minibatch, minibatch.targets, log_probs)
        if phase == "imitate":
            assert minibatch.targets is not None
            likely = imitation_log_prob(log_probs[minibatch.targets])
            return -likely, {"objective": likely.item()}
        found = ppo_loss(
            log_probs[minibatch.chosen],
            minibatch.old_log_probs,
            minibatch.advantages,
            self._settings.clip_range,
        )
        metrics = {
            "policy_gradient_loss": found.loss.item(),
            "approx_kl": found.approx_kl,
            "clip_fraction": found.clip_fraction,
        }
        return found.loss + self.pull(minibatch, log_probs), metrics

    def _distill_loss(
        self, minibatch: Minibatch, gains: torch.Tensor, log_probs: torch.Tensor
    ) -> tuple[torch.Tensor, Metrics]:
        owners, number = minibatch.inputs.owners, minibatch.decisions
        gain = expected_gain(log_probs, gains, number)
        metrics = {"objective": gain.item()}
        if self._settings.distill_loss == "regression":
            return gain_error(log_probs, gains, owners, number), metrics
        return -gain, metrics

    def pull(self, minibatch: Minibatch, log_probs: torch.Tensor) -> torch.Tensor | float:
        """What it costs to be far from the magnet."""
        if self.magnet is None:
            return 0.0
        owners, number = minibatch.inputs.owners, minibatch.decisions
        with torch.no_grad():
            theirs = log_softmax(self.magnet.policy_logits(minibatch.inputs), owners, number)
        return self._settings.magnet_coef * divergence(log_probs, theirs, number)

    def _optimize(self, loss: torch.Tensor) -> None:
        """One gradient step."""
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(
            self.network.parameters(), self._settings.max_grad_norm
        )
        if not torch.isfinite(norm):
            raise BadOption(DIVERGED)
        self._optimizer.step()
        if self._average is not None:
            self._take_into(self._average)

    def _take_into(self, average: ActorCritic) -> None:
        """Has the latest weights count in their average."""
        share = 1.0 - self._settings.averaging
        with torch.no_grad():
            pairs = zip(average.parameters(), self.network.parameters(), strict=True)
            for mean, latest in pairs:
                mean.lerp_(latest, share)

    # Checkpoints --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to continue."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "magnet": None if self.magnet is None else self.magnet.state_dict(),
            "average": None if self._average is None else self._average.state_dict(),
            "rng": rng_state(self._rng),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
        if state["magnet"] is not None:
            self.magnet = deepcopy(self.network)
            self.magnet.load_state_dict(state["magnet"])
        if self._average is not None:
            self._average.load_state_dict(state["average"])
        restore_rng(self._rng, state["rng"])


def minibatches(rollout: Rollout, size: int, rng: np.random.Generator) -> Iterator[Minibatch]:
    """Shuffled minibatches of equal size; a remainder that is smaller is dropped."""
    order = rng.permutation(len(rollout.actions))
    for first in range(0, max(1, len(order) - size + 1), size):
        yield as_minibatch(rollout.some(order[first : first + size]))


def as_minibatch(rollout: Rollout) -> Minibatch:
    """A rollout as tensors."""
    firsts, targets = rollout.decisions.firsts, rollout.targets
    if targets is not None and targets.dtype == np.int64:  # the places of a teacher's actions
        targets = firsts + targets
    return Minibatch(
        as_inputs(rollout.decisions),
        torch.as_tensor(firsts + rollout.chosen),
        torch.as_tensor(rollout.log_probs),
        torch.as_tensor(rollout.advantages),
        torch.as_tensor(rollout.returns),
        None if targets is None else torch.as_tensor(targets),
    )
