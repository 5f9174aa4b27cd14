"""How far our solvers and OpenSpiel's are apart, iteration by iteration, where both have the same.

Where two actions are worth the same it is rounding that decides, so payoffs are blurred by a
percent, as in `tools.solver_speed`.
"""

from __future__ import annotations

import numpy as np

from domino_env import solve
from domino_env.solve.tree import Tree
from tools.reference_algorithms.door import from_file
from tools.reference_algorithms.solvers import SOLVERS
from tools.solver_speed import blurred

SAME = {
    "cfr": solve.CFR,
    "cfr_plus": solve.CFR_PLUS,
    "discounted_cfr": solve.DISCOUNTED_CFR,
}
ITERATIONS = 4


def apart(tree: Tree, name: str, iterations: int = ITERATIONS) -> float:
    """The largest difference of two chances, of any action after any of the first iterations."""
    tree = blurred(tree)
    theirs, ours = SOLVERS[name](from_file(tree)), solve.Solver(tree, SAME[name])
    largest = 0.0
    for _ in range(iterations):
        theirs.step()
        ours.run(1)
        pairs = zip(ours.policy, theirs.policy(tree), strict=True)
        largest = max(largest, *(float(np.abs(mine - other).max()) for mine, other in pairs))
    return largest
