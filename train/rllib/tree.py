"""Nested dictionaries and lists of arrays and tensors, as RLlib keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def map_leaves(nested: Any, kind: type, function: Callable[[Any], Any]) -> Any:
    """The same structure, with a function applied to each leaf of a kind."""
    if isinstance(nested, Mapping):
        return {name: map_leaves(part, kind, function) for name, part in nested.items()}
    if isinstance(nested, (list, tuple)):
        return type(nested)(map_leaves(part, kind, function) for part in nested)
    return function(nested) if isinstance(nested, kind) else nested
