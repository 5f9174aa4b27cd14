"""What a field may hold, read from its type hint: one of a `Literal`, a switch, a text, another
part, or a number within bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from domino_env.errors import BadRules, did_you_mean, is_whole


@dataclass(frozen=True)
class Within:
    """The bounds of a number, both included; None: no upper bound."""

    least: int
    most: int | None = None

    def __contains__(self, value: Any) -> bool:
        if not is_whole(value) or value < self.least:
            return False
        return self.most is None or bool(value <= self.most)

    def __str__(self) -> str:
        bounds = f"from {self.least} to {self.most}" if self.most else f"of {self.least} or more"
        return f"a whole number {bounds}"


Count: TypeAlias = Annotated[int, Within(0)]
Sides: TypeAlias = Annotated[int, Within(0, 4)]
Points: TypeAlias = Annotated[int, Within(0, 1000)]
Multiple: TypeAlias = Annotated[int, Within(1, 1000)]
Limit: TypeAlias = Annotated[int | None, Within(1, 100_000)]

Check: TypeAlias = Callable[[str, Any], None]
"""Refuses a value by the name of its field."""


def check_values(part: Any, owner: str = "") -> None:
    """Refuses a value that its field cannot have."""
    for name, check in _checks(part.__class__).items():
        check(f"{owner}{name}", getattr(part, name))


def refuse(name: str, expected: object, value: object, hint: str = "") -> None:
    """The error of one field: what it must be, and what came."""
    raise BadRules(f"{name} must be {expected}, not {value!r}{hint}")


@cache
def _checks(kind: type) -> dict[str, Check]:
    """The check of each field, but for tuples, which their owners check."""
    hints = get_type_hints(kind, include_extras=True)
    made = {each.name: _check_of(hints[each.name]) for each in fields(kind)}
    return {name: check for name, check in made.items() if check is not None}


def _check_of(hint: Any) -> Check | None:
    if get_origin(hint) is Literal:
        return partial(_check_choice, get_args(hint))
    if get_origin(hint) is Annotated:
        number, bounds = get_args(hint)
        return partial(_check_number, bounds, number is not int)
    if hint is bool:
        return partial(_check_kind, bool, "True or False")
    if hint is str:
        return partial(_check_kind, str, "a text")
    if isinstance(hint, type) and is_dataclass(hint):
        return partial(_check_kind, hint, f"a {hint.__name__}(...)")
    return None


def _check_choice(choices: tuple[str, ...], name: str, value: Any) -> None:
    if not isinstance(value, str) or value not in choices:
        refuse(name, f"one of {', '.join(choices)}", value, did_you_mean(value, choices))


def _check_number(bounds: Within, optional: bool, name: str, value: Any) -> None:
    if value not in bounds and not (optional and value is None):
        refuse(name, bounds, value)


def _check_kind(kind: type, expected: str, name: str, value: Any) -> None:
    if not isinstance(value, kind):
        refuse(name, expected, value)
