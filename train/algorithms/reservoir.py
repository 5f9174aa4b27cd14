"""A memory of decisions of all iterations, each as likely to be kept as any other."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from domino_env.train.decisions import Decisions, Numbers, Whole, joined


class Samples(NamedTuple):
    """Some decisions, with a target for each of their rows, and how much that counts."""

    decisions: Decisions
    targets: Numbers
    weights: Numbers

    def some(self, some: Whole) -> Samples:
        """Some of them."""
        rows = self.decisions.rows_of(some)
        return Samples(self.decisions.some(some), self.targets[rows], self.weights[rows])


class Reservoir:
    """Keeps all decisions until there are too many, then half of them at random, and from then on
    half of all new ones, and so on: a sample of all that there were, as a reservoir is.

    Args:
        size: decisions that are kept at most.
        rng: chooses.
    """

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        self._size, self._rng, self._share = size, rng, 1.0
        self._kept: list[Samples] = []

    def __len__(self) -> int:
        """How many decisions it keeps."""
        return sum(len(each.decisions) for each in self._kept)

    def add(self, decisions: Decisions, targets: Numbers, weight: float = 1.0) -> None:
        """Takes the decisions of an iteration, each of which counts so much."""
        seen_by_critic = decisions.observations[:, :0]  # what no policy sees is not kept
        weights = np.full(len(targets), weight, np.float32)
        new = Samples(replace(decisions, seen_by_critic=seen_by_critic), targets, weights)
        self._kept.append(self._thinned(new, self._share))
        while len(self) > self._size:
            self._share /= 2
            self._kept = [self._thinned(each, 0.5) for each in self._kept]

    def minibatch(self, number: int) -> Samples:
        """So many of them at random."""
        if len(self._kept) > 1:
            decisions, targets, weights = zip(*self._kept, strict=True)
            self._kept = [
                Samples(joined([*decisions]), np.concatenate(targets), np.concatenate(weights))
            ]
        return self._kept[0].some(self._rng.integers(0, len(self), number))

    def _thinned(self, some: Samples, share: float) -> Samples:
        if share == 1.0:
            return some
        return some.some(np.flatnonzero(self._rng.random(len(some.decisions)) < share))
