"""A benchmark: what is measured, its figures, and the targets that it is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from domino_env.bench.peers import catalogue
from domino_env.bench.peers.catalogue import PEERS, Peer
from domino_env.bench.peers.rates import Comparison, Rates, best_of, compared

OPENSPIEL = f"× {catalogue.OPENSPIEL}"  # units of benchmarks that are held against a peer
TRIPLETRIAD = f"× {catalogue.TRIPLETRIAD}"
LOWER_IS_BETTER = ("s", "ms", "KB", "MB")  # units; of all others more is better


@dataclass
class Benchmark:
    """One line of the table.

    Attributes:
        measure: takes the seconds that it may run, and gives a rate or another figure.
        minimum: the worst figure that is acceptable.
        target: the figure that we want.
        unit: of the figure, the minimum and the target.
        needs: modules without which it cannot be measured.
        size: the games at once, of a benchmark that is compared with peers of that size.
        leads: is it in the table that stands above the others?
        rates: what `measure` gave, once for each repetition.
        ratios: the same in the unit, for some of them divided by what a peer did; none if that peer
            was left out.
        best: the same, divided by what the best of the peers did.
    """

    name: str
    measure: Callable[[float], float]
    minimum: float
    target: float
    unit: str = OPENSPIEL
    needs: tuple[str, ...] = ()
    size: int | None = None
    leads: bool = False
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    best: Comparison | None = None

    @property
    def peer(self) -> Peer | None:
        """Whom the unit names."""
        return next((peer for peer in PEERS if self.unit == f"× {peer.name}"), None)

    def compare(self, found: Iterable[Rates]) -> None:
        """Forms the ratios, when all has been measured."""
        found, size = list(found), self.size or 1
        self.ratios = self.rates[:]
        if self.peer:
            held = [rates for rates in found if rates.peer is self.peer]
            self.ratios = compared(self.rates, size, held[0]).ratios if held else []
        if self.size and (best := best_of(found, size)):
            self.best = compared(self.rates, size, best)

    @property
    def rate(self) -> float:
        """The median of what was measured."""
        return median(self.rates)

    @property
    def figure(self) -> float | None:
        """The median in the unit, which is held against the targets."""
        return median(self.ratios) if self.ratios else None

    @property
    def lower_is_better(self) -> bool:
        """Must the figure be lower than its targets? It is so for times and memory."""
        return self.unit in LOWER_IS_BETTER

    @property
    def verdict(self) -> str:
        """How the figure stands to its targets."""
        if self.figure is None:
            return "not compared"
        sign = -1 if self.lower_is_better else 1
        if sign * self.figure >= sign * self.target:
            return "target reached"
        return "acceptable" if sign * self.figure >= sign * self.minimum else "MISSED"

    @property
    def plain(self) -> dict[str, Any]:
        """All of it but the measurement, for JSON."""
        names = ("name", "size", "leads", "minimum", "target", "unit", "rates", "ratios")
        kept = {name: getattr(self, name) for name in names}
        best = self.best and self.best.plain
        return {**kept, "best": best, "figure": self.figure, "verdict": self.verdict}
