"""RLlib learners with its PPO loss and the objectives of our teachers.

RLlib splits a minibatch among its learners and has PyTorch average their gradients, so the rounding
depends on the number of learners. Here a minibatch always consists of the same groups of rows. A
learner sums the gradients of its groups pairwise, and the learners sum theirs likewise (a butterfly
all-reduce). So the same numbers are added in the same order, however many learners there are.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from operator import itemgetter
from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.core.learner.training_data import TrainingData
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, concat_samples
from torch.distributions import Distribution

from domino_env.errors import BadOption
from domino_env.execution.versions import must_have_same_versions
from domino_env.train.losses import DIVERGED, entropy, expected_gain, imitation_log_prob
from domino_env.train.rllib.env_runner import TARGETS
from domino_env.train.rllib.failures import WorkerFailure, as_failure
from domino_env.train.rllib.messages import LEARNER, IterationMessage, RngStream, UpdatePlan
from domino_env.train.rllib.tree import map_leaves

Rows = dict[str, Any]
"""Columns of tensors, by name; observations are such columns themselves."""
OBJECTIVE = "objective"  # the metric of the teacher's objective
EXIT_AFTER = 1.0  # seconds, after which a learner that has failed is gone
PEER_TIMEOUT = timedelta(minutes=2)  # of silence, after which another learner counts as lost


class SelfPlayLearner(PPOTorchLearner):
    """Computes the gradients of some of the groups of each minibatch."""

    def build(self) -> None:
        """Builds the network and its optimizer."""
        torch.set_num_threads(1)  # more would round differently
        Distribution.set_default_validate_args(False)  # a fifth of the time, for nothing found
        super().build()

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Adam, as Stable-Baselines3 has it for PPO."""
        weights = self.get_parameters(self._module[module_id])
        optimizer = torch.optim.Adam(weights, eps=1e-5)
        self.register_optimizer(
            module_id=module_id, optimizer=optimizer, params=weights, lr_or_lr_schedule=config.lr
        )

    def _make_modules_ddp_if_necessary(self) -> None:
        """PyTorch shall average nothing."""

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Copies the state into memory of its own: what Ray hands to several learners is shared
        memory, and the optimizer would write into it."""
        super().set_state(map_leaves(state, np.ndarray, np.array))

    # The update ---------------------------------------------------------------------------------

    def update(
        self, *, training_data: TrainingData, message: IterationMessage, plan: UpdatePlan, **_: Any
    ) -> Mapping[str, float] | WorkerFailure:
        """Trains on the rollout; returns metrics. RLlib's own arguments are those of an iteration
        here.

        A learner that fails exits soon after it has said so: the others wait for it until its
        connections are closed.
        """
        try:
            must_have_same_versions(message.versions)
            return self._train(training_data, message, plan)
        except Exception as error:
            threading.Timer(EXIT_AFTER, os._exit, (1,)).start()
            return as_failure(error)

    def _train(
        self, training_data: TrainingData, message: IterationMessage, plan: UpdatePlan
    ) -> Mapping[str, float]:
        self._iteration = message.iteration
        update = self._iteration.update
        self._metrics: dict[str, list[float]] = {}
        for optimizer in self._named_optimizers.values():
            self._set_optimizer_lr(optimizer, update.learning_rate)
        groups = self._groups(training_data, plan)
        rngs = [message.rng(RngStream.GROUP, number) for number in self._own_groups(plan)]
        for _ in range(update.n_epochs):
            shuffled = [
                _minibatches(rows, plan, rng) for rows, rng in zip(groups, rngs, strict=True)
            ]
            for minibatch in zip(*shuffled, strict=True):
                self._gradient_step(minibatch, plan)
        self.metrics.reduce()  # RLlib's own metrics are only of the last group
        return {name: float(np.mean(values)) for name, values in self._metrics.items()}

    def _record(self, name: str, value: float) -> None:
        self._metrics.setdefault(name, []).append(value)

    def _own_groups(self, plan: UpdatePlan) -> range:
        """The numbers of its groups."""
        each = plan.groups // self.config.num_learners
        return range(self._learner_index * each, (self._learner_index + 1) * each)

    def _groups(self, training_data: TrainingData, plan: UpdatePlan) -> list[Rows]:
        """The rows of its groups."""
        training_data.solve_refs()
        shards = training_data.batches or [training_data.batch]
        each = len(shards) // len(self._own_groups(plan))
        return [_rows(shards[first : first + each], plan) for first in range(0, len(shards), each)]

    def _gradient_step(self, minibatch: Sequence[Rows], plan: UpdatePlan) -> None:
        """One step of the optimizer, along the mean gradient of all groups."""
        weights = [*self._params.values()]
        mean = self._all_reduce(pairwise_sum([self._gradient(rows) for rows in minibatch]))
        mean /= plan.groups
        if not torch.isfinite(mean).all():
            raise BadOption(DIVERGED)
        parts = torch.split(mean, [weight.numel() for weight in weights])
        gradients = {
            name: part.view_as(weight)
            for (name, weight), part in zip(self._params.items(), parts, strict=True)
        }
        self.apply_gradients(self.postprocess_gradients(gradients))

    def _gradient(self, rows: Rows) -> torch.Tensor:
        """The gradient of a group, flattened."""
        batch = {LEARNER: rows}
        outputs = self.module.forward_train(batch)
        gradients = self.compute_gradients(self.compute_losses(fwd_out=outputs, batch=batch))
        return torch.cat([gradient.flatten() for gradient in gradients.values()])

    def _all_reduce(self, ours: torch.Tensor) -> torch.Tensor:
        """The sum over all learners: first with the neighbour, then with the neighbouring pair, and
        so on. Addition commutes, so all get the same bits."""
        distance = 1
        while distance < self.config.num_learners:
            other = self._learner_index ^ distance
            theirs = torch.empty_like(ours)
            _exchange(ours, theirs, other)
            ours, distance = ours + theirs, 2 * distance
        return ours

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: Any, fwd_out: Any
    ) -> torch.Tensor:
        """RLlib's PPO loss, or the teacher's objective; and the entropy bonus."""
        logits = fwd_out[Columns.ACTION_DIST_INPUTS]
        log_probs = torch.log_softmax(logits, 1)
        mean_entropy = entropy(log_probs, len(log_probs))
        self._record(ENTROPY_KEY, mean_entropy.item())
        if TARGETS in batch:
            objective = _objective(self._iteration.phase, log_probs, batch[TARGETS])
            self._record(OBJECTIVE, objective.item())
            value_loss = torch.nn.functional.mse_loss(
                self.module[module_id].compute_values(batch), batch[Postprocessing.VALUE_TARGETS]
            )
            loss = config.vf_loss_coeff * value_loss - objective
        else:
            # RLlib wants all old logits too, for a divergence that is not used: one row will do.
            with_logits = {**batch, Columns.ACTION_DIST_INPUTS: logits[:1].detach()}
            loss = super().compute_loss_for_module(
                module_id=module_id, config=config, batch=with_logits, fwd_out=fwd_out
            )
            for name in (POLICY_LOSS_KEY, VF_LOSS_KEY):
                self._record(name, self.metrics.peek((module_id, name)).item())
        return loss - self._iteration.update.ent_coef * mean_entropy


def _objective(phase: str, log_probs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The teacher's objective."""
    if phase == "imitate":
        return imitation_log_prob(log_probs.gather(1, targets[:, None])[:, 0])
    return expected_gain(log_probs, targets, len(targets))


