"""RLlib environment runners that collect rollouts on the batched core.

RLlib's own runners step one Python environment after the other and keep an episode object for each
seat. Here a whole shard of rounds is played at once, and a decision becomes a row of a batch; the
rows stay in the object store of the node until a learner fetches them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.core.columns import Columns
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch

from domino_env.execution.versions import must_have_same_versions
from domino_env.train.backend import RunContext
from domino_env.train.decisions import Decisions, Numbers
from domino_env.train.rllib.failures import WorkerFailure, as_failure
from domino_env.train.rllib.messages import (
    LEARNER,
    IterationMessage,
    RngStream,
    ShardResult,
    lanes_of_shards,
)
from domino_env.train.rllib.rl_module import MASK, ROWS, PolicyValueModule
from domino_env.train.self_play import Rollout

TARGETS = "teacher_targets"  # the column of the teacher's targets


class SelfPlayEnvRunner(EnvRunner):
    """Plays shards. It is stateless: a shard depends on the message alone, so it does not matter
    which runner plays it, or how often."""

    def __init__(self, *, config: Any, **options: Any) -> None:
        super().__init__(config=config, **options)
        torch.set_num_threads(1)  # more would round differently
        self._context: RunContext = self.config.env_config["context"]
        self._lanes = lanes_of_shards(self._context.settings)
        self.make_env()
        self.make_module()

    def make_env(self) -> None:
        """One environment for each size of shard."""
        self._envs = {lanes: self._context.self_play(lanes) for lanes in {*self._lanes}}
        self.env = self._envs[self._lanes[0]]

    def make_module(self) -> None:
        """The network that plays."""
        self.module: PolicyValueModule = self.config.rl_module_spec.rl_module_specs[LEARNER].build()

    def sample(
        self, *, message: IterationMessage, shards: Sequence[int]
    ) -> list[ShardResult] | WorkerFailure:
        """Plays some shards."""
        try:
            must_have_same_versions(message.versions)
            self.module.set_state(message.network)
            return [self._play(message, shard) for shard in shards]
        except Exception as error:
            return as_failure(error)

    def _play(self, message: IterationMessage, shard: int) -> ShardResult:
        iteration, env = message.iteration, self._envs[self._lanes[shard]]
        seed = int(message.rng(RngStream.OPPONENTS, shard).integers(2**31))
        first_deal = iteration.first_deal + sum(self._lanes[:shard])
        rollout = env.play(
            self._policy_value,
            [spec.make(seed) for spec in iteration.opponents],
            self._context.teacher(iteration.phase, first_deal),
            first_deal,
            message.rng(RngStream.ROLLOUT, shard),
        )
        advantages = rollout.advantages.astype(np.float64)
        return ShardResult(
            shard,
            ray.put(as_batch(rollout, env.batch.num_actions, env.prior is not None)),
            len(rollout.chosen),
            (float(advantages.sum()), float(np.square(advantages).sum())),
        )

    def _policy_value(self, decisions: Decisions) -> tuple[Numbers, Numbers]:
        with torch.no_grad():
            rows = torch.as_tensor(self._dense(decisions))
            logits, values = self.module.logits(rows), self.module.values(rows)
        return logits.numpy()[decisions.owners, decisions.legal], values.numpy()

    def _dense(self, decisions: Decisions) -> Numbers:
        """Observations, and the prior logits of all actions if there are any."""
        return dense_rows(decisions, self.env.batch.num_actions, self.env.prior is not None)

    # RLlib's interface --------------------------------------------------------------------------

    def get_spaces(self) -> dict[str, tuple[Any, Any]]:
        """Observation and action space of the network, and so of every seat."""
        observation, action = self.module.observation_space, self.module.action_space
        seats = range(self._context.num_players)
        everyone = tuple(
            spaces.Dict({f"player_{seat}": space for seat in seats})
            for space in (observation, action)
        )
        return {LEARNER: (observation, action), INPUT_ENV_SINGLE_SPACES: everyone}

    def assert_healthy(self) -> None:
        """Nothing to check: a runner that could be built is healthy."""

    def get_state(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Empty: a runner keeps no state between messages."""
        return {}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Does nothing: everything that a runner needs comes with each message."""


def as_batch(rollout: Rollout, num_actions: int, with_prior: bool) -> MultiAgentBatch:
    """A rollout in RLlib's form, with a column for each action."""
    decisions, actions = rollout.decisions, rollout.actions
    legal = decisions.dense(np.ones(len(decisions.legal), np.bool_), num_actions)
    columns: dict[str, Any] = {
        Columns.OBS: {ROWS: dense_rows(decisions, num_actions, with_prior), MASK: legal},
        Columns.ACTIONS: actions,
        Columns.ACTION_LOGP: rollout.log_probs,
        Postprocessing.ADVANTAGES: rollout.advantages,
        Postprocessing.VALUE_TARGETS: rollout.returns,
    }
    if rollout.targets is not None:
        columns[TARGETS] = _dense_targets(rollout.targets, decisions, num_actions)
    return MultiAgentBatch({LEARNER: SampleBatch(columns)}, env_steps=len(actions))


def dense_rows(decisions: Decisions, num_actions: int, with_prior: bool) -> Numbers:
    """Observations; with a prior, followed by its logits of all actions."""
    if not with_prior:
        return decisions.observations
    return np.hstack([decisions.observations, decisions.dense(decisions.prior, num_actions)])


def _dense_targets(targets: Any, decisions: Decisions, num_actions: int) -> Any:
    if targets.dtype == np.int64:  # the places of a teacher's actions
        return decisions.legal[decisions.firsts + targets]
    return decisions.dense(targets, num_actions)
