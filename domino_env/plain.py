"""Values as plain Python writes them: what is equal has the same text, and so the same mark.

`np.int64(60) == 60`, but their texts differ, and rules are known again by a mark of theirs.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from domino_env.errors import is_whole

MOST_DIGITS = 18  # of a number that is read in a query or a name


def plain(value: Any) -> Any:
    """A value without NumPy's own kinds of numbers, switches and texts, in lists and the like too;
    whatever else it is stays as it is."""
    if hasattr(value, "tolist"):  # a number or an array of NumPy
        value = value.tolist()
    if is_whole(value):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if type(value) in (tuple, list):
        return type(value)(map(plain, value))
    if type(value) is dict:
        return {plain(name): plain(part) for name, part in value.items()}
    return value


def make_plain(part: Any) -> None:
    """Makes the fields of a frozen dataclass plain, while it is being built."""
    for each in fields(part):
        value = getattr(part, each.name)
        settled = plain(value)
        if settled is not value:
            object.__setattr__(part, each.name, settled)


def whole_of(text: str) -> int | None:
    """The whole number that a text says in digits; None if it says none, or a very long one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
