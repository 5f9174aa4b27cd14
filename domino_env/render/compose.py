"""From a position to a scene: the table in the middle, the others above it, one's own hand below.

    scene = compose(batch.position(0), viewer=0)

The viewer is a seat, "nobody" (an onlooker, who sees no hand), or "all", who sees everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from domino_env.render.scene import INNER, OUTER, Box, Label, Piece, Scene, Spot, box_around, box_of
from domino_env.render.tables import table_of

if TYPE_CHECKING:
    from domino_env.position import Position

MARGIN = 1.0
LEAST = (27.0, 9.0)  # the table's width and height: a single tile would be drawn too large
LEAST_ALONE = (15.0, 9.0)  # the same where nothing is beside it
SMALL = 0.55  # tiles of the others, and of the boneyard
AIR = 1.15  # from tile to tile in a hand, in tiles
LINE = 0.9  # the height of names and notes
TITLE = 1.2


@dataclass
class _Sheet:
    """Things that belong together, in the box from 0, 0 to its width and height."""

    width: float = 0.0
    height: float = 0.0
    pieces: list[Piece] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def take(self, other: _Sheet, right: float, down: float) -> None:
        """Lays another sheet onto this one."""
        self.pieces += [piece.moved(right, down) for piece in other.pieces]
        self.spots += [spot.moved(right, down) for spot in other.spots]
        self.labels += [label.moved(right, down) for label in other.labels]
        self.width = max(self.width, right + other.width)
        self.height = max(self.height, down + other.height)


def compose(
    position: Position,
    viewer: int | str = "all",
    *,
    names: Sequence[str] | None = None,
    parts: str = "all",
    room: Box | None = None,
) -> Scene:
    """The scene of a position, as somebody sees it.

    Args:
        position: of a game, with everything in it.
        viewer: "all", "nobody" or a seat.
        names: of the seats.
        parts: "all", or the "table" alone, without hands and labels.
        room: that the table takes at least (`room_of` a later position): so in a film nothing moves
            when a tile is laid.
    """
    seen = position.seen_by(viewer)
    table = _table(seen, room, LEAST if parts == "all" else LEAST_ALONE)
    if parts == "table":
        return _scene(seen, table)
    called = (
        list(names)
        if names is not None
        else [f"seat {seat}" for seat in range(position.num_players)]
    )
    sheet = _Sheet()
    sheet.take(_heading(seen, called, table.width), 0, 0)
    sheet.take(_others(seen, called, table.width), 0, sheet.height)
    sheet.take(table, 0, sheet.height + 0.5)
    sheet.take(_own(seen, called, sheet.width), 0, sheet.height + 0.5)
    return _scene(seen, sheet)


def _scene(seen: Position, sheet: _Sheet) -> Scene:
    box: Box = (-MARGIN, -MARGIN, sheet.width + MARGIN, sheet.height + MARGIN)
    numbers = [half for face in seen.rules.tile_set.faces for half in face if isinstance(half, int)]
    return Scene(
        seen.title,
        box,
        tuple(sheet.pieces),
        tuple(sheet.spots),
        tuple(sheet.labels),
        max(numbers, default=0),
    )


# The table ---------------------------------------------------------------------------------------


def room_of(position: Position) -> Box:
    """The box that everything on the table lies in."""
    return _around(*table_of(position))


def _table(seen: Position, room: Box | None, least: tuple[float, float]) -> _Sheet:
    """The table, in the middle of a sheet that is not too small."""
    pieces, spots = table_of(seen)
    box = _around(pieces, spots)
    if room is not None:
        box = box_around([box[:2], box[2:], room[:2], room[2:]])
    wide, high = box[2] - box[0], box[3] - box[1]
    width, height = max(wide, least[0]), max(high, least[1])
    if seen.rules.alone:
        width, height = wide, high
    sheet = _Sheet()
    right, down = (width - wide) / 2 - box[0], (height - high) / 2 - box[1]
    sheet.take(_Sheet(0, 0, pieces, spots), right, down)
    sheet.width, sheet.height = width, height
    return sheet


def _around(pieces: list[Piece], spots: list[Spot]) -> Box:
    """The box of all pieces and spots."""
    boxes = [spot.box() for spot in spots]
    boxes += [box_of(pieces)] if pieces else []
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


# Hands -------------------------------------------------------------------------------------------


def _heading(seen: Position, called: list[str], width: float) -> _Sheet:
    """What is played, and how it stands."""
    left = Label(_title(seen), 0, TITLE / 2, TITLE, role="title")
    right = Label(_state(seen, called), width, TITLE / 2, LINE * 0.9, "end")
    if left.width + right.width + 1 > width:
        right = replace(right, x=0, y=TITLE + LINE / 2 + 0.2, anchor="start")
        widest = max(width, left.width, right.width)
        return _Sheet(widest, TITLE + LINE + 0.7, labels=[left, right])
    return _Sheet(width, TITLE + 0.5, labels=[left, right])


def _title(seen: Position) -> str:
    return seen.title if seen.rules.alone or seen.round < 2 else f"{seen.title}, round {seen.round}"


def _state(seen: Position, called: list[str]) -> str:
    """Whose turn it is, or how it ended."""
    if seen.over:
        winners = " and ".join(called[seat] for seat in seen.winners)
        if seen.rules.alone:
            return f"{'won' if seen.winners else 'over'}, {seen.scores[0]} points"
        return f"{winners} won" if winners else "drawn"
    if seen.rules.alone or seen.to_move is None:
        return f"{seen.scores[0]} points"
    asked = f", asked: {seen.question}?" if seen.question else " to move"
    return f"{called[seen.to_move]}{asked}"


def _own_seat(seen: Position) -> int:
    return seen.viewer if isinstance(seen.viewer, int) else 0


def _others(seen: Position, called: list[str], width: float) -> _Sheet:
    """The hands of the others, clockwise after the viewer, and the boneyard."""
    sheet, right, down, deepest = _Sheet(), 0.0, 0.0, 0.0
    own = _own_seat(seen)
    seats = [(own + step) % seen.num_players for step in range(1, seen.num_players)]
    strips = [_strip(seen, called, seat, width, SMALL) for seat in seats]
    if seen.boneyard:
        strips.append(_boneyard(seen, width))
    for strip in strips:
        if right and right + strip.width > width:
            right, down, deepest = 0.0, down + deepest, 0.0
        sheet.take(strip, right, down)
        right, deepest = right + strip.width + 1.5, max(deepest, strip.height + 0.4)
    return sheet


def _own(seen: Position, called: list[str], width: float) -> _Sheet:
    """The viewer's hand, or that of the first seat."""
    if seen.rules.alone:
        return _Sheet()
    strip, sheet = _strip(seen, called, _own_seat(seen), width, 1.0), _Sheet()
    sheet.take(strip, max(0.0, (width - strip.width) / 2), 0)
    return sheet


