"""Kernels compiled here, by Numba, once for each machine: what no object code is shipped for.

Two things need care. Kernels that only kernels call need no door for Python, and making one takes a
quarter of the time: so each kernel has two dispatchers, one for either. And Numba keeps what it has
compiled on disk, marked with what it is made of (`fingerprint`): beside the sources, or where those
cannot be written to, in the user's cache, or where `NUMBA_CACHE_DIR` says. Of several processes
that need the same code one compiles it, and the others wait for it.
"""

from __future__ import annotations

import gc
import getpass
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba import from_dtype, njit
from numba.core import caching, event, types
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from domino_env.compiling import announce
from domino_env.compiling.fingerprint import fingerprint
from domino_env.compiling.inner import InnerCompiler, OneOfSeveral, rebuilt
from domino_env.compiling.instructions import intrinsic_of
from domino_env.compiling.kernels import WATCHERS, ByDtype, Instruction, Kernel
from domino_env.locks import waited_for

# No reference counts: kernels work on arrays that their callers keep, and allocate nothing. With
# counts they would spend half of their time, and threads would fight over the same counters.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_NO_DOORS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_USER = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
_MINE = blake2b(f"{_USER} {__file__}".encode(), digest_size=8).hexdigest()
_LOCK = Path(tempfile.gettempdir()) / f"domino_env-{_MINE}.lock"
_holds_lock: ContextVar[bool] = ContextVar("_holds_lock", default=False)


@cache
def dispatcher_of(kernel: Kernel) -> Any:
    """What Python calls: compiles the kernel for the types of its arguments, where it must."""
    made = _dispatcher(kernel, {**OPTIONS, "no_cfunc_wrapper": True}, "")
    compile_for = made._compile_for_args

    def compile_alone(*arguments: Any, **named: Any) -> Any:
        """While other processes wait, who find it in the cache."""
        with _alone():
            return compile_for(*arguments, **named)

    made._compile_for_args = compile_alone
    return made


@cache
def inner_of(kernel: Kernel) -> Any:
    """What kernels call."""
    options = {**OPTIONS, **_NO_DOORS, "forceinline": kernel.inlined}
    made = _dispatcher(kernel, {**options, "pipeline_class": InnerCompiler}, ".part")
    if announce.KEPT:
        made._cache._impl.rebuild = rebuilt
    by_type = made.get_call_template

    def by_kind(args: Any, kws: Any) -> Any:
        """Compiles once for whole numbers of any width, and not anew for every constant."""
        return by_type(tuple(map(_widened, args)), kws)

    made.get_call_template = by_kind
    return made


def compiled_for(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """The kernel for arguments of just these types, at which Numba would otherwise look in every
    call: that takes as long as a step of one game."""
    made = dispatcher_of(kernel)
    kinds = tuple(map(made.typeof_pyval, arguments))
    ready = made.overloads.get(kinds)
    if ready is not None:
        return ready.entry_point
    with _alone():
        return made.compile(kinds)


def _dispatcher(kernel: Kernel, options: dict[str, Any], mark: str) -> Any:
    """The kernel as Numba has it, whose code is kept on disk if any folder can be written to."""
    try:
        made: Any = njit(cache=True, **options)(kernel.py_func)
    except RuntimeError as error:
        if "no locator" not in str(error):
            raise
        announce.KEPT = False
        return njit(**options)(kernel.py_func)
    made._cache._cache_file = _MarkedFile(made._cache, kernel, mark)
    return made


class _MarkedFile(caching.IndexDataCacheFile):
    """Where Numba keeps the code of a kernel, marked with what it is made of instead of the date of
    its source. The mark is made when it is first wanted: what a kernel calls may stand below it."""

    def __init__(self, kept: Any, kernel: Kernel, mark: str) -> None:
        self._kernel, self._options = kernel, repr((OPTIONS, kernel.inlined, mark))
        base = kept._impl.filename_base + mark
        super().__init__(kept._cache_path, base, None)  # type: ignore[no-untyped-call]

    def _load_index(self) -> Any:
        try:
            return super()._load_index()  # type: ignore[no-untyped-call]
        except (ImportError, AttributeError):  # it names types of a version that had others
            return {}

    @property
    def _source_stamp(self) -> str:
        return fingerprint(self._kernel) + self._options

    @_source_stamp.setter
    def _source_stamp(self, stamp: Any) -> None:
        pass


@contextmanager
def _alone() -> Iterator[None]:
    """Keeps other processes of this user from compiling meanwhile: they will find the code in the
    cache. Without a cache everybody compiles."""
    if not announce.KEPT or _holds_lock.get():
        with _no_collections():
            yield
        return
    token = _holds_lock.set(True)
    try:
        with waited_for(_LOCK, "another process that compiles"), _no_collections():
            yield
    finally:
        _holds_lock.reset(token)


@contextmanager
def _no_collections() -> Iterator[None]:
    """Looking for garbage while so much is made takes a twelfth of the time of compiling."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _widened(kind: Any) -> Any:
    """The type that an argument is passed as from one kernel to another."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    small_number = isinstance(kind, types.Integer) and int(getattr(kind, "bitwidth", 64)) < 64
    return types.int64 if small_number else kind


# What Numba makes of the names in a kernel -------------------------------------------------------


@typeof_impl.register(Kernel)
def _type_of_kernel(value: Kernel, context: Any) -> Any:
    return types.Dispatcher(inner_of(value))


@typeof_impl.register(ByDtype)
def _type_of_choice(value: ByDtype, context: Any) -> Any:
    return types.Dispatcher(_one_of(value))


@typeof_impl.register(Instruction)
def _type_of_instruction(value: Instruction, context: Any) -> Any:
    return _type_of_global(_intrinsic(value))


def _type_of_global(value: Any) -> Any:
    cpu_target.typing_context.refresh()  # it may have been declared while something is compiled
    cpu_target.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(value)


@cache
def _one_of(choice: ByDtype) -> OneOfSeveral:
    by_type = {from_dtype(dtype): inner_of(made) for dtype, made in choice.parts.items()}
    return OneOfSeveral(choice, by_type)


_intrinsic = cache(intrinsic_of)


# Who wants to know -------------------------------------------------------------------------------


class _Listener(event.Listener):
    """Tells whoever watches what is being compiled."""

    def on_start(self, event: Any) -> None:
        for watcher in WATCHERS:
            watcher.on_start(event)

    def on_end(self, event: Any) -> None:
        for watcher in WATCHERS:
            watcher.on_end(event)


WATCHERS.append(announce.Announcer())
event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]
