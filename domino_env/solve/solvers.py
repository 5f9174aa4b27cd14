"""Counterfactual regret minimisation on a tree, in the variants of the literature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from domino_env.errors import BadOption, is_whole
from domino_env.solve import sweeps
from domino_env.solve.plans import Policy, outcomes_of, uniform
from domino_env.solve.tree import Side, Tree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Variant:
    """A way to minimise regret: how regrets of before count, and policies of before.

    Attributes:
        alpha, beta: before iteration t, positive regrets are multiplied by t^alpha / (t^alpha + 1)
            and negative ones by t^beta / (t^beta + 1); None: by 1.
        gamma: the policy of iteration t counts t^gamma times in the average.
        floor: negative regrets become 0 at once.
        predicts: policies are made as if the last regrets came again.
    """

    alpha: float | None = None
    beta: float | None = None
    gamma: float = 0.0
    floor: bool = False
    predicts: bool = False


CFR = Variant()
CFR_PLUS = Variant(gamma=1.0, floor=True)
DISCOUNTED_CFR = Variant(alpha=1.5, beta=0.0, gamma=2.0)
PREDICTIVE_CFR_PLUS = Variant(gamma=2.0, floor=True, predicts=True)


@dataclass
class Solver:
    """Regrets and averages, iteration by iteration; the sides take turns.

    Attributes:
        tree: the game.
        variant: how regrets are minimised.
        iterations: how many there have been.
    """

    tree: Tree
    variant: Variant = CFR_PLUS
    iterations: int = 0
    _current: Policy = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._current = uniform(self.tree)
        sides = self.tree.sides
        self._regrets = [np.zeros(side.num_sequences) for side in sides]
        self._sums = [np.zeros(side.num_sequences) for side in sides]
        self._plans = [np.zeros(side.num_sequences) for side in sides]
        for side in range(len(sides)):
            self._write_plan(side)

    def run(self, iterations: int, watch: Callable[[int], None] = lambda done: None) -> None:
        """So many more iterations; `watch` is told of each."""
        if not is_whole(iterations) or iterations < 0:
            raise BadOption(f"iterations must be a whole number from 0, not {iterations!r}")
        for _ in range(iterations):
            self.iterations += 1
            for side in range(len(self.tree.sides)):
                self._update(side)
            watch(self.iterations)

    @property
    def policy(self) -> Policy:
        """The average policy so far, which is what approaches an equilibrium."""
        first, second = (
            self._average(side, total)
            for side, total in zip(self.tree.sides, self._sums, strict=True)
        )
        return first, second

    @property
    def current_policy(self) -> Policy:
        """The policy of the next iteration."""
        return self._current[0].copy(), self._current[1].copy()

    def _update(self, side: int) -> None:
        own, t, variant = self.tree.sides[side], self.iterations, self.variant
        worth = outcomes_of(own, self._plans[1 - side])
        sweeps.add_plan(self._sums[side], self._plans[side], 1.0, float(t) ** variant.gamma)
        sweeps.update_regrets(
            own.parents,
            own.firsts,
            own.actions,
            worth,
            self._current[side],
            self._regrets[side],
            _discount(variant.alpha, t - 1),
            _discount(variant.beta, t - 1),
            variant.floor,
            variant.predicts,
        )
        self._write_plan(side)

    def _write_plan(self, side: int) -> None:
        own = self.tree.sides[side]
        policy, plan = self._current[side], self._plans[side]
        sweeps.write_plan(own.parents, own.firsts, own.actions, policy, plan)

    def _average(self, side: Side, total: Floats) -> Floats:
        policy = np.empty(side.num_sequences)
        sweeps.write_policy(side.parents, side.firsts, side.actions, total, policy)
        return policy


def _discount(power: float | None, t: int) -> float:
    if power is None:
        return 1.0
    grown = float(t) ** power
    return grown / (grown + 1)


def solve(tree: Tree, iterations: int, variant: Variant = CFR_PLUS) -> Policy:
    """The average policy after so many iterations of a variant."""
    solver = Solver(tree, variant)
    solver.run(iterations)
    return solver.policy


def cfr(tree: Tree, iterations: int) -> Policy:
    """Counterfactual regret minimisation as it was first described, with alternating updates."""
    return solve(tree, iterations, CFR)


def cfr_plus(tree: Tree, iterations: int) -> Policy:
    """CFR+: regrets never below 0, policies averaged with linear weights."""
    return solve(tree, iterations, CFR_PLUS)


def discounted_cfr(tree: Tree, iterations: int) -> Policy:
    """Discounted CFR with the weights 3/2, 0 and 2."""
    return solve(tree, iterations, DISCOUNTED_CFR)


def predictive_cfr_plus(tree: Tree, iterations: int) -> Policy:
    """Predictive CFR+: as if the last regrets came again, averaged with quadratic weights."""
    return solve(tree, iterations, PREDICTIVE_CFR_PLUS)
