"""What has been measured: docs/reference_algorithms.json."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, NamedTuple

from domino_env.bench.one_core import processor
from domino_env.files import write_whole
from tools.architecture import ROOT

KEPT = ROOT / "docs" / "reference_algorithms.json"
PACKAGES = ("open_spiel", "torch", "cvxpy", "numpy")


class Run(NamedTuple):
    """A run: of OpenSpiel's algorithm ("open_spiel") or of ours ("ours")."""

    game: str
    of: str
    algorithm: str
    seed: int = 0


@dataclass
class Found:
    """Measured runs with their points, and how far policies of the same algorithms are apart."""

    runs: dict[Run, list[dict[str, Any]]] = field(default_factory=dict)
    agreement: dict[tuple[str, str], float] = field(default_factory=dict)
    with_what: dict[str, str] = field(default_factory=dict)

    def has(self, run: Run) -> bool:
        """Has it been measured?"""
        return run in self.runs

    def put(self, run: Run, points: list[dict[str, Any]]) -> None:
        """It has been measured now."""
        self.runs[run] = points
        versions = {name: version(name) for name in PACKAGES}
        self.with_what = {"machine": processor(), **versions}

    def compared(self, game: str, algorithm: str) -> bool:
        """Is it known how far ours and theirs are apart?"""
        return (game, algorithm) in self.agreement

    def agree(self, game: str, algorithm: str, apart: float) -> None:
        """So far they are apart."""
        self.agreement[game, algorithm] = float(f"{apart:.2g}")


def kept() -> Found:
    """What has been measured so far."""
    if not KEPT.exists():
        return Found()
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    runs = {Run(*map(row.get, Run._fields)): row["points"] for row in found.pop("runs")}
    agreement = {(row["game"], row["algorithm"]): row["apart"] for row in found.pop("agreement")}
    return Found(runs, agreement, found)


def keep(found: Found) -> None:
    """Writes it, with a line for each run."""
    runs = [{**run._asdict(), "points": points} for run, points in sorted(found.runs.items())]
    agreement = [
        {"game": game, "algorithm": algorithm, "apart": apart}
        for (game, algorithm), apart in sorted(found.agreement.items())
    ]
    about = [f' "{name}": {json.dumps(text)}' for name, text in found.with_what.items()]
    lists = [
        f' "{name}": [\n  ' + ",\n  ".join(map(json.dumps, rows)) + "\n ]"
        for name, rows in (("agreement", agreement), ("runs", runs))
    ]
    write_whole(KEPT, "{\n" + ",\n".join([*about, *lists]) + "\n}\n")
