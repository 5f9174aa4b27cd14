"""What is counted in an episode beside the play itself: retries, forfeits, and moves that chance
has made. They never mix with the points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """The counts of an episode, by seat."""

    seats: int
    retries: list[int] = field(default_factory=list)
    forfeits: list[int] = field(default_factory=list)
    random_moves: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for counts in (self.retries, self.forfeits, self.random_moves):
            counts[:] = [0] * self.seats

    @property
    def by_seat(self) -> dict[str, list[int]]:
        """The counts by their names."""
        return {
            "retries": list(self.retries),
            "forfeits": list(self.forfeits),
            "random_moves": list(self.random_moves),
        }

    def as_info(self) -> dict[str, Any]:
        """The sums, and the counts by seat."""
        by_seat = self.by_seat
        return {**{name: sum(counts) for name, counts in by_seat.items()}, "by_seat": by_seat}