def _exchange(ours: torch.Tensor, theirs: torch.Tensor, other: int) -> None:
    """Sends a tensor to another learner and receives its own."""
    sent = torch.distributed.P2POp(torch.distributed.isend, ours, other)
    received = torch.distributed.P2POp(torch.distributed.irecv, theirs, other)
    try:
        for each in torch.distributed.batch_isend_irecv([sent, received]):
            each.wait(PEER_TIMEOUT)
    except RuntimeError as error:
        raise ConnectionError(f"learner {other} is lost") from error


def _rows(shards: Sequence[MultiAgentBatch], plan: UpdatePlan) -> Rows:
    """All decisions of some shards, with normalised advantages."""
    batch = concat_samples([*shards])[LEARNER]
    rows: Rows = map_leaves(dict(batch), np.ndarray, torch.as_tensor)
    advantages = rows[Postprocessing.ADVANTAGES]
    rows[Postprocessing.ADVANTAGES] = (advantages - plan.mean) / (plan.std + 1e-8)
    return rows


def _minibatches(rows: Rows, plan: UpdatePlan, rng: np.random.Generator) -> Iterator[Rows]:
    """A group's rows of each minibatch, shuffled."""
    shuffled = torch.as_tensor(rng.permutation(len(rows[Columns.ACTIONS])))
    for step in range(plan.steps):
        some = shuffled[step * plan.rows : (step + 1) * plan.rows]
        yield map_leaves(rows, torch.Tensor, itemgetter(some))


def pairwise_sum(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    """The sum of a power of two of tensors, always added in pairs: any half of them can be summed
    elsewhere."""
    while len(parts) > 1:
        parts = [one + two for one, two in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]
