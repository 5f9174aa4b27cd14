"""Bits written into the row of an observation as zeros and ones, eight at a time."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import small
from domino_env.engine.state import Index, Observations

_BYTE = np.uint64(255)
# Row b holds the bits of the byte b as eight numbers.
_EIGHTS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(
    np.float32
)


@small
def write_eight(bits: np.uint64, out: Observations, lane: Index, first: np.uint64) -> None:
    """Writes the lowest eight bits of a word."""
    pattern = bits & _BYTE
    for step in range(8):
        place = np.uint64(step)
        out[lane, first + place] = _EIGHTS[pattern, place]
