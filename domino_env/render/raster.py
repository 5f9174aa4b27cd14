"""Scenes as pixels, drawn by Pillow to look like the SVG.

    pixels = paint(scene, 600, 400)  # uint8[400, 600, 3]

Tiles and ends are drawn once as antialiased sprites and cached, so that a frame is no more than
pasting. Scales are rounded down to few values, so that sprites are used again as a scene grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.errors import DominoError
from domino_env.render import theme
from domino_env.render.scene import Face, Half, Label, Piece, Scene, Spot

try:
    from PIL import Image, ImageDraw

    from domino_env.render.antialias import BOLD, OVERSAMPLING, FineCanvas, font
except ImportError as missing:
    raise DominoError("Pillow is missing: pip install 'domino-env[draw]'") from missing

Picture = Image.Image


class Sprite(NamedTuple):
    """A small picture, and how far its upper left corner is from where it is put, in pixels."""

    picture: Picture
    right: int
    down: int


class Viewport(NamedTuple):
    """From a scene to the picture: pixels to a unit, and where 0, 0 is."""

    scale: float
    right: int
    down: int


def paint(scene: Scene, width: int = 600, height: int = 400) -> npt.NDArray[np.uint8]:
    """A scene as an array [height, width, 3], as large as fits, in the middle."""
    return np.array(picture(scene, width, height))


def picture(scene: Scene, width: int = 600, height: int = 400) -> Picture:
    """A scene as a Pillow image."""
    if width < 1 or height < 1:
        raise DominoError(f"a picture is at least 1 pixel wide and high, not {width} × {height}")
    canvas, viewport = _felt(width, height).copy(), _viewport(scene, width, height)
    for label in scene.labels:
        _write(canvas, viewport, label)
    for piece in scene.pieces:
        _put(canvas, viewport, piece.x, piece.y, _sprite_of(piece, viewport.scale, scene.highest))
    for spot in scene.spots:
        _put(canvas, viewport, spot.x, spot.y, _marker_of(spot, viewport.scale))
    return canvas


def animated_gif(scenes: Sequence[Scene], times: Sequence[int], width: int, height: int) -> bytes:
    """Scenes as an animated GIF, each shown for so many milliseconds."""
    pictures = [picture(scene, width, height) for scene in scenes]
    colours = _palette(pictures)
    first, *rest = [each.quantize(palette=colours, dither=Image.Dither.NONE) for each in pictures]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=rest, duration=list(times), loop=0)
    return file.getvalue()


def _palette(pictures: Sequence[Picture]) -> Picture:
    """One palette for all frames, of the first, middle and last, or the felt would flicker."""
    width, height = pictures[0].size
    chosen = [pictures[0], pictures[len(pictures) // 2], pictures[-1]]
    together = Image.new("RGB", (width, height * len(chosen)))
    for place, each in enumerate(chosen):
        together.paste(each, (0, height * place))
    return together.quantize(256)


def _viewport(scene: Scene, width: int, height: int) -> Viewport:
    """The viewport that shows the whole scene in the middle, at one of few scales."""
    across, down = scene.width + 2 * theme.MARGIN, scene.height + 2 * theme.MARGIN
    fits = min(width / across, height / down)
    step = 1 if fits > 12 else 0.25 if fits > 2 else fits
    scale = floor(fits / step) * step
    left = (width - scene.width * scale) / 2 - scene.box[0] * scale
    top = (height - scene.height * scale) / 2 - scene.box[1] * scale
    return Viewport(scale, round(left), round(top))


def _put(
    canvas: Picture, viewport: Viewport, x: float, y: float, drawn: Callable[[float, float], Sprite]
) -> None:
    """Pastes a sprite, to half a pixel."""
    right, down = viewport.right + x * viewport.scale, viewport.down + y * viewport.scale
    column, row = floor(right + 0.25), floor(down + 0.25)
    half = [0.5 if place > 0.25 else 0.0 for place in (right - column, down - row)]
    sprite = drawn(half[0], half[1])
    canvas.paste(sprite.picture, (column + sprite.right, row + sprite.down), sprite.picture)


@lru_cache(maxsize=16)
def _felt(width: int, height: int) -> Picture:
    """The felt, lighter in the middle."""
    across, down = np.linspace(-1, 1, width), np.linspace(-0.9, 1.1, height)
    far = np.sqrt(across[None, :] ** 2 + down[:, None] ** 2)[..., None] / 1.5
    middle, rim = (np.array(rgb(colour)) for colour in (theme.FELT_LIGHT, theme.FELT))
    mixed = middle + (rim - middle) * np.clip(far, 0, 1)
    return Image.fromarray(np.round(mixed).astype(np.uint8))


def rgb(colour: str) -> tuple[int, int, int]:
    """A colour as red, green and blue."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


