"""Arrays and tensors in dictionaries and lists, as RLlib keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def each_of(nested: Any, kind: type, do: Callable[[Any], Any]) -> Any:
    """The same, with something done to each part of a kind."""
    if isinstance(nested, Mapping):
        return {name: each_of(part, kind, do) for name, part in nested.items()}
    if isinstance(nested, (list, tuple)):
        return type(nested)(each_of(part, kind, do) for part in nested)
    return do(nested) if isinstance(nested, kind) else nested
