"""What is loaded, or worked out, when it is first used.

*Lazy exports*: a package offers names of its modules, and imports a module when one is first used.

    __getattr__, __dir__ = lazy_exports(__name__, {"Dataset": "reader"})

So a package has one place to import from, and whoever imports one of its modules does not load the
libraries that the others need.

*Lazy fields*: a dataclass whose fields are read when each is first asked for.

    @lazy_fields
    @dataclass(frozen=True)
    class Position: ...

    position = read_by(Position, reader)  # `reader.hands` is what `position.hands` will be
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from importlib import import_module
from typing import Any, TypeVar

Kind = TypeVar("Kind")
_READER = "_reader"


def lazy_exports(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package that exports some names of its modules.

    Args:
        package: its name.
        modules: for each exported name the module of the package that defines it.
    """

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return get, list_names


def lazy_fields(kind: type[Kind]) -> type[Kind]:
    """Lets instances of a dataclass be made by `read_by`. In all else they are as if they had been
    made with all their fields: equal, printed, copied and pickled by them."""
    for field in fields(kind):  # type: ignore[arg-type]  # it is a dataclass
        if field.name in kind.__annotations__:
            setattr(kind, field.name, _Late(field))
    kind.__getstate__ = _all_fields  # type: ignore[method-assign, assignment]
    return kind


def read_by(kind: type[Kind], reader: Any) -> Kind:
    """An instance whose fields are the attributes of a reader, each read when it is first asked
    for; so the reader must keep what it reads from."""
    made = object.__new__(kind)
    made.__dict__[_READER] = reader
    return made


class _Late:
    """A field that is not there yet. It is no property, so that it makes way for the value."""

    def __init__(self, field: Field[Any]) -> None:
        self._name, self._default = field.name, field.default

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self if self._default is MISSING else self._default
        reader = vars(instance).get(_READER)
        if reader is None:
            raise AttributeError(f"this {owner.__name__} has no {self._name!r} yet")
        value = getattr(reader, self._name)
        vars(instance)[self._name] = value
        return value


def _all_fields(instance: Any) -> dict[str, Any]:
    return {field.name: getattr(instance, field.name) for field in fields(instance)}
