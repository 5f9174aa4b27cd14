"""How the kernels are compiled: once for each machine, for all games, and not in silence.

Rules reach the kernels as data, so every game runs the same machine code, and Numba keeps it on
disk. Two things need care. Compiling takes some seconds, and a silent wait looks like a hang: a
line says what is compiled, and how long that takes. And Numba looks only at a kernel's own file to
decide whether its cached code is still good, not at the kernels it calls in other files: so what it
keeps is marked with the content of all files that a kernel may have been made of. It compares the
mark in whichever folder it keeps code: beside the sources, or where those cannot be written to, in
the user's cache.

A package or a module of kernels says in `COMPILED` what they are, and how many seconds they take.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit
from numba.core import event, types

F = TypeVar("F", bound=Callable[..., Any])

UNCOMPILED = bool(getattr(config, "DISABLE_JIT", 0))
"""Do kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)? For debugging and coverage."""

PACKAGE = "domino_env"
ENGINE = Path(__file__).parent
PUZZLES = ENGINE.parent / "puzzles"
AGENTS = ENGINE.parent / "agents"
KEPT = True
"""Is there a folder in which compiled code can be kept?"""


# No reference counts: kernels work on arrays that their callers keep, and allocate nothing. With
# counts they would spend half of their time, and threads would fight over the same counters.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: F) -> F:
    """Compiles a function of the engine on its first use and keeps the code on disk."""
    return _compiled(function)


def small(function: F) -> F:
    """The same for a helper of a few lines, which is copied into the kernels that use it."""
    return _compiled(function, forceinline=True)


def _compiled(function: F, **options: Any) -> F:
    if UNCOMPILED:  # plain Python for debugging; generators count modulo 2**64 there too
        return np.errstate(over="ignore")(function)
    compiled = _with_cache(function, {**_OPTIONS, **options})
    by_type = compiled.get_call_template

    def by_kind(args: Any, kws: Any) -> Any:
        """Compiles once for whole numbers of any width, and not anew for every constant."""
        return by_type(tuple(map(_widened, args)), kws)

    compiled.get_call_template = by_kind
    return cast(F, compiled)


def _with_cache(function: Any, options: dict[str, Any]) -> Any:
    """The function, whose code is kept on disk if there is any folder to keep it in."""
    global KEPT
    try:
        compiled: Any = njit(**options)(function)
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
        KEPT = False
        return njit(**{**options, "cache": False})(function)
    file = compiled._cache._cache_file
    file._source_stamp = mark_of_sources(inspect.getfile(function))
    return compiled


def mark_of_sources(file: str) -> str:
    """What changes when any of the files changes that a kernel in this file may be made of: those
    of the engine, and above it those of agents too, and its own."""
    path = Path(file)
    within = path.is_relative_to(ENGINE) or path.is_relative_to(PUZZLES)
    return _mark_of_engine() if within else f"{_mark_of_agents()} {_mark([path])}"


@cache
def _mark_of_engine() -> str:
    return _mark([*ENGINE.rglob("*.py"), *PUZZLES.glob("*.py")])


@cache
def _mark_of_agents() -> str:
    return f"{_mark_of_engine()} {_mark([*AGENTS.glob('*.py')])}"


def _mark(files: list[Path]) -> str:
    """By what is in them: a file that was copied, or only touched, is the same file."""
    seen = blake2b(digest_size=16)
    for path in sorted(files):
        seen.update(f"{path.name}\n".encode())
        seen.update(path.read_bytes())
    return seen.hexdigest()


def _widened(kind: Any) -> Any:
    """The type that an argument is passed as from one kernel to another."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    small_number = isinstance(kind, types.Integer) and int(getattr(kind, "bitwidth", 64)) < 64
    return types.int64 if small_number else kind


class _Announcer(event.Listener):
    """Says what is compiled, each thing once for each process."""

    def __init__(self) -> None:
        self.said: set[str] = set()
        self.depth = 0  # a kernel compiles those that it calls

    def on_start(self, event: Any) -> None:
        self.depth += 1
        dispatcher = event.data.get("dispatcher")
        module = getattr(getattr(dispatcher, "py_func", None), "__module__", None) or ""
        what, seconds = described(module)
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
        self.depth -= 1


def _once() -> str:
    if KEPT:
        return ", once for this machine"
    return ", for this process alone, as no folder can be written to: NUMBA_CACHE_DIR may name one"


def described(module: str) -> tuple[str, int]:
    """What the kernels of a module are, and about how many seconds it takes to compile them; of
    the nearest package around it that says so."""
    if module.partition(".")[0] != PACKAGE:
        return "", 0
    name = module
    while name:
        told = getattr(sys.modules.get(name), "COMPILED", None)
        if told is not None:
            return told[0], told[1]
        name = name.rpartition(".")[0]
    return module, 0


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
