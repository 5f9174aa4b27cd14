"""How much is due to the seed? Each published policy is trained with three, for docs/training.md.

    python -m tools.policy_seeds                # every config of configs/train/net; hours on hours
    python -m tools.policy_seeds kozel cuban    # some; the others stay as they were measured
    python -m tools.policy_seeds --list         # what there is, and what is missing
    python -m tools.policy_seeds --no-training  # measures the policies that are there

The policy that comes with the package counts as that of its config's seed, if it was trained with
this seed for as many iterations; all others are trained by the config in `runs/policy_seeds`, and
go on where they were stopped. Each meets `heuristic` on the same duplicate deals. Processes side by
side share the work: none trains by a config that another is at.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console

from domino_env.agents.networks.policy import read_policy
from domino_env.config.game_settings import house_rules
from domino_env.config.loader import load
from domino_env.config.shipped import find
from domino_env.errors import did_you_mean
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.policy_files import POLICY, folder_of_seed, policy_at
from domino_env.files import write_whole
from domino_env.locks import waited_for
from domino_env.train.settings import TrainSettings
from tools import pretrained
from tools.architecture import ROOT
from tools.claims import Taken, claimed

KEPT = ROOT / "docs" / "policy_seeds.json"
RUNS = ROOT / "runs" / "policy_seeds"
OPPONENT = "heuristic"
DEALS, CHUNK = 20_000, 1000
SEEDS = 3
FOLDER = "net/"  # of configs, and of the policies that come of them


def main(arguments: list[str] | None = None) -> int:
    """Trains what is missing, measures it, and keeps the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.policy_seeds",
        description=(__doc__ or "").split("\n")[0],
        epilog=(__doc__ or "").partition("\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("configs", nargs="*", metavar="CONFIG", help="of configs/train/net (all)")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"for each policy ({DEALS:,})")
    parser.add_argument("--no-training", action="store_true", help="only measure what is there")
    parser.add_argument("--list", action="store_true", help="neither train nor measure")
    options = parser.parse_args(arguments)
    chosen = options.configs or names()
    for name in chosen:
        if name not in names():
            parser.error(f"unknown config {name!r}{did_you_mean(name, names())}")
    console = Console(stderr=True)
    for number, name in enumerate(chosen, 1):
        plan = Plan(name, options.deals)
        if plan.missing and not options.list:
            console.print(f"{number}/{len(chosen)} {name}: {plan}", highlight=False)
            _do(plan, console, trained=not options.no_training)
        print(f"{name}: {plan}", flush=True)
    return 0


def names() -> list[str]:
    """Of the configs."""
    return [name.removeprefix(FOLDER) for name in pretrained.names() if name.startswith(FOLDER)]


class Plan:
    """What is to be trained and measured by one config."""

    def __init__(self, name: str, deals: int = DEALS) -> None:
        file = find(f"{FOLDER}{name}", "train")
        self.name, self.deals = name, deals
        self.settings = load(TrainSettings, file)
        self.mark = _mark_of_config(file)
        self.folder = RUNS / f"{name}-{self.mark}"

    @property
    def seeds(self) -> list[int]:
        """All that are wanted: that of the config, and those that follow it."""
        return [self.settings.seed + place for place in range(SEEDS)]

    @property
    def shipped(self) -> Path | None:
        """The policy that comes with the package, if it is that of the config's seed."""
        file = pretrained.shipped_as(f"{FOLDER}{self.name}").with_suffix(".npz")
        if not file.exists():
            return None
        notes = read_policy(file).notes
        due = {"seed": self.settings.seed, "iterations": self.settings.iterations}
        return file if due.items() <= dict(notes).items() else None

    @property
    def trained_seeds(self) -> list[int]:
        """Those that are to be trained here."""
        return self.seeds[1:] if self.shipped else self.seeds

    def policy_of(self, seed: int) -> Path:
        """The file of a seed's policy."""
        trained = folder_of_seed(self.folder, seed) / POLICY
        return trained if self.shipped is None or seed in self.trained_seeds else self.shipped

    def is_trained(self, seed: int) -> bool:
        """Is its policy there, and is it the last one of its run?"""
        file = self.policy_of(seed)
        return file.exists() and read_policy(file).notes["iterations"] == self.settings.iterations

    @property
    def kept(self) -> Mapping[str, Any]:
        """What has been measured of this very config and, if it counts, of this shipped policy."""
        found = kept().get(self.name, {})
        rows = found.get("seeds", {}) if found.get("config") == self.mark else {}
        return {seed: row for seed, row in rows.items() if self._is_current(int(seed), row)}

    def _is_current(self, seed: int, row: Mapping[str, Any]) -> bool:
        from_package = self.shipped is not None and seed == self.settings.seed
        wanted = mark_of_file(self.policy_of(seed)) if from_package else row["policy"]
        return bool(row["shipped"] == from_package and row["policy"] == wanted)

    @property
    def missing(self) -> list[int]:
        """The seeds that are not measured yet, or on fewer deals."""
        rows = self.kept
        return [
            seed for seed in self.seeds if rows.get(str(seed), {"deals": 0})["deals"] < self.deals
        ]

    def __str__(self) -> str:
        told = [f"{float(row['margin']):+.2f} ± {row['within']:.2f}" for row in self.kept.values()]
        if self.missing:
            told.append(f"seeds {', '.join(map(str, self.missing))} missing")
        return "; ".join(told)


def _mark_of_config(file: Path) -> str:
    """A hash of what a config says, but for its comments."""
    lines = [line.partition("#")[0].strip() for line in file.read_text("utf-8").splitlines()]
    return sha256("\n".join(filter(None, lines)).encode()).hexdigest()[:12]


def mark_of_file(file: Path) -> str:
    """A hash of a policy file."""
    return sha256(file.read_bytes()).hexdigest()[:12]


def _do(plan: Plan, console: Console, trained: bool) -> None:
    """Measures the shipped policy, if it is to be, and then trains and measures the others."""
    try:
        with claimed(RUNS / f"{plan.folder.name}.claim"):
            _measure(plan, console)
            if trained and plan.missing:
                train(plan)
                _measure(plan, console)
    except Taken as error:
        console.print(f"{plan.name}: left out, {error}", highlight=False, soft_wrap=True)


def _measure(plan: Plan, console: Console) -> None:
    """The seeds that are missing and whose policies are there, whole."""
    for seed in plan.missing:
        if plan.is_trained(seed):
            with console.status(f"{plan.name}, seed {seed}: {plan.deals:,} deals"):
                keep(plan, seed, measured(plan, seed))


def train(plan: Plan) -> None:
    """Trains the seeds by the config, those that were begun from where they are."""
    from domino_env.train.seeds import begun, run_seeds

    first = replace(plan.settings, seed=plan.trained_seeds[0])
    run_seeds(first, len(plan.trained_seeds), plan.folder, resumed=begun(plan.folder))


def measured(plan: Plan, seed: int) -> dict[str, Any]:
    """The margin of a seed's policy over the opponent."""
    settings, began = plan.settings, time.process_time()
    rules = house_rules(settings.game, settings.rules)
    policy = policy_at(plan.policy_of(seed), f"seed {seed}")
    pairing = Pairing(rules, settings.num_players, policy, Entrant(OPPONENT), calls=settings.calls)
    while pairing.deals < plan.deals:
        pairing.play(min(CHUNK, plan.deals - pairing.deals))
    standing = pairing.standing
    return {
        "margin": round(standing.margin, 6),
        "within": round(standing.within, 6),
        "deals": standing.deals,
        "policy": mark_of_file(plan.policy_of(seed)),
        "shipped": plan.policy_of(seed) == plan.shipped,
        "cpu_seconds": round(time.process_time() - began, 3),
    }


def kept() -> dict[str, Any]:
    """What has been measured, by config."""
    if not KEPT.exists():
        return {}
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def keep(plan: Plan, seed: int, row: Mapping[str, Any]) -> None:
    """Puts a seed's figures to those of the others, while nobody else writes."""
    RUNS.mkdir(parents=True, exist_ok=True)
    with waited_for(RUNS / "kept.lock", f"another process that writes {KEPT.name}"):
        rows = {**plan.kept, str(seed): dict(row)}
        own = {"config": plan.mark, "seeds": {each: rows[each] for each in sorted(rows, key=int)}}
        found = {**kept(), plan.name: own}
        ordered = {name: found[name] for name in names() if name in found}
        write_whole(KEPT, json.dumps(ordered, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
