"""`domino tune`: a search for the weights of `heuristic` in a game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import domino_env

MEASURED = 10_000  # deals against greedy_pip, after the search
FRESH = 2**41  # added to the seed, for deals that the search has not seen


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("tune", help="search for good weights of `heuristic` in a game")
    command.add_argument("game", metavar="id", help="a game, as `domino list` names it")
    command.add_argument("--hand-size", type=int, help="a house rule: tiles dealt to each player")
    command.add_argument(
        "--generations", type=int, default=30, help="generations of the search (default 30)"
    )
    command.add_argument(
        "--candidates", type=int, default=40, help="candidates in each generation (default 40)"
    )
    command.add_argument(
        "--deals", type=int, default=2000, help="deals played by each candidate (default 2000)"
    )
    command.add_argument(
        "--seed", type=int, default=0, help="seed of the deals and the candidates (default 0)"
    )
    command.add_argument("--out", metavar="FILE", help="also write the weights to this JSON file")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Searches, prints the weights and what they are worth, and keeps them if asked to."""
    from domino_env.agents.features.heuristic_features import FEATURES
    from domino_env.agents.heuristic import USUAL, weights_of
    from domino_env.files import must_be_writable
    from domino_env.train.tune import keep

    if options.out:
        must_be_writable(Path(options.out).parent)
    changes = {} if options.hand_size is None else {"hand_size": options.hand_size}
    rules = domino_env.rules(options.game, **changes)
    weights, before, after = _search(rules, options, weights_of(USUAL))
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:14}{weight:8.3f}")
    print(f"points a round over greedy_pip: {after} (with the default weights: {before})")
    if options.out:
        keep(Path(options.out), rules.id, weights)
    return 0


def _search(rules: Any, options: argparse.Namespace, usual: Any) -> tuple[Any, Any, Any]:
    """The best weights, and the margins over greedy_pip of the usual weights and of the best."""
    from rich.console import Console
    from rich.progress import Progress

    from domino_env.train.tune import against_greedy, tune

    search = {name: getattr(options, name) for name in ("generations", "candidates", "deals")}
    weights = usual
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("tuning", total=options.generations)
        for generation in tune(rules, **search, seed=options.seed):
            weights = generation.weights
            progress.update(task, advance=1, description=f"tuning, {generation.margin:+.2f} ahead")
        progress.update(task, description="measuring", total=None)
        before, after = (
            against_greedy(rules, row, MEASURED, options.seed + FRESH) for row in (usual, weights)
        )
    return weights, before, after
