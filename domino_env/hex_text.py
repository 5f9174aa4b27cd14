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

from collections.abc import Sequence

from domino_env.laid import Arc, Mouth

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


def draw_hexes(
    tiles: Sequence[tuple[int | str, int | str]], arcs: Sequence[Arc], mouths: dict[int, Mouth]
) -> list[str]:
    """The lines of a drawing: tiles as they lie, and the ends that are still there."""
    canvas: dict[tuple[int, int], str] = {}
    for q, r in {(q, r) for q, r, *_ in (*arcs, *mouths.values())}:
        for column, row in _CORNERS:
            _write(canvas, q, r, column, row, "·")
    for tile, arc in zip(tiles, arcs, strict=True):
        column, row, bend = _BENDS[arc.corner]
        _write(canvas, arc.q, arc.r, column, row, bend)
        for half, edge in zip(tile, (arc.first_edge, arc.second_edge), strict=True):
            _write(canvas, arc.q, arc.r, *_AT_EDGE[edge], str(half))
    for end, (q, r, edge) in mouths.items():
        column, row = _AT_EDGE[edge]
        _write(canvas, q, r, column - 1, row, f"[{end}]")
    return _lines(canvas)


def _write(
    canvas: dict[tuple[int, int], str], q: int, r: int, column: int, row: int, text: str
) -> None:
    for step, letter in enumerate(text):
        canvas[6 * r + 3 * q + row, 12 * q + column + step] = letter


def _lines(canvas: dict[tuple[int, int], str]) -> list[str]:
    rows, columns = [row for row, _ in canvas], [column for _, column in canvas]
    top, left, width = min(rows), min(columns), max(columns) - min(columns) + 1
    lines = [[" "] * width for _ in range(max(rows) - top + 1)]
    for (row, column), letter in canvas.items():
        lines[row - top][column - left] = letter
    return ["".join(line).rstrip() for line in lines]
