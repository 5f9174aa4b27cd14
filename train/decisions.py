"""Decisions of the learner's seats, as its networks take them.

A decision has as many rows as there are legal actions. The rows of all decisions stand one after
the other, in the order of `Batch.legal`, with no padding between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches import Histories

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]
Graphs = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Decisions:
    """What is seen at some decisions."""

    observations: Numbers
    """[n, F]: of the seat that decides."""
    seen_by_critic: Numbers
    """[n, F]: the same, or [n, P * F]: of all seats, for a critic that may see every hand."""
    counts: Whole
    """[n]: how many legal actions there are."""
    legal: Whole
    """[R]: the legal actions."""
    moves: Numbers
    """[R, K]: their features; K is 0 for networks that take none."""
    prior: Numbers
    """[R]: logits that are added to those of the network."""
    graphs: Graphs
    """[R, V, D]: the graphs of the actions; D is 0 for networks that take none."""
    histories: Histories | None = None
    """What each seat that decides has witnessed, for networks that read it."""

    def __len__(self) -> int:
        """How many decisions."""
        return len(self.counts)

    @property
    def seen_alike(self) -> bool:
        """Does the critic see the observations, which are then kept once?"""
        return self.seen_by_critic is self.observations

    @property
    def owners(self) -> Whole:
        """[R]: of which decision each row is."""
        return np.repeat(np.arange(len(self)), self.counts)

    @property
    def firsts(self) -> Whole:
        """[n]: where the rows of each decision begin."""
        firsts: Whole = np.cumsum(self.counts) - self.counts
        return firsts

    def rows_of(self, some: Whole) -> Whole:
        """The places of the rows of some decisions, in the order of these."""
        return places_of(self.counts, some)

    def some(self, some: Whole) -> Decisions:
        """Some of the decisions, in this order."""
        rows, observations = self.rows_of(some), self.observations.take(some, 0)
        return Decisions(
            observations,
            observations if self.seen_alike else self.seen_by_critic.take(some, 0),
            self.counts[some],
            self.legal[rows],
            self.moves.take(rows, 0),
            self.prior[rows],
            self.graphs[rows],
            self._histories_of(some),
        )

    def _histories_of(self, some: Whole) -> Histories | None:
        if self.histories is None:
            return None
        events, lengths = self.histories
        return Histories(events[places_of(lengths, some)], lengths[some])

    def dense(self, numbers: npt.NDArray[Any], num_actions: int) -> npt.NDArray[Any]:
        """[n, A]: numbers of the rows as a column for each action; 0 for those not legal."""
        found = np.zeros((len(self), num_actions), numbers.dtype)
        found[self.owners, self.legal] = numbers
        return found


def places_of(counts: Whole, some: Whole) -> Whole:
    """The places of what belongs to some of those that have so many each, in the order of these."""
    firsts, counts = (np.cumsum(counts) - counts)[some], counts[some]
    ends = np.cumsum(counts)
    steps = np.arange(ends[-1] if len(ends) else 0)
    places: Whole = steps + np.repeat(firsts - ends + counts, counts)
    return places


def joined(several: list[Decisions]) -> Decisions:
    """Several lots of decisions as one."""

    def together(name: str) -> Any:
        return np.concatenate([getattr(each, name) for each in several])

    observations = together("observations")
    alike = all(each.seen_alike for each in several)
    critic = observations if alike else together("seen_by_critic")
    names = ("counts", "legal", "moves", "prior", "graphs")
    columns = {name: together(name) for name in names}
    histories = _joined_histories([each.histories for each in several])
    return Decisions(observations, critic, **columns, histories=histories)


def _joined_histories(several: list[Histories | None]) -> Histories | None:
    given = [each for each in several if each is not None]
    if not given:
        return None
    return Histories(*(np.concatenate(parts) for parts in zip(*given, strict=True)))
