"""Ratings: how strong each entrant is, on one scale, from the deals that each won of each other.

The model of Bradley and Terry: i wins a deal from j with probability 1 / (1 + exp(s_j - s_i)). The
strengths s are maximum-likelihood estimates under a weak Gaussian prior, shown on the Elo scale of
chess, where 400 points are odds of ten to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from domino_env.evaluate.pairing import Standing

Floats = npt.NDArray[np.float64]

ELO = 400 / np.log(10)
PRIOR = 1 / (1000 / ELO) ** 2  # precision; 1000 points of deviation, so that ratings stay finite


@dataclass(frozen=True)
class Rating:
    """A strength in Elo points over the anchor's, and half the width of its 95 % interval."""

    name: str
    points: float
    within: float


def ratings(names: Sequence[str], standings: Sequence[Standing], anchor: str) -> list[Rating]:
    """Ratings by the model of Bradley and Terry, the strongest first; the anchor has 0 points."""
    strengths, spread = bradley_terry(wins_of(names, standings))
    at = list(names).index(anchor)
    points = ELO * (strengths - strengths[at])
    variances = np.diag(spread) + spread[at, at] - 2 * spread[at]
    halves = 1.96 * ELO * np.sqrt(np.maximum(variances, 0))
    found = [
        Rating(name, float(each), float(half))
        for name, each, half in zip(names, points, halves, strict=True)
    ]
    return sorted(found, key=lambda rating: -rating.points)


def wins_of(names: Sequence[str], standings: Sequence[Standing]) -> Floats:
    """How many deals each won of each, a tie being half a win for both."""
    wins = np.zeros((len(names), len(names)))
    place = {name: number for number, name in enumerate(names)}
    for standing in standings:
        first, second = place[standing.first], place[standing.second]
        wins[first, second] += standing.won + standing.tied / 2
        wins[second, first] += standing.lost + standing.tied / 2
    return wins


def bradley_terry(wins: Floats) -> tuple[Floats, Floats]:
    """Maximum a posteriori strengths and their covariance, by Newton's method."""
    met = wins + wins.T
    strengths: Floats = np.zeros(len(wins))
    for _ in range(100):
        probability = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = (wins - met * probability).sum(1) - PRIOR * strengths
        information = met * probability * (1 - probability)
        hessian = np.diag(information.sum(1) + PRIOR) - information
        step = np.linalg.solve(hessian, gradient)
        strengths = strengths + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    return strengths, np.linalg.inv(hessian).astype(np.float64)
