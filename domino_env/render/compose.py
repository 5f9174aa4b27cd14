"""From a position to a scene: the table in the middle, the others above it, one's own hand below.

    scene = compose(batch.position(0), viewer=0)

The viewer is a seat, "nobody" (an onlooker, who sees no hand), or "all", who sees everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from domino_env.errors import BadOption
from domino_env.render import fold as folds
from domino_env.render.fold import ASPECT, HEADED, LINE, MARGIN, SMALL, TITLE, Fold, Strip
from domino_env.render.scene import OUTER, Box, Label, Piece, Scene, Spot, box_around, box_of
from domino_env.render.table_layout import fold_for, table_of

if TYPE_CHECKING:
    from domino_env.position import Position


class Room(NamedTuple):
    """What a table takes in a film, so that nothing moves when a tile is laid."""

    fold: Fold | None
    box: Box


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
        if right or down:
            self.pieces += [piece.moved(right, down) for piece in other.pieces]
            self.spots += [spot.moved(right, down) for spot in other.spots]
            self.labels += [label.moved(right, down) for label in other.labels]
        else:
            self.pieces += other.pieces
            self.spots += other.spots
            self.labels += other.labels
        self.width = max(self.width, right + other.width)
        self.height = max(self.height, down + other.height)


def compose(
    position: Position,
    viewer: int | str = "all",
    *,
    names: Sequence[str] | None = None,
    parts: str = "all",
    aspect: float = ASPECT,
    widest: float | None = None,
    room: Room | None = None,
) -> Scene:
    """The scene of a position, as somebody sees it.

    Args:
        position: of a game, with everything in it.
        viewer: "all", "nobody" or a seat.
        names: of the seats.
        parts: "all", or the "table" alone, without hands and labels.
        aspect: width by height of what it is for: lines fold so that tiles come out large in it.
        widest: more than so many halves no line of tiles is long, whatever the shape; a tree may
            reach out where it has no other room.
        room: that the table takes at least (`room_of` a film): nothing in it moves when a tile is
            laid.
    """
    if not isinstance(parts, str) or parts not in ("all", "table"):
        raise BadOption(f"parts must be 'all' or 'table', not {parts!r}")
    seen, aspect = position.seen_by(viewer), folds.checked(aspect)
    alone = parts == "table"
    fold = fold_for(seen, aspect, alone, widest) if room is None else room.fold
    table = _Table(*table_of(seen, fold), fold, room)
    if alone:
        return _scene(seen, table.by_itself(seen, aspect))
    called = _called(names, position.num_players)
    return _scene(seen, _whole(seen, called, table, aspect))


def _whole(seen: Position, called: list[str], table: _Table, aspect: float) -> _Sheet:
    """The table with what is above it and below it, as wide as the picture's shape has room for."""
    others, own = _others(seen, called), _own(seen, called)
    width = table.width
    if own is not None:
        strips = [hand.strip for hand in (*others, own)]
        if table.room is not None:  # a film is as wide from its first picture to its last
            strips = folds.as_dealt(seen.rules, seen.num_players)
        width = max(width, folds.least_width(aspect, alone=False))
        high = table.height + folds.height_beside(strips[:-1], strips[-1], width)
        high += _heading(seen, called, width).height if table.room is None else TITLE + 0.5
        width = max(width, folds.width_of(high, aspect))
    above, below = _Sheet(), _Sheet()
    above.take(_heading(seen, called, width), 0, 0)
    above.take(_beside(others, width), 0, above.height)
    if own is not None:
        strip = own.sheet(width)
        below.take(strip, max(0.0, (width - strip.width) / 2), 0)
    left = folds.height_of(width, aspect) - above.height - below.height - 1
    sheet = _Sheet()
    sheet.take(above, 0, 0)
    sheet.take(table.sheet(width, 0 if own is None else left), 0, sheet.height + 0.5)
    sheet.take(below, 0, sheet.height + 0.5)
    return sheet


def _called(names: Sequence[str] | None, players: int) -> list[str]:
    """What the seats are called."""
    if names is None:
        return [f"seat {seat}" for seat in range(players)]
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) < players:
        raise BadOption(f"names are {players} texts, one for each seat; not {names!r:.200}")
    return list(names)


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


@dataclass(frozen=True)
class _Table:
    """What lies on the table, and what it takes."""

    pieces: list[Piece]
    spots: list[Spot]
    fold: Fold | None
    room: Room | None

    @cached_property
    def box(self) -> Box:
        """Lines go from the middle to both sides, and have their room there from the first tile."""
        boxes = [_around(self.pieces, self.spots)]
        if self.room is not None:
            boxes.append(self.room.box)
        if self.fold is not None and self.fold.in_rows:
            boxes.append((-self.fold.right / 2, 0.0, self.fold.right / 2, 0.0))
        return box_around([corner for box in boxes for corner in (box[:2], box[2:])])

    @property
    def width(self) -> float:
        """Of all that it takes."""
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        """Likewise."""
        return self.box[3] - self.box[1]

    def by_itself(self, seen: Position, aspect: float) -> _Sheet:
        """With nothing beside it."""
        if not seen.rules.has_ends:
            return self.sheet(0, 0)
        width = folds.least_width(aspect, alone=True)
        return self.sheet(width, folds.height_of(width, aspect))

    def sheet(self, width: float, height: float) -> _Sheet:
        """In the middle of a sheet that is at least so wide and high."""
        across, down = max(width, self.width), max(height, self.height)
        sheet = _Sheet()
        right, low = (across - self.width) / 2, (down - self.height) / 2
        sheet.take(_Sheet(0, 0, self.pieces, self.spots), right - self.box[0], low - self.box[1])
        sheet.width, sheet.height = across, down
        return sheet


