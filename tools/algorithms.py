"""Ten learning algorithms on mini games, by exact exploitability against seconds, for
docs/algorithms.md.

    python -m tools.algorithms                         # all of it: seconds x seeds x games x 10
    python -m tools.algorithms --game block_3          # one game; the others stay as measured
    python -m tools.algorithms --full-size 60          # strength on a game of full size

A table's seeds are runs of their own; the tabular algorithms sample nothing and have one. Runs go
seed by seed, and what is there already is not run again unless `--again` says so: a run that is
stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rich.console import Console

from domino_env import solve
from domino_env.bench.one_core import processor
from domino_env.config.loader import load
from domino_env.config.shipped import find
from domino_env.files import write_whole
from domino_env.games import DEFAULT_GAME
from domino_env.solve.mini_games import MINI_GAMES
from domino_env.train.algorithms.hyperparameters import (
    ALGORITHMS,
    LEARNERS,
    TABULAR,
    AlgorithmSettings,
)
from tools.architecture import ROOT

KEPT = ROOT / "docs" / "algorithms.json"
MOST = 50_000  # information states
GAMES = [name for name, mini in MINI_GAMES.items() if mini.infostates <= MOST]


def main(arguments: list[str] | None = None) -> int:
    """Measures, and keeps what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", action="append", default=[], choices=GAMES)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each run")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--full-size", type=float, metavar="SECONDS")
    parser.add_argument("--again", action="store_true", help="also what is there already")
    options = parser.parse_args(arguments)
    from domino_env.train.algorithms.curve import learn

    found = kept()
    found["machine"], found["seconds"] = processor(), options.seconds
    if options.full_size:
        for row in full_size(options.full_size):
            others = [each for each in found["full_size"] if each["algorithm"] != row["algorithm"]]
            found["full_size"] = [*others, row]
            keep(found)
            Console().print(row)
        return 0
    for game in options.game or GAMES:
        tree = MINI_GAMES[game].tree
        found["uniform"][game] = solve.exploitability(tree, solve.uniform(tree))
    for run in runs(options):
        if options.again or not any(same(run, row) for row in found["runs"]):
            measured = [point.to_plain() for point in learn(settings_of(**run), options.seconds)]
            found["runs"] = [row for row in found["runs"] if not same(run, row)]
            found["runs"].append({**run, "points": measured})
            keep(found)
            Console().print(*run.values(), f"{measured[-1]['exploitability']:.5f}")
    return 0


def kept() -> dict[str, Any]:
    """What has been measured."""
    if not KEPT.exists():
        return {"uniform": {}, "runs": [], "full_size": []}
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def keep(found: dict[str, Any]) -> None:
    """Writes it, with a line for each run."""
    for run in found["runs"]:
        for point in run["points"]:
            point["exploitability"] = float(f"{point['exploitability']:.5g}")
    lists = ("runs", "full_size")
    rows = {name: ",\n  ".join(map(json.dumps, found[name])) for name in lists}
    about = {name: found[name] for name in ("machine", "seconds", "uniform")}
    parts = [f' "{name}": [\n  {lines}\n ]' for name, lines in rows.items()]
    text = ",\n".join([json.dumps(about, indent=1)[:-2], *parts])
    write_whole(KEPT, text + "\n}\n")


def runs(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """All runs, the first seed of all games first."""
    for seed in range(options.seeds):
        for game in options.game or GAMES:
            for algorithm in ALGORITHMS:
                if not seed or algorithm not in TABULAR:
                    yield {"game": game, "algorithm": algorithm, "seed": seed}


def same(run: dict[str, Any], row: dict[str, Any]) -> bool:
    """Is a row of this run?"""
    return all(row[name] == value for name, value in run.items())


def settings_of(game: str, algorithm: str, seed: int) -> AlgorithmSettings:
    """The shipped config, on another game."""
    config = load(AlgorithmSettings, find(algorithm, "learn"))
    return replace(config, game=game, seed=seed)


def full_size(seconds: float) -> Iterator[dict[str, Any]]:
    """Strength on the game of full size, of networks that score moves."""
    from domino_env.train.algorithms.curve import learn_full_size

    for algorithm in LEARNERS:
        settings = replace(settings_of(DEFAULT_GAME, algorithm, 0), **FULL_SIZE)
        row = learn_full_size(settings, seconds).to_plain()
        yield {"game": DEFAULT_GAME, "algorithm": algorithm, "seed": 0, **row}


FULL_SIZE: dict[str, Any] = {"network": "scorer"}

if __name__ == "__main__":
    sys.exit(main())