# --------------------------------------------------------------------------------------- tiles


def _sprite_of(piece: Piece, scale: float, highest: int) -> Callable[[float, float], Sprite]:
    size = round(scale * piece.size * 4) / 4 or 0.25
    marks = (piece.last, piece.lit, piece.opener)
    appearance = (piece.face, piece.curved, piece.angle, highest, *marks)
    return lambda right, down: _tile(*appearance, size, right, down)


@lru_cache(maxsize=8192)
def _tile(
    face: Face | None,
    curved: bool,
    angle: int,
    highest: int,
    last: bool,
    lit: bool,
    opener: bool,
    scale: float,
    right: float,
    down: float,
) -> Sprite:
    """A tile as it lies, its shadow below it."""
    box = Piece(face, 0, 0, angle, curved).box()
    fine = FineCanvas.for_box(
        (box[0] - 0.1, box[1] - 0.1, box[2] + 0.15, box[3] + 0.2), scale, right, down
    )
    edge = theme.outline(curved, theme.GAP, theme.CORNER)
    fine.polygon(edge, theme.SHADOW, angle, (0.025, 0.06), alpha=128)
    _body(fine, face is None, curved, angle)
    if last or lit:
        _ring(fine, curved, angle, last, lit, theme.BACK if face is None else theme.IVORY)
    if face is not None:
        _divider(fine, curved, angle)
        if opener:
            fine.polygon(theme.PIN, theme.BRASS, angle, theme.rotated(*theme.pin(curved), angle))
        for marks in theme.marks(face, curved, highest):
            for mark in marks:
                _mark(fine, mark, theme.rotated(mark.x, mark.y, angle))
    return Sprite(*fine.reduced())


def _body(fine: FineCanvas, back: bool, curved: bool, angle: int) -> None:
    edge, inside = (theme.BACK_EDGE, theme.BACK) if back else (theme.EDGE, theme.IVORY)
    fine.polygon(theme.outline(curved, theme.GAP - 0.015, theme.CORNER), edge, angle)
    fine.polygon(theme.outline(curved, theme.GAP + 0.015, theme.CORNER), inside, angle)
    if back:
        fine.polygon(theme.outline(curved, 0.13, 0.08), theme.BACK_LINE, angle, alpha=190)
        fine.polygon(theme.outline(curved, 0.16, 0.06), theme.BACK, angle)


def _ring(fine: FineCanvas, curved: bool, angle: int, last: bool, lit: bool, inside: str) -> None:
    """What marks the last move, a whole line, and what may be moved, a broken one."""
    if last:
        fine.polygon(theme.outline(curved, theme.GAP, theme.CORNER), theme.LAST, angle)
        fine.polygon(theme.outline(curved, theme.GAP + theme.RING, 0.09), inside, angle)
    if lit:
        edge = theme.outline(curved, theme.GAP + theme.RING / 2, theme.CORNER - theme.RING / 2)
        fine.dashes([*edge, edge[0]], theme.LIT, theme.RING, angle)


def _divider(fine: FineCanvas, curved: bool, angle: int) -> None:
    ends = theme.divider(curved)
    fine.line([theme.rotated(*end, angle) for end in ends], theme.DIVIDER, 0.04)


