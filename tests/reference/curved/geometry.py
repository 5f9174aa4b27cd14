"""The shape of a curved tile and where it lies: circles and angles in the plane.

A tile is a third of a ring. Angles are in whole degrees, counterclockwise, so headings stay exact;
places are floats, and no two different places are ever nearer to each other than a tile's width.
"""

from __future__ import annotations

from functools import cache
from math import cos, hypot, radians, sin
from typing import NamedTuple

INNER = 12.0  # radius of the hollow side
OUTER = 33.0  # radius of the back
MIDDLE = 22.5  # radius of the centre line
SWEEP = 120  # degrees
TOUCH = 0.001  # nearer than this is touching, not overlapping

RIGHT = "right"
LEFT = "left"

# Points spread over a tile, as (distance from the ring's centre, degrees off the bisector). Tiles
# that collide share a third of their area, so these find it (rulings B).
SPREAD = [
    (distance, off)
    for distance in (13.0, 17.75, 22.5, 27.25, 32.0)
    for off in (-57, -38, -19, 0, 19, 38, 57)
]


class Pose(NamedTuple):
    """An end of a tile: the middle of its end face, and the way that leads out of the tile."""

    x: float
    y: float
    heading: int


def walk(x: float, y: float, angle: int, distance: float) -> tuple[float, float]:
    """Where one comes to from a point, going so far at this angle."""
    return x + distance * cos(radians(angle)), y + distance * sin(radians(angle))


@cache
def spread_over(bisector: int) -> list[tuple[float, float]]:
    """The points spread over a tile, as seen from the centre of its ring."""
    return [walk(0, 0, bisector + off, distance) for distance, off in SPREAD]


class Arc:
    """A tile lying on the table: the centre of its ring, and the angle its back points at."""

    def __init__(self, x: float, y: float, bisector: int) -> None:
        self.x = x
        self.y = y
        self.bisector = bisector % 360
        self.towards = walk(0, 0, bisector, 1)
        self.points = [(x + dx, y + dy) for dx, dy in spread_over(bisector)]

    def covers(self, x: float, y: float) -> bool:
        """Does this point lie on the tile, and not only on its rim?"""
        dx, dy = x - self.x, y - self.y
        distance = hypot(dx, dy)
        if not INNER + TOUCH < distance < OUTER - TOUCH:
            return False
        # Less than 60 degrees off the bisector: its cosine is more than a half.
        return dx * self.towards[0] + dy * self.towards[1] > distance / 2 + TOUCH

    def overlaps(self, other: Arc) -> bool:
        """Do the two tiles lie one on the other?"""
        if hypot(self.x - other.x, self.y - other.y) >= 2 * OUTER:
            return False
        return any(other.covers(x, y) for x, y in self.points) or any(
            self.covers(x, y) for x, y in other.points
        )

    def ends(self) -> tuple[Pose, Pose]:
        """Its two ends, in the order in which the tile turns right from one to the other."""
        half = SWEEP // 2
        start = walk(self.x, self.y, self.bisector + half, MIDDLE)
        finish = walk(self.x, self.y, self.bisector - half, MIDDLE)
        # Across the radius: counterclockwise leads out at the start, clockwise at the finish.
        return (
            Pose(*start, (self.bisector + half + 90) % 360),
            Pose(*finish, (self.bisector - half - 90) % 360),
        )


def lay_next(pose: Pose, turn: str) -> tuple[Arc, Pose]:
    """Lay a tile against an end so that it turns right or left; the tile and its far end."""
    if turn == RIGHT:
        # The ring's centre is on our right hand, and we start on the left of it.
        x, y = walk(pose.x, pose.y, pose.heading - 90, MIDDLE)
        arc = Arc(x, y, pose.heading + 90 - SWEEP // 2)
        return arc, arc.ends()[1]
    x, y = walk(pose.x, pose.y, pose.heading + 90, MIDDLE)
    arc = Arc(x, y, pose.heading - 90 + SWEEP // 2)
    return arc, arc.ends()[0]


def face_each_other(one: Pose, other: Pose) -> bool:
    """Do two ends lie face to face, at the same place and looking opposite ways?"""
    apart = hypot(one.x - other.x, one.y - other.y)
    return apart < TOUCH and (one.heading - other.heading) % 360 == 180
