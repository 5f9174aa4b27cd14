"""The games: a declarative module for each family. Every `Rules` value in these modules is a
variant."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, TypeAlias

from domino_env.errors import BadOption, BadRules, UnknownVariant, did_you_mean, is_whole
from domino_env.puzzles.rules import PuzzleRules
from domino_env.ruleset import Option, Rules, former

AnyRules: TypeAlias = Rules | PuzzleRules

DEFAULT_GAME = "block_draw"
"""The game of settings that name none: the one place outside the declarations where a game is
named."""


@cache
def catalogue() -> dict[str, AnyRules]:
    """Every variant by id: group by group, the largest family of a group first, each in the order
    its module names them. A module without a `GROUP` is in group 0."""
    families: list[tuple[int, list[AnyRules]]] = [
        (getattr(module, "GROUP", 0), _games_of(module)) for module in _families()
    ]
    found: dict[str, AnyRules] = {}
    families.sort(key=lambda family: (family[0], -len(family[1])))
    for game in chain.from_iterable(games for _, games in families):
        if game.id in found:
            raise RuntimeError(f"two games call themselves {game.id!r}")
        found[game.id] = game
    return found


@cache
def _options() -> dict[str, Mapping[str, Option]]:
    """The options of all games that have some, by id."""
    found: dict[str, Mapping[str, Option]] = {}
    for module in _families():
        found |= getattr(module, "OPTIONS", {})
    return found


def options_of(variant: str) -> Mapping[str, Option]:
    """The options of a game by their names: what `rules` takes beside changes."""
    return _options().get(variant, {}) if isinstance(variant, str) else {}


def _families() -> list[ModuleType]:
    names = sorted(info.name for info in pkgutil.iter_modules(__path__))
    return [import_module(f"{__name__}.{name}") for name in names]


def _games_of(module: ModuleType) -> list[AnyRules]:
    return [value for value in vars(module).values() if isinstance(value, (Rules, PuzzleRules))]


Game: TypeAlias = str | AnyRules
"""A game wherever one is asked for: the id of a variant, or its rules."""


def variants(num_players: int | None = None) -> list[str]:
    """The ids of all games, or of those for this number of players; for one player these are
    puzzles."""
    if num_players is not None and not is_whole(num_players):
        raise BadOption(f"num_players is how many play, a whole number; not {num_players!r}")
    return [name for name, game in catalogue().items() if num_players in (None, *game.players)]


def rules(variant: str, /, **changes: Any) -> AnyRules:
    """The rules of a game, with the changes of a house rule: `rules("block_draw", hand_size=7)`. A
    part is given as a value, or as a mapping of what changes in it: `draw={"forced": "none"}`. A
    game's options are given by their names: `rules("fundomino", double_back=True)`."""
    known = catalogue()
    if not isinstance(variant, str) or variant not in known:
        raise UnknownVariant(f"unknown variant {variant!r}{did_you_mean(variant, known)}")
    if not changes:
        return known[variant]
    options = options_of(variant)
    plain = {word: value for word, value in changes.items() if word not in options}
    former.refuse(plain)
    changed: AnyRules = _changed(known[variant], variant, plain, options)
    return with_options(changed, {word: changes[word] for word in changes if word in options})


def with_options(game: AnyRules, values: Mapping[str, Any]) -> AnyRules:
    """The rules of a game with some of its options, by their names and values."""
    options = options_of(game.id)
    chosen = [options[name].chosen(name, value) for name, value in values.items()]
    changes: dict[str, Any] = {}
    for word, value in chain.from_iterable(each.items() for each in chosen):
        changes[word] = {**changes.get(word, {}), **value} if isinstance(value, Mapping) else value
    changed: AnyRules = _changed(game, game.id, changes)
    return changed


def _changed(usual: Any, name: str, changes: Mapping[str, Any], options: Iterable[str] = ()) -> Any:
    """Rules, or a part of them, with some values changed."""
    names, given = {field.name for field in fields(usual)} - {"id"}, {}
    for word, value in changes.items():
        if word not in names:
            raise BadRules(f"{name} has no option {word!r}{did_you_mean(word, {*names, *options})}")
        given[word] = _given(getattr(usual, word), f"{name}.{word}", value)
    return replace(usual, **given) if given else usual


def _given(usual: Any, name: str, value: Any) -> Any:
    if is_dataclass(usual) and isinstance(value, Mapping):
        return _changed(usual, name, value)
    return tuple(value) if isinstance(usual, tuple) and isinstance(value, list) else value


def rules_in_file(variant: str, changes: Mapping[str, Any]) -> AnyRules:
    """The rules of a game with changes as a file has them, however they were spelled then."""
    return rules(variant, **in_new_words(variant, changes))


def in_new_words(variant: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes of a game as a file has them, in the words of now."""
    return former.in_new_words(changes, options_of(variant))


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
    """A short hash of rules: the same for the same rules, whatever their titles. What is usual has
    no part in it, so that `Rules` can grow settings."""
    played = rules_of(game)
    if isinstance(played, PuzzleRules):
        return _hash(played)
    usual = Rules(id=played.id, title=played.title, summary=played.summary, source=played.source)
    return _hash((played.id, sorted(_flat(differences(usual, played)))))


def has_mark(game: Game, mark: str) -> bool:
    """Is this the mark of a game's rules, as they are spelled now or as they were before?"""
    played = rules_of(game)
    if mark == mark_of(played):
        return True
    before = None if isinstance(played, PuzzleRules) else former.spelled(played)
    return before is not None and mark == blake2b(before.encode(), digest_size=8).hexdigest()


def _hash(value: Any) -> str:
    return blake2b(repr(value).encode(), digest_size=8).hexdigest()


def _flat(changes: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Changes by their paths, and what they are in letters."""
    for name, value in changes.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, repr(value)


def rules_of(game: Game) -> Any:
    """The rules of an id, or the rules as given."""
    if isinstance(game, (Rules, PuzzleRules)):
        return game
    if not isinstance(game, str):
        raise UnknownVariant(f"a game is an id like 'block_draw' or a Rules, not {game!r}")
    return rules(game)
