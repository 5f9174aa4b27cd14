"""Where rounds are played on a cluster: an environment runner of RLlib with a table of our own.

RLlib's own runners step one Python environment after the other and keep an episode object for each
seat. Here a whole table is played at once on the batched core, and a decision becomes a row of a
batch; rows stay where they were played until a learner fetches them.
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

from domino_env.execution.versions import must_be_same
from domino_env.train.backend import Course
from domino_env.train.rllib.failures import Failed, failure
from domino_env.train.rllib.messages import LEARNER, Luck, Order, Played, lanes_of_tables
from domino_env.train.rllib.rl_module import MASK, ROWS, Network
from domino_env.train.self_play import Numbers, Rounds

LESSONS = "lessons"  # the column of what a teacher has said


class Table(EnvRunner):
    """Plays the rounds of some tables. It remembers nothing: what is played at a table depends on
    the order alone, so it does not matter who plays it, or how often."""

    def __init__(self, *, config: Any, **options: Any) -> None:
        super().__init__(config=config, **options)
        torch.set_num_threads(1)  # more would round otherwise
        self._course: Course = self.config.env_config["course"]
        self._lanes = lanes_of_tables(self._course.settings)
        self.make_env()
        self.make_module()

    def make_env(self) -> None:
        """One table for each number of rounds that is played at one."""
        self._tables = {lanes: self._course.table(lanes) for lanes in {*self._lanes}}
        self.env = self._tables[self._lanes[0]]

    def make_module(self) -> None:
        """The network that plays."""
        self.module: Network = self.config.rl_module_spec.rl_module_specs[LEARNER].build()

    def sample(self, *, order: Order, tables: Sequence[int]) -> list[Played] | Failed:
        """Plays at some tables."""
        try:
            must_be_same(order.versions)
            self.module.set_state(order.network)
            return [self._play(order, table) for table in tables]
        except Exception as error:
            return failure(error)

    def _play(self, order: Order, number: int) -> Played:
        lesson, table = order.lesson, self._tables[self._lanes[number]]
        luck = int(order.chance(Luck.GUESTS, number).integers(2**31))
        rounds = table.play(
            self._judge,
            [guest.seated(luck) for guest in lesson.guests],
            self._course.teacher(lesson.part),
            lesson.deals + sum(self._lanes[:number]),
            order.chance(Luck.TABLE, number),
        )
        advantages = rounds.advantages.astype(np.float64)
        return Played(
            number,
            ray.put(as_batch(rounds)),
            len(rounds.actions),
            (float(advantages.sum()), float(np.square(advantages).sum())),
        )

    def _judge(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        with torch.no_grad():
            seen = torch.as_tensor(rows)
            return self.module.score(seen).numpy(), self.module.expect(seen).numpy()

    # What RLlib asks of a runner ----------------------------------------------------------------

    def get_spaces(self) -> dict[str, tuple[Any, Any]]:
        """What the network sees and does, and so every seat."""
        seen, done = self.module.observation_space, self.module.action_space
        seats = range(self._course.num_players)
        everyone = tuple(
            spaces.Dict({f"player_{seat}": space for seat in seats}) for space in (seen, done)
        )
        return {LEARNER: (seen, done), INPUT_ENV_SINGLE_SPACES: everyone}

    def assert_healthy(self) -> None:
        """It is, if it could be made."""

    def get_state(self, *_: Any, **__: Any) -> dict[str, Any]:
        """It has none."""
        return {}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """It is told all that it needs with each order."""


def as_batch(rounds: Rounds) -> MultiAgentBatch:
    """Rounds as RLlib's learners want them."""
    columns: dict[str, Any] = {
        Columns.OBS: {ROWS: rounds.observations, MASK: rounds.masks},
        Columns.ACTIONS: rounds.actions,
        Columns.ACTION_LOGP: rounds.log_chances,
        Postprocessing.ADVANTAGES: rounds.advantages,
        Postprocessing.VALUE_TARGETS: rounds.returns,
    }
    if rounds.lessons is not None:
        columns[LESSONS] = rounds.lessons
    return MultiAgentBatch({LEARNER: SampleBatch(columns)}, env_steps=len(rounds.actions))
