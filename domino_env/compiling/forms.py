"""Forms: the types of arguments that a kernel is compiled for, in words that go into JSON.

A number is `"int"`, `"float"` or `"bool"`; an array `["array", dtype, dimensions, writes]`, where
the dtype is NumPy's word for it or `module:NAME` for a record, and `writes` says whether the kernel
writes to it; a named tuple of arguments `["tuple", "module:Class", [...]]`.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

NUMBERS = {"int": "i", "float": "f", "bool": "b"}
PACKAGE = "domino_env"


def form_of(argument: Any) -> Any:
    """The form of an argument; of an array as if it were written to, if it can be."""
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise TypeError("an array that is not contiguous is left to Numba")
        dtype = argument.dtype
        name = name_of(dtype) if dtype.fields else dtype.str
        return ["array", name, argument.ndim, bool(argument.flags.writeable)]
    if isinstance(argument, tuple):
        kind = type(argument)
        return ["tuple", f"{kind.__module__}:{kind.__qualname__}", [*map(form_of, argument)]]
    for number, word in ((bool, "bool"), (float, "float"), (int, "int")):
        if isinstance(argument, number):
            return word
    raise TypeError(f"no kernel is shipped for {type(argument)}")


def slot_of(form: Any) -> tuple[Any, ...]:
    """A form as the door of the object code takes it."""
    if isinstance(form, str):
        return NUMBERS[form], None, 0
    if form[0] == "tuple":
        return "t", tuple(map(slot_of, form[2])), 0
    _, dtype, dimensions, writes = form
    return "w" if writes else "a", dtype_of(dtype), dimensions


def example_of(form: Any) -> Any:
    """An argument of this form."""
    if isinstance(form, str):
        return {"int": 0, "float": 0.0, "bool": False}[form]
    if form[0] == "tuple":
        return _found(form[1])(*map(example_of, form[2]))
    _, dtype, dimensions, writes = form
    array = np.zeros((1,) * dimensions, dtype_of(dtype))
    array.flags.writeable = writes
    return array


def records_in(form: Any) -> set[str]:
    """The names of the records that it has in it."""
    if isinstance(form, str):
        return set()
    if form[0] == "tuple":
        return {name for part in form[2] for name in records_in(part)}
    return {form[1]} if ":" in form[1] else set()


@cache
def dtype_of(name: str) -> np.dtype[Any]:
    """The dtype of a name."""
    return np.dtype(_found(name) if ":" in name else name)


def _found(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


@cache
def name_of(record: np.dtype[Any]) -> str:
    """The name under which it was made: others import it."""
    for module in sorted(name for name in sys.modules if name.startswith(f"{PACKAGE}.")):
        for name, value in vars(sys.modules[module]).items():
            if isinstance(value, np.dtype) and value == record and _is_made_in(module, name):
                return f"{module}:{name}"
    raise TypeError(f"a record without a name is left to Numba: {record}")


def _is_made_in(module: str, name: str) -> bool:
    text = Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8")
    return re.search(rf"^{name}\b.* = ", text, re.MULTILINE) is not None
