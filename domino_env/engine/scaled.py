"""Numbers written into the row of an observation: as floats they are scaled, as bytes they are the
whole numbers themselves, and what does not fit into a byte becomes the nearest that does. The scale
of each is declared by its `Field`. Zeros and ones are the same in both, and need none of this.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import by_dtype, small
from domino_env.engine.state import BYTES, FLOATS, Index, Observations, RuleTable

MOST = 255  # that fits into a byte
_HALF = np.float32(0.5)
_FULL = np.float32(MOST)


@small
def _count_as_float(
    count: int, out: Observations, lane: Index, at: Index, scale: np.float32
) -> None:
    out[lane, at] = np.float32(count) * scale


@small
def _count_as_byte(
    count: int, out: Observations, lane: Index, at: Index, scale: np.float32
) -> None:
    out[lane, at] = min(int(count), MOST)


write_count = by_dtype({FLOATS: _count_as_float, BYTES: _count_as_byte})
"""Writes how many there are of something; as a float times the scale."""


@small
def _part_as_float(part: int, out: Observations, lane: Index, at: Index, whole: int) -> None:
    out[lane, at] = np.float32(part) / np.float32(whole)


@small
def _part_as_byte(part: int, out: Observations, lane: Index, at: Index, whole: int) -> None:
    out[lane, at] = min(int(part), MOST)


write_part = by_dtype({FLOATS: _part_as_float, BYTES: _part_as_byte})
"""Writes so many of a whole; as a float the fraction."""


@small
def _score_as_float(
    points: int, out: Observations, lane: Index, at: Index, rules: RuleTable
) -> None:
    out[lane, at] = np.float32(points) * rules.per_point


@small
def _score_as_byte(
    points: int, out: Observations, lane: Index, at: Index, rules: RuleTable
) -> None:
    steps = np.float32(points) * rules.score_steps + rules.score_offset
    out[lane, at] = int(min(max(steps, np.float32(0)), _FULL) + _HALF)


write_score = by_dtype({FLOATS: _score_as_float, BYTES: _score_as_byte})
"""Writes a score, which may be negative; as a float in targets, as a byte in steps from an
offset."""
