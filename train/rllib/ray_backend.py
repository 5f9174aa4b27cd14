"""Lessons on a cluster."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from stable_baselines3.common.logger import Logger, configure

from domino_env.agents.policy import Layer
from domino_env.errors import BadOption
from domino_env.execution.ray_executor import all_nodes_must_be_alike, cores_of_cluster, hushed
from domino_env.execution.versions import versions
from domino_env.train.backend import Course, Lesson
from domino_env.train.rllib.algorithm import SelfPlayPPO, config_of
from domino_env.train.rllib.learner import WORTH
from domino_env.train.rllib.messages import (
    LEARNER,
    Order,
    lanes_of_tables,
    num_groups,
    power_of_two,
)
from domino_env.train.rllib.rl_module import layers_of
from domino_env.train.rllib.tree import each_of

FIGURES = {  # of RLlib, by what MaskablePPO calls them
    POLICY_LOSS_KEY: "train/policy_gradient_loss",
    VF_LOSS_KEY: "train/value_loss",
}
CORE_FREE = 30.0  # seconds, for cores that others have just left


class ClusterSchool:
    """A school of many machines; equal lessons, equal learner, however many they are.

    Args:
        course: what stays the same from lesson to lesson.
        workers: cores that work on it, all of the cluster if nothing is said. Each plays, and then
            learns; of those who learn there is a power of two, and of neither more than there is
            work for.
    """

    engine = "ray"

    def __init__(self, course: Course, workers: int | None = None) -> None:
        self._course = course
        all_nodes_must_be_alike("torch", "ray")
        workers = _workers(workers)
        tables, groups = len(lanes_of_tables(course.settings)), num_groups(course.settings)
        self.players = min(workers, tables)
        self.learners = power_of_two(min(workers, groups))
        told = (
            f"domino: workers of the cluster get ready: {self.players} play, {self.learners} learn"
        )
        print(told, file=sys.stderr, flush=True)
        with hushed():
            config = config_of(course, self.players, self.learners)
            self.algorithm: SelfPlayPPO = config.build_algo()
        logging.getLogger("ray.rllib").setLevel(logging.CRITICAL)  # or it cries over every loss
        self._log = configure(None, [])

    @property
    def log(self) -> Logger:
        """Where losses are told."""
        return self._log

    def write_to(self, folder: str) -> None:
        """Writes what is logged for TensorBoard."""
        self._log = configure(folder, ["tensorboard"])

    def take(self, lesson: Lesson, chance: np.random.Generator) -> int:
        """Plays the rounds of a lesson and learns from them."""
        luck, wanted = int(chance.integers(2**62)), versions("torch", "ray")
        self.algorithm.order = Order(lesson, luck, self.algorithm.network, wanted)
        results = self.algorithm.train()
        self._tell(lesson, results["learners"][LEARNER])
        return sum(each.decisions for each in self.algorithm.played)

    def _tell(self, lesson: Lesson, figures: Mapping[str, Any]) -> None:
        if WORTH in figures:
            self._course.tell(self._log, lesson, figures[WORTH])
        for name in FIGURES.keys() & figures.keys():
            self._log.record(FIGURES[name], float(figures[name]))
        self._log.record("train/entropy_loss", -float(figures[ENTROPY_KEY]))

    def layers(self) -> list[Layer]:
        """What the learner plays by."""
        return layers_of(self.algorithm.network)

    def spent(self, seconds: float) -> str:
        """What the time went to."""
        shares = ", ".join(
            f"{what} took {100 * spent / seconds:.0f} %"
            for what, spent in self.algorithm.spent.items()
        )
        who = f"{self.players} playing, {self.learners} learning"
        return f"of {seconds:.0f} seconds {shares} ({who})"

    def state(self) -> dict[str, Any]:
        """All that it needs to go on."""
        kept: dict[str, Any] = each_of(self.algorithm.learnt, np.ndarray, torch.tensor)
        return kept

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state."""
        self.algorithm.learnt = each_of(state, torch.Tensor, torch.Tensor.numpy)

    def close(self) -> None:
        """Sends everybody home, and takes away the folder that Ray Tune makes for each run."""
        with suppress(ray.exceptions.RayError):
            self.algorithm.stop()
        with suppress(OSError):
            Path(self.algorithm.logdir).rmdir()


def _workers(wanted: int | None) -> int:
    """How many cores of the cluster will work: so many, or all that are free."""
    cores = cores_of_cluster()
    if wanted is not None and wanted > cores:
        raise BadOption(f"no room for {wanted} workers: the cluster has {cores} cores")
    end = time.monotonic() + CORE_FREE
    while (free := int(ray.available_resources().get("CPU", 0))) < (wanted or cores):
        if time.monotonic() > end:
            if wanted or not free:
                told = f"{free} of the cluster's {cores} cores are free; others work on the rest"
                raise BadOption(f"no room for {wanted or 'any'} workers: {told}")
            return free
        time.sleep(0.2)
    return wanted or cores
