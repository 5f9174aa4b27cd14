"""Curved tiles on their honeycomb, as text.

Every tile lies in a corner of a hexagonal cell (see `engine.layout.hexes`), and its halves are
written at the two edges of the cell where it begins and ends. Dots are the corners of the cells;
a tile bends round one of them. Halves that join stand on both sides of an edge. `[0]` is end 0,
written in the cell that the next tile comes into.

           [1]
        ·       ·               ·      [3|3] opened the round, in the cell on the left;
            3      3────╮              [3|4] joined its end 0, turning right;
            ╰────3      4              end 0 shows 4 now, and the next tile comes
    ·               ·       ·          in from the top of the cell below
                       [0]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

# Through the edges 0 to 5 of a cell, clockwise from the top, to the cell beyond: steps of q and r.
BEYOND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_FIRST_CORNERS = (0, 3)  # of the opening tile, and of a second one back to back with it (B6)

# In columns and rows from the middle of a cell: its corners, and the places at its edges.
_CORNERS = ((4, -3), (8, 0), (4, 3), (-4, 3), (-8, 0), (-4, -3))
_AT_EDGE = ((0, -2), (5, -1), (5, 1), (0, 2), (-5, 1), (-5, -1))
# The bend of a tile in each corner: where it is written, and how.
_BENDS = (
    (0, -1, "╰────"),
    (5, 0, "("),
    (0, 1, "╭────"),
    (-4, 1, "────╮"),
    (-5, 0, ")"),
    (-4, -1, "────╯"),
)


class Lie(NamedTuple):
    """How a curved tile lies: in which corner of which cell, its first half at which edge."""

    q: int
    r: int
    corner: int
    first_edge: int

    @property
    def second_edge(self) -> int:
        """The edge of its second half."""
        after = (self.corner + 1) % 6
        return after if self.first_edge == self.corner else self.corner


class Wait(NamedTuple):
    """Where an end waits: the cell that its next tile comes into, and through which edge."""

    q: int
    r: int
    edge: int


def lay(plays: Iterable[tuple[int, int]], openers: int) -> tuple[list[Lie], dict[int, Wait]]:
    """How tiles lie: the opening ones, then each that joined an end by one of its halves."""
    lies: list[Lie] = []
    waits: dict[int, Wait] = {}
    for number in range(openers):
        corner = _FIRST_CORNERS[number]
        lies.append(Lie(0, 0, corner, corner + 1))
        waits[2 * number] = _beyond(0, 0, corner + 1)
        waits[2 * number + 1] = _beyond(0, 0, corner)
    for end, half in plays:
        q, r, edge = waits[end]
        corner, far = ((edge - 1) % 6, (edge - 1) % 6) if half == 0 else (edge, (edge + 1) % 6)
        lies.append(Lie(q, r, corner, edge if half == 0 else far))
        waits[end] = _beyond(q, r, far)
    return lies, waits


def _beyond(q: int, r: int, edge: int) -> Wait:
    return Wait(q + BEYOND[edge][0], r + BEYOND[edge][1], (edge + 3) % 6)


def sketch(
    tiles: Sequence[tuple[int | str, int | str]], lies: Sequence[Lie], waits: dict[int, Wait]
) -> list[str]:
    """The lines of a drawing: tiles as they lie, and the ends that are still there."""
    page: dict[tuple[int, int], str] = {}
    for q, r in {(lie.q, lie.r) for lie in lies} | {(wait.q, wait.r) for wait in waits.values()}:
        for column, row in _CORNERS:
            _write(page, q, r, column, row, "·")
    for tile, lie in zip(tiles, lies, strict=True):
        column, row, bend = _BENDS[lie.corner]
        _write(page, lie.q, lie.r, column, row, bend)
        for half, edge in zip(tile, (lie.first_edge, lie.second_edge), strict=True):
            _write(page, lie.q, lie.r, *_AT_EDGE[edge], str(half))
    for end, (q, r, edge) in waits.items():
        column, row = _AT_EDGE[edge]
        _write(page, q, r, column - 1, row, f"[{end}]")
    return _lines(page)


def _write(
    page: dict[tuple[int, int], str], q: int, r: int, column: int, row: int, text: str
) -> None:
    for step, letter in enumerate(text):
        page[6 * r + 3 * q + row, 12 * q + column + step] = letter


def _lines(page: dict[tuple[int, int], str]) -> list[str]:
    rows, columns = [row for row, _ in page], [column for _, column in page]
    return [
        "".join(page.get((row, c), " ") for c in range(min(columns), max(columns) + 1)).rstrip()
        for row in range(min(rows), max(rows) + 1)
    ]
