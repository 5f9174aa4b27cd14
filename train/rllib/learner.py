"""Those who learn on a cluster: learners of RLlib, with its PPO loss and lessons of our own.

RLlib spreads a minibatch over its learners and has PyTorch average their gradients, which rounds as
the number of learners has it. Here a minibatch always has the same groups of rows. A learner works
on some groups and adds their gradients up two by two; then learners add up their sums, likewise two
by two. So the same numbers are added in the same order, however many learners there are.
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
from domino_env.execution.versions import must_be_same
from domino_env.train.losses import as_taught, gained, variety
from domino_env.train.rllib.env_runner import LESSONS
from domino_env.train.rllib.failures import Failed, failure
from domino_env.train.rllib.messages import LEARNER, Luck, Order, Plan
from domino_env.train.rllib.tree import each_of

Rows = dict[str, Any]
"""Columns of tensors, by name; observations are such columns themselves."""
WORTHS = {"imitate": as_taught, "foresee": gained}
WORTH = "worth"  # the figure that tells how well a lesson went
LEAVES = 1.0  # seconds, after which a learner that has failed is gone
SILENCE = timedelta(minutes=2)  # of another learner, until it is taken for lost


class Student(PPOTorchLearner):
    """Learns from some of the groups of each minibatch, together with the others of its kind."""

    def build(self) -> None:
        """Makes the network and its optimizer."""
        torch.set_num_threads(1)  # more would round otherwise
        Distribution.set_default_validate_args(False)  # a fifth of the time, for nothing found
        super().build()

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Adam, as stable-baselines3 has it for PPO."""
        weights = self.get_parameters(self._module[module_id])
        optimizer = torch.optim.Adam(weights, eps=1e-5)
        self.register_optimizer(
            module_id=module_id, optimizer=optimizer, params=weights, lr_or_lr_schedule=config.lr
        )

    def _make_modules_ddp_if_necessary(self) -> None:
        """There is nothing that PyTorch should average."""

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Takes over what is known, into memory of its own: what Ray hands to several learners is
        memory that they share, and the optimizer would write there."""
        super().set_state(each_of(state, np.ndarray, np.array))

    # Learning -----------------------------------------------------------------------------------

    def update(
        self, *, training_data: TrainingData, order: Order, plan: Plan, **rest: Any
    ) -> Mapping[str, float] | Failed:
        """Learns from the rounds of its groups, as many times as the order says, and answers with
        figures of how it went; RLlib's own settings, the `rest`, are those of an iteration here.

        A learner that fails leaves soon after it has said so: the others wait for it until its
        connections are closed.
        """
        try:
            must_be_same(order.versions)
            return self._learn(training_data, order, plan)
        except Exception as error:
            threading.Timer(LEAVES, os._exit, (1,)).start()
            return failure(error)

    def _learn(self, training_data: TrainingData, order: Order, plan: Plan) -> Mapping[str, float]:
        step, self._lesson = order.lesson.step, order.lesson
        self._figures: dict[str, list[float]] = {}
        for optimizer in self._named_optimizers.values():
            self._set_optimizer_lr(optimizer, step.rate)
        groups = self._groups(training_data, plan)
        chances = [order.chance(Luck.GROUP, number) for number in self._numbers(plan)]
        for _ in range(step.epochs):
            shuffled = [
                _shares(rows, plan, chance) for rows, chance in zip(groups, chances, strict=True)
            ]
            for shares in zip(*shuffled, strict=True):
                self._follow(shares, plan)
        self.metrics.reduce()  # RLlib's own figures are only of the last group
        return {name: float(np.mean(values)) for name, values in self._figures.items()}

    def _note(self, name: str, value: float) -> None:
        self._figures.setdefault(name, []).append(value)

    def _numbers(self, plan: Plan) -> range:
        """Which groups are its own."""
        each = plan.groups // self.config.num_learners
        return range(self._learner_index * each, (self._learner_index + 1) * each)

    def _groups(self, training_data: TrainingData, plan: Plan) -> list[Rows]:
        """The rows of its groups."""
        training_data.solve_refs()
        tables = training_data.batches or [training_data.batch]
        each = len(tables) // len(self._numbers(plan))
        return [_rows(tables[first : first + each], plan) for first in range(0, len(tables), each)]

    def _follow(self, shares: Sequence[Rows], plan: Plan) -> None:
        """A step of the optimizer, after what all groups say."""
        weights = [*self._params.values()]
        mean = self._told_each_other(added([self._gradient(share) for share in shares]))
        mean /= plan.groups
        if not torch.isfinite(mean).all():
            raise BadOption("the training has diverged: begin anew with a lower learning_rate")
        parts = torch.split(mean, [weight.numel() for weight in weights])
        gradients = {
            name: part.view_as(weight)
            for (name, weight), part in zip(self._params.items(), parts, strict=True)
        }
        self.apply_gradients(self.postprocess_gradients(gradients))

    def _gradient(self, share: Rows) -> torch.Tensor:
        """What a group says, all weights in a row."""
        batch = {LEARNER: share}
        told = self.module.forward_train(batch)
        gradients = self.compute_gradients(self.compute_losses(fwd_out=told, batch=batch))
        return torch.cat([gradient.flatten() for gradient in gradients.values()])

    def _told_each_other(self, ours: torch.Tensor) -> torch.Tensor:
        """The sum of what all learners have: first with the neighbour, then with the neighbouring
        pair, and so on. Which of two numbers comes first makes no difference, so all get the same.
        """
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
        """RLlib's PPO loss, or what a teacher's lessons come to; and what variety is worth."""
        scores = fwd_out[Columns.ACTION_DIST_INPUTS]
        logs = torch.log_softmax(scores, 1)
        varied = variety(logs)
        self._note(ENTROPY_KEY, varied.item())
        if LESSONS in batch:
            worth = WORTHS[self._lesson.part](logs, batch[LESSONS])
            self._note(WORTH, worth.item())
            missed = torch.nn.functional.mse_loss(
                self.module[module_id].compute_values(batch), batch[Postprocessing.VALUE_TARGETS]
            )
            loss = config.vf_loss_coeff * missed - worth
        else:
            # RLlib wants all former scores too, for a divergence that is not used: one row will do.
            told = {**batch, Columns.ACTION_DIST_INPUTS: scores[:1].detach()}
            loss = super().compute_loss_for_module(
                module_id=module_id, config=config, batch=told, fwd_out=fwd_out
            )
            for name in (POLICY_LOSS_KEY, VF_LOSS_KEY):
                self._note(name, self.metrics.peek((module_id, name)).item())
        return loss - self._lesson.step.entropy * varied


def _exchange(ours: torch.Tensor, theirs: torch.Tensor, other: int) -> None:
    """Tells another learner what we have, and hears what it has."""
    sent = torch.distributed.P2POp(torch.distributed.isend, ours, other)
    heard = torch.distributed.P2POp(torch.distributed.irecv, theirs, other)
    try:
        for each in torch.distributed.batch_isend_irecv([sent, heard]):
            each.wait(SILENCE)
    except RuntimeError as error:
        raise ConnectionError(f"learner {other} is lost") from error


def _rows(tables: Sequence[MultiAgentBatch], plan: Plan) -> Rows:
    """All decisions of some tables; advantages in deviations from their mean."""
    batch = concat_samples([*tables])[LEARNER]
    rows: Rows = each_of(dict(batch), np.ndarray, torch.as_tensor)
    advantages = rows[Postprocessing.ADVANTAGES]
    rows[Postprocessing.ADVANTAGES] = (advantages - plan.centre) / (plan.spread + 1e-8)
    return rows


def _shares(rows: Rows, plan: Plan, chance: np.random.Generator) -> Iterator[Rows]:
    """What a group has of each minibatch, in a new order each time."""
    shuffled = torch.as_tensor(chance.permutation(len(rows[Columns.ACTIONS])))
    for step in range(plan.steps):
        some = shuffled[step * plan.rows : (step + 1) * plan.rows]
        yield each_of(rows, torch.Tensor, itemgetter(some))


def added(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    """The sum of a power of two of parts, always added two by two: a half of them can be added up
    elsewhere."""
    while len(parts) > 1:
        parts = [one + two for one, two in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]
