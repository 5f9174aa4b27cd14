"""Solves the mini games again, until all digits of their values are right.

    python -m tools.values              # all of them: some minutes
    python -m tools.values draw_3       # some

Two solvers each, predictive CFR+ and discounted CFR; the largest by the first, which is faster. The
value that is published, and the number of information states, must be those that they find
(`domino_env.solve.mini_games`).
"""

from __future__ import annotations

import argparse
import sys
import time

from domino_env import solve
from domino_env.solve.mini_games import MINI_GAMES, mini_game

SOLVERS = {"predictive CFR+": solve.PREDICTIVE_CFR_PLUS, "discounted CFR": solve.DISCOUNTED_CFR}
BY_BOTH = 100_000  # information states
EXACT = 1e-5
ENOUGH, MOST = 2e-6, 20_000  # exploitability, in points; iterations


def main(arguments: list[str] | None = None) -> int:
    """Prints what is found; fails if it is not what is published."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="mini games (default: all)")
    options = parser.parse_args(arguments)
    wrong = [
        name
        for name in options.games or MINI_GAMES
        for solver in [*SOLVERS][: 2 if mini_game(name).infostates <= BY_BOTH else 1]
        if not holds(name, solver)
    ]
    return int(bool(wrong))


def holds(name: str, solver: str) -> bool:
    """Is the published value what a solver finds?"""
    mini, began = mini_game(name), time.process_time()
    found = solve.Solver(mini.tree, SOLVERS[solver])
    within = float("inf")
    while within > ENOUGH and found.iterations < MOST:
        found.run(200)
        within = solve.exploitability(mini.tree, found.policy)
    value = solve.game_value(mini.tree, found.policy)
    right = abs(value - mini.value) <= EXACT and mini.tree.num_infostates == mini.infostates
    print(
        f"{name}: {mini.tree.num_infostates:,} information states; {solver}: {value:+.6f} after "
        f"{found.iterations} iterations, exploitability {within:.1e}, "
        f"{time.process_time() - began:.0f} CPU s{'' if right else '  NOT AS PUBLISHED'}",
        flush=True,
    )
    return right


if __name__ == "__main__":
    sys.exit(main())
