"""What can be asked of a tree and a pair of policies: values, best responses, exploitability."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.errors import BadOption
from domino_env.solve import sweeps
from domino_env.solve.tree import Side, Tree, numbered

Floats = npt.NDArray[np.float64]
Policy: TypeAlias = tuple[Floats, Floats]
"""For each side the chance of each of its actions: `policy[side][first:first + actions]` of an
information state, as `Side` numbers them. The first number of each stands for no decision."""


def uniform(tree: Tree) -> Policy:
    """Every action of an information state equally likely."""
    first, second = (_even(side) for side in tree.sides)
    return first, second


def value(tree: Tree, a: Policy, b: Policy) -> float:
    """What policy `a` earns over `b` in points a round: the mean of both seatings."""
    return (seat_value(tree, (a[0], b[1])) - seat_value(tree, (b[0], a[1]))) / 2


def seat_value(tree: Tree, policy: Policy) -> float:
    """What side 0 earns over side 1, in points a round, if both play as `policy` says."""
    first, second = (plan_of(tree, side, checked(tree, policy)) for side in (0, 1))
    return float(first @ outcomes_of(tree.sides[0], second))


def leader_value(tree: Tree, policy: Policy) -> float:
    """What the side that leads the round earns over the other, if both play as `policy` says: seats
    are alike before the deal, and this is what remains of who begins."""
    first, second = (plan_of(tree, side, checked(tree, policy)) for side in (0, 1))
    grown = tree.growth.progress[0]
    leaves, (_, number) = tree.growth.leaves[: grown.leaves], numbered(tree.growth)
    sequences = number[leaves["sequence"]]
    likely = first[sequences[:, 0]] * second[sequences[:, 1]] / grown.weight
    return float((likely * leaves["value"] * (1 - 2 * leaves["leader"])).sum())


def best_response(tree: Tree, policy: Policy) -> Policy:
    """For each side the policy that earns most against the other's."""
    found = [_best(tree, side, checked(tree, policy)) for side in (0, 1)]
    return found[0][1], found[1][1]


def nash_conv(tree: Tree, policy: Policy) -> float:
    """What both sides together could gain by turning to their best responses."""
    return sum(_best(tree, side, checked(tree, policy))[0] for side in (0, 1))


def mixture(tree: Tree, policies: Sequence[Policy], weights: npt.ArrayLike) -> Policy:
    """The policy that amounts to drawing one of several before the round, and playing all of the
    round by it: in an information state each counts by how likely it comes there."""
    shares = _weights(weights, len(policies))
    found = []
    for side, own in enumerate(tree.sides):
        total = np.zeros(own.num_sequences)
        for policy, share in zip(policies, shares, strict=True):
            total += share * plan_of(tree, side, checked(tree, policy))
        mixed = np.empty(own.num_sequences)
        sweeps.write_policy(own.parents, own.firsts, own.actions, total, mixed)
        found.append(mixed)
    return found[0], found[1]


def _weights(weights: Any, number: int) -> Floats:
    """Weights of so many policies, if they are that."""
    with suppress(TypeError, ValueError):
        found = np.asarray(weights, float)
        if found.shape == (number,) and (found >= 0).all() and 0 < found.sum() < np.inf:
            return found
    raise BadOption("a mixture is of policies with a weight each, of 0 or more, and not all of 0")


def checked(tree: Tree, policy: Any) -> Policy:
    """The policy, if it is one of this tree."""
    fits = isinstance(policy, tuple) and len(policy) == len(tree.sides)
    if not fits or any(
        len(chances) != side.num_sequences for chances, side in zip(policy, tree.sides, strict=True)
    ):
        raise BadOption("a policy of a tree is a pair of arrays with a chance for each sequence")
    return policy


def plan_of(tree: Tree, side: int, policy: Policy) -> Floats:
    """How likely a side plays each of its sequences, of its own will."""
    own = tree.sides[side]
    plan = np.empty(own.num_sequences)
    sweeps.write_plan(own.parents, own.firsts, own.actions, policy[side], plan)
    return plan


def outcomes_of(side: Side, plan: Floats) -> Floats:
    """What each sequence of a side earns where a history ends, if the other side plays a plan."""
    out = np.empty(side.num_sequences)
    sweeps.outcomes(side.starts, side.others, side.values, plan, out)
    return out


def _best(tree: Tree, side: int, policy: Policy) -> tuple[float, Floats]:
    own = tree.sides[side]
    worth = outcomes_of(own, plan_of(tree, 1 - side, policy))
    best = np.empty(own.num_sequences)
    earned = sweeps.best_response(own.parents, own.firsts, own.actions, worth, best)
    return float(earned), best


def _even(side: Side) -> Floats:
    chances = np.ones(side.num_sequences)
    chances[1:] = np.repeat(1 / side.actions, side.actions)
    return chances
