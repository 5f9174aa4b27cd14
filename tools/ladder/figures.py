"""What has been measured on the ladder: a file for each rung in docs/ladder, a line for each
pairing. Processes side by side take turns with a file, and lose none of each other's figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from domino_env.evaluate.pairing import Standing
from domino_env.evaluate.statistics import Mean
from domino_env.files import write_whole
from domino_env.locks import waited_for
from tools.architecture import ROOT

FOLDER = ROOT / "docs" / "ladder"
RUNS = ROOT / "runs" / "ladder"  # locks


@dataclass(frozen=True)
class Figures:
    """A pairing: the mean margin of the first over the second in points a round."""

    first: str
    second: str
    deals: int
    margin: float
    within: float
    """Half the width of its 95 % confidence interval."""
    won: int
    tied: int
    lost: int
    cpu_seconds: float
    weights: Mapping[str, str]
    """What each of them played by: see `pairings.fingerprint`."""

    @property
    def mean(self) -> Mean:
        """Its margin as a mean over deals."""
        return Mean(self.margin, self.within, self.deals)

    def and_then(self, later: Figures) -> Figures:
        """With further deals of the same pairing."""
        mean = self.mean.and_then(later.mean)
        return replace(
            self,
            deals=mean.samples,
            margin=mean.value,
            within=mean.within,
            won=self.won + later.won,
            tied=self.tied + later.tied,
            lost=self.lost + later.lost,
            cpu_seconds=round(self.cpu_seconds + later.cpu_seconds, 3),
        )


def figures_of(
    standing: Standing, names: tuple[str, str], cpu_seconds: float, weights: Mapping[str, str]
) -> Figures:
    """Of a pairing that has been played."""
    return Figures(
        *names,
        standing.deals,
        standing.margin,
        standing.within,
        standing.won,
        standing.tied,
        standing.lost,
        round(cpu_seconds, 3),
        weights,
    )


class Kept:
    """What is kept of one rung: facts that hold for all its pairings, and the pairings."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.facts = {name: value for name, value in plain.items() if name != "pairings"}
        rows = [Figures(**row) for row in plain.get("pairings", [])]
        self.pairings = {(row.first, row.second): row for row in rows}

    def to_text(self) -> str:
        """As a file: a line for each fact and each pairing."""
        rows = [self.pairings[pair] for pair in sorted(self.pairings)]
        facts = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in self.facts.items()]
        lines = ",\n".join(f"  {json.dumps(asdict(row))}" for row in rows)
        facts.append(f' "pairings": [\n{lines}\n ]')
        return "{\n" + ",\n".join(facts) + "\n}\n"


def kept(stem: str) -> Kept:
    """What is kept of a rung, by the stem of its file."""
    file = FOLDER / f"{stem}.json"
    return Kept(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {})


def change(stem: str, how: Callable[[Kept], None]) -> None:
    """Changes what is kept of a rung, while nobody else does."""
    RUNS.mkdir(parents=True, exist_ok=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with waited_for(RUNS / f"{stem}.lock", f"another process that writes {stem}.json"):
        found = kept(stem)
        how(found)
        write_whole(FOLDER / f"{stem}.json", found.to_text(), synced=False)
