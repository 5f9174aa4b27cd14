"""Kernels: functions that run compiled, written in the part of Python that Numba compiles.

Most users never compile them. The kernels that Python calls are compiled ahead of time and shipped
as object code (`object_code`); Numba is not even imported. What the object code does not cover, for
it was made for another processor, other types or another source, is compiled here by Numba at its
first use (`source`), and kept on disk. With `NUMBA_DISABLE_JIT=1` kernels are plain Python, for
debugging and coverage.

Rules reach the kernels as data, so that every game runs the same machine code.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from types import FunctionType

F = TypeVar("F", bound=Callable[..., Any])

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0").strip() not in ("", "0")
"""Do kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)?"""


WATCHERS: list[Any] = []
"""Those who are told when Numba begins and ends to compile a function (`on_start`, `on_end`)."""


class Kernel:
    """A function that runs compiled.

    Attributes:
        py_func: the function as it was written.
        inlined: is it copied into the kernels that call it?
    """

    py_func: FunctionType
    inlined: bool

    def __init__(self, function: Callable[..., Any], inlined: bool) -> None:
        update_wrapper(self, function)
        self.py_func, self.inlined = cast(Any, function), inlined
        self._run: Callable[..., Any] = self._first_run

    def __call__(self, *arguments: Any) -> Any:
        """Runs it."""
        return self._run(*arguments)

    def __repr__(self) -> str:
        return f"<Kernel {self.name}>"

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    @property
    def name(self) -> str:
        """Its module and name."""
        return f"{self.py_func.__module__}.{self.py_func.__qualname__}"

    def from_source(self, *arguments: Any) -> Any:
        """Runs it as Numba compiles it here."""
        return _ways["from_source"](self, arguments)

    def _first_run(self, *arguments: Any) -> Any:
        self._run = _ways["first_run"](self)
        return self._run(*arguments)


_ways: dict[str, Callable[..., Any]] = {}


def run_by(first_run: Callable[..., Any], from_source: Callable[..., Any]) -> None:
    """Says how kernels are run: `running` does, which stands above this module."""
    _ways.update(first_run=first_run, from_source=from_source)


def kernel(function: F) -> F:
    """Compiles a function, or finds it compiled, when it is first used."""
    return _made(function, inlined=False)


def small(function: F) -> F:
    """The same for a helper of a few lines, which is copied into the kernels that use it."""
    return _made(function, inlined=True)


def _made(function: F, inlined: bool) -> F:
    if UNCOMPILED:  # generators count modulo 2**64 there too
        return np.errstate(over="ignore")(function)
    return cast(F, Kernel(function, inlined))


class ByDtype:
    """One function out of several: see `by_dtype`."""

    def __init__(self, parts: Mapping[Any, Any]) -> None:
        self.parts = dict(parts)

    def __call__(self, first: Any, second: Any, *others: Any) -> Any:
        """Runs the part that is meant, where nothing is compiled."""
        return self.parts[second.dtype](first, second, *others)


def by_dtype(parts: Mapping[Any, Any]) -> Any:
    """One function out of several, each for records or arrays of its own dtype, which come as their
    second argument. Which of them is meant is known when the kernel that calls it is compiled."""
    return ByDtype(parts)


class Instruction:
    """A function that the processor has an instruction for: see `instruction`."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.instruction, self.py_func = name, function

    def __call__(self, *arguments: Any) -> Any:
        """Runs it as plain Python."""
        return self.py_func(*arguments)


def instruction(name: str) -> Callable[[Any], Any]:
    """A function for which the processor has an instruction: its name in `instructions`. What it
    does is written in Python too, for where nothing is compiled."""
    return lambda function: Instruction(name, function)
