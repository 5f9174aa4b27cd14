"""Training in this process: batched self-play, and the learner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import torch

from domino_env.batches import Batch
from domino_env.train.backend import Iteration, RunContext
from domino_env.train.encoders import EncoderSettings
from domino_env.train.graph_network import GraphNetwork
from domino_env.train.local_learner import LearnerSettings, LocalLearner
from domino_env.train.metric_log import MetricLog
from domino_env.train.networks import ActorCritic, MlpNetwork, ScorerNetwork, Weights


class LocalBackend:
    """Runs iterations in this process. The same settings give the same policy."""

    engine = "threads"

    def __init__(self, context: RunContext) -> None:
        settings = context.settings
        self._context, self._logger = context, MetricLog()
        self.self_play = context.self_play(settings.rounds_per_iteration)
        batch = self.self_play.batch
        self.learner = LocalLearner(
            network_of(settings, batch, encoder=context.encoder_for(batch)),
            LearnerSettings(
                settings.clip_range,
                settings.vf_coef,
                settings.max_grad_norm,
                settings.magnet_coef,
                settings.distill_loss,
                settings.averaging,
            ),
            settings.seed,
        )

    @property
    def logger(self) -> MetricLog:
        """Where losses are logged."""
        return self._logger

    def run(self, iteration: Iteration, rng: np.random.Generator) -> int:
        """Collects a rollout and trains on it."""
        with torch_threads(self._context.settings.threads):
            rollout = self.self_play.play(
                self.learner.policy_value,
                [spec.make(iteration.opponent_seed) for spec in iteration.opponents],
                self._context.teacher(iteration.phase, iteration.first_deal),
                iteration.first_deal,
                rng,
            )
            metrics = self.learner.learn(iteration.phase, rollout, iteration.update)
        if "objective" in metrics:
            objective = metrics.pop("objective")
            self._context.log_objective(self._logger, iteration.phase, objective)
        for name, value in metrics.items():
            self._logger.record(f"train/{name}", value)
        return len(rollout.chosen)

    def weights(self) -> Weights:
        """The weights of the policy network."""
        return self.learner.weights()

    def start_from(self, weights: Weights) -> None:
        """Begins with the weights of a policy that was trained before."""
        self.learner.start_from(weights)

    def time_summary(self, seconds: float) -> str:
        """The share of the time of everything but learning."""
        shares = ", ".join(
            f"{what}: {100 * spent / seconds:.1f} %"
            for what, spent in self.self_play.seconds.items()
            if what != "learner"
        )
        return f"{shares} of {seconds:.0f} seconds"

    def log_to(self, folder: str) -> None:
        """Writes TensorBoard logs into a folder."""
        self._logger = MetricLog(folder)

    def state(self) -> dict[str, Any]:
        """Everything needed to continue."""
        return self.learner.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        self.learner.restore(state)

    def close(self) -> None:
        """Nothing to release in this process."""


class NetworkSettings(Protocol):
    """The settings that a network is made by."""

    @property
    def seed(self) -> int:
        """Of its first weights."""
        ...

    @property
    def network(self) -> str:
        """One of `NETWORKS`."""
        ...

    @property
    def hidden_sizes(self) -> tuple[int, ...]:
        """Of the policy network."""
        ...

    @property
    def graph_sizes(self) -> tuple[int, ...]:
        """Values of each number of a graph, for each round."""
        ...

    @property
    def sees_observation(self) -> bool:
        """Do networks that score actions see the observation besides?"""
        ...

    @property
    def critic(self) -> str:
        """What the critic sees: `observation` or `all_hands`."""
        ...


def network_of(
    settings: NetworkSettings,
    batch: Batch,
    *,
    sees_all: bool = False,
    encoder: EncoderSettings | None = None,
) -> ActorCritic:
    """A new network for the decisions of a batch, as settings have it; one that `sees_all` has the
    policy's part see what the critic sees. A scorer may encode histories."""
    rng = torch.Generator().manual_seed(settings.seed)
    seats = batch.num_players if settings.critic == "all_hands" else 1
    critic_sizes = [seats * batch.num_features, settings.hidden_sizes[0], 1]
    sizes = [(seats if sees_all else 1) * batch.num_features, *settings.hidden_sizes]
    if settings.network == "mlp":
        return MlpNetwork([*sizes, batch.num_actions], critic_sizes, rng)
    moves, sees = len(batch.move_fields), settings.sees_observation or sees_all
    if settings.network == "graph":
        return GraphNetwork(
            sizes, moves, critic_sizes, rng, sees=sees, graph_sizes=settings.graph_sizes
        )
    return ScorerNetwork(sizes, moves, critic_sizes, rng, sees=sees, encoder=encoder)


@contextmanager
def torch_threads(number: int) -> Iterator[None]:
    """Has PyTorch use so many threads, as long as this lasts: how many changes how it rounds."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)
