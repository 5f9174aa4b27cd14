"""What a kernel is made of, in a word that changes when any of it does.

Numba looks only at a kernel's own file to decide whether its cached code is still good, not at what
it calls in other files: so what it keeps is marked with a `fingerprint`. Object code is shipped to
other versions of Python, whose byte code is another: it is marked with the texts of its modules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from types import CodeType
from typing import Any

import numpy as np

from domino_env.compiling.kernels import ByDtype, Instruction, Kernel


def fingerprint(kernel: Any) -> str:
    """What changes when anything changes that a kernel is made of: what it does, the constants that
    it names, and the same of everything that it calls, in whichever file. Comments do not count."""
    words = sorted(anatomy(function)[0] for function in all_called(kernel))
    return blake2b("\n".join(words).encode(), digest_size=16).hexdigest()


def all_called(kernel: Any) -> list[Any]:
    """A kernel and all that it calls, directly or not."""
    found: dict[int, Any] = {}
    waiting = [kernel]
    while waiting:
        function = waiting.pop()
        if id(function) not in found:
            found[id(function)] = function
            waiting += anatomy(function)[1]
    return [*found.values()]


@cache
def anatomy(function: Any) -> tuple[str, list[Any]]:
    """A function by itself, in words, and the functions that it names."""
    if isinstance(function, ByDtype):
        dtypes = " ".join(in_words(dtype) for dtype in function.parts)
        return f"one of {dtypes}", [*function.parts.values()]
    python = _python_of(function)
    kind = getattr(function, "instruction", "") or getattr(function, "inlined", "")
    words, called = [f"{python.__module__}.{python.__qualname__} {kind}"], []
    words.append(repr(python.__defaults__))
    for code in _codes(python.__code__):
        constants = [c for c in code.co_consts if not isinstance(c, CodeType)]
        words += [code.co_code.hex(), repr(code.co_names), repr(code.co_freevars)]
        words.append(repr([c for c in constants if c != python.__doc__]))
    for name, value in named(python):
        if is_compiled(value):
            called.append(value)
            words.append(f"{name}: compiled")
        else:
            words.append(f"{name}={in_words(value)}")
    return blake2b("\n".join(words).encode(), digest_size=16).hexdigest(), called


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those that it defines."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def named(python: Any) -> Iterator[tuple[str, Any]]:
    """What a function may take from around it; the name of a field may be that of a global too."""
    if isinstance(python, ByDtype):
        return
    for name in sorted({name for code in _codes(python.__code__) for name in code.co_names}):
        if name in python.__globals__:
            yield name, python.__globals__[name]
    for name, cell in zip(python.__code__.co_freevars, python.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def is_compiled(value: Any) -> bool:
    """Is this compiled into the kernels that name it?"""
    return isinstance(value, (Kernel, ByDtype, Instruction))


def _python_of(function: Any) -> Any:
    """The Python function that a kernel was made from."""
    return getattr(function, "py_func", function)


def in_words(value: Any) -> str:
    """A constant, the same in all versions of Python and NumPy; of anything else its name."""
    if isinstance(value, np.ndarray):
        kept = blake2b(value.tobytes(), digest_size=16).hexdigest()
        return f"{in_words(value.dtype)} {value.shape} {kept}"
    if isinstance(value, np.generic):
        return f"{value.dtype.str} {value.item()!r}"
    if isinstance(value, np.dtype):
        return _layout(value)
    if isinstance(value, (int, float, str, tuple)):
        return repr(value)
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value))}"


def _layout(dtype: Any) -> str:
    """What a dtype is in memory."""
    if dtype.subdtype:
        return f"{_layout(dtype.subdtype[0])}{dtype.subdtype[1]}"
    if not dtype.fields:
        return str(dtype.str)
    fields = (f"{name}@{dtype.fields[name][1]}:{_layout(dtype[name])}" for name in dtype.names)
    return f"{{{' '.join(fields)}}}{dtype.itemsize}"
