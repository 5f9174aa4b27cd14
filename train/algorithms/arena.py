"""The game that an algorithm learns, by its name: a mini game, or one of full size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domino_env.batches import Batch
from domino_env.config.game_settings import house_rules, must_be_for
from domino_env.errors import BadOption
from domino_env.solve.mini_games import MINI_GAMES
from domino_env.solve.tree import Tree

SEATS = 2


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
