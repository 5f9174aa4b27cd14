"""How large the arrays of a game must be: which record it takes, and the most moves at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.engine.game_setup import Setup, num_ends
from domino_env.engine.rule_table import EXTRAS
from domino_env.engine.state import ANYTHING, GAMES, SIZES, Size


def record_for(setup: Setup) -> Any:
    """The dtype of a game's record: the first that has room for the game."""
    rules = setup.rules
    ends = num_ends(rules, setup.players)
    needed = Size(rules.num_tiles, setup.players, ends, rules.layout.tiles == "curved")
    rooms = zip(SIZES, GAMES, strict=True)
    return next(game for room, game in rooms if all(map(np.greater_equal, room, needed)))


def most_moves(rule_table: Any) -> int:
    """The most legal moves that a seat can have.

    A question has two answers. On the empty table there is one end, which every tile of a hand as
    it was dealt joins by one half. Later on, an end that asks for a value offers no more moves than
    there are halves in the whole set that join the value; there are so many ends, and beside plays
    each of the other actions of a turn once.
    """
    rules = rule_table[0]
    fits = np.unpackbits(rules["fits"][:ANYTHING].view(np.uint8), axis=-1)  # [value, half, tile]
    joining = int(fits.sum(axis=(1, 2)).max())
    plays = max(int(rules["hand_size"]), int(rules["ends"]) * joining)
    return max(2, plays + sum(bool(rules[name] >= 0) for name in EXTRAS))
