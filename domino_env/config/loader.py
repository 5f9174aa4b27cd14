"""Settings: frozen dataclasses, loaded from YAML and the command line, and validated.

    @dataclass(frozen=True)
    class Drill:
        game: str = setting("block_draw", "what is played", choices=variants)
        rounds: int = setting(1000, "how many", low=1)
        rate: float | None = None

    load(Drill, "drill.yaml", ["rounds=50"])   # a file, with overrides of the command line
    Drill(rounds=50)                           # the same from Python

A field's name, type and default are all that the loader needs; `setting` adds what is allowed and
what it is for. Types are bool, int, float, str, Any, `X | None`, `Literal[...]`, `tuple[...]`,
`dict[str, X]` and other such dataclasses; a class may read and write itself, by `from_plain(value)`
and `to_plain()`. What must hold between fields a class checks in its
`__post_init__`: by raising `BadOption`, and if one of them is to blame `with about("its_name")`, so
that the error has its line. `check(self)` there checks the rest for those who do not come by way of
a file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from domino_env.config.yaml_source import Located, located, read
from domino_env.errors import BadOption, DominoError, is_whole
from domino_env.plain import make_plain
from domino_env.ruleset.former import SWITCHES, in_new_words

RENAMED = {"players": "num_players"}
"""Former names of settings of any kind; those of one class are in its `renamed`. Whoever gives one
is told the new name, and runs that were begun under it can be resumed."""

T = TypeVar("T")
Choices = Iterable[Any] | Callable[[], Iterable[Any]]

_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    NoneType: "null",
}


@dataclass(frozen=True)
class Allowed:
    """What a setting may be, beyond its type, and what it is for."""

    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: Choices | None = None

    @property
    def names(self) -> list[Any] | None:
        """The choices, if there are any."""
        if self.choices is None:
            return None
        return list(self.choices() if callable(self.choices) else self.choices)

    @property
    def range(self) -> str:
        """The limits in words: ` from 1 to 6`."""
        if self.low is not None and self.high is not None:
            return f" from {self.low} to {self.high}"
        if self.low is not None:
            return f" of {self.low} or more"
        return "" if self.high is None else f" up to {self.high}"

    def holds(self, value: float) -> bool:
        """Is a number within the limits?"""
        above = self.low is None or value >= self.low
        return above and (self.high is None or value <= self.high)


def setting(
    default: Any = MISSING,
    help: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Choices | None = None,
) -> Any:
    """A field with a default, a line of help, and what is allowed: limits of a number, or a list of
    values. They hold for each part of a list. A callable is asked for the choices when they are
    needed."""
    metadata = {"setting": Allowed(help, low, high, choices)}
    if isinstance(default, (dict, list)):
        made = default
        return field(default_factory=lambda: made.copy(), metadata=metadata)
    return field(default=default, metadata=metadata)


def load(kind: type[T], file: Path | str | None, changes: Sequence[str] = ()) -> T:
    """The settings of a file, or the defaults, with overrides like `rounds=50` or `part.name=1`."""
    made: T = _read_settings(kind, read(file, changes), "", None)
    return made


def with_changes(base: T, changes: Mapping[str, Any], name: str = "") -> T:
    """Settings, or any such dataclass, with some of its values changed, and those of its parts."""
    made: T = _read_settings(type(base), located(dict(changes), name), name, base)
    return made


def check(settings: Any) -> None:
    """Refuses a value that its field does not allow; equal settings become equal plain data."""
    make_plain(settings)
    hints = get_type_hints(type(settings))
    for each in fields(settings):
        found = located(getattr(settings, each.name), each.name)
        _read(hints[each.name], found, each.name, _allowed(each))


def as_dict(settings: Any) -> Any:
    """Settings as plain data, for JSON."""
    if hasattr(settings, "to_plain"):
        return settings.to_plain()
    if is_dataclass(settings) and not isinstance(settings, type):
        return {each.name: as_dict(getattr(settings, each.name)) for each in fields(settings)}
    if isinstance(settings, Mapping):
        return {str(name): as_dict(value) for name, value in settings.items()}
    if isinstance(settings, (list, tuple)):
        return [as_dict(value) for value in settings]
    return settings


def result_settings(settings: Any) -> dict[str, Any]:
    """Settings as plain data, without those that results do not depend on."""
    plain: dict[str, Any] = as_dict(settings)
    return {name: value for name, value in plain.items() if name not in ("out", "threads")}


def with_current_names(kind: Any, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a kind from an older file, as plain data, under the names they have today."""
    renamed = {**RENAMED, **getattr(kind, "renamed", {})}
    current = {renamed.get(name, name): value for name, value in kept.items()}
    if isinstance(current.get("rules"), Mapping):
        current["rules"] = in_new_words(current["rules"], SWITCHES)
    for name, hint in get_type_hints(kind).items():
        part = _settings_in(hint)
        if part is not None and isinstance(current.get(name), Mapping):
            current[name] = with_current_names(part, current[name])
    return current


