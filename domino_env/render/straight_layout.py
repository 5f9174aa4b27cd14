"""Where straight tiles lie: lines that fold at the table's edge, crosses, and trees of spinners.

A greedy layout: tiles are laid in the order of play, each in the place that costs least, and stay
there. A tile goes straight on if it can; at the table's edge, or where something is in the way, the
line turns. It costs most to leave an open end without room, because somebody may play on it later.
Should an arm be shut in all the same, the whole table is laid anew, with random costs added.

Which ends a tile opens is for the engine to say (`domino_env.laid`); here they get their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from domino_env.laid import Laid
from domino_env.render.occupancy import Occupancy, Rect, Way
from domino_env.render.straight_room import (
    CROSS,
    DOWN,
    ONWARD,
    RIGHT,
    UP,
    Anchor,
    LayoutOptions,
    cramped,
    past_edge,
    ring_of,
    roomier_first,
    tile_rect,
)

# Costs of a place, beside those of the room that it leaves (`cramped`).
_TURN, _BACK, _ASIDE, _AGAIN, _AT_DOUBLE, _TOUCHING, _SHORT = 10, 6, 6, 5, 8, 3, 2
_LAST, _OUTSIDE = 100, 300
_AHEAD = 3  # tiles for which a line should be able to go straight on
_NEAR = 24  # an end farther away than this loses no room by a tile
_TRIES = 60


class Placement(NamedTuple):
    """Where a tile lies: its middle, in quarters, and the way from its first half to its second."""

    x: int
    y: int
    way: Way


@dataclass(frozen=True)
class StraightLayout:
    """Where the tiles on the table lie, and where the next ones can go."""

    options: LayoutOptions
    attempt: int
    """How often the table was laid anew."""
    occupied: Occupancy
    placements: tuple[Placement, ...]
    anchors: dict[int, Anchor]
    """By the number of the end; below 0 those of ends that will be opened later (`_sides`)."""
    hosts: dict[int, int]
    """For each end the tile that it is on, as its place in `placements`."""


class NoRoom(Exception):
    """No tile can be laid on an end: everything around it is taken."""


@lru_cache(maxsize=512)
def lay_straight(options: LayoutOptions, plays: tuple[Laid, ...]) -> StraightLayout:
    """Where tiles lie that were laid in this order; cached, so each move of a game adds one."""
    if len(plays) == 1:
        return _with_first_tile(options, plays[0], attempt=0)
    try:
        return _join(lay_straight(options, plays[:-1]), plays[-1])
    except NoRoom:
        return _relaid(options, plays)


def _relaid(options: LayoutOptions, plays: tuple[Laid, ...]) -> StraightLayout:
    """Lays all tiles again, with random costs added, until all of them have a place."""
    for attempt in range(1, _TRIES + 1):
        layout = _with_first_tile(options, plays[0], attempt)
        try:
            for number, play in enumerate(plays[1:], 2):
                layout = _join(layout, play, frozenset(other.end for other in plays[number:]))
        except NoRoom:
            continue
        return layout
    return _apart(lay_straight(options, plays[:-1]), plays[-1])


def _apart(layout: StraightLayout, play: Laid) -> StraightLayout:
    """The last resort: a tile for which no place is left lies below all others, and its arm goes on
    there. No game has come to this yet."""
    below = max(placement.y for placement in layout.placements) + 8
    anchor = Anchor(0, below, (RIGHT,), RIGHT, DOWN)
    candidate = _Candidate(RIGHT, play.double, anchor.next_to(RIGHT, play.double))
    return _with_tile(layout, play, anchor, candidate)


# The first tile ----------------------------------------------------------------------------------


def _with_first_tile(options: LayoutOptions, play: Laid, attempt: int) -> StraightLayout:
    """Lays the tile that opens the round: crosswise if it is a double."""
    placement = Placement(0, 0, DOWN if play.double else RIGHT)
    rect = Rect.around(0, 0, 1, 2) if play.double else Rect.around(0, 0, 2, 1)
    if len(play.shows) in (1, 2, 4):
        anchors = {end: _first_anchor(CROSS[end], play.double) for end, *_ in play.shows}
    else:
        rect, around = ring_of(len(play.shows))
        anchors = {end: anchor for (end, *_), anchor in zip(play.shows, around, strict=True)}
    if play.opens_sides_later:
        anchors.update(_sides(0, placement, RIGHT))
    hosts = {end: 0 for end, *_ in play.shows}
    return StraightLayout(
        options, attempt, Occupancy().with_rect(rect), (placement,), anchors, hosts
    )


def _first_anchor(way: Way, double: bool) -> Anchor:
    """An arm of the opening tile; the arms drift round, each to its own right."""
    out = 1 if way in (UP, DOWN) or not double else 0
    x, y = way.x * out, way.y * out
    ways: tuple[Way, ...] = (way,) if double else ONWARD[way]
    return Anchor(x, y, ways, way, way.turned, double)


# A tile that joins -------------------------------------------------------------------------------


class _Candidate(NamedTuple):
    """A place where a tile could be laid."""

    way: Way
    crosswise: bool
    rect: Rect


def _join(
    layout: StraightLayout, play: Laid, later: frozenset[int] | None = None
) -> StraightLayout:
    """Lays a tile on an end, where it costs least; `later` are the ends that will be played on, if
    that is known."""
    anchor = layout.anchors[play.end]
    random = Random(f"{layout.attempt} {len(layout.placements)}") if layout.attempt else None
    best: tuple[float, StraightLayout] | None = None
    for candidate in _candidates(layout, anchor, play.double):
        after = _with_tile(layout, play, anchor, candidate)
        cost = _cost(layout, after, anchor, candidate, later)
        if random is not None:
            cost += 800 * random.random() ** 4  # mostly a little, at times a lot
        if best is None or cost < best[0]:
            best = cost, after
        if cost == 0:  # it gets no better
            break
    if best is None:
        raise NoRoom(f"end {play.end}")
    return best[1]


def _candidates(layout: StraightLayout, anchor: Anchor, double: bool) -> Iterator[_Candidate]:
    """The places where it fits. A double that fits no other way lies lengthwise, if it is one end
    only (G17)."""
    found = False
    for way in anchor.ways:
        rect = tile_rect(anchor.x, anchor.y, way, double)
        if layout.occupied.is_free(rect):
            found = True
            yield _Candidate(way, double, rect)
    if double and not found and not layout.options.branches:
        for way in anchor.ways:
            rect = tile_rect(anchor.x, anchor.y, way, False)
            if layout.occupied.is_free(rect):
                yield _Candidate(way, False, rect)


def _with_tile(
    layout: StraightLayout, play: Laid, anchor: Anchor, candidate: _Candidate
) -> StraightLayout:
    """The layout with a tile in that place."""
    number, occupied = len(layout.placements), layout.occupied.with_rect(candidate.rect)
    placement = _placed(play, anchor, candidate)
    anchors, hosts = dict(layout.anchors), dict(layout.hosts)
    if play.uncovers:
        host = hosts[play.end]
        sides = roomier_first(occupied, [anchors.pop(key) for key in _keys(host)])
        for (end, *_), side in zip(play.uncovers, sides, strict=True):
            anchors[end], hosts[end] = side, host
    anchors.update(_anchors_on(play, number, placement, anchor, candidate, occupied))
    hosts.update({end: number for end, *_ in play.shows})
    return StraightLayout(
        layout.options,
        layout.attempt,
        occupied,
        (*layout.placements, placement),
        anchors,
        hosts,
    )


def _placed(play: Laid, anchor: Anchor, candidate: _Candidate) -> Placement:
    way, out = candidate.way, 2 if candidate.crosswise else 3
    turned = way if play.half == 0 else way.back
    if candidate.crosswise:
        turned = way.turned
    return Placement(anchor.x + out * way.x, anchor.y + out * way.y, turned)


def _anchors_on(
    play: Laid,
    number: int,
    placement: Placement,
    anchor: Anchor,
    candidate: _Candidate,
    occupied: Occupancy,
) -> dict[int, Anchor]:
    """The anchors of the ends that a tile shows, and of those that it will open later."""
    way = candidate.way
    if len(play.shows) > 1:  # its two short sides (FR2), and its far one (CF3)
        sides = roomier_first(occupied, _toes(number, placement, way, len(play.shows)))
        return {end: side for (end, *_), side in zip(play.shows, sides, strict=True)}
    end, drift = play.shows[0].end, anchor.drift
    along = way if way not in (drift, drift.back) else anchor.along
    if not candidate.crosswise:
        far = anchor.x + 4 * way.x, anchor.y + 4 * way.y
        return {end: Anchor(*far, ONWARD[way], along, drift)}
    middle = placement.x, placement.y
    if not play.opens_sides_later:
        return {end: Anchor(*middle, ONWARD[way], along, drift, True)}
    return {end: Anchor(*middle, (way,), along, drift, True), **_sides(number, placement, way)}


def _toes(number: int, placement: Placement, way: Way, toes: int) -> list[Anchor]:
    """The short sides of a double, and its far one if it has three toes."""
    far = [Anchor(placement.x, placement.y, (way,), way, way.turned, True)]
    return [*_sides(number, placement, way).values(), *far[: toes - 2]]


def _sides(number: int, placement: Placement, way: Way) -> dict[int, Anchor]:
    """The crosswise sides of a double that will be opened later: their room is kept for them."""
    return {
        key: Anchor(
            placement.x + side.x,
            placement.y + side.y,
            (side,),
            side,
            _outwards(placement, side),
            True,
        )
        for key, side in zip(_keys(number), ONWARD[way][1:], strict=True)
    }


def _keys(number: int) -> tuple[int, int]:
    """Keys for the crosswise sides of a tile, until the engine numbers them."""
    return -1 - 2 * number, -2 - 2 * number


def _outwards(placement: Placement, way: Way) -> Way:
    """To the side of a way that leads away from the middle of the table."""
    aside = way.turned
    return aside if aside.x * placement.x + aside.y * placement.y >= 0 else aside.back


# Costs -------------------------------------------------------------------------------------------


def _cost(
    before: StraightLayout,
    after: StraightLayout,
    anchor: Anchor,
    candidate: _Candidate,
    later: frozenset[int] | None,
) -> float:
    """The cost of a place. Room matters little for an end that is not played on later."""
    cost: float = _cost_of_way(anchor, candidate.way) + _cost_of_place(before, anchor, candidate)
    cost += _SHORT * (_AHEAD - _run(before, candidate))
    for number, end in after.anchors.items():
        if abs(end.x - anchor.x) + abs(end.y - anchor.y) < _NEAR:
            matters = 1.0 if later is None or number in later else 0.1
            cost += matters * cramped(after.occupied, after.options.branches, end)
    return cost


def _run(before: StraightLayout, candidate: _Candidate) -> int:
    """How many tiles could follow straight on, up to a few, before the line has to turn."""
    rect, (x, y) = candidate.rect, candidate.way
    for tiles in range(_AHEAD):
        size = 4 if tiles or not candidate.crosswise else 3
        rect = Rect(
            rect.left + size * x, rect.top + size * y, rect.right + size * x, rect.bottom + size * y
        )
        if past_edge(before.options, rect) or not before.occupied.is_free(rect):
            return tiles
    return _AHEAD


def _cost_of_place(before: StraightLayout, anchor: Anchor, candidate: _Candidate) -> int:
    """The cost of what lies around it."""
    rect, cost = candidate.rect, 0
    if not candidate.crosswise and anchor.on_double and candidate.way != anchor.ways[0]:
        cost += _AT_DOUBLE
    if candidate.crosswise and not before.options.branches:  # a line cannot turn on it
        cost += _LAST * (past_edge(before.options, _beyond(rect, candidate.way)) > 0)
    cost += _TOUCHING * before.occupied.touching(rect, Rect.around(anchor.x, anchor.y, 3, 3))
    past = past_edge(before.options, rect)
    return cost + (_OUTSIDE + 20 * past if past else 0)


def _beyond(rect: Rect, way: Way) -> Rect:
    """Where the next tile would lie, straight on from a double that lies crosswise."""
    x, y = 4 * way.x, 4 * way.y
    return Rect(rect.left + x, rect.top + y, rect.right + x, rect.bottom + y)


def _cost_of_way(anchor: Anchor, way: Way) -> int:
    """Arms go straight; at the edge they go aside by one tile, and back."""
    aside = (anchor.drift, anchor.drift.back)
    if anchor.ways[0] not in aside:
        if way == anchor.ways[0]:
            return 0
        return _TURN if way == anchor.drift else _TURN + _BACK
    if way == anchor.along.back:
        return 0
    return _ASIDE if way == anchor.ways[0] else _AGAIN
