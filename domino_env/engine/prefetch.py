"""Prefetching: the lanes of a large batch lie in slower memory, one after the other, and while one
is played the next can come nearer. It changes no result, and past the end of an array does nothing.
"""

from __future__ import annotations

from typing import Any

from domino_env.compiling import instruction


@instruction("prefetch_row")
def fetch_row(array: Any, row: Any) -> None:
    """Asks for a row of an array that will be read and written soon."""


@instruction("prefetch_item")
def fetch_item(array: Any, row: Any, place: Any) -> None:
    """Asks for one number of a row, and for what lies close by."""
