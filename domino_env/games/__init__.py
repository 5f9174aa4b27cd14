"""The games: a declarative module for each family. Every `Rules` value in these modules is a
variant."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, TypeAlias

from domino_env.errors import BadOption, BadRules, UnknownVariant, did_you_mean, is_whole
from domino_env.puzzles.rules import PuzzleRules
from domino_env.ruleset import Rules

AnyRules: TypeAlias = Rules | PuzzleRules

DEFAULT_GAME = "block_draw"
"""The game of settings that name none: the one place outside the declarations where a game is
named."""


@cache
def catalogue() -> dict[str, AnyRules]:
    """Every variant by id: the largest family first, each in the order its module names them."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    families: list[list[AnyRules]] = [
        _games_of(import_module(f"{__name__}.{name}")) for name in names
    ]
    found: dict[str, AnyRules] = {}
    families.sort(key=len, reverse=True)
    for game in chain.from_iterable(families):
        if game.id in found:
            raise RuntimeError(f"two games call themselves {game.id!r}")
        found[game.id] = game
    return found


def _games_of(module: ModuleType) -> list[AnyRules]:
    return [value for value in vars(module).values() if isinstance(value, (Rules, PuzzleRules))]


Game: TypeAlias = str | AnyRules
"""A game wherever one is asked for: the id of a variant, or its rules."""


def variants(num_players: int | None = None, *, players: int | None = None) -> list[str]:
    """The ids of all games, or of those for this number of players; for one player these are
    puzzles. (`players` is the former name of `num_players`.)"""
    wanted = players if num_players is None else num_players
    if wanted is not None and not is_whole(wanted):
        raise BadOption(f"num_players is how many play, a whole number; not {wanted!r}")
    return [name for name, game in catalogue().items() if wanted in (None, *game.players)]


def rules(variant: str, /, **changes: Any) -> AnyRules:
    """The rules of a game, with the changes of a house rule: `rules("block_draw", hand_size=7)`. A
    part is given as a value, or as a mapping of what changes in it: `draw={"forced": "none"}`."""
    known = catalogue()
    if not isinstance(variant, str) or variant not in known:
        raise UnknownVariant(f"unknown variant {variant!r}{did_you_mean(variant, known)}")
    if not changes:
        return known[variant]
    changed: AnyRules = _changed(known[variant], variant, changes)
    return changed


def _changed(usual: Any, name: str, changes: Mapping[str, Any]) -> Any:
    """Rules, or a part of them, with some values changed."""
    names, given = {field.name for field in fields(usual)} - {"id"}, {}
    for word, value in changes.items():
        if word not in names:
            raise BadRules(f"{name} has no option {word!r}{did_you_mean(word, names)}")
        given[word] = _given(getattr(usual, word), f"{name}.{word}", value)
    return replace(usual, **given)


def _given(usual: Any, name: str, value: Any) -> Any:
    if is_dataclass(usual) and isinstance(value, Mapping):
        return _changed(usual, name, value)
    return tuple(value) if isinstance(usual, tuple) and isinstance(value, list) else value


def changes_of(game: Game) -> dict[str, Any]:
    """The changes of a house rule, as `rules` takes them: only what differs, parts as mappings."""
    played = rules_of(game)
    return differences(rules(played.id), played)


def differences(usual: Any, other: Any) -> dict[str, Any]:
    """The fields in which two rules are not the same, as the other has them; parts as mappings."""
    found = {}
    for field in fields(usual):
        before, now = getattr(usual, field.name), getattr(other, field.name)
        if before != now:
            found[field.name] = differences(before, now) if is_dataclass(before) else now
    return found


def mark_of(game: Game) -> str:
    """A short hash of rules: the same for the same rules, whatever their names."""
    return blake2b(repr(rules_of(game)).encode(), digest_size=8).hexdigest()


def rules_of(game: Game) -> Any:
    """The rules of an id, or the rules as given."""
    if isinstance(game, (Rules, PuzzleRules)):
        return game
    if not isinstance(game, str):
        raise UnknownVariant(f"a game is an id like 'block_draw' or a Rules, not {game!r}")
    return rules(game)
