"""Agents with `choose(position)` instead of `act`: they decide one move at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.actions import Move
from domino_env.agents.custom.loading import name_of
from domino_env.batches import Batch
from domino_env.errors import BadAction, IllegalMove, is_whole
from domino_env.position import Position

Whole = npt.NDArray[np.int64]


class PerDecision:
    """Wraps a chooser as an agent; it gets only what the seat to move may know.

    Args:
        chooser: has `choose(position)`, which returns one of `position.legal`, or its action.
    """

    def __init__(self, chooser: Any) -> None:
        self.chooser, self.name = chooser, name_of(chooser)
        if hasattr(chooser, "plays"):
            self.plays = chooser.plays

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        """A legal action for each of the lanes."""
        return np.array([self.choose(batch, int(lane)) for lane in lanes], np.int64)

    def choose(self, batch: Batch, lane: int) -> int:
        """The action in one lane."""
        shown = batch.position(lane).seen_by(int(batch.seat[lane]))
        return action_of(self.chooser.choose(shown), shown)

    def __repr__(self) -> str:
        return repr(self.chooser)


def action_of(answer: Any, shown: Position) -> int:
    """The action that is meant by a move, or by itself."""
    if isinstance(answer, Move):
        if answer in shown.legal:
            return shown.legal_actions[shown.legal.index(answer)]
        raise IllegalMove(f"{answer} is not legal; legal: {', '.join(map(str, shown.legal))}")
    if not is_whole(answer):
        raise BadAction(
            f"choose(position) returns one of position.legal or its action, not {answer!r:.80}"
        )
    return int(answer)
