"""Training in this process: batched self-play, and sb3-contrib's MaskablePPO as the learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger

from domino_env.agents.networks.policy import Layer
from domino_env.train.backend import Iteration, RunContext
from domino_env.train.local_learner import LocalLearner
from domino_env.train.self_play import Rollout


class LocalBackend:
    """Runs iterations in this process. The same settings give the same policy."""

    engine = "threads"

    def __init__(self, context: RunContext) -> None:
        settings = context.settings
        torch.set_num_threads(settings.threads)
        self._context = context
        self.self_play = context.self_play(settings.rounds_per_iteration)
        self.learner = LocalLearner(
            context.game,
            context.num_players,
            settings.hidden_sizes,
            clip_range=settings.clip_range,
            vf_coef=settings.vf_coef,
            max_grad_norm=settings.max_grad_norm,
            seed=settings.seed,
            with_prior=context.prior is not None,
        )

    @property
    def logger(self) -> Logger:
        """MaskablePPO's logger."""
        return self.learner.logger

    def run(self, iteration: Iteration, rng: np.random.Generator) -> int:
        """Collects a rollout and trains on it."""
        rollout = self.self_play.play(
            self.learner.policy_value,
            [spec.make(iteration.opponent_seed) for spec in iteration.opponents],
            self._context.teacher(iteration.phase),
            iteration.first_deal,
            rng,
        )
        self._update(iteration, rollout)
        return len(rollout.actions)

    def _update(self, iteration: Iteration, rollout: Rollout) -> None:
        if iteration.phase == "ppo":
            self.learner.ppo_update(rollout, iteration.update)
            return
        follow = self.learner.distill if iteration.phase == "distill" else self.learner.imitate
        objective = follow(rollout, iteration.update)
        self._context.log_objective(self.logger, iteration.phase, objective)

    def layers(self) -> list[Layer]:
        """Weights and biases of the policy network."""
        return self.learner.layers()

    def time_summary(self, seconds: float) -> str:
        """The environment's share of the time."""
        spent = self.self_play.seconds
        share = 100 * (spent["environment"] + spent["opponents"]) / seconds
        return f"environment and opponents: {share:.1f} % of {seconds:.0f} seconds"

    def log_to(self, folder: str) -> None:
        """Writes TensorBoard logs into a folder."""
        self.learner.log_to(folder)

    def state(self) -> dict[str, Any]:
        """Everything needed to continue."""
        return self.learner.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        self.learner.restore(state)

    def close(self) -> None:
        """Nothing to release in this process."""
