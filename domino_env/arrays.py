"""What a `Batch` hands out of its memory, and how it is kept whole.

Kernels look at no bounds: what they go by must be what kernels have written. So a batch keeps the
arrays themselves, and hands out others on the same memory. Some may be written into, for trainers
take them (PyTorch warns of arrays that may not be); kernels write those and never read them. The
others cannot be written into, nor be made so.
"""

from __future__ import annotations

import os
from _thread import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.errors import BadOption, InUse


def shared(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Another array on the same memory: whatever becomes of its shape, the first keeps its own."""
    return np.asarray(memoryview(array))  # type: ignore[arg-type]  # which it does take


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Another array on the same memory, that can never be written into."""
    content = memoryview(bytes_of(array)).toreadonly()  # type: ignore[arg-type]
    return np.frombuffer(content, array.dtype).reshape(array.shape)


def bytes_of(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The memory of an array. Copying records by their fields would leave out the gaps between."""
    return array.reshape(-1).view(np.uint8)


def tiles_held(hands: npt.NDArray[np.uint64], tiles: int) -> npt.NDArray[np.bool_]:
    """Hands as bits, uint64[..., words], as bool[..., tiles]: is a tile held?"""
    octets = np.ascontiguousarray(hands.astype("<u8")).view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=tiles, bitorder="little").astype(np.bool_)


def must_fit(num_games: int, size: int) -> None:
    """Refuses so many games that their arrays, of so many bytes, cannot be kept in memory: some
    systems would grant them, and kill the process that fills them."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # a system that does not say
        memory = 1 << 46
    if size > memory:
        raise BadOption(
            f"num_games={num_games} takes {size / 1e9:,.1f} GB, and this machine has "
            f"{memory / 1e9:,.1f} GB of memory: take fewer"
        )


class Hold(RLock):  # type: ignore[misc]  # to a type checker it is final
    """Keeps a batch to one thread at a time: `with` refuses a second one instead of waiting, for
    two threads that step the same games are never what anybody meant."""

    what = "batch"

    def __enter__(self) -> bool:  # type: ignore[override]
        if not self.acquire(False):
            raise InUse(
                f"another thread is using this {self.what} right now: give each thread one of its "
                "own, or let them take turns by a lock"
            )
        return True


class AgentHold(Hold):  # type: ignore[misc]
    """The same of an agent, which has memory of its own."""

    what = "agent"
