"""Scenes as SVG: one self-contained text, for a page, a notebook or a paper.

Groups have classes and data attributes, so that a page can find and style them: colours are
presentation attributes, which any style sheet overrules.

    <g class="piece hand lit" data-where="hand" data-number="2" data-tile="3|5" data-seat="0">
    <g class="spot lit" data-end="1">    or "spot dead"

A tile that lies face down has no `data-tile`. Faces are put together once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from math import degrees

from domino_env.render import theme
from domino_env.render.scene import Face, Half, Label, Piece, Point, Scene, Spot

_FONT = (
    "font-family=\"ui-rounded,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif\""
)
_FELT = (
    '<defs><radialGradient id="domino-felt" cx="50%" cy="45%" r="75%">'
    f'<stop offset="0" stop-color="{theme.FELT_LIGHT}"/>'
    f'<stop offset="1" stop-color="{theme.FELT}"/></radialGradient></defs>'
)


def paint(scene: Scene, *, width: int | None = None, words: str | None = None) -> str:
    """A scene as a whole SVG.

    Args:
        scene: what there is to see.
        width: in pixels; None: as wide as there is room.
        words: a description for those who cannot see it, besides the title.
    """
    return "".join(
        (
            _svg_tag(scene, width),
            f"<title>{escape(scene.title)}</title>",
            f"<desc>{escape(words)}</desc>" if words else "",
            _table(scene),
            *map(_label, scene.labels),
            *[_piece(piece, scene.highest) for piece in scene.pieces],
            *map(_spot, scene.spots),
            "</svg>",
        )
    )


def tile(face: Face | None, *, curved: bool = False, highest: int = 6, angle: int = 0) -> str:
    """One tile alone as a small SVG, face down if `face` is None."""
    left, top, right, bottom = Piece(face, 0, 0, angle, curved).box()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="domino tile" role="img" '
        f'viewBox="{_n(left)} {_n(top)} {_n(right - left)} {_n(bottom - top)}" {_FONT}>'
        f"<title>{_face_title(face)}</title>"
        f'<g transform="rotate({angle})">{_tile(face, curved, angle, highest)}</g></svg>'
    )


def _svg_tag(scene: Scene, width: int | None) -> str:
    left, top = scene.box[0] - theme.MARGIN, scene.box[1] - theme.MARGIN
    across, down = scene.width + 2 * theme.MARGIN, scene.height + 2 * theme.MARGIN
    size = "" if width is None else f'width="{width}" height="{round(width * down / across)}" '
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="domino scene" role="img" {size}'
        f'viewBox="{_n(left)} {_n(top)} {_n(across)} {_n(down)}" {_FONT}>'
    )


def _table(scene: Scene) -> str:
    """The felt, in a frame."""
    left, top = scene.box[0] - theme.MARGIN + 0.06, scene.box[1] - theme.MARGIN + 0.06
    across, down = scene.width + 2 * theme.MARGIN - 0.12, scene.height + 2 * theme.MARGIN - 0.12
    return (
        f'{_FELT}<rect class="felt" x="{_n(left)}" y="{_n(top)}" width="{_n(across)}" '
        f'height="{_n(down)}" rx=".4" fill="url(#domino-felt) {theme.FELT_LIGHT}" '
        f'stroke="{theme.FRAME}" stroke-width=".12"/>'
    )


# --------------------------------------------------------------------------------------- tiles


def _piece(piece: Piece, highest: int) -> str:
    states = " opener" * piece.opener + " last" * piece.last + " lit" * piece.lit
    tile = "" if piece.face is None else f' data-tile="{_face_text(piece.face)}"'
    seat = "" if piece.seat is None else f' data-seat="{piece.seat}"'
    turn = f" rotate({piece.angle})" if piece.angle else ""
    size = f" scale({_n(piece.size)})" if piece.size != 1 else ""
    return (
        f'<g class="piece {piece.where}{states}" data-where="{piece.where}" '
        f'data-number="{piece.number}"{tile}{seat} '
        f'transform="translate({_n(piece.x)} {_n(piece.y)}){turn}{size}">'
        f"<title>{_face_title(piece.face)}{', opened the round' * piece.opener}</title>"
        f"{_tile(piece.face, piece.curved, piece.angle, highest)}"
        f"{_pin(piece.curved) if piece.opener else ''}"
        f"{_ring(piece.curved, piece.last, piece.lit)}</g>"
    )


@lru_cache(maxsize=1024)
def _face_text(face: Face) -> str:
    return escape(f"{face[0]}|{face[1]}")


@lru_cache(maxsize=1024)
def _face_title(face: Face | None) -> str:
    return "face down" if face is None else f"[{_face_text(face)}]"


@lru_cache(maxsize=8192)
def _tile(face: Face | None, curved: bool, angle: int, highest: int) -> str:
    """The body of a tile and what it shows, in its own frame."""
    body, shadow = _edge(curved, theme.GAP, theme.CORNER), theme.rotated(0.025, 0.06, -angle)
    below = (
        f'<path class="shadow" d="{body}" fill="{theme.SHADOW}" fill-opacity=".5" '
        f'transform="translate({_n(shadow[0])} {_n(shadow[1])})"/>'
    )
    if face is None:
        return below + _back(curved, body)
    halves = theme.marks(face, curved, highest)
    shown = "".join(_half(marks, place, angle) for place, marks in enumerate(halves))
    return (
        f'{below}<path class="body" d="{body}" fill="{theme.IVORY}" stroke="{theme.EDGE}" '
        f'stroke-width=".03"/>{_divider(curved)}{shown}'
    )


def _back(curved: bool, body: str) -> str:
    inner = _edge(curved, 0.14, 0.07)
    return (
        f'<path class="body back" d="{body}" fill="{theme.BACK}" stroke="{theme.BACK_EDGE}" '
        f'stroke-width=".03"/><path d="{inner}" fill="none" stroke="{theme.BACK_LINE}" '
        'stroke-opacity=".7" stroke-width=".035"/>'
    )


def _divider(curved: bool) -> str:
    start, end = theme.divider(curved)
    line = f"M{_xy(start)}L{_xy(end)}"
    return (
        f'<path class="divider" d="{line}" stroke="{theme.DIVIDER}" stroke-width=".04" '
        'stroke-linecap="round"/>'
    )


def _pin(curved: bool) -> str:
    at = f' transform="translate({_xy(theme.pin(curved))})"' if curved else ""
    return f'<path class="pin" d="{_polygon(theme.PIN)}" fill="{theme.BRASS}"{at}/>'


def _ring(curved: bool, last: bool, lit: bool) -> str:
    """What marks the last move, a whole line, and what may be moved, a broken one."""
    if not (last or lit):
        return ""
    edge = _edge(curved, theme.GAP + theme.RING / 2, theme.CORNER - theme.RING / 2)
    found = ""
    if last:
        found += _stroke("mark last", edge, theme.LAST, theme.RING)
    if lit:
        found += _stroke(
            "mark lit",
            edge,
            theme.LIT,
            theme.RING,
            f' stroke-dasharray="{theme.DASH} {theme.SPACE}"',
        )
    return found


def _stroke(name: str, line: str, colour: str, width: float, more: str = "") -> str:
    return (
        f'<path class="{name}" d="{line}" fill="none" stroke="{colour}" '
        f'stroke-width="{_n(width)}"{more}/>'
    )


@lru_cache(maxsize=64)
def _edge(curved: bool, inset: float, corner: float) -> str:
    return _ring_edge(inset, corner) if curved else _box_edge(inset, corner)


def _box_edge(inset: float, corner: float) -> str:
    across, down, c = 2 * (1 - inset - corner), 1 - 2 * (inset + corner), _n(corner)
    turns = [
        f"a{c} {c} 0 0 1 {x}{c} {y}{c}" for x, y in (("", ""), ("-", ""), ("-", "-"), ("", "-"))
    ]
    sides = (f"h{_n(across)}", f"v{_n(down)}", f"h{_n(-across)}", f"v{_n(-down)}")
    path = "".join(side + turn for side, turn in zip(sides, turns, strict=True))
    return f"M{_n(-across / 2)} {_n(inset - 0.5)}{path}Z"


def _ring_edge(inset: float, corner: float) -> str:
    """Two true arcs, and round corners between them."""
    inner, outer, near, far = theme.bend(inset)
    path = ""
    for radius, most, side, inwards in ((outer, far, 1, -corner), (inner, near, -1, corner)):
        short = most - degrees(corner / radius)
        start, end = theme.polar(radius, -side * short), theme.polar(radius, side * short)
        corners = theme.polar(radius, side * most), theme.polar(radius + inwards, side * most)
        before = theme.polar(radius + inwards, -side * most), theme.polar(radius, -side * most)
        path += f"{'L' if path else 'M'}{_xy(before[0])}Q{_xy(before[1])} {_xy(start)}"
        path += f"A{_n(radius)} {_n(radius)} 0 0 {int(side > 0)} {_xy(end)}"
        path += f"Q{_xy(corners[0])} {_xy(corners[1])}"
    return path + "Z"


# --------------------------------------------------------------------------------------- marks


def _half(marks: tuple[theme.Mark, ...], place: int, angle: int) -> str:
    if not marks:
        return f'<g class="half" data-half="{place}"/>'
    shown = "".join(_mark(mark, angle) for mark in marks)
    return f'<g class="half" data-half="{place}" fill="{marks[0].colour}">{shown}</g>'


def _mark(mark: theme.Mark, angle: int) -> str:
    if mark.kind == "pip":
        return f'<circle class="pip" cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{theme.PIP}"/>'
    turn = f" rotate({-angle})" if angle else ""
    at = f'transform="translate({_n(mark.x)} {_n(mark.y)}){turn}"'
    if mark.kind == "number":
        return f'<g class="number" {at}>{_text(mark.text, theme.NUMBER_TEXT)}</g>'
    shape = f'<path d="{_polygon(theme.SYMBOLS[mark.kind])}" stroke="{mark.colour}" {_ROUND}/>'
    inside = _text(mark.text, theme.SYMBOL_TEXT, theme.WHITE, x=_INSIDE.get(mark.kind, 0.0))
    return f'<g class="symbol {mark.kind}" {at}>{shape}{inside if mark.text else ""}</g>'


_ROUND = 'stroke-width=".06" stroke-linejoin="round"'
_INSIDE = {"again": -0.02}


def _text(text: str, height: float, colour: str = "", x: float = 0.0, y: float = 0.0) -> str:
    """Bold, in the middle of where it is put."""
    fill = f' fill="{colour}"' if colour else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y + 0.36 * height)}" font-size="{_n(height)}" '
        f'font-weight="700" text-anchor="middle"{fill}>{escape(text)}</text>'
    )


# --------------------------------------------------------------------------- open ends, words


def _spot(spot: Spot) -> str:
    """A badge with the number of the end, and a small ghost of the half that it asks for."""
    return (
        f'<g class="spot{" lit" * spot.lit}{" dead" * spot.dead}" data-end="{spot.end}" '
        f'transform="translate({_n(spot.x)} {_n(spot.y)})">'
        f"<title>{escape(spot_words(spot))}</title>"
        f"{_marker(spot.end, spot.angle, spot.value, spot.lit, spot.dead)}"
        f"{_notes(spot.notes, spot.angle, spot.dead)}</g>"
    )


def spot_words(spot: Spot) -> str:
    """An end in words."""
    asks = f"{'shows' if spot.dead else 'asks for'} {spot.value}"
    asks = "takes anything" if spot.value is None else asks
    return f"end {spot.end} {asks}{', ' if spot.note else ''}{spot.note}"


@lru_cache(maxsize=4096)
def _marker(end: int, angle: int, value: Half | None, lit: bool, dead: bool) -> str:
    colour = theme.spot_colour(lit, dead)
    badge = (0.0, 0.0) if value is None else theme.rotated(theme.BADGE_AT, 0, angle)
    ring = f' stroke="{theme.WHITE}" stroke-width=".06"' if lit else ""
    return (
        f"{_sign('bar', theme.BAR, colour, angle) if dead else ''}"
        f'<g transform="translate({_xy(badge)})">'
        f"{'' if dead else _sign('arrow', theme.ARROW, colour, angle)}"
        f'<circle class="badge" r="{theme.BADGE}" fill="{colour}"{ring}/>'
        f"{_text(str(end), theme.badge_text(end), theme.FRAME)}</g>"
        f"{_ghost(value, theme.rotated(theme.ASKS_AT, 0, angle), theme.ghost_opacity(dead))}"
    )


def _sign(name: str, shape: tuple[Point, ...], colour: str, angle: int) -> str:
    return (
        f'<path class="{name}" d="{_polygon(shape)}" fill="{colour}" transform="rotate({angle})"/>'
    )


def _ghost(value: Half | None, at: Point, opacity: float) -> str:
    if value is None:
        return ""
    mark, side = theme.mark_of(value), 2 * theme.ASKS
    return (
        f'<g class="asks" transform="translate({_xy(at)})">'
        f'<rect x="{-theme.ASKS}" y="{-theme.ASKS}" width="{side}" height="{side}" rx=".09" '
        f'fill="{theme.IVORY}" fill-opacity="{opacity}"/>'
        f'<g transform="scale({theme.ASKS_SIZE})" fill="{mark.colour}">{_mark(mark, 0)}</g></g>'
    )


@lru_cache(maxsize=256)
def _notes(notes: tuple[str, ...], angle: int, dead: bool) -> str:
    """Its remark, with the colour of the felt round the letters."""
    if not notes:
        return ""
    line = f'stroke="{theme.FELT}" stroke-width=".08" paint-order="stroke"'
    lines = [
        _text(note, theme.NOTE_TEXT, theme.CREAM, y=line)
        for line, note in zip(theme.notes_at(len(notes), angle, dead), notes, strict=True)
    ]
    return f'<g class="note" {line}>{"".join(lines)}</g>'


def _label(label: Label) -> str:
    size = theme.LETTERS * label.height
    colour, weight = theme.ROLES.get(label.role, theme.NOTE)
    text = escape(label.text).replace("  ", " \u2002")  # or the second space would be lost
    return (
        f'<text class="label {escape(label.role)}" x="{_n(label.x)}" '
        f'y="{_n(label.y + 0.36 * size)}" font-size="{_n(size)}" font-weight="{weight}" '
        f'text-anchor="{label.anchor}" fill="{colour}">{text}</text>{_pointer(label)}'
    )


def _pointer(label: Label) -> str:
    """Before the name of the seat to move, so that not colour alone tells it."""
    if label.role != "turn":
        return ""
    at = f"translate({_n(label.x)} {_n(label.y)}) scale({_n(label.height)})"
    shape = f'd="{_polygon(theme.POINTER)}" fill="{theme.GOLD}"'
    return f'<path class="pointer" {shape} transform="{at}"/>'


@lru_cache(maxsize=64)
def _polygon(points: Iterable[Point]) -> str:
    return "M" + "L".join(map(_xy, points)) + "Z"


def _xy(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _n(number: float) -> str:
    """A number as short as it can be."""
    return f"{number:.4g}"
