"""Hints: what the strongest agent expects of each legal move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from domino_env import agents
from domino_env.actions import decode
from domino_env.batches import Batch
from domino_env.play.setup import entrant, strongest


@dataclass(frozen=True)
class Advice:
    """The value of a move."""

    action: int
    move: str
    points: float | None
    """The expected margin over the opponents in the rest of the round; in a puzzle, the points that
    can still be made. None if the agent only says which move it would make."""


@dataclass(frozen=True)
class Hint:
    """An agent's advice: every move, the best first, or only the one that it would make."""

    by: str
    advice: list[Advice]


def hint(batch: Batch, lane: int = 0) -> Hint:
    """The strongest agent's advice to the seat to move."""
    adviser = entrant(strongest(batch.rules)).make(0)
    weigh = getattr(adviser, "weigh", None)
    worths = weigh(batch, lane) if weigh is not None else []
    return Hint(adviser.name, _advice(batch, worths or _favourite(batch, adviser, lane)))


def _favourite(batch: Batch, adviser: agents.Agent, lane: int) -> list[tuple[int, float | None]]:
    return [(int(adviser.act(batch, np.array([lane]))[0]), None)]


def _advice(batch: Batch, worths: list[tuple[int, float | None]]) -> list[Advice]:
    return [
        Advice(action, str(decode(batch.rules, action, batch.calls, batch.num_players)), points)
        for action, points in worths
    ]
