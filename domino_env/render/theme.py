"""The theme that all painters share: colours, measures, where pips go, the shapes of symbols.

A tile is described in its own frame, as `Piece` has it: lengths are halves of a straight tile, and
at angle 0 a straight tile lies across, its first half on the left; a curved one bends round 0, 0
with its back to the right. Nothing is told by colour alone: numbers are pips or numerals as well,
and symbols carry the number of their colour.
"""

from __future__ import annotations

from functools import lru_cache
from math import asin, cos, degrees, pi, radians, sin
from typing import NamedTuple

from domino_env.render.scene import INNER, MIDDLE, OUTER, SPREAD, Face, Half, Point, points_up

IVORY, EDGE, DIVIDER, BRASS = "#fbf6e9", "#cfc4a8", "#d3c8ad", "#c9a14a"
BACK, BACK_EDGE, BACK_LINE = "#33517a", "#22395a", "#8aa4c8"
FELT, FELT_LIGHT, FRAME, SHADOW = "#14503f", "#1f6d55", "#0e3b2f", "#06231b"
CREAM, DIM, GOLD, SKY, WHITE = "#f6f0df", "#bcd3c6", "#ffd34d", "#6fd0ff", "#ffffff"
DEAD = "#8aa79a"  # where no tile has room
LAST, LIT = "#f5a300", "#0b84d9"  # on ivory
INK = "#24262b"
# Of the numbers 0 to 15. The first are Okabe and Ito's for the colour-blind, dark enough for ivory;
# neighbours differ in lightness too.
COLOURS = (
    *(INK, "#0072b2", "#d55e00", "#00875f", "#9c3587", "#b47a00", "#3b3f46", "#7a4b2a"),
    *("#5c7f00", "#b3123f", "#007a80", "#5f45b8", "#c2457a", "#2f6b2f", "#8c5a00", "#4a6478"),
)

MARGIN = 0.4  # of felt round the box of a scene
GAP = 0.03  # from where a tile ends to where it is seen to end: tiles that touch stay apart
CORNER = 0.15
RING = 0.1  # how wide the mark of the last move is, and of what may be moved
DASH, SPACE = 0.34, 0.14  # of the latter: it is a broken line
PIP = 0.092
# Of brass, in the middle of the tile that opened the round; round ones are pips.
PIN: tuple[Point, ...] = ((0.0, -0.14), (0.11, 0.0), (0.0, 0.14), (-0.11, 0.0))
MOST_PIPS = 9  # in a set with higher numbers, halves show numerals

