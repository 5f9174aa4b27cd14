"""How good an algorithm is after so many seconds of processor time.

    from domino_env.train.algorithms.curve import learn
    from domino_env.train.algorithms.hyperparameters import AlgorithmSettings

    points = learn(AlgorithmSettings(algorithm="mmd", game="block_3"), seconds=10)
    points[-1].exploitability

On a mini game that is exact exploitability; on a game of full size, what it earns over `heuristic`
on duplicate deals that it has not seen (`learn_full_size`). Only steps count, not the measuring.
The clock begins after the first step, in which kernels may be compiled.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import solve
from domino_env.agents import Agent
from domino_env.agents.heuristic import Heuristic
from domino_env.errors import BadOption, is_whole
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.train.algorithms.arena import Arena, arena_of
from domino_env.train.algorithms.catalogue import start
from domino_env.train.algorithms.contract import Algorithm
from domino_env.train.algorithms.hyperparameters import SHARES, AlgorithmSettings
from domino_env.train.measuring import FIRST_DEAL, must_be_seconds

DEALS = 10_000
MOST_DEALS = 1_000_000
_CHUNK = 2000  # deals that are played side by side

Watch = Callable[[float], None]


@dataclass(frozen=True)
class Measured:
    """An algorithm at some time.

    Attributes:
        seconds: of processor time that it has learned.
        iterations, decisions: so far.
        exploitability: in points a round.
    """

    seconds: float
    iterations: int
    decisions: int
    exploitability: float

    def to_plain(self) -> dict[str, Any]:
        """As it is kept in files."""
        return asdict(self)


@dataclass(frozen=True)
class Strength:
    """An algorithm in a game of full size.

    Attributes:
        seconds, iterations, decisions: as of `Measured`.
        margin: points a round over `heuristic`.
        within: half the 95 % confidence interval of the margin.
        deals: duplicate deals on which that was measured.
    """

    seconds: float
    iterations: int
    decisions: int
    margin: float
    within: float
    deals: int

    def to_plain(self) -> dict[str, Any]:
        """As it is kept in files."""
        return asdict(self)


def _unwatched(done: float) -> None:
    """Nobody wants to know."""


def learn(settings: AlgorithmSettings, seconds: float, watch: Watch = _unwatched) -> list[Measured]:
    """The curve of one run on a mini game.

    Args:
        settings: of the algorithm.
        seconds: of processor time.
        watch: told now and then which part of the time has gone, from 0 to 1.
    """
    must_be_seconds(seconds)
    tree = arena_of(settings.game, settings.rules).tree
    algorithm = start(settings)
    clock, found = Clock(algorithm, seconds, watch), []
    for share in SHARES:
        spent = clock.run(share)
        lost = solve.exploitability(tree, algorithm.policy(tree))
        found.append(Measured(spent, algorithm.iterations, algorithm.decisions, lost))
    return found


def learn_full_size(
    settings: AlgorithmSettings, seconds: float, deals: int = DEALS, watch: Watch = _unwatched
) -> Strength:
    """One run on a game of full size: how strong it is in the end."""
    must_be_seconds(seconds)
    if not is_whole(deals) or not 2 <= deals <= MOST_DEALS:
        raise BadOption(f"deals must be a whole number from 2 to {MOST_DEALS}, not {deals!r}")
    arena = arena_of(settings.game, settings.rules)
    algorithm = start(settings)
    spent = Clock(algorithm, seconds, watch).run(1.0)
    margins = margins_over(algorithm.player(), Heuristic(), arena, deals)
    return Strength(
        spent,
        algorithm.iterations,
        algorithm.decisions,
        float(margins.mean()),
        ci95_half_width(margins),
        deals,
    )


class Clock:
    """Has an algorithm take steps for some seconds of processor time; the first step counts for
    nothing."""

    def __init__(self, algorithm: Algorithm, seconds: float, watch: Watch = _unwatched) -> None:
        self._algorithm, self._seconds, self._watch = algorithm, seconds, watch
        self._spent = 0.0
        algorithm.step()

    def run(self, share: float) -> float:
        """Steps until this share of the time has gone; answers with the seconds so far."""
        while self._spent < share * self._seconds:
            began = time.process_time()
            self._algorithm.step()
            self._spent += time.process_time() - began
            self._watch(min(1.0, self._spent / self._seconds))
        return round(self._spent, 3)


def margins_over(ours: Agent, theirs: Agent, arena: Arena, deals: int) -> npt.NDArray[np.float64]:
    """Points a round that one earns over the other on each of some duplicate deals."""
    found = []
    for first in range(0, deals, _CHUNK):
        number = min(_CHUNK, deals - first)
        found.append(arena.duplicate_margins(ours, theirs, FIRST_DEAL + first, number))
    return np.concatenate(found)
