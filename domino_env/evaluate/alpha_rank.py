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

from domino_env.evaluate.margin_table import Floats, margin_table
from domino_env.evaluate.pairing import Standing

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
    samples = margin_table(names, standings).samples(SAMPLES, seed)
    mean = np.mean([masses(each) for each in samples], 0)
    found = [Mass(name, float(each)) for name, each in zip(names, mean, strict=True)]
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
