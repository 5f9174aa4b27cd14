"""The layout of a table: its tiles as pieces and its ends as spots, for each kind of table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from domino_env.render.fold import ASPECT, ROW_ACROSS, ROW_DOWN, Fold, fold_of, is_tree, row_of
from domino_env.render.occupancy import Way
from domino_env.render.scene import MIDDLE, Piece, Spot
from domino_env.render.straight_layout import StraightLayout, lay_straight
from domino_env.render.straight_room import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Anchor,
    LayoutOptions,
    past_edge,
)

if TYPE_CHECKING:
    from domino_env.laid import Arc, Mouth
    from domino_env.position import End, Position
    from domino_env.solo import SoloPosition

ANGLES = {RIGHT: 0, DOWN: 90, LEFT: 180, UP: 270}
EDGE = 2 * MIDDLE  # of a cell of the honeycomb: rings are centred on its corners
GAP = 0.2  # between tiles that are not joined
HIGH = 12  # tiles of a puzzle's column, before it is continued beside itself


class TableLayout(NamedTuple):
    """Tiles on the table, and its open ends."""

    pieces: list[Piece]
    spots: list[Spot]


def table_of(position: Position, fold: Fold | None = None) -> TableLayout:
    """The table of a position, as its viewer sees it. Without a `fold`, lines fold as in a picture
    of the usual shape."""
    if position.rules.has_ends and not position.played:
        return TableLayout([], [_spot(end, 0, 0, 0, position) for end in position.ends])
    return _layout_of(position.rules)(position, fold or fold_for(position))


def fold_for(
    position: Position, aspect: float = ASPECT, table_only: bool = True, widest: float | None = None
) -> Fold | None:
    """Where lines fold in a picture; None for tables that do not fold."""
    rules = position.rules
    if rules.layout_kind == "row":
        return row_of(rules.num_tiles, aspect, table_only, widest)
    if rules.layout_kind != "straight":
        return None
    return fold_of(rules, position.num_players, len(position.played), aspect, table_only, widest)


def _layout_of(rules: Any) -> Callable[[Any, Any], TableLayout]:
    kinds = {"straight": _straight, "curved": _curved, "row": _row, "columns": _columns}
    return kinds[rules.layout_kind]


# Straight tiles ----------------------------------------------------------------------------------


def _straight(position: Position, fold: Fold) -> TableLayout:
    layout = straight_layout_of(position, fold)
    pieces = [
        Piece(
            tile, placement.x / 2, placement.y / 2, ANGLES[placement.way], seat=seat, number=number
        )
        for number, ((tile, seat), placement) in enumerate(
            zip(position.played, layout.placements, strict=True)
        )
    ]
    spots = []
    for end in position.ends:
        anchor = layout.anchors[end.number]
        way = _way_on(layout, anchor)
        x, y = (anchor.x + 2 * way.x) / 2, (anchor.y + 2 * way.y) / 2
        spots.append(_spot(end, x, y, ANGLES[way], position))
    return _marked(TableLayout(pieces, spots), position)


def straight_layout_of(position: Position, fold: Fold) -> StraightLayout:
    """Where the straight tiles of a position lie."""
    options = LayoutOptions(is_tree(position.rules), fold.right, fold.down)
    return lay_straight(options, tuple(position.laid))


def _way_on(layout: StraightLayout, anchor: Anchor) -> Way:
    """Straight on, or to a side if something is in the way, or the table ends there."""
    free = [way for way in anchor.ways if layout.occupied.is_free(anchor.next_to(way, False))]
    inside = [way for way in free if not past_edge(layout.options, anchor.next_to(way, False))]
    if len(inside) > 1 and anchor.ways[0] not in inside:  # as a line folds: see `straight_layout`
        inside = [way for way in inside if way == anchor.drift] or inside
    return next(iter(inside or free), anchor.ways[0])


# Curved tiles ------------------------------------------------------------------------------------


def _curved(position: Position, _: Any) -> TableLayout:
    pieces = [
        _piece(laid.arc, tile, seat, number)
        for number, ((tile, seat), laid) in enumerate(
            zip(position.played, position.laid, strict=True)
        )
        if laid.arc is not None
    ]
    spots = [
        _spot(end, *_entrance(position.mouths[end.number]), position)
        for end in position.ends
        if end.number in position.mouths
    ]
    return _marked(TableLayout(pieces, spots), position)


def _piece(arc: Arc, tile: Any, seat: int | None, number: int) -> Piece:
    """A tile in a corner of a cell: its ring stands in that corner, its back towards the middle."""
    x, y = _cell(arc.q, arc.r)
    turn = 60 * arc.corner - 60  # where the corner is, seen from the middle of the cell
    x, y = x + EDGE * cos(radians(turn)), y + EDGE * sin(radians(turn))
    return Piece(tile, x, y, (turn + 180) % 360, curved=True, seat=seat, number=number)


def _entrance(mouth: Mouth) -> tuple[float, float, int]:
    """The edge through which the next tile comes in, and its way."""
    x, y = _cell(mouth.q, mouth.r)
    turn = 60 * mouth.edge - 90
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


def _row(position: SoloPosition, fold: Fold) -> TableLayout:
    """A row of tiles, which is continued below itself when it is as long as the table is wide."""
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
    return TableLayout(pieces, spots)


def _in_row(place: int, fold: Fold) -> tuple[float, float]:
    down, across = divmod(place, fold.row)
    return ROW_ACROSS * across, ROW_DOWN * down


def _counted(position: SoloPosition, place: int) -> bool:
    """Is this tile counted next?"""
    return position.number is not None and not position.over and place == position.place


def _columns(position: SoloPosition, _: Any) -> TableLayout:
    """Columns of upright tiles, with a spot below each for the next one."""
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
    return TableLayout(pieces, spots)


def _in_column(left: float, place: int) -> tuple[float, float]:
    beside, down = divmod(place, HIGH)
    return left + (1 + GAP) * beside, (2 + GAP / 2) * down


def _is_target(position: SoloPosition, column: int) -> bool:
    """Can a tile be moved to this column? To move it to any empty one is one move (SO2)."""
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
    note = (_whose(end, position) + end.closed).removeprefix(", ")
    if dead and position.rules.counts_ends:  # though nothing is played on it again (BN5)
        note += f", counts {end.counts}"
    return Spot(end.number, x, y, angle, end.value, lit, note, dead)


def _whose(end: End, position: Position) -> str:
    """Whose train it is, and whether all may play on it (MT4)."""
    if end.owner is None:
        return ""
    return f"{end.whose}{', marked' if end.owner in position.markers else ''}"


def _marked(table: TableLayout, position: Position) -> TableLayout:
    """The table with its first and last tile marked, and one spot for ends that are alike (G19).
    Ends on which nothing can be played keep theirs: they may count (BN5), or be played on later
    (CR1)."""
    pieces = table.pieces
    for number in range(min(position.rules.opening.tiles, len(pieces))):
        pieces[number] = replace(pieces[number], opener=True)
    pieces[-1] = replace(pieces[-1], last=True)
    alike = {end.number for end in position.ends if end.like is not None}
    return TableLayout(pieces, [spot for spot in table.spots if spot.end not in alike])
