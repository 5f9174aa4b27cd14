"""The places that straight tiles can take, and how much room they leave for an arm to go on.

Lengths are quarters of a tile, so that all of them are whole: a half is 2 by 2, and a double that
lies crosswise stands out by 1 on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from domino_env.render.occupancy import Occupancy, Rect, Way

RIGHT, DOWN, LEFT, UP = Way(1, 0), Way(0, 1), Way(-1, 0), Way(0, -1)
CROSS = (LEFT, RIGHT, UP, DOWN)  # the sides of an opening double, by the numbers of its ends
ONWARD = {way: (way, way.turned, way.turned.back) for way in CROSS}
"""Straight on, and to both sides."""

# What it costs to leave an arm with little room.
_ROOM = (3000, 500, 200, 80, 30, 0)  # an end where no tile has room, or but one, or two ...
_SIDE = 60  # a side of a double that may come, without room


class Anchor(NamedTuple):
    """Where the next tile of an arm is attached: straight on from the half that shows, or aside."""

    x: int
    y: int
    ways: tuple[Way, ...]
    """Straight on comes first."""
    along: Way
    """The last way along the line itself, not aside."""
    drift: Way
    """The side that it turns to when it cannot go on."""
    on_double: bool = False

    def next_to(self, way: Way, crosswise: bool) -> Rect:
        """The place of a tile that is joined to it."""
        return tile_rect(self.x, self.y, way, crosswise)


# Where arms begin that are not as many as a double has sides: at these sides of the middle.
_AROUND = (LEFT, RIGHT, UP, DOWN, LEFT, RIGHT, LEFT, RIGHT, UP, DOWN)
_APART = 6  # quarters from arm to arm on the same side, so that doubles have room across


def ring_of(arms: int) -> tuple[Rect, list[Anchor]]:
    """The room in the middle, and the arms around it (MT2)."""
    ways = _AROUND[:arms]
    across = max(_reach(ways.count(UP)), _reach(ways.count(DOWN)))
    down = max(_reach(ways.count(LEFT)), _reach(ways.count(RIGHT)))
    anchors = []
    for place, way in enumerate(ways):
        aside = _APART * ways[:place].count(way) - _APART * (ways.count(way) - 1) // 2
        x = (across - 1) * way.x + aside * abs(way.y)
        y = (down - 1) * way.y + aside * abs(way.x)
        anchors.append(Anchor(x, y, (way,), way, way.turned, True))
    return Rect.around(0, 0, across, down), anchors


def _reach(arms: int) -> int:
    """How far from the middle so many arms on one side reach to both sides."""
    return 3 + _APART * max(arms - 1, 0) // 2


class LayoutOptions(NamedTuple):
    """What decides how tiles lie, beside the tiles themselves."""

    branches: bool
    """May doubles open more ends than the one that they are laid on?"""
    right: int
    """Where the table ends: so far from its middle, to the left too, in quarters."""
    down: int
    """Likewise, and up."""


def _taken(way: Way, crosswise: bool) -> Rect:
    """The place of a tile that is joined to a half at 0, 0."""
    if crosswise:
        return Rect.around(2 * way.x, 2 * way.y, 1 + abs(way.y), 1 + abs(way.x))
    return Rect.around(3 * way.x, 3 * way.y, 1 + abs(way.x), 1 + abs(way.y))


_TAKEN = {(way, crosswise): _taken(way, crosswise) for way in CROSS for crosswise in (False, True)}


def tile_rect(x: int, y: int, way: Way, crosswise: bool) -> Rect:
    """The place of a tile that is joined to a half."""
    left, top, right, bottom = _TAKEN[way, crosswise]
    return Rect(x + left, y + top, x + right, y + bottom)


def past_edge(options: LayoutOptions, rect: Rect) -> int:
    """How far something lies past the edge of the table."""
    right, down = options.right, options.down
    return max(0, rect.right - right, -right - rect.left, rect.bottom - down, -down - rect.top)


def cramped(occupied: Occupancy, branches: bool, anchor: Anchor) -> int:
    """The cost of how little room an arm has to go on."""
    most = len(_ROOM) - 1
    ways = [
        way for way in anchor.ways if occupied.is_free(tile_rect(anchor.x, anchor.y, way, True))
    ]
    if not ways:
        return _ROOM[0]
    cost = _ROOM[_chain(occupied, anchor.x, anchor.y, anchor.ways, most)]
    if branches:
        cost += min(_cramped_sides(occupied, anchor, way) for way in ways)
    return cost


def _cramped_sides(occupied: Occupancy, anchor: Anchor, way: Way) -> int:
    """The same for the sides that a double would open, if it were laid here."""
    x, y = anchor.x + 2 * way.x, anchor.y + 2 * way.y
    return sum(
        _SIDE
        for side in ONWARD[way][1:]
        if not occupied.is_free(tile_rect(x + side.x, y + side.y, side, True))
        or _chain(occupied, x + side.x, y + side.y, (side,), 3) < 3
    )


def _chain(occupied: Occupancy, x: int, y: int, ways: tuple[Way, ...], tiles: int) -> int:
    """How many tiles could be laid one after the other from here, up to so many."""
    most = 0
    for way in ways:
        if not occupied.is_free(tile_rect(x, y, way, False)):
            continue
        longest = 1
        if tiles > 1:
            beyond = ONWARD[way]
            longest += _chain(occupied, x + 4 * way.x, y + 4 * way.y, beyond, tiles - 1)
        most = max(most, longest)
        if most == tiles:
            break
    return most


def roomier_first(occupied: Occupancy, sides: Iterable[Anchor]) -> list[Anchor]:
    """The sides of a double, the roomier first: of ends that are alike the lowest is played on
    first (G19)."""
    return sorted(sides, key=lambda side: cramped(occupied, False, side))
