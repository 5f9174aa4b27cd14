"""A ladder of games that are small enough to be solved, from a thousand information states to a
million, each with its exact value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from domino_env import games
from domino_env.errors import BadOption, did_you_mean
from domino_env.ruleset import LISTED
from domino_env.solve.tree import Tree, tree

SIX_TILES = ("0|0", "0|1", "1|1", "1|2", "0|2", "2|2")
EIGHT_TILES = (*SIX_TILES, "0|3", "1|3")
ACTION_TILES = ("1|1", "1|2", "2|2", "+1|2", "+2|1", "*|1")  # two of them have others draw
TWELVE_TILES = (*EIGHT_TILES, "2|3", "3|3", "0|4", "1|4")
NO_DRAW = {"forced": "none"}


@dataclass(frozen=True)
class MiniGame:
    """A small version of a game.

    Attributes:
        game: the id of the game.
        changes: of its rules.
        infostates: how many information states it has.
        value: what the side that leads earns over the other in equilibrium, in points a round, to
            within 0.00001.
        num_players: seats; of four in teams a team is one player.
        calls: "automatic" or "explicit".
    """

    game: str
    changes: Mapping[str, Any]
    infostates: int
    value: float
    num_players: int = 2
    calls: str = "automatic"

    @property
    def rules(self) -> Any:
        """Its rules."""
        return games.rules(self.game, **self.house_rules)

    @property
    def house_rules(self) -> dict[str, Any]:
        """All that is changed of the rules of the game, its seats too."""
        return {"players": (self.num_players,), **self.changes}

    @cached_property
    def tree(self) -> Tree:
        """Its tree, which is grown once."""
        return tree(self.rules, self.num_players, calls=self.calls)


def _listed(tiles: tuple[str, ...], hand_size: int) -> dict[str, Any]:
    return {"set": LISTED, "sets": (LISTED,), "tiles": tiles, "hand_size": hand_size}


def _mini(hand_size: int, name: str = "double_3", **changes: Any) -> dict[str, Any]:
    return {"set": name, "hand_size": hand_size, **changes}


MINI_GAMES: dict[str, MiniGame] = {
    "block_2": MiniGame("block_draw", _mini(2, draw=NO_DRAW), 372, 1.85833),
    "fives_and_threes_2": MiniGame("fives_and_threes", _mini(2, draw=NO_DRAW), 1_710, 1.15436),
    "fundomino_2": MiniGame("fundomino", _listed(SIX_TILES, 2), 4_272, 11.55556),
    "bendomino_2": MiniGame("bendomino", _listed(SIX_TILES, 2), 4_982, 0.4),
    "block_3": MiniGame("block_draw", _mini(3, draw=NO_DRAW), 6_744, 0.95252),
    "matador_2": MiniGame("matador", _mini(2, "double_2"), 8_594, 0.81778),
    "all_fives_calls_3": MiniGame(
        "all_fives", _mini(3, draw=NO_DRAW), 15_976, 0.28857, calls="explicit"
    ),
    "fundomino_actions_2": MiniGame("fundomino", _listed(ACTION_TILES, 2), 21_074, -18.66667),
    "five_up_3": MiniGame("five_up", _mini(3, draw=NO_DRAW), 50_432, 0.76832),
    "partnership_2": MiniGame("partnership_block", _mini(2), 79_664, 2.83722, num_players=4),
    "draw_4": MiniGame("block_draw", _mini(4), 230_984, 0.86333),
    "bendomino_3": MiniGame("bendomino", _listed(EIGHT_TILES, 3), 323_542, 0.33934),
    "draw_3": MiniGame("block_draw", _mini(3), 552_352, 0.32612),
    "block_5": MiniGame(
        "block_draw", {**_listed(TWELVE_TILES, 5), "draw": NO_DRAW}, 1_305_688, 0.81610
    ),
}
"""By name: the game, and how many tiles a hand has."""


def mini_game(name: str) -> MiniGame:
    """A game of the ladder by its name."""
    if name not in MINI_GAMES:
        raise BadOption(f"no mini game is called {name!r}{did_you_mean(name, MINI_GAMES)}")
    return MINI_GAMES[name]