def _mark(fine: FineCanvas, mark: theme.Mark, at: tuple[float, float], size: float = 1.0) -> None:
    if mark.kind == "pip":
        fine.disc(*at, theme.PIP * size, mark.colour)
    elif mark.kind == "number":
        fine.text(*at, mark.text, theme.NUMBER_TEXT * size, mark.colour)
    else:
        shape = [(size * x, size * y) for x, y in theme.SYMBOLS[mark.kind]]
        fine.polygon(shape, mark.colour, 0, at)
        fine.text(*at, mark.text, theme.SYMBOL_TEXT * size, theme.WHITE)


# --------------------------------------------------------------------------- open ends, words


def _marker_of(spot: Spot, scale: float) -> Callable[[float, float], Sprite]:
    appearance = (spot.end, spot.angle, spot.value, spot.lit, spot.dead, spot.notes)
    return lambda right, down: _marker(*appearance, scale, right, down)


@lru_cache(maxsize=4096)
def _marker(
    end: int,
    angle: int,
    value: Half | None,
    lit: bool,
    dead: bool,
    notes: tuple[str, ...],
    scale: float,
    right: float,
    down: float,
) -> Sprite:
    """A badge with the number of the end, and a small ghost of the half that it asks for."""
    wide = max(0.9, *(0.1 * len(note) for note in notes), 0)
    lines = theme.notes_at(len(notes), angle, dead)
    high, low = min(0, 0, *lines) - 0.9, max(0, 0, *lines) + 0.9
    fine = FineCanvas.for_box((-wide, high, wide, low), scale, right, down)
    colour = theme.spot_colour(lit, dead)
    badge = (0.0, 0.0) if value is None else theme.rotated(theme.BADGE_AT, 0, angle)
    fine.polygon(*((theme.BAR, colour, angle) if dead else (theme.ARROW, colour, angle, badge)))
    if lit:
        fine.disc(*badge, theme.BADGE + 0.03, theme.WHITE)
    fine.disc(*badge, theme.BADGE - 0.03 * lit, colour)
    fine.text(*badge, str(end), theme.badge_text(end), theme.FRAME)
    if value is not None:
        ghost = theme.rotated(theme.ASKS_AT, 0, angle)
        fine.square(
            *ghost, theme.ASKS, 0.09, f"{theme.IVORY}{round(255 * theme.ghost_opacity(dead)):02x}"
        )
        _mark(fine, theme.mark_of(value), ghost, theme.ASKS_SIZE)
    for line, note in zip(lines, notes, strict=True):
        fine.text(0, line, note, theme.NOTE_TEXT, theme.CREAM, theme.FELT)
    return Sprite(*fine.reduced())


def _write(canvas: Picture, viewport: Viewport, label: Label) -> None:
    sprite = _line(label.text, round(theme.LETTERS * label.height * viewport.scale), label.role)
    x, y = viewport.right + label.x * viewport.scale, viewport.down + label.y * viewport.scale
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * sprite.picture.width
    at = round(x - before), round(y) + sprite.down
    colour = rgb(theme.ROLES.get(label.role, theme.NOTE)[0])
    canvas.paste(colour, at, sprite.picture)
    if label.role == "turn":
        _put(
            canvas,
            viewport,
            label.x,
            label.y,
            lambda *half: _pointer(label.height * viewport.scale, *half),
        )


@lru_cache(maxsize=1024)
def _line(text: str, size: int, role: str) -> Sprite:
    """A line of text as a mask, as wide as the text is."""
    height = OVERSAMPLING * max(size, 1)
    letters, bold = font(height), round(BOLD * height) if role in theme.ROLES else 0
    left, _, right, _ = letters.getbbox(text, stroke_width=bold)
    mask = Image.new("L", (OVERSAMPLING * max(1, ceil((right - left) / OVERSAMPLING)), 2 * height))
    at = (-left, 1.36 * height)
    ImageDraw.Draw(mask).text(at, text, 255, letters, "ls", stroke_width=bold)
    return Sprite(mask.reduce(OVERSAMPLING), 0, -size)


@lru_cache(maxsize=256)
def _pointer(scale: float, right: float, down: float) -> Sprite:
    fine = FineCanvas.for_box((-0.7, -0.4, 0, 0.4), scale, right, down)
    fine.polygon(theme.POINTER, theme.GOLD)
    return Sprite(*fine.reduced())
