"""Moves compared in the same worlds, each with the weight of its likelihood.

What a move gains in a world is added up with the world's weight, and so are the squares of the
differences of each two moves, which say how sure a comparison is.
"""

from __future__ import annotations

from math import exp, inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import Weights
from domino_env.compiling import kernel, small

PRUNED_AT = 3.0**2  # a move is pruned when it is three standard errors behind; squared


class MoveStats(NamedTuple):
    """Statistics of the moves of a decision, over worlds weighted by their likelihood."""

    gained: Weights  # [M]: weighted sum of gains
    squares: Weights  # [M, M]: sum of squared differences of two moves
    tried: npt.NDArray[np.bool_]  # [M]: not pruned yet
    latest: Weights  # [M]: gains in one world
    likelihood_temper: Weights  # [1]: exponent of likelihoods, up to 1; 0: not chosen yet
    highest: Weights  # [1]: the log-likelihood that has weight 1


def new_stats(moves: int) -> MoveStats:
    """Of so many moves, before any has been tried."""
    return MoveStats(
        gained=np.zeros(moves),
        squares=np.zeros((moves, moves)),
        tried=np.ones(moves, np.bool_),
        latest=np.zeros(moves),
        likelihood_temper=np.zeros(1),
        highest=np.full(1, -inf),
    )


@kernel
def find_temper(log_likelihoods: Weights, worlds: int, least_effective: float) -> float:
    """The largest exponent of the likelihoods that leaves an effective sample size of such a part
    of the worlds: untempered, after many decisions of others, one or two worlds would have all the
    weight."""
    temper = 1.0
    least = least_effective * worlds
    while temper > 0.01 and effective_sample_size(log_likelihoods, worlds, temper) < least:
        temper *= 0.8
    return temper


@kernel
def effective_sample_size(log_likelihoods: Weights, worlds: int, temper: float) -> float:
    """Kish's effective sample size of tempered likelihoods."""
    highest, total, squares = -inf, 0.0, 0.0
    for world in range(worlds):
        highest = max(highest, log_likelihoods[world])
    for world in range(worlds):
        weight = exp(temper * (log_likelihoods[world] - highest))
        total += weight
        squares += weight * weight
    return total * total / squares


@kernel
def weigh_worlds(worlds: int, world_weights: Weights, stats: MoveStats) -> float:
    """Turns log-likelihoods into weights, 1 for the likeliest world so far; returns their mean."""
    highest = stats.highest[0]
    for world in range(worlds):
        world_weights[world] *= stats.likelihood_temper[0]
    for world in range(worlds):
        highest = max(highest, world_weights[world])
    rescale(stats, exp(stats.highest[0] - highest))
    stats.highest[0] = highest
    total = 0.0
    for world in range(worlds):
        world_weights[world] = exp(world_weights[world] - highest)
        total += world_weights[world]
    return total / worlds


@small
def rescale(stats: MoveStats, factor: float) -> None:
    """Rescales all gains so far to a new unit of weight."""
    for move in range(len(stats.gained)):
        stats.gained[move] *= factor
        for other in range(len(stats.gained)):
            stats.squares[move, other] *= factor * factor


@kernel
def prune(stats: MoveStats) -> None:
    """Prunes moves that are clearly behind the best, or equal to it in every world."""
    best = -1
    for move in range(len(stats.gained)):
        if stats.tried[move] and (best < 0 or stats.gained[move] > stats.gained[best]):
            best = move
    for move in range(len(stats.gained)):
        behind = stats.gained[best] - stats.gained[move]
        squares = stats.squares[max(move, best), min(move, best)]
        if move != best and behind * behind >= PRUNED_AT * squares:
            stats.tried[move] = False


@small
def thinned(weight: float, usual: float, waiting: float) -> tuple[float, float]:
    """Of the less likely worlds only some are played out, with the weight of the others (systematic
    resampling): the weight of this one then, or 0, and the weight that has been passed over."""
    if weight >= usual:
        return weight, waiting
    waiting += weight
    if waiting < usual:
        return 0.0, waiting
    return usual, waiting - usual


@small
def note_gain(stats: MoveStats, move: int, gain: float) -> None:
    """Notes the weighted gain of a move in a world, after those of the moves before it."""
    stats.gained[move] += gain
    stats.latest[move] = gain
    for other in range(move):
        stats.squares[move, other] += (gain - stats.latest[other]) ** 2
