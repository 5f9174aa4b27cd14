"""An occupancy grid: which squares of the table are taken, so that no tile is laid on another.

A row of squares is one whole number, a bit for each, so whether a tile fits takes a few `&`.
"""

from __future__ import annotations

from typing import NamedTuple

_MIDDLE = 256  # squares on each side of the middle; no table is as large


class Way(NamedTuple):
    """A direction on the table, as a step to the right and down."""

    x: int
    y: int

    @property
    def turned(self) -> Way:
        """A quarter turn clockwise."""
        return Way(-self.y, self.x)

    @property
    def back(self) -> Way:
        """The opposite direction."""
        return Way(-self.x, -self.y)


class Rect(NamedTuple):
    """A rectangle of squares."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, x: int, y: int, across: int, down: int) -> Rect:
        """The rectangle that reaches so far to both sides of its middle, and so far up and down."""
        return cls(x - across, y - down, x + across, y + down)

    @property
    def bits(self) -> int:
        """Its squares in one row, as bits."""
        return ((1 << self.right - self.left) - 1) << self.left + _MIDDLE


class Occupancy:
    """The squares that are taken; immutable, so layouts that are tried share what they have."""

    def __init__(self, rows: tuple[int, ...] = (0,) * (2 * _MIDDLE)) -> None:
        self._rows = rows

    def is_free(self, rect: Rect) -> bool:
        """Are all squares of a rectangle free?"""
        bits, rows = rect.bits, self._rows
        for row in range(rect.top + _MIDDLE, rect.bottom + _MIDDLE):  # noqa: SIM110, three times as fast
            if rows[row] & bits:
                return False
        return True

    def with_rect(self, rect: Rect) -> Occupancy:
        """The same grid with a rectangle taken too."""
        rows, bits = list(self._rows), rect.bits
        for row in range(rect.top + _MIDDLE, rect.bottom + _MIDDLE):
            rows[row] |= bits
        return Occupancy(tuple(rows))

    def touching(self, rect: Rect, besides: Rect) -> int:
        """In how many rows something touches a rectangle, except what lies within another."""
        wide = Rect(rect.left - 1, rect.top - 1, rect.right + 1, rect.bottom + 1)
        bits, joined, found = wide.bits, ~besides.bits, 0
        for row in range(wide.top, wide.bottom):
            near = self._rows[row + _MIDDLE] & bits
            if besides.top <= row < besides.bottom:
                near &= joined
            found += near != 0
        return found
