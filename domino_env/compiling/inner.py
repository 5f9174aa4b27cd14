"""Kernels that only kernels call: they become parts of others, and are never run by themselves.

Numba would optimise each of them as a whole, with all that it calls, and turn it into machine code:
every function over again for each that stands above it. Here they stay as they are lowered, and
are optimised once, in the kernel that Python calls. That halves the time that compiling takes.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult

from domino_env.compiling.kernels import ByDtype


class InnerCompiler(Compiler):
    """Numba's compiler, whose code is to be linked into other code."""

    def compile_extra(self, func: Any) -> Any:
        """Compiles a function."""
        self.state.library = _library(self.state.targetctx, func.__qualname__)
        return super().compile_extra(func)  # type: ignore[no-untyped-call]


class _InnerLibrary(JITCodeLibrary):
    """The code of a function, that is not optimised as a whole, nor becomes machine code."""

    @property
    def codegen(self) -> Any:
        return _Unloaded(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()  # type: ignore[no-untyped-call]

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


def _library(target_context: Any, name: str) -> Any:
    return _InnerLibrary(target_context.codegen(), name)  # type: ignore[no-untyped-call]


class _Unloaded:
    """What Numba asks of a codegen and its target, where a library is not loaded."""

    def __init__(self, whole: Any, library: Any = None) -> None:
        self._whole, self._library = whole, library

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    def set_env(self, name: str, environment: Any) -> None:
        """There is no code that has one."""

    def codegen(self) -> Any:
        """Of a target."""
        return _Unloaded(self._whole.codegen(), self._library)

    def unserialize_library(self, kept: Any) -> Any:
        """The library has been read already."""
        return self._library


def rebuilt(target_context: Any, payload: Any) -> Any:
    """What the cache has kept of such a kernel."""
    name, _, bitcode = payload[0]  # as `serialize_using_bitcode` has it
    library = _library(target_context, name)
    library._final_module = llvm.parse_bitcode(bitcode)
    library._finalized = True
    made = CompileResult._rebuild(_Unloaded(target_context, library), *payload)  # type: ignore[no-untyped-call]
    return made._replace(target_context=target_context)


class OneOfSeveral:
    """A dispatcher, as Numba asks for one, of a function that is chosen by the dtype of the second
    argument."""

    is_compiling = False

    def __init__(self, choice: ByDtype, dispatchers: dict[Any, Any]) -> None:
        self._choice, self._dispatchers = choice, dispatchers

    def get_call_template(self, arguments: Any, named: Any) -> Any:
        """Finds the function, and compiles it."""
        return self._meant(arguments).get_call_template(arguments, named)

    def get_overload(self, arguments: Any) -> Any:
        """What has been compiled for such arguments."""
        return self._meant(arguments).get_overload(arguments)

    def _meant(self, arguments: Any) -> Any:
        second = arguments[1]
        return self._dispatchers[second.dtype if isinstance(second, types.Array) else second]
