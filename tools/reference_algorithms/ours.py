"""Ours, where what docs/algorithms.json has of them cannot be compared with OpenSpiel's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from domino_env import solve
from domino_env.solve.tree import Tree
from domino_env.train.algorithms.catalogue import start
from domino_env.train.algorithms.psro import equilibrium
from tools.algorithms import settings_of

FEW = 64  # rounds in an iteration


class InSmallSteps:
    """A learner that learns after every few rounds, as OpenSpiel's do, which costs time and saves
    rounds; 1,024 at once are usual for ours."""

    def __init__(self, game: str, algorithm: str, seed: int) -> None:
        self.iterations = self.rounds = 0
        settings = settings_of(game, algorithm, seed)
        self._algorithm = start(replace(settings, rounds_per_iteration=FEW, batch_size=FEW))

    def step(self) -> None:
        """An iteration."""
        self._algorithm.step()
        self.iterations += 1
        self.rounds += FEW

    def policy(self, tree: Tree) -> solve.Policy:
        """What it has learned."""
        return self._algorithm.policy(tree)


class DoubleOracle:
    """PSRO with exact best responses and payoffs from the tree, where `train.algorithms.psro`
    learns the ones and plays for the others: the same pool, and the same way to mix it.

    It begins with uniform play; in each iteration the best response to the mix joins the pool.
    """

    rounds = 0

    def __init__(self, tree: Tree) -> None:
        self.iterations = 0
        self._tree = tree
        self._pool = [solve.uniform(tree)]
        self._payoffs = np.zeros((1, 1))
        self._mix = np.ones(1)

    def step(self) -> None:
        """An iteration."""
        new = solve.best_response(self._tree, self.policy(self._tree))
        earned = np.array([solve.value(self._tree, new, member) for member in self._pool])
        self._payoffs = np.block(
            [[self._payoffs, -earned[:, None]], [earned[None, :], np.zeros(1)]]
        )
        self._pool.append(new)
        self._mix = equilibrium(self._payoffs)
        self.iterations += 1

    def policy(self, tree: Tree) -> solve.Policy:
        """The mix, as one policy."""
        return solve.mixture(tree, self._pool, self._mix)
