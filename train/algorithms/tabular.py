"""Counterfactual regret minimisation over the whole tree: what learners are measured beside."""

from __future__ import annotations

from domino_env import agents, solve
from domino_env.errors import BadOption
from domino_env.solve.tree import Tree
from domino_env.train.algorithms.arena import Arena
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings

VARIANTS = {
    "cfr": solve.CFR,
    "cfr_plus": solve.CFR_PLUS,
    "discounted_cfr": solve.DISCOUNTED_CFR,
    "predictive_cfr_plus": solve.PREDICTIVE_CFR_PLUS,
}


class Tabular:
    """A solver. It samples nothing, so there are no decisions to count, and no seed matters."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        self.iterations = self.decisions = 0
        self._sweeps = settings.sweeps
        self._solver = solve.Solver(arena.tree, VARIANTS[settings.algorithm])

    def step(self) -> None:
        """Some iterations of the solver."""
        self._solver.run(self._sweeps)
        self.iterations += self._sweeps

    def policy(self, tree: Tree) -> solve.Policy:
        """The average policy."""
        return self._solver.policy

    def player(self) -> agents.Agent:
        """There is none: a table knows the information states of its tree, not those of a batch."""
        raise BadOption("a tabular algorithm has a policy of its tree, and no agent")
