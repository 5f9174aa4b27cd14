"""`turn_first`: a rule-based player of Solitaire that turns tiles face up whenever it can."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.agents import Actions, Lanes, Shown, at_decisions
from domino_env.agents.features.column_moves import plays_columns, turn_first
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.state import Generators, Numbers
from domino_env.puzzles.puzzle_state import Puzzles

COMPILED = ("the agent turn_first", 2)


class TurnFirst(Shown):
    """Turns a tile up if it can, stops when the game is won, and otherwise moves at random."""

    name = "turn_first"

    def __init__(self, seed: int | None = None) -> None:
        self._rng: Generators = np.zeros(1, np.uint64)
        self._rng[0] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    @staticmethod
    def plays(rules: Any) -> bool:
        """Does it play this game?"""
        return plays_columns(rules)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        chosen = np.empty(len(lanes), np.int64)
        _choose(batch._games, lanes, self._rng, chosen)
        return chosen


@kernel
def _choose(games: Puzzles, lanes: Numbers, rng: Generators, chosen: Numbers) -> None:
    for place in range(len(lanes)):
        chosen[place] = turn_first(games[lanes[place]], rng, False)
