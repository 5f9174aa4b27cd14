"""alpha-rank: which agents remain where what earns more displaces what earns less, again and again.

A rating is one number, and cannot say that each of three agents beats the next. alpha-rank
(Omidshafiei et al., 2019) can: a population plays one agent, now and then a mutant plays another,
and takes the population over if it beats it. How much of the time each agent is played in the long
run is its mass: 1 for one that beats everybody, a third for each of three in a circle. Here
selection is as strong as can be, so that only who beats whom counts; and since margins are
measured, masses are means over what the margins may be by their intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from domino_env.evaluate.pairing import Standing

Floats = npt.NDArray[np.float64]

SAMPLES = 1000
RARE = 1e-6  # how often what earns less takes over all the same: so no agent is played for ever


@dataclass(frozen=True)
class Mass:
    """How much of the time an agent is played in the long run, from 0 to 1."""

    name: str
    mass: float


def alpha_rank(names: Sequence[str], standings: Sequence[Standing], seed: int = 0) -> list[Mass]:
    """The masses of agents that have met, the greatest first. Pairings that have not been played
    count as even."""
    margins, errors = _margins_of(names, standings)
    rng = np.random.default_rng(seed)
    upper = np.triu(np.ones_like(errors), 1)
    total = np.zeros(len(names))
    for _ in range(SAMPLES):
        luck = rng.standard_normal(errors.shape) * errors * upper
        total += masses(margins + luck - luck.T)
    found = [Mass(name, float(each)) for name, each in zip(names, total / SAMPLES, strict=True)]
    return sorted(found, key=lambda each: -each.mass)


def masses(margins: Floats) -> Floats:
    """The masses for margins that are known: of each row over each column."""
    number = len(margins)
    beats = np.where(margins > 0, 1.0 - RARE, RARE)
    beats[margins == 0] = 0.5
    moves = beats.T / max(number - 1, 1)  # from row to column: does the column beat the row?
    np.fill_diagonal(moves, 0.0)
    np.fill_diagonal(moves, 1 - moves.sum(1))
    stays = np.vstack([moves.T - np.eye(number), np.ones(number)])
    found, *_ = np.linalg.lstsq(stays, np.eye(number + 1)[number], rcond=None)
    found = np.maximum(found, 0.0)
    return np.asarray(found / found.sum())


def _margins_of(names: Sequence[str], standings: Sequence[Standing]) -> tuple[Floats, Floats]:
    """The margin of each over each, and its standard error; means where they met in several games,
    each game in the unit of its own margins."""
    place = {name: number for number, name in enumerate(names)}
    scale = _usual_margins(standings)
    total, squares, met = np.zeros((3, len(names), len(names)))
    for standing in standings:
        first, second = place[standing.first], place[standing.second]
        unit = scale[standing.game]
        total[first, second] += standing.margin / unit
        total[second, first] -= standing.margin / unit
        for pair in ((first, second), (second, first)):
            squares[pair] += (standing.within / 1.96 / unit) ** 2
            met[pair] += 1
    met = np.maximum(met, 1)
    return total / met, np.sqrt(squares) / met


def _usual_margins(standings: Sequence[Standing]) -> dict[str, float]:
    """The root mean square of the margins of each game."""
    found: dict[str, list[float]] = {}
    for standing in standings:
        found.setdefault(standing.game, []).append(standing.margin**2)
    return {game: float(np.sqrt(np.mean(each))) or 1.0 for game, each in found.items()}
