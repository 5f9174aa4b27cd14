"""Solving small games exactly: a round as a tree, equilibria, and how exploitable a player is.

    from domino_env import solve

    small = domino_env.rules("block_draw", set="double_3", hand_size=3, players=[2])
    tree = solve.tree(small)                        # some million information states a second
    best = solve.cfr_plus(tree, 1000)
    solve.exploitability(tree, best)                # in points a round: nearly 0
    solve.exploitability(tree, "heuristic")         # of any agent
    solve.value(tree, "heuristic", "greedy_pip")    # exactly what one earns over the other

A *policy* is a pair of arrays, one for each side, with a chance for each of its sequences: see
`Side`. Wherever a policy is taken an agent can be given instead.
"""

from __future__ import annotations

from typing import Any

from domino_env.solve import plans as _plans
from domino_env.solve.double_dummy import double_dummy as double_dummy
from domino_env.solve.double_dummy import double_dummy_moves as double_dummy_moves
from domino_env.solve.gambit import write_efg as write_efg
from domino_env.solve.plans import Policy as Policy
from domino_env.solve.plans import mixture as mixture
from domino_env.solve.plans import uniform as uniform
from domino_env.solve.policies import policy_of as policy_of
from domino_env.solve.policies import states as states
from domino_env.solve.solvers import CFR as CFR
from domino_env.solve.solvers import CFR_PLUS as CFR_PLUS
from domino_env.solve.solvers import DISCOUNTED_CFR as DISCOUNTED_CFR
from domino_env.solve.solvers import PREDICTIVE_CFR_PLUS as PREDICTIVE_CFR_PLUS
from domino_env.solve.solvers import Solver as Solver
from domino_env.solve.solvers import Variant as Variant
from domino_env.solve.solvers import cfr as cfr
from domino_env.solve.solvers import cfr_plus as cfr_plus
from domino_env.solve.solvers import discounted_cfr as discounted_cfr
from domino_env.solve.solvers import predictive_cfr_plus as predictive_cfr_plus
from domino_env.solve.tree import Estimate as Estimate
from domino_env.solve.tree import Side as Side
from domino_env.solve.tree import Tree as Tree
from domino_env.solve.tree import estimate as estimate
from domino_env.solve.tree import tree as tree


def exploitability(tree: Tree, player: Any) -> float:
    """How much a player loses, in points a round, to opponents who know what it does and play best
    against it: half of NashConv, the mean of both seats. `player` is a policy, or an agent."""
    return _plans.nash_conv(tree, _policy(tree, player)) / 2


def value(tree: Tree, a: Any, b: Any) -> float:
    """What player `a` earns over player `b` in points a round: exactly, the mean of both seatings.
    Each is a policy, or an agent."""
    return _plans.value(tree, _policy(tree, a), _policy(tree, b))


def game_value(tree: Tree, policy: Policy) -> float:
    """What the side that leads the round earns over the other, in points, if both play a policy: of
    an equilibrium that is the value of the game to the leader. Before the deal seats are alike, and
    no seat earns anything over the other."""
    return _plans.leader_value(tree, policy)


def best_response(tree: Tree, player: Any) -> Policy:
    """For each side the policy that earns most against a player, which is a policy, or an agent."""
    return _plans.best_response(tree, _policy(tree, player))


def _policy(tree: Tree, player: Any) -> Policy:
    return player if isinstance(player, tuple) else policy_of(tree, player)
