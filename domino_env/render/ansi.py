"""Scenes as text for a terminal: straight tiles in frames, curved ones as arcs of dots.

    ┌───────┬───┬───────┐
    │ 3 ┊ 6 │ 6 │ 6 ┊ 2 │[1]        [1]: end 1, on which the viewer may play now; (1): not now.
    └───────┤┈◆┈├───────┘           The last move has a heavy frame (an arc is drawn twice), and
            │ 6 │                   what the viewer may take is marked: ›3 ┊ 5‹ or [3|5]*.
            └───┘                   ◆ is in the tile that opened the round.

Hands and the boneyard are lines of tiles, `[3|5]`, below their names; `[?|?]` lies face down, and
of many equal ones the number is given. Unicode has characters for whole dominoes, but they are too
small to read in most terminals, and too wide in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from math import ceil, hypot
from shutil import get_terminal_size
from typing import NamedTuple, TypedDict

from domino_env.render import theme
from domino_env.render.scene import Half, Piece, Point, Scene, Spot, box_around, box_of
from domino_env.render.text_canvas import HEAVY, LIGHT, PLAIN, STYLES, TextCanvas

ACROSS, DOWN = 4, 2  # columns and rows to a unit of straight tiles: frames share their lines
ARC_ACROSS, ARC_DOWN = 6, 3  # and of curved ones
_HIDDEN, _PIN = "[?|?]", "◆"
_INDENT = 2  # columns before a drawing
_APART = "    "  # from one name, and what stands below it, to the next
_IN_FRAMES = ("table", "column")
_ROLES = {"title": "bold", "turn": "last", "name": "bold"}


class _Word(NamedTuple):
    """A tile, an end or a label as a word in a line of text."""

    x: float
    y: float
    text: str
    style: str = ""
    after: str = " "
    """What separates it from the next."""
    name: bool = False
    """Is it the name of what stands below it?"""


def paint(scene: Scene, *, colour: bool = True) -> str:
    """A scene as lines of text, with colours of the terminal or without."""
    table = [piece for piece in scene.pieces if piece.where in _IN_FRAMES]
    rows = [piece for piece in scene.pieces if piece.where not in _IN_FRAMES]
    in_rows = bool(rows) and not table and rows[0].where == "row"
    words = [*_labels(scene), *map(_word, rows), *_between(scene.spots, in_rows)]
    canvas, middle = _canvas(table, () if in_rows else scene.spots)
    above = [word for word in words if word.y < middle]
    below = [word for word in words if word.y >= middle]
    drawing = [f"{' ' * _INDENT}{line}".rstrip() for line in canvas.lines(colour)]
    drawing += _legend(scene.spots, colour)
    parts = [_lines(above, colour), drawing, _lines(below, colour)]
    return "\n\n".join("\n".join(part) for part in parts if part)


class Terminal(TypedDict):
    """The arguments that make `compose` fit a scene to a terminal."""

    aspect: float
    widest: float


def room() -> Terminal:
    """The same for the terminal that this runs in: lines of tiles fold before its edge."""
    columns, lines = get_terminal_size()
    across = (columns - 2 * _INDENT) / ACROSS - 2  # and the numbers of the ends, to both sides
    return {"aspect": columns / ACROSS / max(1, lines / DOWN), "widest": max(1.0, across)}


def _canvas(table: Sequence[Piece], spots: Sequence[Spot]) -> tuple[TextCanvas, float]:
    """The table as text, and how far down the scene its middle is."""
    canvas = TextCanvas()
    if not (table or spots):
        return canvas, float("inf")
    box = box_of(list(table)) if table else box_around([(spot.x, spot.y) for spot in spots])
    curved = any(piece.curved for piece in table)
    scale = (ARC_ACROSS, ARC_DOWN) if curved else (ACROSS, DOWN)
    for piece in table:
        (_arc if piece.curved else _frame)(canvas, piece, (box[0], box[1]))
    for spot in spots:
        at = round((spot.y - box[1]) * scale[1]), round((spot.x - box[0]) * scale[0])
        _mark_end(canvas, spot, *at)
    return canvas, (box[1] + box[3]) / 2


# Tiles -------------------------------------------------------------------------------------------


def _frame(canvas: TextCanvas, piece: Piece, corner: Point) -> None:
    """A straight tile, its lines shared with those that it touches."""
    left, top, right, bottom = piece.box()
    lies = right - left > bottom - top
    column, row = round((left - corner[0]) * ACROSS), round((top - corner[1]) * DOWN)
    rows, columns = (DOWN, 2 * ACROSS) if lies else (2 * DOWN, ACROSS)
    weight, style = (HEAVY if piece.last else LIGHT), _style(piece)
    canvas.frame(row, column, rows, columns, weight, style)
    near, far = (row + 1, column + 2), (row + rows - 1, column + columns - 2)
    if piece.face is None:
        _cover(canvas, near, far, style)
        return
    first, second = piece.middles()
    halves = piece.face if sum(first) < sum(second) else piece.face[::-1]
    _divide(canvas, row, column, lies, piece.opener)
    _half(canvas, near, halves[0], piece, style, opens=True)
    _half(canvas, far, halves[1], piece, style, opens=not lies)


def _cover(canvas: TextCanvas, near: tuple[int, int], far: tuple[int, int], style: str) -> None:
    """A tile that lies face down."""
    for row in range(near[0], far[0] + 1):
        canvas.write(row, near[1] - 1, "░" * (far[1] - near[1] + 3), style)


def _divide(canvas: TextCanvas, row: int, column: int, lies: bool, opener: bool) -> None:
    """The line between the halves, with a pin in the tile that opened the round."""
    if not lies:
        canvas.write(row + DOWN, column + 1, "┈" * (ACROSS - 1), "dim")
    if lies or opener:
        middle = (row + 1, column + ACROSS) if lies else (row + DOWN, column + ACROSS // 2)
        canvas.write(*middle, _PIN if opener else "┊", "dim")


def _half(
    canvas: TextCanvas, at: tuple[int, int], half: Half, piece: Piece, style: str, opens: bool
) -> None:
    """A half in its three columns. A lit tile has marks beside what it shows."""
    row, column, text = *at, str(half)
    if not piece.lit:
        canvas.write(row, column - (len(text) > 1), text, style)
    elif opens:
        canvas.write(row, column - 1, f"›{text}", style)
    else:
        canvas.write(row, column + 1 - len(text), f"{text}‹", style)


def _style(piece: Piece) -> str:
    return "last" if piece.last else "lit" if piece.lit else ""


def _arc(canvas: TextCanvas, piece: Piece, corner: Point) -> None:
    """A curved tile: dots along its edge, and its numbers in it."""
    for inset in (0.04, 0.14) if piece.last else (0.04,):
        edge = [
            theme.rotated(*point, piece.angle) for point in theme.outline(True, inset, theme.CORNER)
        ]
        for right, down in _along([*edge, edge[0]]):
            x, y = piece.x + right - corner[0], piece.y + down - corner[1]
            canvas.dot(round(y * ARC_DOWN * 4), round(x * ARC_ACROSS * 2), _style(piece))
    if piece.opener:
        x, y = theme.rotated(*theme.pin(True), piece.angle)
        row, column = (piece.y + y - corner[1]) * ARC_DOWN, (piece.x + x - corner[0]) * ARC_ACROSS
        canvas.write(round(row - 0.5), round(column - 0.5), _PIN, "dim")
    halves = piece.face or ("?", "?")
    for (x, y), half in zip(piece.middles(), halves, strict=True):
        text = f"›{half}" if piece.lit else str(half)
        row, column = (y - corner[1]) * ARC_DOWN, (x - corner[0]) * ARC_ACROSS
        canvas.write(round(row - 0.5), round(column - len(text) / 2), text, _style(piece))


def _along(points: Sequence[Point]) -> list[Point]:
    """Points along a line, as close as dots are."""
    found = []
    for (x, y), (right, down) in pairwise(points):
        steps = max(1, ceil(hypot(right - x, down - y) * ARC_ACROSS * 2))
        parts = [step / steps for step in range(steps)]
        found += [(x + (right - x) * part, y + (down - y) * part) for part in parts]
    return found


# Ends --------------------------------------------------------------------------------------------


def _mark_end(canvas: TextCanvas, spot: Spot, row: int, column: int) -> None:
    """The number of an end, if there is room for it; the legend has it in any case."""
    text = _name(spot)
    for start in (column - 1, column - 2, column - len(text) + 1, column):
        if canvas.has_room(row, start, text):
            canvas.write(row, start, text, "lit" if spot.lit else "")
            return


def _name(spot: Spot) -> str:
    return f"[{spot.end}]" if spot.lit else f"({spot.end})"


def _between(spots: Sequence[Spot], in_rows: bool) -> list[_Word]:
    """Places of a puzzle's row, between its tiles."""
    if not in_rows:
        return []
    return [_Word(spot.x, spot.y, _name(spot), "lit" if spot.lit else "") for spot in spots]


