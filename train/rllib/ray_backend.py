"""Training on a Ray cluster."""

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

from domino_env.errors import BadOption
from domino_env.execution.ray_executor import (
    cluster_cores,
    nodes_must_have_same_versions,
    without_core_output,
)
from domino_env.execution.versions import versions
from domino_env.train.backend import Iteration, RunContext
from domino_env.train.metric_log import MetricLog
from domino_env.train.networks import Weights
from domino_env.train.rllib.algorithm import SelfPlayPPO, config_of
from domino_env.train.rllib.learner import OBJECTIVE
from domino_env.train.rllib.messages import (
    LEARNER,
    IterationMessage,
    lanes_of_shards,
    num_groups,
    power_of_two,
)
from domino_env.train.rllib.rl_module import layers_of
from domino_env.train.rllib.tree import map_leaves
from domino_env.train.settings import TrainSettings

SB3_NAMES = {  # of RLlib's metrics
    POLICY_LOSS_KEY: "train/policy_gradient_loss",
    VF_LOSS_KEY: "train/value_loss",
}
CORES_TIMEOUT = 30.0  # seconds, for cores that others have just left


class RayBackend:
    """Runs iterations on a Ray cluster. The same settings give the same policy, however many
    workers there are.

    Args:
        context: of the run.
        workers: cores to use, by default all of the cluster. Each collects rollouts and then
            learns; the number of learners is a power of two, and neither number is larger than
            there is work for.
    """

    engine = "ray"

    def __init__(self, context: RunContext, workers: int | None = None) -> None:
        self._context = context
        _must_train_here(context.settings)
        nodes_must_have_same_versions("torch", "ray")
        workers = _workers(workers)
        shards, groups = len(lanes_of_shards(context.settings)), num_groups(context.settings)
        self.runners = min(workers, shards)
        self.learners = power_of_two(min(workers, groups))
        print(
            f"domino: starting workers on the cluster: {self.runners} environment runners, "
            f"{self.learners} learners",
            file=sys.stderr,
            flush=True,
        )
        with without_core_output():
            config = config_of(context, self.runners, self.learners)
            self.algorithm: SelfPlayPPO = config.build_algo()
        logging.getLogger("ray.rllib").setLevel(logging.CRITICAL)  # or every loss is an alarm
        self._logger = MetricLog()

    @property
    def logger(self) -> MetricLog:
        """Where losses are logged."""
        return self._logger

    def log_to(self, folder: str) -> None:
        """Writes TensorBoard logs into a folder."""
        self._logger = MetricLog(folder)

    def run(self, iteration: Iteration, rng: np.random.Generator) -> int:
        """Collects a rollout and trains on it."""
        seed, wanted = int(rng.integers(2**62)), versions("torch", "ray")
        network = self.algorithm.network
        self.algorithm.message = IterationMessage(iteration, seed, network, wanted)
        results = self.algorithm.train()
        self._log(iteration, results["learners"][LEARNER])
        return sum(each.decisions for each in self.algorithm.shards)

    def _log(self, iteration: Iteration, metrics: Mapping[str, Any]) -> None:
        if OBJECTIVE in metrics:
            self._context.log_objective(self._logger, iteration.phase, metrics[OBJECTIVE])
        for name in SB3_NAMES.keys() & metrics.keys():
            self._logger.record(SB3_NAMES[name], float(metrics[name]))
        self._logger.record("train/entropy_loss", -float(metrics[ENTROPY_KEY]))

    def weights(self) -> Weights:
        """The weights of the policy network."""
        return Weights(layers_of(self.algorithm.network), None)

    def start_from(self, weights: Weights) -> None:
        """Refused before, as `start`."""
        raise NotImplementedError

    def time_summary(self, seconds: float) -> str:
        """The shares of rollouts and updates."""
        shares = ", ".join(
            f"{what}: {100 * spent / seconds:.0f} %"
            for what, spent in self.algorithm.seconds.items()
        )
        workers = f"{self.runners} environment runners, {self.learners} learners"
        return f"{shares} of {seconds:.0f} seconds ({workers})"

    def state(self) -> dict[str, Any]:
        """Everything needed to continue."""
        kept: dict[str, Any] = map_leaves(self.algorithm.learner_state, np.ndarray, torch.tensor)
        return kept

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        self.algorithm.learner_state = map_leaves(state, torch.Tensor, torch.Tensor.numpy)

    def close(self) -> None:
        """Stops the workers, and removes the folder that Ray Tune makes for each run."""
        with suppress(ray.exceptions.RayError):
            self.algorithm.stop()
        with suppress(OSError):
            Path(self.algorithm.logdir).rmdir()


def _must_train_here(settings: TrainSettings) -> None:
    """Refuses what only the learner of one machine does."""
    only = {
        "network": settings.network != "mlp",
        "history": settings.history != "none",
        "critic": settings.critic != "observation",
        "magnet_coef": settings.magnet_coef > 0,
        "start": settings.start is not None,
        "averaging": settings.averaging > 0,
        "distill_loss": settings.distill_loss != "expected_gain",
    }
    for name in (name for name, is_set in only.items() if is_set):
        value = getattr(settings, name)
        raise BadOption(f"{name}: {value} is not for --engine ray: train on one machine")


def _workers(wanted: int | None) -> int:
    """The number of cores to use: as wanted, or all that are free."""
    cores = cluster_cores()
    if wanted is not None and wanted > cores:
        raise BadOption(f"no room for {wanted} workers: the cluster has {cores} cores")
    end = time.monotonic() + CORES_TIMEOUT
    while (free := int(ray.available_resources().get("CPU", 0))) < (wanted or cores):
        if time.monotonic() > end:
            if wanted or not free:
                busy = f"{free} of the cluster's {cores} cores are free; the others are in use"
                raise BadOption(f"no room for {wanted or 'any'} workers: {busy}")
            return free
        time.sleep(0.2)
    return wanted or cores
