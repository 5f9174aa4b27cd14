"""Which code runs a kernel: what was shipped, what was made for its rules, or what Numba makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from domino_env.compiling import object_code
from domino_env.compiling.kernels import UNCOMPILED, Kernel, run_by


def machine_code(
    kernel: Any, arguments: tuple[Any, ...], rule_table: Any = None, specialise: bool = False
) -> Callable[..., Any]:
    """A kernel for arguments of just these types: nobody looks at them any more where it is Numba
    that has compiled it, so the caller must answer for them. With a rule table, which must then be
    the first argument in every call, code that was compiled for just these rules, if there is such,
    or if it is to be made."""
    if UNCOMPILED:
        return cast(Callable[..., Any], kernel)
    if specialise and not object_code.is_specialised(kernel, rule_table, arguments):
        from domino_env.compiling.specialising import specialised

        own = specialised(kernel, arguments, rule_table)
        if own:
            return own
    ready = object_code.found(kernel, rule_table)
    if ready:
        return ready
    from domino_env.compiling.source import compiled_for

    return compiled_for(kernel, arguments)


def prepared(
    code: Callable[..., Any], arguments: tuple[Any, ...], places: tuple[int, ...]
) -> Callable[..., Any]:
    """What `machine_code` has found, for these arguments but for the arrays in some places, which
    are given in each call. It looks at them: where one is not of the same type and shape as here,
    nothing is done, and the answer is None."""
    library = object_code.library()
    made = library.prepared(code, arguments, places) if library else None
    return made or _prepared_here(code, arguments, places)


def _prepared_here(
    code: Callable[..., Any], arguments: tuple[Any, ...], places: tuple[int, ...]
) -> Callable[..., Any]:
    def call(*arrays: Any) -> Any:
        every = [*arguments]
        for place, array in zip(places, arrays, strict=True):
            if not _is_alike(array, arguments[place]):
                return None
            every[place] = array
        return code(*every)

    return call


def _is_alike(array: Any, wanted: np.ndarray[Any, Any]) -> bool:
    return (
        isinstance(array, np.ndarray)
        and array.dtype == wanted.dtype
        and array.shape == wanted.shape
        and array.flags.carray
    )


def native_workers(threads: int, patience: int) -> Callable[..., Any] | None:
    """The object code's own threads, so many with the one that calls, which look out for work for
    so many nanoseconds before they sleep: a function that runs what `machine_code` has found with
    each of some tuples of arguments, and answers with a list. It answers None, and does nothing,
    for what is not object code; without any there are no such threads."""
    library = None if UNCOMPILED else object_code.library()
    return library.workers(threads, patience) if library else None


def whose_code(
    kernel: Any, arguments: tuple[Any, ...], rule_table: Any, specialise: bool = False
) -> str:
    """Which code runs a kernel for such arguments and these rules, in a few words."""
    if UNCOMPILED:
        return "plain Python"
    if object_code.is_specialised(kernel, rule_table, arguments):
        return "object code for these rules"
    if specialise and object_code.library():
        return "compiled here for these rules"
    return "object code for all rules" if object_code.found(kernel) else "compiled here"


def first_run(kernel: Kernel) -> Callable[..., Any]:
    """What runs a kernel from its first call on."""
    return object_code.found(kernel) or kernel.from_source


def from_source(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """Runs a kernel as it is compiled here."""
    from domino_env.compiling.source import dispatcher_of  # it imports Numba

    return dispatcher_of(kernel)(*arguments)


run_by(first_run, from_source)
