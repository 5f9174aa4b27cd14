"""What lies on the table, as pieces and spots: one function for each shape of table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from domino_env.render.fold import ASPECT, ROW_ACROSS, ROW_DOWN, Fold, fold_of, row_of
from domino_env.render.occupancy import Way
from domino_env.render.scene import MIDDLE, Piece, Spot
from domino_env.render.straight_layout import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Exit,
    Lines,
    Play,
    Shape,
    lay_straight,
    past_edge,
)

if TYPE_CHECKING:
    from domino_env.position import End, Position
    from domino_env.render.hex_text import Lie, Wait
    from domino_env.solo import SoloPosition

ANGLES = {RIGHT: 0, DOWN: 90, LEFT: 180, UP: 270}
EDGE = 2 * MIDDLE  # of a cell of the honeycomb: rings stand in its corners, ends in its middles
GAP = 0.2  # between tiles that are not joined
HIGH = 12  # tiles of a puzzle's column, before it goes on beside itself


class Table(NamedTuple):
    """Tiles on the table, and its open ends."""

    pieces: list[Piece]
    spots: list[Spot]


def table_of(position: Position, fold: Fold | None = None) -> Table:
    """The table of a position, as its viewer sees it; straight tiles fold as they do in a picture
    of the usual shape if it is not said where."""
    if position.rules.has_ends and not position.played:
        return Table([], [_spot(end, 0, 0, 0, position) for end in position.ends])
    return _layout_of(position.rules)(position, fold or fold_for(position))


def fold_for(
    position: Position, aspect: float = ASPECT, alone: bool = True, widest: float | None = None
) -> Fold | None:
    """Where straight tiles fold in a picture; None of tables that do not."""
    rules = position.rules
    if rules.layout_kind == "row":
        return row_of(rules.num_tiles, aspect, alone, widest)
    if rules.layout_kind != "straight":
        return None
    return fold_of(rules, position.num_players, len(position.played), aspect, alone, widest)


def _layout_of(rules: Any) -> Callable[[Any, Any], Table]:
    kinds = {"straight": _straight, "curved": _curved, "row": _row, "columns": _columns}
    return kinds[rules.layout_kind]


# Straight tiles ----------------------------------------------------------------------------------


def _straight(position: Position, fold: Fold) -> Table:
    lines = lines_of(position, fold)
    pieces = [
        Piece(tile, bed.x / 2, bed.y / 2, ANGLES[bed.way], seat=seat, number=number)
        for number, ((tile, seat), bed) in enumerate(zip(position.played, lines.beds, strict=True))
    ]
    spots = []
    for end in position.ends:
        leaves = lines.exits[end.number]
        way = _way_on(lines, leaves)
        x, y = (leaves.x + 2 * way.x) / 2, (leaves.y + 2 * way.y) / 2
        spots.append(_spot(end, x, y, ANGLES[way], position))
    return _marked(Table(pieces, spots), position)


def lines_of(position: Position, fold: Fold) -> Lines:
    """How the straight tiles of a position lie."""
    rules = position.rules
    plays = tuple(
        Play(event.end or 0, event.half or 0, event.tile.is_double)
        for event in position.events
        if event.kind in ("play", "start") and event.tile is not None
    )
    return lay_straight(
        Shape(rules.layout.arms, rules.layout.doubles, fold.right, fold.down), plays
    )


def _way_on(lines: Lines, leaves: Exit) -> Way:
    """Straight on, or to a side if something is in the way, or the table ends there."""
    free = [way for way in leaves.ways if lines.cloth.is_free(leaves.next_to(way, False))]
    inside = [way for way in free if not past_edge(lines.shape, leaves.next_to(way, False))]
    if len(inside) > 1 and leaves.ways[0] not in inside:  # as a line folds: see `straight`
        inside = [way for way in inside if way == leaves.drift] or inside
    return next(iter(inside or free), leaves.ways[0])


# Curved tiles ------------------------------------------------------------------------------------


def _curved(position: Position, _: Any) -> Table:
    pieces = [
        _arc(lie, tile, seat, number)
        for number, ((tile, seat), lie) in enumerate(
            zip(position.played, position.lies, strict=True)
        )
    ]
    spots = [
        _spot(end, *_mouth(position.waits[end.number]), position)
        for end in position.ends
        if end.number in position.waits
    ]
    return _marked(Table(pieces, spots), position)


def _arc(lie: Lie, tile: Any, seat: int | None, number: int) -> Piece:
    """A tile in a corner of a cell: its ring stands in that corner, its back towards the middle."""
    x, y = _cell(lie.q, lie.r)
    turn = 60 * lie.corner - 60  # where the corner is, seen from the middle of the cell
    x, y = x + EDGE * cos(radians(turn)), y + EDGE * sin(radians(turn))
    return Piece(tile, x, y, (turn + 180) % 360, curved=True, seat=seat, number=number)


def _mouth(wait: Wait) -> tuple[float, float, int]:
    """The edge through which the next tile comes in, and its way."""
    x, y = _cell(wait.q, wait.r)
    turn = 60 * wait.edge - 90
    to_edge = EDGE * sqrt(3) / 2 - 0.45
    return (
        x + to_edge * cos(radians(turn)),
        y + to_edge * sin(radians(turn)),
        (turn + 180) % 360,
    )


def _cell(q: int, r: int) -> tuple[float, float]:
    """The middle of a cell."""
    return 1.5 * EDGE * q, sqrt(3) * EDGE * (r + q / 2)


# One-player games --------------------------------------------------------------------------------


def _row(position: SoloPosition, fold: Fold) -> Table:
    """A row of tiles, which goes on below itself when it is as long as the table is wide."""
    pieces = [
        Piece(
            tile, *_in_row(place, fold), where="row", number=place, last=_counted(position, place)
        )
        for place, tile in enumerate(position.row)
    ]
    spots = []
    for move in position.legal:
        if move.kind == "knock" and move.place is not None:
            x, y = _in_row(move.place, fold)
            spots.append(Spot(move.place, x + 1 + GAP, y, 90, None, lit=True))
    return Table(pieces, spots)


def _in_row(place: int, fold: Fold) -> tuple[float, float]:
    down, across = divmod(place, fold.row)
    return ROW_ACROSS * across, ROW_DOWN * down


def _counted(position: SoloPosition, place: int) -> bool:
    """Is this the tile that is counted next?"""
    return position.number is not None and not position.over and place == position.place


def _columns(position: SoloPosition, _: Any) -> Table:
    """Columns of upright tiles; where the next one would come there is a spot."""
    lit = [move.tile for move in position.legal if move.kind == "move"]
    moved = next((event.tile for event in reversed(position.events) if event.tile), None)
    pieces, spots, left = [], [], 0.0
    for number, column in enumerate(position.columns):
        for place, tile in enumerate(column):
            x, y = _in_column(left, place)
            marks = {"last": _same(tile, moved), "lit": any(_same(tile, other) for other in lit)}
            pieces.append(Piece(tile, x, y, 90, where="column", seat=number, number=place, **marks))
        x, y = _in_column(left, len(column))
        spots.append(Spot(number, x, y - 0.6, 90, None, lit=_is_target(position, number)))
        left = x + 1.5
    return Table(pieces, spots)


def _in_column(left: float, place: int) -> tuple[float, float]:
    beside, down = divmod(place, HIGH)
    return left + (1 + GAP) * beside, (2 + GAP / 2) * down


def _is_target(position: SoloPosition, column: int) -> bool:
    """Can something be moved to a column? All empty ones are one (SO2)."""
    empty = not position.columns[column]
    return any(
        move.kind == "move" and (move.place == column or (move.place is None and empty))
        for move in position.legal
    )


def _same(tile: Any, other: Any) -> bool:
    """Is it the same tile, whichever way it lies?"""
    return tile is not None and other is not None and set(tile) == set(other)


# For all of them ---------------------------------------------------------------------------------


def _spot(end: End, x: float, y: float, angle: int, position: Position) -> Spot:
    lit = any(move.end == end.number for move in position.legal)
    dead = end.fit == "dead"
    note = end.closed.removeprefix(", ")
    if dead and position.rules.counts_ends:  # though nothing is played on it again (BN5)
        note += f", counts {end.counts}"
    return Spot(end.number, x, y, angle, end.value, lit, note, dead)


def _marked(table: Table, position: Position) -> Table:
    """With the first and the last tile marked, and without spots that are like others (G19). Those
    where nothing can be played stay: they may count (BN5), or be played on later (CR1)."""
    pieces = table.pieces
    for number in range(min(position.rules.opening.tiles, len(pieces))):
        pieces[number] = replace(pieces[number], opener=True)
    pieces[-1] = replace(pieces[-1], last=True)
    alike = {end.number for end in position.ends if end.like is not None}
    return Table(pieces, [spot for spot in table.spots if spot.end not in alike])
