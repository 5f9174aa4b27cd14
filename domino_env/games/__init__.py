"""The games, one declarative module a family. Whatever `Rules` a module here names is a variant."""

from __future__ import annotations

import pkgutil
from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from domino_env.errors import BadRules, UnknownVariant, did_you_mean
from domino_env.ruleset import Rules


@cache
def catalogue() -> dict[str, Rules]:
    """Every variant by id, in the order in which the modules name them."""
    found: dict[str, Rules] = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        module = import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, Rules):
                if found.setdefault(value.id, value) is not value:
                    raise RuntimeError(f"two games call themselves {value.id!r}")
    return found


Game: TypeAlias = str | Rules
"""A game wherever one is asked for: the id of a variant, or a `Rules`."""


def variants() -> list[str]:
    """The ids of all games."""
    return list(catalogue())


def rules(variant: str, **changes: Any) -> Rules:
    """The rules of a game, with the changes of a house rule: `rules("block_draw", hand_size=7)`."""
    known = catalogue()
    if variant not in known:
        raise UnknownVariant(f"unknown variant {variant!r}{did_you_mean(variant, known)}")
    names = {field.name for field in fields(Rules)} - {"id"}
    for name in changes:
        if name not in names:
            raise BadRules(f"{variant} has no option {name!r}{did_you_mean(name, names)}")
    return replace(known[variant], **changes)


def rules_of(game: Game) -> Rules:
    """The rules that are meant by an id or a `Rules`."""
    if isinstance(game, Rules):
        return game
    if not isinstance(game, str):
        raise UnknownVariant(f"a game is an id like 'block_draw' or a Rules, not {game!r}")
    return rules(game)
