"""Nash averaging: what each agent earns against those who would be played by nobody's fault.

A mean over all opponents can be moved by whoever enters ten copies of an agent that loses to it.
Nash averaging (Balduzzi et al., 2018) weighs opponents by an equilibrium of the game in which two
choose an agent each and earn its margin over the other's: a rating is the margin over that mixture,
0 for all who are in it and less for all others, and neither copies nor weak agents change it. Of
several equilibria it takes the one of the greatest entropy, so that equals have equal masses.

The equilibrium is found by cooling: at each temperature agents are played in proportion to
exp(rating / temperature), a problem with one solution, which Newton's method finds from that of
the temperature before. As the temperature falls the solutions tend to the equilibrium of the
greatest entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from domino_env.evaluate.margin_table import Floats, margin_table
from domino_env.evaluate.pairing import Standing

SAMPLES = 200
COLDEST = 2.0**-24  # relative to the largest margin: masses are right to about as much
STEPS, HALVINGS = 60, 30  # of Newton's method at a temperature, and of a step that is too long
EXACT = 1e-12


@dataclass(frozen=True)
class NashRating:
    """What an agent earns against the equilibrium."""

    name: str
    points: float
    """A round; over several games, in units of each game's usual margin."""
    within: float
    """Half the width of its 95 % interval."""
    mass: float
    """Its share of the equilibrium, from 0 to 1."""


def nash_averaging(
    names: Sequence[str], standings: Sequence[Standing], seed: int = 0
) -> list[NashRating]:
    """The ratings of agents that have met, the best first. Pairings that have not been played count
    as even."""
    table = margin_table(names, standings)
    samples = np.concatenate([table.margins[None], table.samples(SAMPLES, seed)])
    mixtures = equilibria(samples)
    ratings = np.einsum("sij,sj->si", samples, mixtures)
    within = 1.96 * np.sqrt(np.mean((ratings[1:] - ratings[0]) ** 2, 0))
    found = [
        NashRating(name, *map(float, each))
        for name, *each in zip(names, ratings[0], within, mixtures[0], strict=True)
    ]
    return sorted(found, key=lambda rating: (-rating.points, -rating.mass))


def equilibria(margins: Floats) -> Floats:
    """The equilibrium of the greatest entropy of each of some games.

    Args:
        margins: float64[S, N, N], of rows over columns, each antisymmetric.

    Returns:
        float64[S, N]: how often each agent is played.
    """
    number = margins.shape[-1]
    largest = np.abs(margins).max((1, 2), keepdims=True)
    games = margins / np.where(largest > 0, largest, 1.0)
    logs = np.full((len(games), number + 1), -np.log(number))  # and at last a common constant
    logs[:, -1] = 0.0
    temperature = 1.0
    while temperature > COLDEST:
        temperature /= 2
        logs = _settled(games, logs, temperature)
    shares = np.exp(logs[:, :-1])
    return np.asarray(shares / shares.sum(1, keepdims=True))


def _settled(games: Floats, logs: Floats, temperature: float) -> Floats:
    """The logarithms of the shares at a temperature, by Newton's method."""
    missing = _missing(games, logs, temperature)
    for _ in range(STEPS):
        if np.abs(missing).max() < EXACT:
            break
        slopes = _slopes(games, logs, temperature)
        step = np.asarray(np.linalg.solve(slopes, -missing[:, :, None])[:, :, 0], np.float64)
        logs, missing, moved = _stepped(games, logs, missing, step, temperature)
        if not moved:
            break
    return logs


def _stepped(
    games: Floats, logs: Floats, missing: Floats, step: Floats, temperature: float
) -> tuple[Floats, Floats, bool]:
    """A step in each game, halved as often as it takes to come nearer; did any game move?"""
    before, length = _worst(missing), np.ones((len(games), 1))
    for _ in range(HALVINGS):
        new = logs + length * step
        now = _missing(games, new, temperature)
        further = ~((_worst(now) < before) | (before < EXACT))
        if not further.any():
            break
        length[further] /= 2
    new, now = np.where(further[:, None], logs, new), np.where(further[:, None], missing, now)
    return new, now, not further.all()


def _missing(games: Floats, logs: Floats, temperature: float) -> Floats:
    """How far the logarithms are from ratings over the temperature, and shares from a sum of 1."""
    with np.errstate(over="ignore", invalid="ignore"):
        shares = np.exp(logs[:, :-1])
        ratings = np.einsum("sij,sj->si", games, shares)
        apart = temperature * logs[:, :-1] - ratings - logs[:, -1:]
        return np.concatenate([apart, shares.sum(1, keepdims=True) - 1], axis=1)


def _worst(missing: Floats) -> Floats:
    """The greatest of what is missing, in each game."""
    return np.asarray(np.abs(missing).max(1))


def _slopes(games: Floats, logs: Floats, temperature: float) -> Floats:
    """The derivatives of what is missing."""
    number, shares = games.shape[-1], np.exp(logs[:, :-1])
    slopes = np.zeros((len(games), number + 1, number + 1))
    slopes[:, :-1, :-1] = temperature * np.eye(number) - games * shares[:, None, :]
    slopes[:, :-1, -1] = -1.0
    slopes[:, -1, :-1] = shares
    return slopes
