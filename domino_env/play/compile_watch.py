"""Watches the compiler, so that the page can say why an agent takes so long the first time."""

from __future__ import annotations

import threading
from typing import Any

from domino_env.compiling import WATCHERS


class Compiling:
    """Counts the functions of this package that are being compiled, in any thread. Code from the
    cache is not compiled, and not counted."""

    def __init__(self) -> None:
        self._lock, self._under_way = threading.Lock(), 0

    @property
    def now(self) -> bool:
        """Is anything being compiled?"""
        return self._under_way > 0

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function."""
        self._count(event, 1)

    def on_end(self, event: Any) -> None:
        """It is done, or has failed."""
        self._count(event, -1)

    def _count(self, event: Any, change: int) -> None:
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if getattr(function, "__module__", "").startswith("domino_env."):
            with self._lock:
                self._under_way += change


compiling = Compiling()
WATCHERS.append(compiling)
