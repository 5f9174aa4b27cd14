"""What all algorithms have in common: steps, and a policy that can be measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from domino_env import agents, solve
from domino_env.agents.networks.policy import Policy
from domino_env.errors import BadOption
from domino_env.games import mark_of
from domino_env.solve.tree import Tree
from domino_env.train.algorithms.arena import SEATS, Arena
from domino_env.train.algorithms.fitted import FittedNetwork, Loss, as_values
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.algorithms.reservoir import Reservoir, Samples
from domino_env.train.backend import UpdateSettings
from domino_env.train.decisions import Decisions, Numbers
from domino_env.train.local_backend import network_of, torch_threads
from domino_env.train.local_learner import LearnerSettings
from domino_env.train.networks import ActorCritic
from domino_env.train.self_play import Opponent, PolicyValueFn, Rollout, SelfPlay
from domino_env.train.settings import SCORERS
from domino_env.train.training import usual_margin

LEAST_DECISIONS, MOST_TRIES = 2, 100  # of a rollout that can be learned from
MOST_NETWORKS = 1000  # of one algorithm, with first weights of their own


class Algorithm(Protocol):
    """Something that learns a game step by step; equal seeds give equal policies."""

    iterations: int
    decisions: int

    def step(self) -> None:
        """One iteration."""
        ...

    def policy(self, tree: Tree) -> solve.Policy:
        """What it has learned, in each information state."""
        ...

    def player(self) -> agents.Agent:
        """What it has learned, as an agent."""
        ...


class NetworkAlgorithm:
    """An algorithm that learns networks from rounds played side by side on a batch.

    Args:
        arena: the game.
        settings: of the algorithm.

    Attributes:
        iterations: done so far.
        decisions: in all rollouts so far.
    """

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        self.arena, self.settings = arena, settings
        self.iterations = self.decisions = 0
        self._rng = np.random.default_rng(settings.seed)
        self.self_play = SelfPlay(
            arena.rules,
            SEATS,
            settings.rounds_per_iteration,
            usual_margin(arena.rules, SEATS, 0),
            settings.gae_lambda,
            with_moves=settings.network in SCORERS,
            with_graphs=settings.network == "graph",
            all_hands=settings.critic == "all_hands",
            calls=arena.calls,
        )

    def step(self) -> None:
        """One iteration, on one core."""
        with torch_threads(1):
            self._learn()
        self.iterations += 1

    def policy(self, tree: Tree) -> solve.Policy:
        """What it has learned, in each information state."""
        return solve.policy_of(tree, self.player())

    def player(self) -> agents.Agent:
        """What it has learned, as an agent."""
        return agents.make("ppo", policy=self.policy_file(), temperature=1.0, seed=0)

    def policy_file(self) -> Policy:
        """What it has learned, as `agents.make("ppo", file=…)` reads it."""
        weights = self._learned().weights()
        return Policy(
            self.arena.rules.id,
            dict(self.arena.changes),
            mark_of(self.arena.rules),
            SEATS,
            weights.layers,
            {"algorithm": self.settings.algorithm, "iterations": self.iterations},
            None,
            weights.moves,
            weights.graph,
        )

    def _learn(self) -> None:
        """An iteration of the algorithm."""
        raise NotImplementedError

    def _learned(self) -> ActorCritic:
        """The network whose policy is the result."""
        raise NotImplementedError

    # What algorithms are made of ------------------------------------------------------------------

    def _network(self, number: int = 0, *, sees_all: bool = False) -> ActorCritic:
        """A new network; each of an algorithm's has a number, and first weights of its own. Its
        policy sees an observation, or all that the critic sees."""
        named = replace(self.settings, seed=MOST_NETWORKS * self.settings.seed + number)
        return network_of(named, self.self_play.batch, sees_all=sees_all)

    def _rollout(self, policy_value: PolicyValueFn, opponents: Sequence[Opponent] = ()) -> Rollout:
        """A round in each lane, from new deals; again if there was next to nothing to choose."""
        for _ in range(MOST_TRIES):
            first_deal = int(self._rng.integers(2**40))
            rollout = self.self_play.play(policy_value, opponents, None, first_deal, self._rng)
            self.decisions += len(rollout.chosen)
            if len(rollout.chosen) >= LEAST_DECISIONS:
                return rollout
        raise BadOption(
            f"in {self.arena.name} there is hardly ever a choice: take more rounds_per_iteration"
        )

    def _decayed(self, value: float) -> float:
        """A setting that decays, as it is now."""
        return value / (1 + self.iterations / self.settings.half_life)

    def _fit_chosen(
        self, fitted: FittedNetwork, rollout: Rollout, worth: Numbers, shown: Decisions, epochs: int
    ) -> None:
        """Fits values of actions to what those that were chosen were worth."""
        rows = rollout.decisions.firsts + rollout.chosen
        targets, weights = np.zeros((2, len(rollout.decisions.legal)), np.float32)
        targets[rows], weights[rows] = worth, 1.0
        whole, size = Samples(shown, targets, weights), self.settings.batch_size
        for _ in range(epochs):
            order = self._rng.permutation(len(shown))
            for first in range(0, max(1, len(order) - size + 1), size):
                fitted.fit(whole.some(order[first : first + size]), as_values, self._rate)

    def _fit_reservoir(
        self, fitted: FittedNetwork, memory: Reservoir, loss: Loss, batches: int
    ) -> None:
        """Some gradient steps towards what a memory keeps, if there is anything yet."""
        for _ in range(batches if len(memory) else 0):
            fitted.fit(memory.minibatch(self.settings.batch_size), loss, self._rate)

    @property
    def _rate(self) -> float:
        """The learning rate as it is now."""
        return self._decayed(self.settings.learning_rate)

    def _update(self) -> UpdateSettings:
        """How the next gradient steps of PPO are taken."""
        return UpdateSettings(
            self._rate,
            self._decayed(self.settings.ent_coef),
            self.settings.batch_size,
            self.settings.n_epochs,
        )


def learner_settings(settings: AlgorithmSettings, magnet_coef: float = 0.0) -> LearnerSettings:
    """The settings of the learner of this package."""
    return LearnerSettings(
        settings.clip_range, settings.vf_coef, settings.max_grad_norm, magnet_coef
    )
