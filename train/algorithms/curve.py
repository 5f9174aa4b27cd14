"""How exploitable an algorithm is after so many seconds of processor time, exactly.

    from domino_env.train.algorithms.curve import learn
    from domino_env.train.algorithms.hyperparameters import AlgorithmSettings

    points = learn(AlgorithmSettings(algorithm="mmd", game="block_3"), seconds=10)
    points[-1].exploitability

Only steps count, not the measuring. The clock begins after the first step, in which kernels may be
compiled; points are measured at a tenth of the time, twice that, and so on, and at the end.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from domino_env import solve
from domino_env.errors import BadOption
from domino_env.train.algorithms.catalogue import start
from domino_env.train.algorithms.contract import Algorithm
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.solve.mini_games import MINI_GAMES

MOST_SECONDS = 86_400.0
SHARES = (0.1, 0.2, 0.5, 1.0)


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


def learn(
    settings: AlgorithmSettings,
    seconds: float,
    watch: Callable[[float], None] = lambda done: None,
) -> list[Measured]:
    """The curve of one run on a mini game.

    Args:
        settings: of the algorithm.
        seconds: of processor time.
        watch: told now and then which part of the time has gone, from 0 to 1.
    """
    must_be_seconds(seconds)
    if settings.game not in MINI_GAMES:
        raise BadOption(f"{settings.game} is too large for exact figures: take a mini game")
    tree = MINI_GAMES[settings.game].tree
    algorithm, found, spent = start(settings), [], 0.0
    for share in SHARES:
        spent += train_for(algorithm, share * seconds - spent, lambda done: watch(share * done))
        lost = solve.exploitability(tree, algorithm.policy(tree))
        point = Measured(round(spent, 3), algorithm.iterations, algorithm.decisions, lost)
        found.append(point)
    return found


def must_be_seconds(seconds: float) -> None:
    """Refuses what is no time."""
    if not isinstance(seconds, (int, float)) or not 0 < seconds <= MOST_SECONDS:
        raise BadOption(f"seconds must be above 0, up to {MOST_SECONDS:.0f}, not {seconds!r}")


def train_for(
    algorithm: Algorithm, seconds: float, watch: Callable[[float], None] = lambda done: None
) -> float:
    """Takes steps for some seconds of processor time; answers with how many those were. The very
    first step counts for nothing."""
    if not algorithm.iterations:
        algorithm.step()
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        algorithm.step()
        watch(min(1.0, spent / seconds))
    return spent
