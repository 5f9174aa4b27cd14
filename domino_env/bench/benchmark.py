"""A benchmark: what is measured, its figures, and the targets that it is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.table import Table

OPENSPIEL = "× OpenSpiel"  # the unit of benchmarks that are compared with it
LOWER_IS_BETTER = ("s", "MB")  # units; of all others more is better


@dataclass
class Benchmark:
    """One line of the table.

    Attributes:
        measure: takes the seconds that it may run, and gives a rate or another figure.
        minimum: the worst figure that is acceptable.
        target: the figure that we want.
        unit: of the figure, the minimum and the target.
        needs: modules without which it cannot be measured.
        rates: what `measure` gave, once for each repetition.
        ratios: the same in the unit, for most of them divided by what OpenSpiel did.
    """

    name: str
    measure: Callable[[float], float]
    minimum: float
    target: float
    unit: str = OPENSPIEL
    needs: tuple[str, ...] = ()
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of what was measured."""
        return median(self.rates)

    @property
    def figure(self) -> float:
        """The median in the unit, which is held against the targets."""
        return median(self.ratios)

    @property
    def lower_is_better(self) -> bool:
        """Must the figure be lower than its targets? It is so for times and memory."""
        return self.unit in LOWER_IS_BETTER

    @property
    def verdict(self) -> str:
        """How the figure stands to its targets."""
        sign = -1 if self.lower_is_better else 1
        if sign * self.figure >= sign * self.target:
            return "target reached"
        return "acceptable" if sign * self.figure >= sign * self.minimum else "MISSED"

    @property
    def plain(self) -> dict[str, Any]:
        """All of it but the measurement, for JSON."""
        names = ("name", "minimum", "target", "unit", "rates", "ratios")
        kept = {name: getattr(self, name) for name in names}
        return {**kept, "figure": self.figure, "verdict": self.verdict}


def table_of(benchmarks: list[Benchmark], openspiel: float | None, repeats: int) -> Table:
    """The figures beside their targets."""
    title = f"Decisions a second, one core, medians of {repeats}"
    if openspiel is not None:
        title += f"; OpenSpiel's python_block_dominoes: {openspiel:,.0f}"
    table = Table(title=title, title_justify="left")
    table.add_column("benchmark")
    for column in ("decisions/s", "figure", "minimum", "target"):
        table.add_column(column, justify="right")
    table.add_column("verdict")
    for each in benchmarks:
        rate = f"{each.rate:,.0f}" if each.unit == OPENSPIEL else ""
        bound = "≤" if each.lower_is_better else "≥"
        limits = [f"{bound} {value:,.4g}" for value in (each.minimum, each.target)]
        table.add_row(each.name, rate, f"{each.figure:,.4g} {each.unit}", *limits, each.verdict)
    return table