def _legend(spots: Sequence[Spot], colour: bool) -> list[str]:
    """What each end asks for."""
    told = [spot for spot in spots if spot.value is not None or spot.note]
    words = [
        _Word(
            spot.end,
            0,
            f"{_name(spot)} {'any' if spot.value is None else spot.value}"
            f"{' ' if spot.note else ''}{spot.note}",
            "lit" if spot.lit else "",
            "   ",
        )
        for spot in told
    ]
    return [f"  ends  {line}" for line in _lines(words, colour)]


# Lines of text -----------------------------------------------------------------------------------


def _labels(scene: Scene) -> list[_Word]:
    found = []
    for label in scene.labels:
        text = f"▸ {label.text}" if label.role == "turn" else label.text
        found.append(_Word(label.x, label.y, text, _ROLES.get(label.role, ""), _APART, True))
    return found


def _word(piece: Piece) -> _Word:
    """A tile in a line."""
    face = _HIDDEN if piece.face is None else f"[{piece.face[0]}|{piece.face[1]}]"
    marks = f"{'*' if piece.lit else ''}{'←' if piece.last else ''}"
    return _Word(piece.x, piece.y, face + marks, _style(piece))


def _lines(words: Sequence[_Word], colour: bool) -> list[str]:
    """Words as lines of text, from the top down, with what belongs to a name below it."""
    lines: list[list[_Word]] = []
    for word in sorted(words, key=lambda word: (word.y, word.x)):
        if not lines or word.y - lines[-1][0].y > 0.4:
            lines.append([])
        lines[-1].append(word)
    bands: list[list[list[_Word]]] = []
    for line in lines:
        if not bands or any(word.name for word in line):
            bands.append([])
        bands[-1].append(sorted(line))
    return [text for band in bands for text in _band(band, colour)]