def _strip(seen: Position, called: list[str], seat: int, width: float, size: float) -> _Sheet:
    """A seat's name, its points and its tiles."""
    points = seen.scores[seat]
    text = f"{called[seat]} · {points} point{'' if points == 1 else 's'}"
    if seen.rules.teams:
        text += " · team A" if seat % 2 == 0 else " · team B"
    role = "turn" if seat == seen.to_move else "name"
    legal = {move.tile for move in seen.legal} if seat == seen.to_move else set()
    tiles = _tiles(seen, seen.hands[seat], width, size, "hand", seat, legal)
    return _headed(Label(text, 0, LINE / 2, LINE * 0.85, role=role), tiles)


def _boneyard(seen: Position, width: float) -> _Sheet:
    """What is left to be drawn; for those who see it, in the order in which it is drawn."""
    count = len(seen.boneyard)
    label = Label(f"boneyard · {count} tile{'' if count == 1 else 's'}", 0, LINE / 2, LINE * 0.85)
    return _headed(label, _tiles(seen, seen.boneyard, width, SMALL, "boneyard", None, set()))


def _headed(label: Label, tiles: _Sheet) -> _Sheet:
    sheet = _Sheet(max(label.width, tiles.width), LINE + 0.2, labels=[label])
    sheet.take(tiles, 0, LINE + 0.2)
    return sheet


def _tiles(
    seen: Position,
    tiles: Sequence[Any],
    width: float,
    size: float,
    where: str,
    seat: int | None,
    legal: set[Any],
) -> _Sheet:
    """Tiles side by side, upright if they are straight, in as many lines as they need."""
    curved = not seen.rules.alone and seen.rules.layout.tiles == "curved"
    wide, high = (OUTER * 1.7321, OUTER - INNER / 2) if curved else (1.0, 2.0)
    across, down = size * (wide + AIR - 1), size * (high + AIR - 1)
    in_line = max(1, int((width + 0.01) // across))
    sheet = _Sheet()
    for number, tile in enumerate(tiles):
        line, place = divmod(number, in_line)
        x, y = across * place + size * wide / 2, down * line
        y += size * (OUTER if curved else high / 2)
        lit = tile is not None and tile in legal
        angle = 270 if curved else 90
        sheet.pieces.append(Piece(tile, x, y, angle, curved, size, where, seat, number, lit=lit))
    lines = -(-len(tiles) // in_line)
    sheet.width = across * min(len(tiles), in_line)
    sheet.height = max(1, lines) * down
    return sheet