def room_of(positions: Sequence[Position], *, aspect: float = ASPECT) -> Room:
    """What the table of a film takes, of one round."""
    last = max(positions, key=lambda position: len(position.played))
    fold = fold_for(last, folds.checked(aspect), alone=False)
    boxes = [_around(*table_of(position, fold)) for position in positions]
    return Room(fold, box_around([corner for box in boxes for corner in (box[:2], box[2:])]))


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
    left = replace(left, height=min(TITLE, TITLE * width / left.width))
    right = Label(_state(seen, called), width, TITLE / 2, LINE * 0.9, "end")
    if left.width + right.width + 1 > width:
        right = replace(right, x=0, y=TITLE + LINE / 2 + 0.2, anchor="start")
        widest = max(width, left.width, right.width)
        return _Sheet(widest, TITLE + LINE + 0.7, labels=[left, right])
    return _Sheet(width, TITLE + 0.5, labels=[left, right])


def _title(seen: Position) -> str:
    return seen.title if seen.round < 2 else f"{seen.title}, round {seen.round}"


def _state(seen: Position, called: list[str]) -> str:
    """Whose turn it is, or how it ended."""
    if not seen.rules.has_opponents:
        ended = f"{'won' if seen.winners else 'over'}, " if seen.over else ""
        return f"{ended}{seen.scores[0]} points"
    if seen.over:
        winners = " and ".join(called[seat] for seat in seen.winners)
        return f"{winners} won" if winners else "drawn"
    if seen.to_move is None:
        return f"{seen.scores[0]} points"
    asked = f", asked: {seen.question}?" if seen.question else " to move"
    return f"{called[seen.to_move]}{asked}"


def _own_seat(seen: Position) -> int:
    return seen.viewer if isinstance(seen.viewer, int) else 0


@dataclass(frozen=True)
class _Hand:
    """Tiles side by side below a name, upright if they are straight."""

    label: Label
    tiles: Sequence[Any]
    size: float
    curved: bool
    where: str
    seat: int | None = None
    legal: frozenset[Any] = frozenset()

    @cached_property
    def strip(self) -> Strip:
        """How much there is of it."""
        return Strip(len(self.tiles), self.size, self.label.width, self.curved)

    def sheet(self, width: float) -> _Sheet:
        """In as many lines as it needs."""
        grid = folds.grid_of(len(self.tiles), self.size, width, self.curved)
        (wide, high), angle = folds.tile_size(self.curved), 270 if self.curved else 90
        right, low = self.size * wide / 2, self.size * (OUTER if self.curved else high / 2) + HEADED
        across, down = self.size * (wide + folds.AIR - 1), self.size * (high + folds.AIR - 1)
        pieces = []
        for number, tile in enumerate(self.tiles):
            line, place = divmod(number, grid.in_line)
            x, y = across * place + right, down * line + low
            marks = (self.where, self.seat, number, False, tile is not None and tile in self.legal)
            pieces.append(Piece(tile, x, y, angle, self.curved, self.size, *marks))
        return _Sheet(*self.strip.extent(width), pieces, labels=[self.label])


def _others(seen: Position, called: list[str]) -> list[_Hand]:
    """The hands of the others, clockwise after the viewer, and the boneyard; for those who see it,
    in the order in which it is drawn."""
    own = _own_seat(seen)
    seats = [(own + step) % seen.num_players for step in range(1, seen.num_players)]
    hands = [_hand(seen, called, seat, SMALL) for seat in seats]
    if seen.boneyard:
        count = len(seen.boneyard)
        text = f"boneyard · {count} tile{'' if count == 1 else 's'}"
        label = Label(text, 0, LINE / 2, LINE * 0.85)
        hands.append(_Hand(label, seen.boneyard, SMALL, _is_curved(seen), "boneyard"))
    return hands


def _beside(hands: Sequence[_Hand], width: float) -> _Sheet:
    """Hands in as many lines as they need."""
    sheet = _Sheet()
    places = folds.packed([hand.strip for hand in hands], width)
    for hand, (right, down, _) in zip(hands, places, strict=True):
        sheet.take(hand.sheet(width), right, down)
    return sheet


def _own(seen: Position, called: list[str]) -> _Hand | None:
    """The viewer's hand, or that of the first seat."""
    return _hand(seen, called, _own_seat(seen), 1.0) if seen.rules.has_hands else None


def _hand(seen: Position, called: list[str], seat: int, size: float) -> _Hand:
    """A seat's name, its points and its tiles."""
    points = seen.scores[seat]
    text = f"{called[seat]} · {points} point{'' if points == 1 else 's'}"
    if seen.rules.teams:
        text += " · team A" if seat % 2 == 0 else " · team B"
    moves = seat == seen.to_move
    label = Label(text, 0, LINE / 2, LINE * 0.85, role="turn" if moves else "name")
    legal = frozenset(move.tile for move in seen.legal) if moves else frozenset()
    return _Hand(label, seen.hands[seat], size, _is_curved(seen), "hand", seat, legal)


def _is_curved(seen: Position) -> bool:
    return bool(seen.rules.is_curved)
