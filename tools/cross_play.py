"""Do partners who were trained apart play together as well as those trained together? For
docs/cross_play.md.

    python -m tools.cross_play                     # every game with teams; goes on if stopped
    python -m tools.cross_play kozel --deals 5000  # some; the others stay as they were measured

In each game that has teams and a config of a network that scores moves, that network is trained
with three seeds, which differ from that of the policy that comes with the package, for at most
`MOST_ITERATIONS`: a minute each. Those policies, the shipped one and the opponent's own
agent are then partners of one another. Policies stay in `runs/cross_play`, and what is there is not
trained again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from domino_env.bench.one_core import processor
from domino_env.cli.cross_play_command import play_with_progress
from domino_env.config.loader import load
from domino_env.config.shipped import find, shipped
from domino_env.evaluate.cross_play import OPPONENT, SEATS, CrossPlay, cross_play_of
from domino_env.evaluate.cross_score import summary
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.policy_files import POLICY, folder_of_seed, policy_at
from domino_env.evaluate.statistics import ci95_half_width, ratio_of_means
from domino_env.files import write_whole
from domino_env.games import rules, variants
from domino_env.train.measuring import FIRST_DEAL
from domino_env.train.settings import TrainSettings
from tools.architecture import ROOT

KEPT = ROOT / "docs" / "cross_play.json"
RUNS = ROOT / "runs" / "cross_play"
SEEDS = (1, 2, 3)  # the shipped policies have 0
SHIPPED = "net"
MOST_ITERATIONS = 60
WANTED = 0.8  # of what partners trained together earn
DEALS = 10_000
Floats = npt.NDArray[np.float64]


def games() -> list[str]:
    """Those with teams of two, and a config."""
    configs = shipped()
    return [
        name
        for name in variants()
        if f"train/net/{name}" in configs
        and getattr(rules(name), "teams", False)
        and SEATS in rules(name).players
    ]


def main(arguments: list[str] | None = None) -> int:
    """Trains what is missing, measures, and keeps what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="with teams (default: all)")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"of each pair ({DEALS:,})")
    parser.add_argument(
        "--iterations",
        type=int,
        default=MOST_ITERATIONS,
        help=f"of training at most, where no seed has begun ({MOST_ITERATIONS})",
    )
    options = parser.parse_args(arguments)
    for game in options.games or games():
        train(game, options.iterations)
        began = time.process_time()
        played = measured(game, options.deals)
        spent = {"decisions": decisions(game), "seconds": time.process_time() - began}
        keep(game, {**row(played), **spent})
        Console().print(game, summary(played.score(range(len(SEEDS)))))
    return 0


def train(game: str, most: int = MOST_ITERATIONS) -> None:
    """Trains the seeds that are not there yet, by the config of the shipped policy."""
    from domino_env.train.seeds import FIGURES, begun, run_seeds

    last = RUNS / game / FIGURES  # a policy is written with each checkpoint, this at the end
    if last.exists() and all(_policy_of(game, seed).exists() for seed in SEEDS):
        return
    run_seeds(settings_of(game, most), len(SEEDS), RUNS / game, resumed=begun(RUNS / game))


def settings_of(game: str, most: int = MOST_ITERATIONS) -> TrainSettings:
    """Those of the first seed: the shipped config, if need be cut short."""
    config = load(TrainSettings, find(f"net/{game}", "train"))
    iterations = min(config.distill.iterations, most)
    return replace(
        config,
        seed=SEEDS[0],
        distill=replace(config.distill, iterations=iterations),
        evaluation=replace(config.evaluation, every=iterations, deals=500),
    )


def _policy_of(game: str, seed: int) -> Path:
    return folder_of_seed(RUNS / game, seed) / POLICY


def decisions(game: str) -> list[int]:
    """How many each of the seeds has learned from."""
    from domino_env.train.runner import CURVE

    curves = [folder_of_seed(RUNS / game, seed) / CURVE for seed in SEEDS]
    return [json.loads(curve.read_text(encoding="utf-8"))[-1]["decisions"] for curve in curves]


def measured(game: str, deals: int) -> CrossPlay:
    """Plays the seeds, the shipped policy and the opponent's agent, in this order."""
    entrants = [policy_at(_policy_of(game, seed), f"seed {seed}") for seed in SEEDS]
    entrants += [Entrant(SHIPPED), Entrant(OPPONENT)]
    played = cross_play_of(game, entrants, OPPONENT, FIRST_DEAL)
    play_with_progress(played, deals)
    return played


def row(played: CrossPlay) -> dict[str, Any]:
    """The score of the seeds alone, the whole matrix, and what other partners earn with them."""
    number = len(SEEDS)
    together = played.margins[:, range(number), range(number)].mean(1)
    shipped_pair = played.margins[:, number, number]
    return {
        "processor": processor(),
        "seeds": played.score(range(number)).to_plain(),
        "all": played.score().to_plain(),
        SHIPPED: _with(played.margins, number, (together + shipped_pair) / 2),
        OPPONENT: _with(played.margins, number + 1, together),
    }


def _with(margins: Floats, partner: int, whole: Floats) -> dict[str, Any]:
    """What the seeds earn with another partner, in either seat, and the share of the whole."""
    seeds = slice(len(SEEDS))
    earned = (margins[:, seeds, partner].mean(1) + margins[:, partner, seeds].mean(1)) / 2
    ratio = ratio_of_means(earned, whole)
    return {
        "margin": float(earned.mean()),
        "within": ci95_half_width(earned),
        "ratio": ratio.value if ratio else None,
        "ratio_within": ratio.within if ratio else None,
    }


def verdict(found: dict[str, Any]) -> str:
    """Do partners trained apart earn the share that is asked for? As far as the interval tells."""
    if found["ratio"] is None:
        return "not clear"
    off, within = found["ratio"] - WANTED, found["ratio_within"]
    return "not clear" if abs(off) <= within else "yes" if off > 0 else "no"


def kept() -> dict[str, Any]:
    """What has been measured, by game."""
    if not KEPT.exists():
        return {}
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def keep(game: str, figures: dict[str, Any], file: Path = KEPT) -> None:
    """Writes it, in the order of the games, with as many digits as anybody needs."""
    found = {**kept(), game: figures}
    ordered = {name: found[name] for name in games() if name in found}
    write_whole(file, json.dumps(_rounded(ordered), indent=1) + "\n")


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value


if __name__ == "__main__":
    sys.exit(main())
