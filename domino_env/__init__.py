"""Domino games as reinforcement-learning environments, on one compiled, batched rules engine.

    import domino_env

    domino_env.variants()                                  # the ids of the games
    domino_env.rules("block_draw", hand_size=7)            # a game as data, with a house rule
    domino_env.batch("block_draw", 4096, seed=0)           # many games, stepped together
    domino_env.aec("block_draw", num_players=2)            # one game, for PettingZoo
    domino_env.warm_up(agents=["pimc"])                    # compiles ahead of time

Importing this package registers every game in Gymnasium and in PettingZoo as `domino/<id>-v0`.
What many programs do without is loaded at its first use: `domino_env.agents`, `domino_env.belief`,
`domino_env.text`, the environments and `warm_up`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from domino_env import actions, errors
from domino_env.actions import Move, Tile
from domino_env.adapters.registration import register_all
from domino_env.batches import Batch
from domino_env.games import rules, variants
from domino_env.position import Position
from domino_env.ruleset import Rules

if TYPE_CHECKING:
    from domino_env import agents as agents
    from domino_env import belief as belief
    from domino_env import text as text
    from domino_env.adapters.aec import aec, raw_aec
    from domino_env.warming import warm_up

batch = Batch

__version__ = "0.1.0"
__all__ = [
    "Batch",
    "Move",
    "Position",
    "Rules",
    "Tile",
    "actions",
    "aec",
    "batch",
    "errors",
    "raw_aec",
    "rules",
    "variants",
    "warm_up",
]

_MODULES = ("agents", "belief", "text")
_ENVIRONMENTS = ("aec", "raw_aec")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _ENVIRONMENTS:
        from domino_env.adapters import aec

        return getattr(aec, name)
    if name == "warm_up":
        from domino_env.warming import warm_up

        return warm_up
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})


def _drawn(position: Position) -> str:
    """A position as a notebook shows it; what draws is loaded when it is first asked for."""
    from domino_env.render.compose import compose
    from domino_env.render.svg import paint

    return paint(compose(position), words=str(position))


Position.painter = staticmethod(_drawn)
register_all()
