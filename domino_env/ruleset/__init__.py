"""`Rules`: a domino game as data.

A game is a frozen value made of parts that are named after what they govern: how a round opens,
what the layout looks like, which halves join, when tiles are drawn, how a turn goes on, what
scores. The engine knows no game by name; it plays whatever the value says. A house rule is

    house = domino_env.rules("block_draw", hand_size=7)

or, deeper, `dataclasses.replace(BLOCK_DRAW, draw=Draw(forced="one"))`. Rules that do not fit
together cannot be built: `needs` is the table of what needs what, and each error is made from a row
of it; `playable` computes what no table can say, such as whether there are tiles enough.
"""

from __future__ import annotations

from typing import Any

from domino_env.ruleset import former
from domino_env.ruleset.declaration import Rules
from domino_env.ruleset.limits import (
    LISTED,
    MAX_BRANCHES,
    MAX_CURVED_TILES,
    MAX_SEATS,
    MAX_TILES,
    MAX_VALUES,
    MINI_SETS,
    MOST_MULTIPLES,
    MOST_ROUNDS,
    SETS,
)
from domino_env.ruleset.options import Option
from domino_env.ruleset.parts import Draw, Forced, Layout, Match, Opening, Turn
from domino_env.ruleset.points import Blocked, Bonuses, Plays, Round, Tally

__all__ = [
    "LISTED",
    "MAX_BRANCHES",
    "MAX_CURVED_TILES",
    "MAX_SEATS",
    "MAX_TILES",
    "MAX_VALUES",
    "MINI_SETS",
    "MOST_MULTIPLES",
    "MOST_ROUNDS",
    "SETS",
    "Blocked",
    "Bonuses",
    "Draw",
    "Forced",
    "Layout",
    "Match",
    "Opening",
    "Option",
    "Plays",
    "Round",
    "Rules",
    "Tally",
    "Turn",
]


def __getattr__(name: str) -> Any:
    if name in former.CLASSES:
        raise ImportError(former.CLASSES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
