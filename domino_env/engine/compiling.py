"""How the kernels are compiled: once for each machine, for all games, and not in silence.

Rules reach the kernels as data, so every game runs the same machine code, and Numba keeps it on
disk. Two things need care. Compiling takes some seconds, and a silent wait looks like a hang: a
line says what is compiled, and how long that takes. And Numba looks only at a kernel's own file to
decide whether its cached code is still good, not at what it calls in other files: so what it keeps
is marked with a `fingerprint` of all that the kernel is made of. It compares the mark in whichever
folder it keeps code: beside the sources, or where those cannot be written to, in the user's cache.

A package or a module of kernels says in `COMPILED` what they are, and how many seconds they take;
where that depends on the record that they are compiled for, it says so for each record.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from types import CodeType
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, from_dtype, njit
from numba.core import caching, event, types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.extending import overload

F = TypeVar("F", bound=Callable[..., Any])

UNCOMPILED = bool(getattr(config, "DISABLE_JIT", 0))
"""Do kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)? For debugging and coverage."""

PACKAGE = "domino_env"
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


def by_record(parts: Mapping[Any, Any]) -> Any:
    """One function out of several, each for records of its own dtype, which come as their second
    argument. Which of them is meant is known when the kernel that calls it is compiled."""
    if UNCOMPILED:
        return lambda rules, game, *others: parts[game.dtype](rules, game, *others)

    def part(rules: Any, game: Any, *others: Any) -> Any:
        raise TypeError("only kernels call this")

    by_type = {from_dtype(record): made for record, made in parts.items()}
    part.parts = [*parts.values()]  # type: ignore[attr-defined]

    def choose(rules: Any, game: Any, *others: Any) -> Any:
        chosen = by_type[game]
        return lambda rules, game, *others: chosen(rules, game, *others)

    inlined = {key: value for key, value in _OPTIONS.items() if key != "cache"}
    options: Any = {**inlined, "forceinline": True}
    overload(part, jit_options=options, strict=False)(choose)
    return part


def machine_code(kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A kernel for arguments of just these types. Numba would look at the types in every call,
    which takes as long as a step of one game; here nobody does, so the caller must answer for them.
    """
    if UNCOMPILED:
        return cast(Callable[..., Any], kernel)
    kinds = tuple(kernel.typeof_pyval(argument) for argument in arguments)
    return cast(Callable[..., Any], kernel.compile(kinds))


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
    compiled._cache._cache_file = _MarkedFile(compiled._cache._cache_file, compiled)
    return compiled


class _MarkedFile(caching.IndexDataCacheFile):
    """Where Numba keeps the code of a kernel, marked with what it is made of instead of the date of
    its source. The mark is made when it is first wanted: what a kernel calls may stand below it."""

    def __init__(self, file: Any, kernel: Any) -> None:
        self.__dict__.update(file.__dict__)
        self._kernel = kernel

    @property
    def _source_stamp(self) -> str:
        return fingerprint(self._kernel)


def fingerprint(kernel: Any) -> str:
    """What changes when anything changes that a kernel is made of: what it does, the constants that
    it names, and the same of everything that it calls, in whichever file. Comments do not count."""
    made_of: dict[int, str] = {}
    waiting = [kernel]
    while waiting:
        function = waiting.pop()
        if id(function) not in made_of:
            made_of[id(function)], called = _anatomy(function)
            waiting += called
    return blake2b("\n".join(sorted(made_of.values())).encode(), digest_size=16).hexdigest()


@cache
def _anatomy(function: Any) -> tuple[str, list[Any]]:
    """A function by itself, in words, and the functions that it names."""
    python = _python_of(function)
    words, called = [f"{python.__module__}.{python.__qualname__} {_OPTIONS}"], []
    words.append(repr(getattr(function, "targetoptions", None)))
    words.append(repr(python.__defaults__))
    for code in _codes(python.__code__):
        constants = [c for c in code.co_consts if not isinstance(c, CodeType)]
        words += [code.co_code.hex(), repr(code.co_names), repr(code.co_freevars)]
        words.append(repr([c for c in constants if c != python.__doc__]))
    for name, value in _named(python):
        if _is_compiled(value):
            called.append(value)
            value = _python_of(value)
        words.append(f"{name}={_in_words(value)}")
    called += getattr(python, "parts", ())
    return blake2b("\n".join(words).encode(), digest_size=16).hexdigest(), called


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those that it defines."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _named(python: Any) -> Iterator[tuple[str, Any]]:
    """What a function may take from around it; the name of a field may be that of a global too."""
    for name in sorted({name for code in _codes(python.__code__) for name in code.co_names}):
        if name in python.__globals__:
            yield name, python.__globals__[name]
    for name, cell in zip(python.__code__.co_freevars, python.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _is_compiled(value: Any) -> bool:
    """Is this compiled into the kernels that name it?"""
    return isinstance(value, (Dispatcher, _Intrinsic)) or hasattr(value, "parts")


def _python_of(function: Any) -> Any:
    """The Python function that a kernel, or what Numba has instead of it, was made from."""
    return getattr(function, "py_func", None) or getattr(function, "_defn", None) or function


def _in_words(value: Any) -> str:
    """A constant, or where it is something else its name."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {blake2b(value.tobytes()).hexdigest()}"
    if isinstance(value, (int, float, str, tuple, np.generic, np.dtype, types.Type)):
        return repr(value)
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value))}"


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


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
