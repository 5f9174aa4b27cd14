"""Says what is compiled, and how long that takes: a silent wait looks like a hang.

A package or a module of kernels says in `COMPILED` what they are, and how many seconds they take;
where that depends on the record that they are compiled for, it says so for each record.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from numba import from_dtype

PACKAGE = "domino_env"
KEPT = True
"""Is there a folder in which compiled code can be kept?"""


class Announcer:
    """Says what is compiled, each thing once for each process."""

    def __init__(self) -> None:
        self.said: set[str] = set()
        self.depth = 0  # a kernel compiles those that it calls

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function."""
        self.depth += 1
        dispatcher = event.data.get("dispatcher")
        module = getattr(getattr(dispatcher, "py_func", None), "__module__", None) or ""
        what, seconds = described(module, event.data.get("args", ()))
        if self.depth > 1 or not what or what in self.said:
            return
        once = "" if self.said else _once()
        self.said.add(what)
        about = f"about {seconds} seconds" if seconds else "some seconds"
        print(
            f"{PACKAGE}: compiling {what}{once} ({about}) ...",
            file=sys.stderr,
            flush=True,
        )

    def on_end(self, event: Any) -> None:
        """It is done, or has failed."""
        self.depth -= 1


def _once() -> str:
    if KEPT:
        return ", once for this machine"
    return ", for this process alone, as no folder can be written to: NUMBA_CACHE_DIR may name one"


def described(module: str, arguments: Any = ()) -> tuple[str, int]:
    """What the kernels of a module are, and about how many seconds it takes to compile them for
    such arguments; of the nearest package around it that says so."""
    if module.partition(".")[0] != PACKAGE:
        return "", 0
    name = module
    while name:
        told = getattr(sys.modules.get(name), "COMPILED", None)
        if isinstance(told, Mapping):
            told = _by_record(told, arguments)
        if told is not None:
            return told[0], told[1]
        name = name.rpartition(".")[0]
    return module, 0


def _by_record(told: Mapping[Any, tuple[str, int]], arguments: Any) -> tuple[str, int]:
    """What is said of the record among the arguments; where there is none, of the first."""
    kinds = [getattr(kind, "dtype", kind) for kind in arguments]
    for record, words in told.items():
        if from_dtype(record) in kinds:
            return words
    return next(iter(told.values()))
