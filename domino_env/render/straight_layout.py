"""Where straight tiles lie: lines that fold at the table's edge, crosses, and trees of spinners.

Tiles are laid in the order of play, and one that lies stays where it is. Each goes straight on if
it can; at the table's edge, or where something is in the way, the line turns. What would leave an
open end without room is avoided: an arm that somebody may play on later needs its place today.
Should an arm be shut in all the same, the table is laid anew, with other turns.

Lengths here are quarters of a tile, so that all of them are whole: a half is 2 by 2, and a double
that lies crosswise stands out by 1 on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from domino_env.render.occupancy import Cloth, Rect, Way

RIGHT, DOWN, LEFT, UP = Way(1, 0), Way(0, 1), Way(-1, 0), Way(0, -1)
CROSS = (LEFT, RIGHT, UP, DOWN)  # the sides of an opening double, by the numbers of its ends
ONWARD = {way: (way, way.turned, way.turned.back) for way in CROSS}
"""Straight on, and to both sides."""

# What is to be avoided, the worse the more.
_TURN, _BACK, _ASIDE, _AGAIN, _AT_DOUBLE, _TOUCHING, _SHORT = 10, 6, 6, 5, 8, 3, 2
_LAST, _OUTSIDE = 100, 300
_ROOM = (3000, 500, 200, 80, 30, 0)  # an end where no tile has room, or but one, or two ...
_SIDE = 60  # a side of a double that may come, without room
_AHEAD = 3  # tiles that a line should be able to go on for
_NEAR = 24  # an end farther away than this loses no room by a tile
_TRIES = 60


class Play(NamedTuple):
    """A tile that was played: on which end, by which half, and whether it is a double."""

    end: int
    half: int
    double: bool


class Bed(NamedTuple):
    """Where a tile lies: its middle, in quarters, and the way from its first half to its second."""

    x: int
    y: int
    way: Way


class Exit(NamedTuple):
    """Where an arm goes on: from the half that shows, straight on or to a side."""

    x: int
    y: int
    ways: tuple[Way, ...]
    """Straight on comes first."""
    along: Way
    """How it last went along its own line, and not aside."""
    drift: Way
    """To which side it moves when it cannot go on."""
    on_double: bool = False

    def next_to(self, way: Way, crosswise: bool) -> Rect:
        """What a tile takes that is joined to it."""
        return _rect(self.x, self.y, way, crosswise)


class Shape(NamedTuple):
    """What decides how tiles lie."""

    arms: str
    doubles: str
    right: int
    """Where the table ends: so far from its middle, to the left too, in quarters."""
    down: int
    """Likewise, and up."""


@dataclass(frozen=True)
class Lines:
    """Tiles on the table, and where the next ones can go."""

    shape: Shape
    attempt: int
    """How often it had to be laid anew."""
    cloth: Cloth
    beds: tuple[Bed, ...]
    exits: dict[int, Exit]
    """By the number of the end; below 0 those that a double will open when it is covered."""
    covers: dict[int, int]
    """For an end on a double that opens more ends when it is covered, the place of its bed."""
    opened: int
    """How many ends there have been."""


class Trapped(Exception):
    """An arm has no way to go on."""


@lru_cache(maxsize=512)
def lay_straight(shape: Shape, plays: tuple[Play, ...]) -> Lines:
    """The table after some plays."""
    if len(plays) == 1:
        return _open(shape, plays[0], attempt=0)
    try:
        return _join(lay_straight(shape, plays[:-1]), plays[-1])
    except Trapped:
        return _anew(shape, plays)


def _anew(shape: Shape, plays: tuple[Play, ...]) -> Lines:
    """Lays all tiles again, with other turns, until all of them have a place."""
    for attempt in range(1, _TRIES + 1):
        lines = _open(shape, plays[0], attempt)
        try:
            for number, play in enumerate(plays[1:], 2):
                lines = _join(lines, play, frozenset(other.end for other in plays[number:]))
        except Trapped:
            continue
        return lines
    return _apart(lay_straight(shape, plays[:-1]), plays[-1])


def _apart(lines: Lines, play: Play) -> Lines:
    """A tile that has no place at all lies apart from the others, below them, and its arm goes on
    there. No game has come to this yet."""
    below = max(bed.y for bed in lines.beds) + 8
    leaves = Exit(0, below, (RIGHT,), RIGHT, DOWN)
    choice = _Choice(RIGHT, play.double, leaves.next_to(RIGHT, play.double))
    return _laid(lines, play, leaves, choice)


# The first tile ----------------------------------------------------------------------------------


def _open(shape: Shape, play: Play, attempt: int) -> Lines:
    """Lays the tile that opens the round: crosswise if it is a double."""
    bed = Bed(0, 0, DOWN if play.double else RIGHT)
    rect = Rect.around(0, 0, 1, 2) if play.double else Rect.around(0, 0, 2, 1)
    lines = Lines(shape, attempt, Cloth().with_rect(rect), (bed,), {}, {}, 0)
    ends = {"one": 1, "two": 2, "four": 4}[shape.arms]
    for end in range(ends):
        lines.exits[end] = _first_exit(CROSS[end], play.double)
    if play.double and shape.doubles == "spinner" and ends == 2:
        lines.covers.update({0: 0, 1: 0})
        lines.exits.update(_promised(0, bed, RIGHT))
    return replace(lines, opened=ends)


def _first_exit(way: Way, double: bool) -> Exit:
    """An arm of the opening tile; the arms drift round, each to its own right."""
    out = 1 if way in (UP, DOWN) or not double else 0
    x, y = way.x * out, way.y * out
    ways: tuple[Way, ...] = (way,) if double else ONWARD[way]
    return Exit(x, y, ways, way, way.turned, double)


# A tile that joins -------------------------------------------------------------------------------


class _Choice(NamedTuple):
    """A place where a tile could be laid."""

    way: Way
    crosswise: bool
    rect: Rect


def _join(lines: Lines, play: Play, later: frozenset[int] | None = None) -> Lines:
    """Lays a tile on an end, where it is best; `later` are the ends that will be played on, if that
    is known."""
    leaves = lines.exits[play.end]
    chance = Random(f"{lines.attempt} {len(lines.beds)}") if lines.attempt else None
    best: tuple[float, Lines] | None = None
    for choice in _choices(lines, leaves, play.double):
        after = _laid(lines, play, leaves, choice)
        cost = _cost(lines, after, leaves, choice, later)
        if chance is not None:
            cost += 800 * chance.random() ** 4  # mostly a little, at times a lot
        if best is None or cost < best[0]:
            best = cost, after
        if cost == 0:  # it gets no better
            break
    if best is None:
        raise Trapped(f"end {play.end}")
    return best[1]


def _choices(lines: Lines, leaves: Exit, double: bool) -> Iterator[_Choice]:
    """Where it fits. Lengthwise is for a double that fits no other way, and is one end (G17)."""
    found = False
    for way in leaves.ways:
        rect = _rect(leaves.x, leaves.y, way, double)
        if lines.cloth.is_free(rect):
            found = True
            yield _Choice(way, double, rect)
    if double and not found and lines.shape.doubles == "through":
        for way in leaves.ways:
            rect = _rect(leaves.x, leaves.y, way, False)
            if lines.cloth.is_free(rect):
                yield _Choice(way, False, rect)


def _taken(way: Way, crosswise: bool) -> Rect:
    """What a tile takes that is joined to a half in the middle of everything."""
    if crosswise:
        return Rect.around(2 * way.x, 2 * way.y, 1 + abs(way.y), 1 + abs(way.x))
    return Rect.around(3 * way.x, 3 * way.y, 1 + abs(way.x), 1 + abs(way.y))


_TAKEN = {(way, crosswise): _taken(way, crosswise) for way in CROSS for crosswise in (False, True)}


def _rect(x: int, y: int, way: Way, crosswise: bool) -> Rect:
    """What a tile takes that is joined to a half."""
    left, top, right, bottom = _TAKEN[way, crosswise]
    return Rect(x + left, y + top, x + right, y + bottom)


def _laid(lines: Lines, play: Play, leaves: Exit, choice: _Choice) -> Lines:
    """The table with a tile in a place."""
    way, place = choice.way, len(lines.beds)
    cloth = lines.cloth.with_rect(choice.rect)
    bed = _bed(play, leaves, choice)
    ends = _Ends(dict(lines.exits), dict(lines.covers), lines.opened)
    if play.end in ends.covers:
        ends.uncover(cloth, ends.covers[play.end])
    along = way if way not in (leaves.drift, leaves.drift.back) else leaves.along
    if not choice.crosswise:
        far = leaves.x + 4 * way.x, leaves.y + 4 * way.y
        ends.exits[play.end] = Exit(*far, ONWARD[way], along, leaves.drift)
    elif lines.shape.doubles == "through":
        ends.exits[play.end] = Exit(bed.x, bed.y, ONWARD[way], along, leaves.drift, True)
    elif lines.shape.doubles == "spinner":
        ends.exits[play.end] = Exit(bed.x, bed.y, (way,), along, leaves.drift, True)
        ends.covers[play.end] = place
        ends.exits.update(_promised(place, bed, way))
    else:
        ends.fork(cloth, play.end, _promised(place, bed, way).values())
    return Lines(
        lines.shape,
        lines.attempt,
        cloth,
        (*lines.beds, bed),
        ends.exits,
        ends.covers,
        ends.opened,
    )


def _bed(play: Play, leaves: Exit, choice: _Choice) -> Bed:
    way, out = choice.way, 2 if choice.crosswise else 3
    turned = way if play.half == 0 else way.back
    if choice.crosswise:
        turned = way.turned
    return Bed(leaves.x + out * way.x, leaves.y + out * way.y, turned)


@dataclass
class _Ends:
    """The ends while a tile is laid: see `Lines`."""

    exits: dict[int, Exit]
    covers: dict[int, int]
    opened: int

    def uncover(self, cloth: Cloth, place: int) -> None:
        """A double has been covered: its sides are ends now, with the next numbers (FU1)."""
        for end in [end for end, host in self.covers.items() if host == place]:
            del self.covers[end]
        sides = [self.exits.pop(key) for key in (-1 - 2 * place, -2 - 2 * place)]
        self.exits[self.opened], self.exits[self.opened + 1] = _roomier_first(cloth, sides)
        self.opened += 2

    def fork(self, cloth: Cloth, end: int, sides: Iterable[Exit]) -> None:
        """A double offers its two short sides: the end goes on there, and a new one (FR2)."""
        self.exits[end], self.exits[self.opened] = _roomier_first(cloth, sides)
        self.opened += 1


def _promised(place: int, bed: Bed, way: Way) -> dict[int, Exit]:
    """The crosswise sides of a double, as ends that are still to be opened."""
    sides = {}
    for number, side in enumerate(ONWARD[way][1:]):
        key = -1 - 2 * place - number
        sides[key] = Exit(bed.x + side.x, bed.y + side.y, (side,), side, _outwards(bed, side), True)
    return sides


def _outwards(bed: Bed, way: Way) -> Way:
    """To the side of a way that leads away from the middle of the table."""
    aside = way.turned
    return aside if aside.x * bed.x + aside.y * bed.y >= 0 else aside.back


def _roomier_first(cloth: Cloth, sides: Iterable[Exit]) -> list[Exit]:
    """Sides that are alike: of those the one with the lower number is played on first (G19)."""
    return sorted(sides, key=lambda side: _cramped(cloth, "through", side))


# What is best ------------------------------------------------------------------------------------


def _cost(
    before: Lines, after: Lines, leaves: Exit, choice: _Choice, later: frozenset[int] | None
) -> float:
    """How bad a place is. Room matters little for an end that is not played on later."""
    cost: float = _cost_of_way(leaves, choice.way) + _cost_of_place(before, leaves, choice)
    cost += _SHORT * (_AHEAD - _run(before, choice))
    for number, end in after.exits.items():
        if abs(end.x - leaves.x) + abs(end.y - leaves.y) < _NEAR:
            matters = 1.0 if later is None or number in later else 0.1
            cost += matters * _cramped(after.cloth, after.shape.doubles, end)
    return cost


def _run(before: Lines, choice: _Choice) -> int:
    """How many tiles could follow in the same way, up to a few, before the line has to turn."""
    rect, (x, y) = choice.rect, choice.way
    for tiles in range(_AHEAD):
        size = 4 if tiles or not choice.crosswise else 3
        rect = Rect(
            rect.left + size * x, rect.top + size * y, rect.right + size * x, rect.bottom + size * y
        )
        if past_edge(before.shape, rect) or not before.cloth.is_free(rect):
            return tiles
    return _AHEAD


def _cost_of_place(before: Lines, leaves: Exit, choice: _Choice) -> int:
    """How bad it is for what lies there."""
    rect, cost = choice.rect, 0
    if not choice.crosswise and leaves.on_double and choice.way != leaves.ways[0]:
        cost += _AT_DOUBLE
    if choice.crosswise and before.shape.doubles == "through":  # a line cannot turn on it
        cost += _LAST * (past_edge(before.shape, _beyond(rect, choice.way)) > 0)
    cost += _TOUCHING * before.cloth.touching(rect, Rect.around(leaves.x, leaves.y, 3, 3))
    past = past_edge(before.shape, rect)
    return cost + (_OUTSIDE + 20 * past if past else 0)


def _beyond(rect: Rect, way: Way) -> Rect:
    """Where the next tile would lie, straight on from a double that lies crosswise."""
    x, y = 4 * way.x, 4 * way.y
    return Rect(rect.left + x, rect.top + y, rect.right + x, rect.bottom + y)


def past_edge(shape: Shape, rect: Rect) -> int:
    """How far something lies past the edge of the table."""
    right, down = shape.right, shape.down
    return max(0, rect.right - right, -right - rect.left, rect.bottom - down, -down - rect.top)


def _cost_of_way(leaves: Exit, way: Way) -> int:
    """Arms go straight; at the edge they go aside by one tile, and back."""
    aside = (leaves.drift, leaves.drift.back)
    if leaves.ways[0] not in aside:
        if way == leaves.ways[0]:
            return 0
        return _TURN if way == leaves.drift else _TURN + _BACK
    if way == leaves.along.back:
        return 0
    return _ASIDE if way == leaves.ways[0] else _AGAIN


def _cramped(cloth: Cloth, doubles: str, leaves: Exit) -> int:
    """How little room there is for an arm to go on."""
    most = len(_ROOM) - 1
    ways = [way for way in leaves.ways if cloth.is_free(_rect(leaves.x, leaves.y, way, True))]
    if not ways:
        return _ROOM[0]
    cost = _ROOM[_chain(cloth, leaves.x, leaves.y, leaves.ways, most)]
    if doubles != "through":
        cost += min(_cramped_sides(cloth, leaves, way) for way in ways)
    return cost


def _cramped_sides(cloth: Cloth, leaves: Exit, way: Way) -> int:
    """How little room a double would have for what may be laid on the sides that it opens."""
    x, y = leaves.x + 2 * way.x, leaves.y + 2 * way.y
    return sum(
        _SIDE
        for side in ONWARD[way][1:]
        if not cloth.is_free(_rect(x + side.x, y + side.y, side, True))
        or _chain(cloth, x + side.x, y + side.y, (side,), 3) < 3
    )


def _chain(cloth: Cloth, x: int, y: int, ways: tuple[Way, ...], tiles: int) -> int:
    most = 0
    for way in ways:
        if not cloth.is_free(_rect(x, y, way, False)):
            continue
        longest = 1
        if tiles > 1:
            beyond = ONWARD[way]
            longest += _chain(cloth, x + 4 * way.x, y + 4 * way.y, beyond, tiles - 1)
        most = max(most, longest)
        if most == tiles:
            break
    return most
