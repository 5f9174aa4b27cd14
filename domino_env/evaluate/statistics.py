"""Statistics of paired differences, of families of them, and of runs that were repeated: confidence
intervals, tests, and what duplicate deals save."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Of Student's distribution, two-sided 95 %, for 1 to 10 degrees of freedom; more count as 10.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)

Floats = npt.NDArray[np.float64]

RESAMPLES = 2000


def ci95_half_width(values: Floats) -> float:
    """Half the width of the 95 % confidence interval of a mean, by the normal approximation."""
    return 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def ci95_of_few(values: Floats) -> float:
    """Half the width of the 95 % confidence interval of a mean of few values, like those of some
    seeds, by Student's distribution."""
    freedom = len(values) - 1
    times = _STUDENT[min(freedom, len(_STUDENT)) - 1]
    return times * float(values.std(ddof=1)) / len(values) ** 0.5


class Ratio(NamedTuple):
    """A ratio, and half the width of its 95 % confidence interval."""

    value: float
    within: float


def ratio_of_means(over: Floats, under: Floats) -> Ratio | None:
    """The ratio of the means of two samples in pairs, with an interval by the delta method: as that
    of a mean of what the pairs are off the ratio. None if the denominator is not clear of 0 by its
    own interval: then there is nothing that the other could be a share of."""
    whole = float(under.mean())
    if whole <= ci95_half_width(under):
        return None
    value = float(over.mean()) / whole
    return Ratio(value, ci95_half_width(over - value * under) / whole)


def equivalent_independent_games(margins: Floats, by_deal: Floats | None = None) -> float | None:
    """The effective sample size of duplicate deals: how many games on deals of their own would have
    as narrow a confidence interval. None if no deal differs from another.

    Args:
        margins: as they were played, float[deals, games of each].
        by_deal: what is made of them, float[deals]; by default the mean over the games of a deal.
    """
    samples = margins.mean(1) if by_deal is None else by_deal
    variance = float(samples.var(ddof=1))
    if variance < 1e-12:
        return None
    return len(margins) * float(margins.var()) / variance


def less_luck(samples: Floats, luck: Floats) -> Floats:
    """Samples less a control variate, whose expectation is 0: as much of it as leaves the least
    variance. How much that is, is found for one half of the samples from the other, so that their
    mean stays exactly unbiased."""
    found = samples.copy()
    evens, odds = slice(0, None, 2), slice(1, None, 2)
    for half, other in ((evens, odds), (odds, evens)):
        found[half] -= _slope(samples[other], luck[other]) * luck[half]
    return found


def _slope(samples: Floats, luck: Floats) -> float:
    """Of the samples over the luck."""
    around = luck - luck.mean() if len(luck) > 1 else luck
    squares = float((around * around).sum())
    return float((around * samples).sum()) / squares if squares > 0 else 1.0


# Many means at once ------------------------------------------------------------------------------


class Mean(NamedTuple):
    """The mean of a sample, half the width of its 95 % confidence interval, and its size."""

    value: float
    within: float
    samples: int

    def and_then(self, other: Mean) -> Mean:
        """The mean of both samples together: as if all had been there at once."""
        samples = self.samples + other.samples
        apart = other.value - self.value
        squares = self._squares + other._squares
        squares += apart * apart * self.samples * other.samples / samples
        value = self.value + apart * other.samples / samples
        return Mean(value, 1.96 * sqrt(squares / (samples - 1) / samples), samples)

    @property
    def _squares(self) -> float:
        """Of the distances from the mean, added up."""
        return (self.within / 1.96) ** 2 * self.samples * (self.samples - 1)


def mean_of(values: Floats) -> Mean:
    """The mean of two values or more."""
    return Mean(float(values.mean()), ci95_half_width(values), len(values))


def p_value(mean: float, within: float) -> float:
    """How likely a mean at least so far from 0 would be if the true one were 0, by the normal
    approximation: below .05 where half the width of its 95 % interval does not reach 0."""
    if within <= 0:
        return 1.0 if mean == 0 else 0.0
    return erfc(abs(mean) * 1.96 / within / sqrt(2))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of a family of tests, adjusted by Holm's step-down method: of all that come out
    below .05 not even one is a false alarm in 95 % of such families, whether or not the tests
    depend on one another."""
    adjusted, worst = [0.0] * len(p_values), 0.0
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for rank, place in enumerate(order):
        worst = max(worst, min(1.0, p_values[place] * (len(order) - rank)))
        adjusted[place] = worst
    return adjusted


# Repeated runs -----------------------------------------------------------------------------------


class Aggregate(NamedTuple):
    """The interquartile mean of repeated runs, and its 95 % interval."""

    mean: float
    low: float
    high: float


def aggregate(scores: Floats, seed: int = 0) -> Aggregate:
    """What repeated runs come to, float[tasks, runs], as Agarwal et al. (2021) advise for few runs:
    the interquartile mean over all of them, and the percentiles of a stratified bootstrap, which
    draws the runs of each task anew."""
    tasks, runs = scores.shape
    drawn = np.random.default_rng(seed).integers(runs, size=(RESAMPLES, tasks, runs))
    resampled = np.take_along_axis(scores[None], drawn, axis=2)
    low, high = np.percentile(interquartile_mean(resampled), [2.5, 97.5])
    return Aggregate(float(interquartile_mean(scores[None])[0]), float(low), float(high))


def interquartile_mean(scores: Floats) -> Floats:
    """The mean of the middle half of the scores of each experiment, float[N, tasks, runs]: of all
    of them a quarter, rounded down, is left out at each end."""
    ordered = np.sort(scores.reshape(len(scores), -1), axis=1)
    cut = ordered.shape[1] // 4
    mean: Floats = ordered[:, cut : ordered.shape[1] - cut].mean(1)
    return mean
