"""Is anything being compiled just now? Then it is not the agent that takes so long to think."""

from __future__ import annotations

import threading
from typing import Any

from numba.core import event


class Compiling(event.Listener):
    """Counts what this package compiles, in whichever thread. Code that comes from the cache is not
    compiled, and not counted."""

    def __init__(self) -> None:
        self._lock, self._under_way = threading.Lock(), 0

    @property
    def now(self) -> bool:
        """Is there anything?"""
        return self._under_way > 0

    def on_start(self, event: Any) -> None:
        """Numba begins with a function."""
        self._count(event, 1)

    def on_end(self, event: Any) -> None:
        """It has done it, or failed."""
        self._count(event, -1)

    def _count(self, event: Any, change: int) -> None:
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if getattr(function, "__module__", "").startswith("domino_env."):
            with self._lock:
                self._under_way += change


compiling = Compiling()
event.register("numba:compile", compiling)  # type: ignore[no-untyped-call]
