"""The game that an algorithm learns, by its name: a mini game, or one of full size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.batches import Batch
from domino_env.config.game_settings import house_rules, must_be_for
from domino_env.errors import BadOption
from domino_env.evaluate.rollout import margin_per_game, play_episodes
from domino_env.solve.mini_games import MINI_GAMES
from domino_env.solve.tree import Tree

SEATS = 2

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Arena:
    """A game of two sides.

    Attributes:
        name: of the mini game, or the id of the game.
        rules: the game.
        changes: its house rules.
        calls: "automatic" or "explicit".
    """

    name: str
    rules: Any
    changes: Mapping[str, Any]
    calls: str = "automatic"

    @property
    def tree(self) -> Tree:
        """All of it, if it is a mini game."""
        if self.name not in MINI_GAMES:
            raise BadOption(f"{self.name} is too large for a tree")
        return MINI_GAMES[self.name].tree

    def batch(self, lanes: int) -> Batch:
        """So many of its games, in which each seat is paid its own points."""
        how: dict[str, Any] = {"calls": self.calls, "reward": "points", "autoreset": False}
        return Batch(self.rules, lanes, SEATS, **how)

    def duplicate_margins(self, one: Agent, other: Agent, first_deal: int, deals: int) -> Floats:
        """Points a round that one earns over the other on each of so many duplicate deals, which
        are played side by side."""
        batch = self.batch(SEATS * deals)
        lanes = np.arange(batch.num_games)
        batch.reset(seed=first_deal + lanes // SEATS)
        seating = np.array([[0, 1], [1, 0]])[lanes % SEATS]
        margins = margin_per_game(play_episodes(batch, [one, other], seating), seating)
        return margins.reshape(-1, SEATS).mean(1)


def arena_of(name: str, changes: dict[str, Any]) -> Arena:
    """A mini game, or a game with house rules, for two players."""
    if name in MINI_GAMES:
        mini = MINI_GAMES[name]
        if mini.num_players != SEATS:
            raise BadOption(f"{name} is for {mini.num_players} players: these learn games of two")
        return Arena(name, mini.rules, mini.house_rules, mini.calls)
    rules = house_rules(name, changes)
    must_be_for(rules, SEATS)
    return Arena(name, rules, changes)
