"""Every public function and method there is, found by looking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, isclass, isfunction, ismethod, signature
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from tests.fuzz.bad_values import Values

MODULES = [
    *("domino_env", "domino_env.actions", "domino_env.belief", "domino_env.deals"),
    *("domino_env.record", "domino_env.agents", "domino_env.render.compose"),
]
OURS = ("batch", "worlds", "setup", "rules", "position", "scene", "seen", "record", "room")
"""Parameters that take an object of this library: always one, though it need not be the right one.
A number in its place is refused by Python's own errors, as everywhere."""
SLOW = ("replay", "read", "read_all")  # generators, and files: a folder is no record


@dataclass(frozen=True)
class Door:
    """A function that can be called."""

    name: str
    function: Callable[..., Any]

    def arguments(self, values: Values, chance: Random) -> dict[str, Any] | None:
        """Some arguments for it; None if it takes an object that is not at hand."""
        given: dict[str, Any] = {}
        for name, parameter in _parameters(self.function).items():
            if parameter.kind is Parameter.VAR_KEYWORD:
                if self.name.endswith("rules"):
                    given |= values.changes()
            elif name in OURS:
                if name not in values.others:
                    return None
                given[name] = values.others[name]
            elif parameter.kind is not Parameter.VAR_POSITIONAL:
                if parameter.default is Parameter.empty or chance.random() < 0.5:
                    given[name] = values.of(name)
        return given


def _parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    try:
        return dict(signature(function).parameters)
    except (TypeError, ValueError):  # built in, and so not ours
        return {}


def of_modules() -> list[Door]:
    """The functions and classes that the modules offer."""
    return [door for name in MODULES for door in of_module(import_module(name))]


def of_module(module: ModuleType) -> Iterator[Door]:
    """What a module offers: what it lists, or what it has itself written."""
    listed = getattr(module, "__all__", None)
    for name in listed or [name for name in vars(module) if not name.startswith("_")]:
        value = getattr(module, name)
        own = listed is not None or getattr(value, "__module__", "") == module.__name__
        if own and (isfunction(value) or isclass(value)) and _can_be_called(value):
            yield Door(f"{module.__name__.removeprefix('domino_env.')}.{name}", value)


def _can_be_called(value: Any) -> bool:
    """Classes of data hold what they are given; protocols and errors are not made."""
    if not isclass(value):
        return value.__name__ not in SLOW
    data = hasattr(value, "__dataclass_fields__") or issubclass(value, (tuple, BaseException))
    return not data and not getattr(value, "_is_protocol", False)


def of_object(name: str, thing: Any) -> list[Door]:
    """The methods that an object of ours has."""
    found = []
    for word in dir(type(thing)):
        if word.startswith("_") or isinstance(getattr(type(thing), word), property):
            continue
        method = getattr(thing, word)
        if ismethod(method) and method.__func__.__module__.startswith("domino_env"):
            found.append(Door(f"{name}.{word}", method))
    return found


def arrays_of(thing: Any, depth: int = 0) -> Iterator[np.ndarray]:
    """Every array that is handed out in an object: as an attribute, an item, or itself."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict) and depth < 3:
        for value in thing.values():
            yield from arrays_of(value, depth + 1)
    elif isinstance(thing, (list, tuple)) and depth < 3:
        for value in thing[:8]:
            yield from arrays_of(value, depth + 1)
    elif depth == 0 and type(thing).__module__.startswith("domino_env"):
        for word in dir(thing):
            if not word.startswith("_"):
                yield from arrays_of(getattr(thing, word, None), 1)