# From pip to pip, along a tile and across it: a curved one is narrow within its bend.
_APART, _APART_IN_BEND, _OUTWARDS = (0.27, 0.27), (0.2, 0.25), 0.03
# Along the tile and across it, in steps; the six of a tile stand in two lines along it.
_PIPS: tuple[tuple[Point, ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (0, 0), (-1, 1), (0, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
    ((-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)),
)


class Mark(NamedTuple):
    """Something on the face of a tile: a "pip", a "number", or a symbol: "again" (an arrow),
    "draw" (a plus) or "star". All but pips stand upright, whatever way their tile lies."""

    kind: str
    x: float
    y: float
    colour: str
    text: str = ""
    """What is written in it."""


@lru_cache(maxsize=4096)
def marks(face: Face, curved: bool, highest: int) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """What the first and the second half show, in the frame of the tile."""
    first, second = face
    return _half(first, 0, curved, highest), _half(second, 1, curved, highest)


def _half(half: Half, place: int, curved: bool, highest: int) -> tuple[Mark, ...]:
    if isinstance(half, int) and half <= MOST_PIPS >= highest:
        colour = colour_of(half) if curved or highest > 6 else INK
        right, down = _APART_IN_BEND if curved else _APART
        pips = [(right * along, down * across) for along, across in _PIPS[half]]
        return tuple(Mark("pip", *_on_tile(point, place, curved), colour) for point in pips)
    return (mark_of(half, *_on_tile((0, 0), place, curved)),)


def mark_of(half: Half, x: float = 0.0, y: float = 0.0) -> Mark:
    """A half as one upright mark: a numeral, or its symbol."""
    if isinstance(half, int):
        return Mark("number", x, y, colour_of(half), str(half))
    kind = {">": "again", "+": "draw"}.get(half[0])
    if kind is not None:
        return Mark(kind, x, y, colour_of(int(half[1:])), half[1:])
    return Mark("star", x, y, INK) if half == "*" else Mark("number", x, y, INK, half)


def colour_of(number: int) -> str:
    """The colour of a number."""
    return COLOURS[number % len(COLOURS)]


def _on_tile(point: Point, place: int, curved: bool) -> Point:
    """From the middle of a half to the frame of its tile. On a curved one, along is across the
    line from the middle of its ring, and across is along it."""
    along, across = point
    if not curved:
        return along + place - 0.5, across
    return rotated(MIDDLE + _OUTWARDS - across, along, (place - 0.5) * SPREAD)


# ------------------------------------------------------------------------------------ outlines


def divider(curved: bool) -> tuple[Point, Point]:
    """The line between the halves."""
    return ((INNER + 0.18, 0.0), (OUTER - 0.18, 0.0)) if curved else ((0.0, -0.34), (0.0, 0.34))


def pin(curved: bool) -> Point:
    """The middle of a tile."""
    return (MIDDLE, 0.0) if curved else (0.0, 0.0)


def bend(inset: float) -> tuple[float, float, float, float]:
    """A curved tile, smaller by the inset on all sides: the radius of its inner edge and of its
    outer one, and how far each goes to both sides, in degrees."""
    inner, outer = INNER + inset, OUTER - inset
    return (
        inner,
        outer,
        SPREAD - degrees(asin(inset / inner)),
        SPREAD - degrees(asin(inset / outer)),
    )


@lru_cache(maxsize=64)
def outline(curved: bool, inset: float, corner: float) -> tuple[Point, ...]:
    """The edge of a tile as a polygon with round corners."""
    return tuple(_ring_outline(inset, corner) if curved else _box_outline(inset, corner))


def _box_outline(inset: float, corner: float, steps: int = 6) -> list[Point]:
    across, down = 1 - inset - corner, 0.5 - inset - corner
    edge: list[Point] = []
    for quarter, (right, low) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(steps + 1):
            turn = pi / 2 * (quarter + step / steps)
            edge.append(
                (right * across + corner * cos(turn), low * down + corner * sin(turn)),
            )
    return edge


def _ring_outline(inset: float, corner: float, steps: int = 24) -> list[Point]:
    inner, outer, near, far = bend(inset)
    edge: list[Point] = []
    for radius, most, side, inwards in ((outer, far, 1, -corner), (inner, near, -1, corner)):
        short = most - degrees(corner / radius)
        turns = [side * short * (2 * step / steps - 1) for step in range(steps + 1)]
        edge += round_corner(radius, -side * most, side * (most - short), inwards)[::-1]
        edge += [polar(radius, turn) for turn in turns]
        edge += round_corner(radius, side * most, -side * (most - short), inwards)
    return edge


def round_corner(radius: float, turn: float, back: float, inwards: float) -> list[Point]:
    """From the arc to the straight edge, round the corner of both: a parabola."""
    ends = polar(radius, turn + back), polar(radius, turn), polar(radius + inwards, turn)
    return [_parabola(ends, step / 5) for step in range(6)]


def _parabola(ends: tuple[Point, Point, Point], t: float) -> Point:
    weights = ((1 - t) ** 2, 2 * t * (1 - t), t**2)
    return (
        sum(weight * x for weight, (x, _) in zip(weights, ends, strict=True)),
        sum(weight * y for weight, (_, y) in zip(weights, ends, strict=True)),
    )


def polar(radius: float, turn: float) -> Point:
    """The point so far from 0, 0, so many degrees clockwise from the right."""
    return radius * cos(radians(turn)), radius * sin(radians(turn))


# ------------------------------------------------------------------------------------- symbols

STAR: tuple[Point, ...] = tuple(
    polar(0.36 if point % 2 == 0 else 0.15, -90 + 36 * point) for point in range(10)
)
# "Play again": a wide arrow, its number in the shaft. "Draw": a plus, its number in the middle.
AGAIN: tuple[Point, ...] = (
    *((-0.36, -0.2), (0.02, -0.2), (0.02, -0.36), (0.4, 0.0)),
    *((0.02, 0.36), (0.02, 0.2), (-0.36, 0.2)),
)
DRAW: tuple[Point, ...] = (
    *((-0.15, -0.37), (0.15, -0.37), (0.15, -0.15), (0.37, -0.15), (0.37, 0.15), (0.15, 0.15)),
    *((0.15, 0.37), (-0.15, 0.37), (-0.15, 0.15), (-0.37, 0.15), (-0.37, -0.15), (-0.15, -0.15)),
)
SYMBOLS = {"star": STAR, "again": AGAIN, "draw": DRAW}
SYMBOL_TEXT = 0.3  # the height of what is written in a symbol
NUMBER_TEXT = 0.62  # and of a numeral

# An end, along its way: a badge with its number, an arrow that points on, what it asks for, and
# lines of what is special about it. A bar shuts off an end that is dead. One that takes anything
# has its badge in the middle.
BADGE_AT, BADGE, ASKS_AT, ASKS, NOTE_AT = -0.25, 0.27, 0.36, 0.23, 0.56
BADGE_TEXT, ASKS_SIZE, NOTE_TEXT, NOTE_DOWN = 0.4, 0.58, 0.28, 0.3
ARROW: tuple[Point, ...] = ((0.11, -0.24), (0.42, 0.0), (0.11, 0.24))  # from the badge
BAR: tuple[Point, ...] = ((0.66, -0.34), (0.78, -0.34), (0.78, 0.34), (0.66, 0.34))


def badge_text(end: int) -> float:
    """How high the number in a badge is."""
    return BADGE_TEXT if end < 10 else 0.8 * BADGE_TEXT


def notes_at(lines: int, angle: int, dead: bool) -> tuple[float, ...]:
    """How far below the middle of an end its lines of notes are: beyond all that it shows; above it
    where the end points up, because its tile is below."""
    asks = rotated(ASKS_AT, 0, angle)[1]
    low, high = asks + ASKS, asks - ASKS
    if dead:
        across = [rotated(*corner, angle)[1] for corner in BAR]
        low, high = max(low, *across), min(high, *across)
    if points_up(angle):
        first = min(-NOTE_AT, high - 0.6 * NOTE_TEXT) - NOTE_DOWN * (lines - 1)
    else:
        first = max(NOTE_AT, low + 0.6 * NOTE_TEXT)
    return tuple(first + NOTE_DOWN * line for line in range(lines))


def ghost_opacity(dead: bool) -> float:
    """How opaque the half that an end shows is drawn."""
    return 0.55 if dead else 0.92


def spot_colour(lit: bool, dead: bool) -> str:
    """The colour of the badge of an end."""
    return SKY if lit else DEAD if dead else CREAM


# Labels, by what they are: colour and weight; their letters, and what points to whose turn it is.
NOTE = (DIM, 400)
ROLES = {"title": (WHITE, 700), "name": (CREAM, 600), "turn": (GOLD, 700)}
LETTERS = 0.8
POINTER: tuple[Point, ...] = ((-0.62, -0.24), (-0.22, 0.0), (-0.62, 0.24))


def rotated(x: float, y: float, angle: float) -> Point:
    """A point after its tile has been turned by so many degrees."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return x * c - y * s, x * s + y * c
