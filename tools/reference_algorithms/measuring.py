"""How exploitable an algorithm is after some seconds of processor time, and after some rounds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from domino_env import solve
from domino_env.solve.tree import Tree
from domino_env.train.local_backend import torch_threads

SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)
ROUNDS = (1024, 2048, 4096, 8192)
MOST_ROUNDS = ROUNDS[-1]


class Algorithm(Protocol):
    """Something that comes nearer to an equilibrium step by step."""

    iterations: int
    rounds: int

    def step(self) -> None:
        """A step."""
        ...

    def policy(self, tree: Tree) -> solve.Policy:
        """What it has come to, in each information state."""
        ...


class Marks(NamedTuple):
    """When a run ends."""

    seconds: float
    rounds: float = math.inf

    def over(self, seconds: float, rounds: int) -> bool:
        """Is it over by now?"""
        return seconds >= self.seconds or rounds >= self.rounds


def curve(
    algorithm: Algorithm, tree: Tree, end: Marks, watch: Callable[[float], None]
) -> list[dict[str, Any]]:
    """A point wherever some seconds or some rounds are behind it; steps count, measuring does not.

    Args:
        algorithm: that has done nothing yet.
        tree: of the game.
        end: of the run.
        watch: told after each step which part of the run is done.
    """
    spent, points, passed = 0.0, list[dict[str, Any]](), 0
    with torch_threads(1):
        while not end.over(spent, algorithm.rounds):
            began = time.process_time()
            algorithm.step()
            spent += time.process_time() - began
            watch(min(1.0, max(spent / end.seconds, algorithm.rounds / end.rounds)))
            behind = passed_by(spent, algorithm.rounds)
            if behind > passed or end.over(spent, algorithm.rounds):
                points.append(point(algorithm, tree, spent))
            passed = behind
    return points


def passed_by(seconds: float, rounds: int) -> int:
    """How many marks are behind it."""
    return sum(seconds >= mark for mark in SECONDS) + sum(rounds >= mark for mark in ROUNDS)


def point(algorithm: Algorithm, tree: Tree, spent: float) -> dict[str, Any]:
    """Where an algorithm is now."""
    lost = solve.exploitability(tree, algorithm.policy(tree))
    return {
        "seconds": round(spent, 2),
        "iterations": algorithm.iterations,
        "rounds": algorithm.rounds,
        "exploitability": float(f"{lost:.5g}"),
    }
