"""The instructions of the processor that kernels ask for by name, as Numba takes them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from domino_env.compiling.kernels import Instruction

_LINE = 64  # bytes of memory that come at once
_FOR_WRITING, _NEAREST, _DATA = 1, 3, 1


def intrinsic_of(made: Instruction) -> Any:
    """A function that is one instruction."""
    return _PREFETCH.get(made.instruction) or _of_word(made.instruction)


def _of_word(name: str) -> Any:
    """A function of one 64-bit word."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if name == "cttz":  # of 0 nobody asks
            return builder.cttz(args[0], context.get_constant(types.boolean, True))
        return getattr(builder, name)(args[0])

    def typed(typingctx: Any, word: Any) -> Any:
        return types.int64(types.uint64), emit

    return intrinsic(typed)


@intrinsic
def _prefetch_row(typingctx: Any, array: Any, row: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = context.make_array(array)(context, builder, args[0])
        strides = cgutils.unpack_tuple(builder, rows.strides)  # type: ignore[no-untyped-call]
        start = builder.ptrtoint(rows.data, strides[0].type)
        start = builder.add(start, builder.mul(strides[0], args[1]))
        step = start.type(_LINE)
        with cgutils.for_range_slice(
            builder, start, builder.add(start, strides[0]), step, start.type
        ) as (line, _):
            _fetch(builder, line)
        return context.get_dummy_value()

    return types.void(array, types.intp), emit


@intrinsic
def _prefetch_item(typingctx: Any, array: Any, row: Any, place: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = context.make_array(array)(context, builder, args[0])
        address = builder.ptrtoint(rows.data, args[1].type)
        strides = cgutils.unpack_tuple(builder, rows.strides)  # type: ignore[no-untyped-call]
        for stride, index in zip(strides, args[1:], strict=True):
            address = builder.add(address, builder.mul(stride, index))
        _fetch(builder, address)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), emit


_PREFETCH = {"prefetch_row": _prefetch_row, "prefetch_item": _prefetch_item}


def _fetch(builder: Any, address: Any) -> None:
    pointer = builder.inttoptr(address, ir.IntType(8).as_pointer())
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
    fetch = builder.module.declare_intrinsic("llvm.prefetch", (pointer.type,), kind)
    builder.call(fetch, [pointer, *map(number, (_FOR_WRITING, _NEAREST, _DATA))])
