"""Bits written into the row of an observation as zeros and ones, eight at a time."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import by_dtype, small
from domino_env.engine.state import BYTES, FLOATS, Index, Observations

_BYTE = np.uint64(255)
# Row b holds the bits of the byte b as eight numbers.
_AS_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
_AS_FLOATS = _AS_BYTES.astype(np.float32)


@small
def _eight_floats(bits: np.uint64, out: Observations, lane: Index, first: np.uint64) -> None:
    pattern = bits & _BYTE
    for step in range(8):
        place = np.uint64(step)
        out[lane, first + place] = _AS_FLOATS[pattern, place]


@small
def _eight_bytes(bits: np.uint64, out: Observations, lane: Index, first: np.uint64) -> None:
    pattern = bits & _BYTE
    for step in range(8):  # one word in and one word out: the compiler sees that
        place = np.uint64(step)
        out[lane, first + place] = _AS_BYTES[pattern, place]


write_eight = by_dtype({FLOATS: _eight_floats, BYTES: _eight_bytes})
"""Writes the lowest eight bits of a word."""


@small
def write_last_eights(
    bits: np.uint64, number: int, out: Observations, lane: Index, first: np.uint64
) -> None:
    """Writes so many bits, and nothing behind them: the last eight end where they do. Of fewer than
    eight it writes zeros before them instead."""
    last = number - 8
    for step in range(0, last, 8):
        write_eight(bits >> np.uint64(step), out, lane, first + np.uint64(step))
    if last < 0:
        write_eight(bits << np.uint64(-last), out, lane, first - np.uint64(-last))
    else:
        write_eight(bits >> np.uint64(last), out, lane, first + np.uint64(last))
