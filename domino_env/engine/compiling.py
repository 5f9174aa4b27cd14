"""How the kernels are compiled: once for each machine, for all games, and not in silence.

Rules reach the kernels as data, so every game runs the same machine code, and Numba keeps it on
disk. Two things need care. Compiling takes some seconds, and a silent wait looks like a hang: a
line says what is going on. And Numba looks only at a kernel's own file when it decides whether its
cached code is still good, not at the kernels it calls in other files: `forget_stale_code` drops the
engine's cache when any of its files has changed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit
from numba.core import event, types

F = TypeVar("F", bound=Callable[..., Any])

UNCOMPILED = bool(getattr(config, "DISABLE_JIT", 0))
"""Do kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)? For debugging and coverage."""

ENGINE = Path(__file__).parent
PUZZLES = ENGINE.parent / "puzzles"
AGENTS = ENGINE.parent / "agents"
TRAIN = ENGINE.parent / "train"


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
    compiled: Any = njit(**_OPTIONS, **options)(function)
    by_type = compiled.get_call_template

    def by_kind(args: Any, kws: Any) -> Any:
        """Compiles once for whole numbers of any width, and not anew for every constant."""
        return by_type(tuple(map(_widened, args)), kws)

    compiled.get_call_template = by_kind
    return cast(F, compiled)


def _widened(kind: Any) -> Any:
    """The type that an argument is passed as from one kernel to another."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    small_number = isinstance(kind, types.Integer) and int(getattr(kind, "bitwidth", 64)) < 64
    return types.int64 if small_number else kind


class _Announcer(event.Listener):
    """Says once for each process that the engine is being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        dispatcher = event.data.get("dispatcher")
        module = getattr(getattr(dispatcher, "py_func", None), "__module__", "")
        if module.startswith("domino_env.") and not self.said:
            self.said = True
            print(
                "domino_env: compiling the rules engine, once for this machine "
                "(about 20 seconds) ...",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        pass


def forget_stale_code() -> None:
    """Drops cached code if one of the files is not the one it was compiled from: of the engine if
    one of its own has changed, of agents and of training, which calls them, also if one of the
    agents' has."""
    engine = _fingerprint(sorted([*ENGINE.rglob("*.py"), *PUZZLES.glob("*.py")]))
    for folder in (ENGINE, ENGINE / "layout", ENGINE / "hidden", PUZZLES):
        _forget(folder, engine)
    agents = _fingerprint(sorted(AGENTS.glob("*.py")))
    for folder in (AGENTS, TRAIN):
        _forget(folder, engine + agents)


def _forget(folder: Path, now: str) -> None:
    cache = folder / "__pycache__"
    stamp = cache / "engine.stamp"
    try:
        if stamp.exists() and stamp.read_text() == now:
            return
        for compiled in [*cache.glob("*.nbi"), *cache.glob("*.nbc")]:
            compiled.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        stamp.write_text(now)
    except OSError:
        # A folder that we may not write to holds no cache of ours: Numba keeps it elsewhere.
        pass


def _fingerprint(files: list[Path]) -> str:
    return "\n".join(f"{f.name} {f.stat().st_mtime_ns} {f.stat().st_size}" for f in files)


forget_stale_code()
event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
