"""Statistics of paired differences: confidence intervals, and what duplicate deals save."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def ci95_half_width(values: Floats) -> float:
    """Half the width of the 95 % confidence interval of a mean, by the normal approximation."""
    return 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def equivalent_independent_games(margins: Floats) -> float | None:
    """The effective sample size of duplicate deals, float[deals, games of each]: how many games on
    deals of their own would have as narrow a confidence interval. None if no deal differs from
    another."""
    variance = float(margins.mean(1).var(ddof=1))
    if variance < 1e-12:
        return None
    return len(margins) * float(margins.var()) / variance
