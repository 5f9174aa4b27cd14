"""The shipped object code: which kernels it has, whether it fits, and how it is called.

A wheel for a platform has a library in this folder, built from these sources by
`tools/object_code`. It is used where the processor can run it, and where the kernel's source, the
constants that it names and its records are those that it was built from; else the kernel is
compiled from source, and one line says so. `DOMINO_ENV_FROM_SOURCE=1` leaves it aside.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from domino_env.compiling.fingerprint import in_words
from domino_env.compiling.forms import dtype_of, slot_of
from domino_env.compiling.kernels import Kernel

FROM_SOURCE = "DOMINO_ENV_FROM_SOURCE"
SIZE = 16  # bytes of a mark
CALLS = ("callable", "prepared", "runs_here", "table", "workers")  # what is asked of the library


def found(kernel: Kernel, rule_table: Any = None) -> Callable[..., Any] | None:
    """A kernel's object code as a function, or None; what it was not compiled for it compiles from
    source. With a rule table the code for just these rules comes first, if there is such."""
    return _found(kernel, "" if rule_table is None else mark_of_rules(rule_table))


@lru_cache(maxsize=1024)
def _found(kernel: Kernel, rules: str) -> Callable[..., Any] | None:
    usable = [*(_own(kernel, rules) if rules else ()), *_general(kernel)]
    return _callable(usable, kernel) if usable else None


def is_specialised(kernel: Kernel, rule_table: Any, arguments: tuple[Any, ...]) -> bool:
    """Is there code for just these rules, that can be used for arrays of these dtypes?"""
    own = _own(kernel, mark_of_rules(rule_table))
    return any(_takes(entry["arguments"], arguments) for entry in own)


def _takes(forms: list[Any], arguments: tuple[Any, ...]) -> bool:
    return all(
        dtype_of(form[1]) == argument.dtype
        for form, argument in zip(forms, arguments, strict=True)
        if isinstance(argument, np.ndarray)
    )


def _own(kernel: Kernel, rules: str) -> list[Any]:
    return _fitting([each for each in _all(kernel) if each.get("rules") == rules])


def _general(kernel: Kernel) -> list[Any]:
    return _fitting([each for each in _all(kernel) if "rules" not in each])


def _all(kernel: Kernel) -> list[Any]:
    return _entries().get(kernel.name, [])


def _fitting(entries: list[Any]) -> list[Any]:
    return entries if entries and _is_made_of_this(entries) else []


def mark_of_rules(rule_table: Any) -> str:
    """What tells one rule table from another."""
    return blake2b(rule_table.tobytes(), digest_size=SIZE).hexdigest()


def _callable(entries: list[Any], kernel: Kernel) -> Callable[..., Any]:
    forms = tuple(
        (entry["code"], entry["result"], tuple(map(slot_of, entry["arguments"])))
        for entry in entries
    )
    made: Callable[..., Any] = library().callable(forms, kernel.from_source)
    return made


@cache
def library() -> Any:
    """The library, or None where it is not there, or cannot be used."""
    if os.environ.get(FROM_SOURCE, "0").strip() not in ("", "0"):
        return None
    try:
        door = import_module("._object_code", __package__)
    except ImportError:
        return None
    if not all(hasattr(door, name) for name in CALLS):  # a checkout's, built some versions ago
        _say_once("the way in which kernels are called")
        return None
    return door if door.runs_here() else None


@cache
def table() -> Any:
    """What the library says that it has; without one, that it has nothing."""
    door = library()
    return json.loads(door.table()) if door else {"entries": [], "modules": {}, "records": {}}


@cache
def _entries() -> dict[str, list[Any]]:
    by_kernel: dict[str, list[Any]] = {}
    for entry in table()["entries"]:
        by_kernel.setdefault(entry["kernel"], []).append(entry)
    return by_kernel


def _is_made_of_this(entries: list[Any]) -> bool:
    """Is the code made of the sources that are here?"""
    modules = {module for entry in entries for module in entry["modules"]}
    records = {record for entry in entries for record in entry["records"]}
    changed = sorted(module for module in modules if not is_as_built(module))
    changed += sorted(record for record in records if not is_laid_out_as_built(record))
    if changed:
        _say_once(changed[0])
    return not changed


@cache
def is_as_built(module: str) -> bool:
    """Is a module the one that the code was built from?"""
    built = table()["modules"][module]
    try:
        return bool(mark_of_module(module, built["names"]) == built["mark"])
    except (ImportError, OSError):
        return False  # there is no such module any more, or its text cannot be read


@cache
def is_laid_out_as_built(record: str) -> bool:
    """Is a record the one that the code was built for?"""
    try:
        return bool(mark_of_record(record) == table()["records"][record])
    except (ImportError, AttributeError):
        return False


def mark_of_module(name: str, constants: list[str]) -> str:
    """What changes with the text of a module, or with the constants that its kernels name."""
    module = import_module(name)
    text = Path(module.__file__ or "").read_bytes().replace(b"\r\n", b"\n")
    words = [f"{constant}={in_words(getattr(module, constant, None))}" for constant in constants]
    return blake2b(text + "\n".join(words).encode(), digest_size=SIZE).hexdigest()


def mark_of_record(name: str) -> str:
    """What changes with the layout of a record."""
    return blake2b(in_words(dtype_of(name)).encode(), digest_size=SIZE).hexdigest()


@cache
def _say_once(changed: str) -> None:
    print(
        f"domino_env: {changed} is not what the object code was built from: what depends on it is "
        "compiled here. `python -m tools.object_code` in a checkout builds it anew",
        file=sys.stderr,
        flush=True,
    )
