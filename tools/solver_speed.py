"""Measures CFR+ on compiled trees beside OpenSpiel's C++ `CFRPlusSolver`: the same games, one run.

    python -m tools.solver_speed            # prints the figures
    python -m tools.solver_speed --keep     # also keeps them in docs/solver_speed.json

OpenSpiel gets each tree as a file of Gambit's (`solve.write_efg`), which is a C++ game of its own,
so no Python runs in its iterations. Both take the same steps, so their average policies must agree
in every information state. That can be seen where no two actions are worth the same: where they
are, what is left by rounding decides which of them is played. So payoffs are blurred by a percent.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from domino_env import solve
from domino_env.bench.one_core import processor
from domino_env.solve.mini_games import mini_game
from domino_env.solve.tree import sides_of
from tools.architecture import ROOT

GAMES = ("block_3", "five_up_3", "draw_4")
KEPT = ROOT / "docs" / "solver_speed.json"
ITERATIONS = 3  # after which policies are compared
LONG = 0.5  # seconds that ours is timed for
AGREE = 1e-9


def main(arguments: list[str] | None = None) -> int:
    """Measures all games; fails if the two disagree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="keep the figures for the docs")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"mini games (default: {GAMES})")
    options = parser.parse_args(arguments)
    rows = []
    for name in options.games or GAMES:
        rows.append(measured(name))
        print(rows[-1], flush=True)
    if options.keep:
        kept = {"machine": processor(), "open_spiel": version("open_spiel"), "games": rows}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(any(row["apart"] > AGREE for row in rows))


def measured(name: str) -> dict[str, Any]:
    """The figures of one game; seconds are of processor time."""
    mini = mini_game(name)
    solve.tree(mini.rules, mini.num_players, calls=mini.calls)  # what is compiled is compiled now
    grown, tree = timed(lambda: solve.tree(mini.rules, mini.num_players, calls=mini.calls))
    tree = blurred(tree)
    ours = seconds_per_iteration(solve.Solver(tree))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.efg"
        solve.write_efg(tree, file)
        loaded, theirs, policy = theirs_of(file)
    other, mine = as_ours(tree, policy), solve.cfr_plus(tree, ITERATIONS)
    return {
        "game": name,
        "infostates": tree.num_infostates,
        "histories": tree.num_histories,
        "tree": grown,
        "iteration": ours,
        "open_spiel_tree": loaded,
        "open_spiel_iteration": theirs,
        "times": theirs / ours,
        "apart": max(float(np.abs(a - b).max()) for a, b in zip(mine, other, strict=True)),
    }


def blurred(tree: solve.Tree) -> solve.Tree:
    """The same tree, with up to one percent more at the end of each history."""
    growth = copy(tree.growth)
    growth.leaves = growth.leaves.copy()
    growth.leaves["value"] *= 1 + 0.01 * np.random.default_rng(0).random(len(growth.leaves))
    return replace(tree, growth=growth, sides=sides_of(growth))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and what came of it."""
    began = time.process_time()
    done = work()
    return time.process_time() - began, done


def seconds_per_iteration(solver: solve.Solver) -> float:
    """Of ours, over so many iterations that it can be told."""
    solver.run(1)
    began, iterations = time.process_time(), 0
    while time.process_time() - began < LONG:
        solver.run(1)
        iterations += 1
    return (time.process_time() - began) / iterations


def theirs_of(file: Path) -> tuple[float, float, dict[str, list[tuple[int, float]]]]:
    """OpenSpiel's: seconds to load the game and to make a solver of it, seconds an iteration, and
    the average policy after `ITERATIONS`."""
    import pyspiel

    load = lambda: pyspiel.load_game("efg_game", {"filename": str(file)})  # noqa: E731
    loading, game = timed(load)
    making, solver = timed(lambda: pyspiel.CFRPlusSolver(game))
    seconds = [timed(solver.evaluate_and_update_policy)[0] for _ in range(ITERATIONS)]
    policy = solver.tabular_average_policy().policy_table()
    return loading + making, float(np.median(seconds)), policy


def as_ours(tree: solve.Tree, table: dict[str, list[tuple[int, float]]]) -> solve.Policy:
    """Their policy as one of our tree: "player-player-number-name" is the name of an information
    state, and the numbers are those that `write_efg` has given. Tables of theirs may name actions
    that are not legal there; they are left out."""
    policy = solve.uniform(tree)
    for name, chances in table.items():
        player, _, number, *_ = name.split("-")
        side = tree.sides[int(player)]
        first, legal = side.firsts[int(number) - 1], side.actions[int(number) - 1]
        for action, chance in chances:
            if action < legal:
                policy[int(player)][first + action] = chance
    return policy


if __name__ == "__main__":
    sys.exit(main())
