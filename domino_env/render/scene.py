"""A scene: what there is to see of a game, as shapes in a plane, for any painter.

Lengths are halves of a straight tile (as wide as a curved one is); x goes right, y goes down, and
angles are degrees, clockwise, from the right. A scene holds nothing that its viewer
may not know: it is made from `Position.seen_by`, and the face of a hidden tile is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import TypeAlias

Half: TypeAlias = int | str
Face: TypeAlias = tuple[Half, Half]
Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

# A curved tile is a third of a ring (B). Measured on the real one, 21 across.
INNER, MIDDLE, OUTER = 12 / 21, 22.5 / 21, 33 / 21
SPREAD = 60  # degrees, to both sides of where its back points


@dataclass(frozen=True)
class Piece:
    """A tile, and where it lies.

    Of a straight tile `x`, `y` is the middle, and at angle 0 its first half is on the left. Of a
    curved one `x`, `y` is the middle of its ring, `angle` is where its back points, and going
    clockwise its first half comes first.
    """

    face: Face | None
    """None: it lies face down."""
    x: float
    y: float
    angle: int = 0
    curved: bool = False
    size: float = 1.0
    """How much larger than a tile on the table."""
    where: str = "table"
    """Or "hand", "boneyard", "row" or "column"."""
    seat: int | None = None
    """Whose it is, or who has played it."""
    number: int = 0
    """Its place there, from 0: on the table in the order of play."""
    last: bool = False
    """Was it laid, turned up or moved last?"""
    lit: bool = False
    """Is there something that the viewer may do with it now?"""
    opener: bool = False
    """Has it opened the round?"""

    def moved(self, right: float, down: float) -> Piece:
        """A copy, moved so far right and down."""
        return Piece(  # `replace` takes twice as long, and there are many
            self.face,
            self.x + right,
            self.y + down,
            self.angle,
            self.curved,
            self.size,
            self.where,
            self.seat,
            self.number,
            self.last,
            self.lit,
            self.opener,
        )

    def middles(self) -> tuple[Point, Point]:
        """The middle of its first half, and of its second."""
        if self.curved:
            return tuple(  # type: ignore[return-value]
                self._at(MIDDLE, self.angle + turn) for turn in (-SPREAD / 2, SPREAD / 2)
            )
        return self._at(-0.5, self.angle), self._at(0.5, self.angle)

    def outline(self, steps: int = 12) -> list[Point]:
        """Its edge as a polygon; a curved one in so many steps along each arc."""
        if not self.curved:
            corners = ((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5))
            return [self._turned(*corner) for corner in corners]
        turns = [2 * SPREAD * step / steps - SPREAD for step in range(steps + 1)]
        back = [self._at(OUTER, self.angle + turn) for turn in turns]
        return back + [self._at(INNER, self.angle + turn) for turn in reversed(turns)]

    def box(self) -> Box:
        """The smallest box around it."""
        return box_around(self.outline())

    def _at(self, distance: float, angle: float) -> Point:
        across, down = cos(radians(angle)), sin(radians(angle))
        return self.x + self.size * distance * across, self.y + self.size * distance * down

    def _turned(self, right: float, down: float) -> Point:
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        return (
            self.x + self.size * (right * c - down * s),
            self.y + self.size * (right * s + down * c),
        )


def points_up(angle: int) -> bool:
    """Does an end of this angle point up rather than sideways or down?"""
    return sin(radians(angle)) < -0.7


@dataclass(frozen=True)
class Spot:
    """An end: where the next tile would be joined, and which way it would go."""

    end: int
    x: float
    y: float
    angle: int
    value: Half | None
    """What it asks for; None: anything."""
    lit: bool = False
    """May the viewer play on it now?"""
    note: str = ""
    """A remark on it: "right only", "not now", "dead" or "dead, counts 5"."""
    dead: bool = False
    """Does no tile fit there (B4)?"""

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines of its remark."""
        return tuple(self.note.split(", ")) if self.note else ()

    def box(self) -> Box:
        """The smallest box around it and the notes below or above it."""
        more = 0.3 * len(self.notes)
        above, below = (more, 0.0) if points_up(self.angle) else (0.0, more)
        return self.x - 0.6, self.y - 0.6 - above, self.x + 0.6, self.y + 0.6 + below

    def moved(self, right: float, down: float) -> Spot:
        """A copy, moved so far right and down."""
        return replace(self, x=self.x + right, y=self.y + down)


@dataclass(frozen=True)
class Label:
    """A line of text."""

    text: str
    x: float
    y: float
    """Of the middle of the line."""
    height: float = 0.8
    anchor: str = "start"
    """What of the text is at `x`: its "start", "middle" or "end"."""
    role: str = "note"
    """What it is: "title", "name" (of a seat), "turn" (the name of the seat to move), "note"."""

    @property
    def width(self) -> float:
        """An upper bound for its width, in most typefaces."""
        return 0.56 * self.height * len(self.text)

    def moved(self, right: float, down: float) -> Label:
        """A copy, moved so far right and down."""
        return replace(self, x=self.x + right, y=self.y + down)


@dataclass(frozen=True)
class Scene:
    """All there is to see; what lies under other things comes first."""

    title: str
    box: Box
    pieces: tuple[Piece, ...] = ()
    spots: tuple[Spot, ...] = ()
    labels: tuple[Label, ...] = ()
    highest: int = 6
    """The highest number in the set: above nine, pips are hard to count."""

    @property
    def width(self) -> float:
        """Of its box."""
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        """Of its box."""
        return self.box[3] - self.box[1]


def box_around(points: list[Point]) -> Box:
    """The smallest box that has all the points in it."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def box_of(pieces: tuple[Piece, ...] | list[Piece]) -> Box:
    """The smallest box that has all the pieces in it."""
    boxes = [piece.box() for piece in pieces]
    return box_around([corner for box in boxes for corner in (box[:2], box[2:])])
