"""Play of many kinds: agents of ours who are seated by lot, and now and then play at random.

Positions to learn from, or to measure with, should not all be of one player's making. Everything is
drawn from a generator that is given, so the same one gives the same games.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.batches import Batch
from domino_env.evaluate.rollout import choose_actions

RANDOM = "random"
PLAYERS = ("heuristic", "greedy_pip", "ppo", RANDOM)
RANDOM_SHARE = 0.1
Seating = npt.NDArray[np.int64]


@dataclass(frozen=True)
class MixedPlay:
    """Who plays, and how often at random.

    Attributes:
        names: of the agents; `random` always plays at random.
        random_share: how often the others do.
    """

    names: tuple[str, ...]
    random_share: float = RANDOM_SHARE

    @cached_property
    def players(self) -> list[agents.Agent]:
        """The agents, in the order of their names."""
        return [agents.make_seeded(name, 0) for name in self.names]

    def seats(self, batch: Batch, rng: np.random.Generator) -> Seating:
        """Who sits where, int[N, P]: numbers of players, by lot."""
        return rng.integers(len(self.names), size=(batch.num_games, batch.num_players))

    def actions(
        self, batch: Batch, seating: Seating, rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """What is played in each lane; -1 where the game is over."""
        live = batch.seat >= 0
        here = np.arange(batch.num_games)
        lot, chance = rng.random((2, batch.num_games))
        names = np.array(self.names)
        at_random = live & (
            (chance < self.random_share) | (names[seating[here, batch.seat]] == RANDOM)
        )
        asked = np.where(at_random[:, None], -1, seating)
        chosen = choose_actions(batch, self.players, asked)
        drawn = batch.legal[here, (lot * batch.num_legal).astype(np.int64)]
        return np.where(at_random, drawn, chosen)


def usual_players(rules: Any) -> tuple[str, ...]:
    """The agents of a mixture for a game: those of `PLAYERS` that play it."""
    return tuple(name for name in PLAYERS if agents.plays(agents.found(name), rules))