def rows(kind: Any, before: str = "", base: Any = None) -> list[tuple[str, str, str, str]]:
    """For each setting its name, what it may be, its default and what it is for."""
    found, hints = [], get_type_hints(kind)
    for each in fields(kind):
        name, part = before + each.name, _settings_in(hints[each.name])
        usual = getattr(base, each.name) if isinstance(base, kind) else _default(each)
        if part is not None:
            found += rows(part, f"{name}.", usual)
            continue
        shown = "" if usual is MISSING else located(as_dict(usual)).shown
        found.append((name, _meant(hints[each.name], _allowed(each)), shown, _allowed(each).help))
    return found


# From plain data ---------------------------------------------------------------------------------


def _read(hint: Any, found: Located, name: str, allowed: Allowed, base: Any = None) -> Any:
    """A value of the type that is asked for."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return _one_of(found.plain, found, name, allowed.names)
    if origin in (Union, UnionType):
        return _read_either(hint, found, name, allowed, base)
    if hasattr(hint, "from_plain"):
        return _read_by_itself(hint, found)
    if is_dataclass(hint):
        return _read_settings(hint, found, name, base)
    if origin is Literal:
        return _one_of(found.value, found, name, parts)
    if origin is tuple or hint is tuple:
        return _read_tuple(parts, found, name, allowed)
    if origin in (dict, Mapping) or hint is dict:
        return _read_mapping(parts, found, name, allowed)
    return _read_one(hint, found, name, allowed)


def _read_settings(kind: Any, found: Located, name: str, base: Any) -> Any:
    """A dataclass; what is not given is as in the base, or has its default."""
    if isinstance(found.value, kind):
        return found.value
    if not isinstance(found.value, dict):
        raise found.wrong(f"{name} must be a mapping of settings, not {found.shown}")
    base = base if isinstance(base, kind) else None
    known = {each.name: each for each in fields(kind) if each.init}
    hints, before, given = get_type_hints(kind), f"{name}." if name else "", {}
    for word, part in found.value.items():
        if word in (renamed := getattr(kind, "renamed", {})):
            raise part.wrong(f"`{before}{word}` is now `{before}{renamed[word]}`")
        if word not in known:
            raise part.wrong(_unknown(before, word, list(known)))
        usual = _default(known[word]) if base is None else getattr(base, word)
        allowed = _allowed(known[word])
        given[word] = _read(hints[word], part, before + word, allowed, usual)
    for word, each in known.items():
        if word not in given and base is None and _default(each) is MISSING:
            raise found.wrong(f"{before + word} is missing: it must be given")
    try:
        return kind(**given) if base is None else replace(base, **given)
    except DominoError as error:
        raise found.part(getattr(error, "name", "")).wrong(str(error)) from error


def _read_by_itself(kind: Any, found: Located) -> Any:
    """A class that reads itself, by `from_plain`."""
    if isinstance(found.value, kind):
        return found.value
    try:
        return kind.from_plain(found.plain)
    except DominoError as error:
        raise found.wrong(str(error)) from error


def _read_either(hint: Any, found: Located, name: str, allowed: Allowed, base: Any) -> Any:
    """A value of one of several types: of those that have its shape, the first that takes it."""
    fitting = [part for part in get_args(hint) if _has_shape(part, found.value)]
    if not fitting:
        raise found.wrong(f"{name} must be {_meant(hint, allowed)}, not {found.shown}")
    for part in fitting[:-1]:
        with suppress(BadOption):
            return _read(part, found, name, allowed, base)
    return _read(fitting[-1], found, name, allowed, base)


def _has_shape(hint: Any, value: Any) -> bool:
    """Does a type take lists, mappings, nothing, or single values, as this is one?"""
    origin = get_origin(hint) or hint
    if hint is Any or is_dataclass(value):
        return hint is Any or isinstance(value, hint)
    if origin is Literal:
        return any(value == choice for choice in get_args(hint))
    if isinstance(value, dict):
        return origin in (dict, Mapping) or is_dataclass(hint)
    if isinstance(value, list):
        return origin is tuple
    if value is None or hint is NoneType:
        return value is None and hint is NoneType
    return origin in (bool, int, float, str)


def _read_tuple(parts: tuple[Any, ...], found: Located, name: str, allowed: Allowed) -> Any:
    if not isinstance(found.value, list):
        raise found.wrong(f"{name} must be a list like [a, b], not {found.shown}")
    kinds: Sequence[Any] = parts or (Any, ...)
    if kinds[-1] is Ellipsis:
        kinds = [kinds[0]] * len(found.value)
    if len(kinds) != len(found.value):
        raise found.wrong(f"{name} must be a list of {len(kinds)}, not {found.shown}")
    pairs = zip(kinds, found.value, strict=True)
    return tuple(_read(kind, part, f"each of {name}", allowed) for kind, part in pairs)


def _read_mapping(parts: tuple[Any, ...], found: Located, name: str, allowed: Allowed) -> Any:
    if not isinstance(found.value, dict):
        raise found.wrong(f"{name} must be a mapping like {{name: value}}, not {found.shown}")
    kind = parts[1] if parts else Any
    return {
        word: _read(kind, part, f"{name}.{word}", allowed) for word, part in found.value.items()
    }


def _read_one(hint: Any, found: Located, name: str, allowed: Allowed) -> Any:
    """A single value: a switch, a number or a text, or nothing at all."""
    value = found.value
    if hint is NoneType and value is None:
        return None
    if hint is float and is_whole(value):
        value = float(value)
    right = is_whole(value) if hint is int else isinstance(value, hint)
    if allowed.choices is not None:
        return _one_of(value, found, name, allowed.names)
    if hint is float and right:
        right = math.isfinite(value)
    if right and hint in (int, float):
        right = allowed.holds(value)
    if not right:
        raise found.wrong(f"{name} must be {_meant(hint, allowed)}, not {found.shown}")
    return value


def _one_of(value: Any, found: Located, name: str, choices: Iterable[Any] | None) -> Any:
    if choices is None:
        return value
    listed = list(choices)
    if not any(value == each and type(value) is type(each) for each in listed):
        names = ", ".join(map(str, listed))
        raise found.wrong(
            f"{name} must be one of {names}, not {found.shown}{_near(value, map(str, listed))}"
        )
    return value


# In words ----------------------------------------------------------------------------------------


def _near(word: Any, known: Iterable[str]) -> str:
    near = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def _unknown(before: str, word: str, known: list[str]) -> str:
    if RENAMED.get(word) in known:
        return f"`{before}{word}` is now `{before}{RENAMED[word]}`"
    return f"unknown setting {before + word!r}{_instead(word, known)}"


def _instead(word: str, known: list[str]) -> str:
    near = _near(word, known)
    return f"{near or '.'} It takes: {', '.join(known)}"


def _meant(hint: Any, allowed: Allowed) -> str:
    """What a type allows, in words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(_meant(part, allowed) for part in parts)
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is tuple:
        return f"a list, each {_meant(parts[0], allowed)}" if parts else "a list"
    if origin in (dict, Mapping) or hint is dict or is_dataclass(hint):
        return "a mapping"
    names = None if hint is NoneType else allowed.names
    if names is not None:
        return f"one of {', '.join(map(str, names))}"
    return _WORDS.get(hint, "anything") + (allowed.range if hint in (int, float) else "")


def _allowed(each: Any) -> Allowed:
    allowed: Allowed = each.metadata.get("setting", Allowed())
    return allowed


def _default(each: Any) -> Any:
    return each.default if each.default_factory is MISSING else each.default_factory()


def _settings_in(hint: Any) -> Any:
    """The dataclass that a field holds, if it holds one."""
    candidates = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return next((part for part in candidates if is_dataclass(part)), None)
