"""Statistics of paired differences: confidence intervals, and what duplicate deals save."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Of Student's distribution, two-sided 95 %, for 1 to 10 degrees of freedom; more count as 10.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)

Floats = npt.NDArray[np.float64]


def ci95_half_width(values: Floats) -> float:
    """Half the width of the 95 % confidence interval of a mean, by the normal approximation."""
    return 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def ci95_of_few(values: Floats) -> float:
    """Half the width of the 95 % confidence interval of a mean of few values, like those of some
    seeds, by Student's distribution."""
    freedom = len(values) - 1
    times = _STUDENT[min(freedom, len(_STUDENT)) - 1]
    return times * float(values.std(ddof=1)) / len(values) ** 0.5


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