def _band(lines: Sequence[Sequence[_Word]], colour: bool) -> list[str]:
    """Names side by side, and below each what belongs to it."""
    starts = [word.x for word in lines[0] if word.name][1:]
    cells: list[list[list[_Word]]] = []
    for line in lines:
        cells.append([[] for _ in range(len(starts) + 1)])
        for word in line:
            cells[-1][sum(start <= word.x for start in starts)].append(word)
    cells = _gathered(cells)
    wide = [max(len(_cell(line[at], False)) for line in cells) for at in range(len(starts) + 1)]
    return [
        _APART.join(
            _cell(words, colour) + " " * (width - len(_cell(words, False)))
            for words, width in zip(line, wide, strict=True)
        ).rstrip()
        for line in cells
    ]


def _gathered(cells: list[list[list[_Word]]]) -> list[list[list[_Word]]]:
    """Tiles that lie face down go with those at the end of the line before, to be counted as one
    number."""
    for before, line in pairwise(cells):
        for above, words in zip(before, line, strict=True):
            last = above[-1].text if above else None
            while last == _HIDDEN and words and words[0].text == last:
                above.append(words.pop(0))
    return [line for line in cells if any(line)]


def _cell(words: Sequence[_Word], colour: bool) -> str:
    """Words side by side; more than two equal tiles are counted."""
    text = after = ""
    for (shown, style), same in groupby(words, key=lambda word: word[2:4]):
        every = [*same]
        many, apart = len(every), every[0].after
        each = f"{shown} × {many}" if many > 2 else apart.join([shown] * many)
        text += after + (f"{STYLES[style]}{each}{PLAIN}" if colour and style else each)
        after = apart
    return text
