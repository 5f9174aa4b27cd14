"""How fast peers were, and what of that is compared with a benchmark of ours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from domino_env.bench.peers.catalogue import Peer


@dataclass
class Rates:
    """Decisions a second of a peer.

    Attributes:
        versions: of what it was measured with.
        by_size: for each number of games at once, a rate from each repetition.
    """

    peer: Peer
    versions: dict[str, str]
    by_size: dict[int, list[float]] = field(default_factory=dict)

    def beside(self, size: int) -> list[float]:
        """Its rates, for a benchmark of so many games at once."""
        return self.by_size.get(size if self.peer.has_batches else 1, [])

    @property
    def plain(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "name": self.peer.name,
            "measured": self.peer.measured,
            "versions": self.versions,
            "rates": {str(size): rates for size, rates in self.by_size.items()},
        }


@dataclass(frozen=True)
class Comparison:
    """The ratios of our rates to a peer's, one from each repetition."""

    peer: str
    ratios: list[float]

    @property
    def ratio(self) -> float:
        """Their median."""
        return median(self.ratios)

    @property
    def plain(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {"peer": self.peer, "ratio": self.ratio, "ratios": self.ratios}


def compared(ours: list[float], size: int, theirs: Rates) -> Comparison:
    """Ours with a peer's, repetition by repetition."""
    pairs = zip(ours, theirs.beside(size), strict=True)
    return Comparison(theirs.peer.name, [mine / other for mine, other in pairs])


def best_of(found: Iterable[Rates], size: int) -> Rates | None:
    """Who was the fastest with so many games at once."""
    there = [rates for rates in found if rates.beside(size)]
    return max(there, key=lambda rates: median(rates.beside(size)), default=None)
