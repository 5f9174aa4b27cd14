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
from domino_env.render.fold import ASPECT, MARGIN, NAME_SPACE, SMALL, TEXT_LINE, TITLE, Fold, Strip
from domino_env.render.scene import OUTER, Box, Label, Piece, Scene, Spot, box_around, box_of
from domino_env.render.table_layout import fold_for, table_of

if TYPE_CHECKING:
    from domino_env.position import Position


class Room(NamedTuple):
    """The space that is kept for the table throughout a film, so that nothing moves when a tile is
    laid."""

    fold: Fold | None
    box: Box


@dataclass
class _Group:
    """Shapes that are placed together, in a box from 0, 0 to its width and height."""

    width: float = 0.0
    height: float = 0.0
    pieces: list[Piece] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def add(self, other: _Group, right: float, down: float) -> None:
        """Adds what another group holds, moved so far right and down."""
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
        aspect: width by height of the picture: lines fold so that tiles come out large in it.
        widest: how many halves a line of tiles may be long at most, whatever the aspect; a tree may
            reach further where it has no other room.
        room: the space to keep for the table, from `room_of` the positions of a film.
    """
    if not isinstance(parts, str) or parts not in ("all", "table"):
        raise BadOption(f"parts must be 'all' or 'table', not {parts!r}")
    seen, aspect = position.seen_by(viewer), folds.checked_aspect(aspect)
    table_only = parts == "table"
    fold = fold_for(seen, aspect, table_only, widest) if room is None else room.fold
    table = _TableGroup(*table_of(seen, fold), fold, room)
    if table_only:
        return _scene(seen, table.by_itself(seen, aspect))
    seat_names = _seat_names(names, position.num_players)
    return _scene(seen, _whole(seen, seat_names, table, aspect))


def _whole(seen: Position, seat_names: list[str], table: _TableGroup, aspect: float) -> _Group:
    """The table with what is above and below it, in the shape of the picture."""
    others, own = _others(seen, seat_names), _own(seen, seat_names)
    width = table.width
    if own is not None:
        strips = [hand.strip for hand in (*others, own)]
        if table.room is not None:  # a film is as wide from its first picture to its last
            strips = folds.as_dealt(seen.rules, seen.num_players)
        width = max(width, folds.least_width(aspect, table_only=False))
        high = table.height + folds.height_beside(strips[:-1], strips[-1], width)
        high += _heading(seen, seat_names, width).height if table.room is None else TITLE + 0.5
        width = max(width, folds.width_of(high, aspect))
    above, below = _Group(), _Group()
    above.add(_heading(seen, seat_names, width), 0, 0)
    above.add(_beside(others, width), 0, above.height)
    if own is not None:
        strip = own.group(width)
        below.add(strip, max(0.0, (width - strip.width) / 2), 0)
    left = folds.height_of(width, aspect) - above.height - below.height - 1
    group = _Group()
    group.add(above, 0, 0)
    group.add(table.group(width, 0 if own is None else left), 0, group.height + 0.5)
    group.add(below, 0, group.height + 0.5)
    return group


def _seat_names(names: Sequence[str] | None, players: int) -> list[str]:
    """What the seats are called."""
    if names is None:
        return [f"seat {seat}" for seat in range(players)]
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) < players:
        raise BadOption(f"names are {players} texts, one for each seat; not {names!r:.200}")
    return list(names)


def _scene(seen: Position, group: _Group) -> Scene:
    box: Box = (-MARGIN, -MARGIN, group.width + MARGIN, group.height + MARGIN)
    numbers = [half for face in seen.rules.tile_set.faces for half in face if isinstance(half, int)]
    return Scene(
        seen.title,
        box,
        tuple(group.pieces),
        tuple(group.spots),
        tuple(group.labels),
        max(numbers, default=0),
    )


# The table ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TableGroup:
    """The table: its tiles and ends, and the space that they take."""

    pieces: list[Piece]
    spots: list[Spot]
    fold: Fold | None
    room: Room | None

    @cached_property
    def box(self) -> Box:
        """The box of all of it. Lines grow from the middle to both sides, so they have their full
        width from the first tile."""
        boxes = [_box_around_all(self.pieces, self.spots)]
        if self.room is not None:
            boxes.append(self.room.box)
        if self.fold is not None and self.fold.in_rows:
            boxes.append((-self.fold.right / 2, 0.0, self.fold.right / 2, 0.0))
        return box_around([corner for box in boxes for corner in (box[:2], box[2:])])

    @property
    def width(self) -> float:
        """Of its box."""
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        """Of its box."""
        return self.box[3] - self.box[1]

    def by_itself(self, seen: Position, aspect: float) -> _Group:
        """As a picture of the table alone."""
        if not seen.rules.has_ends:
            return self.group(0, 0)
        width = folds.least_width(aspect, table_only=True)
        if seen.rules.layout.arms == "own":  # trains in all directions do not fold to the shape
            width = max(width, folds.width_of(self.height, aspect))
        return self.group(width, folds.height_of(width, aspect))

    def group(self, width: float, height: float) -> _Group:
        """In the middle of a group that is at least so wide and high."""
        across, down = max(width, self.width), max(height, self.height)
        group = _Group()
        right, low = (across - self.width) / 2, (down - self.height) / 2
        group.add(_Group(0, 0, self.pieces, self.spots), right - self.box[0], low - self.box[1])
        group.width, group.height = across, down
        return group


def room_of(positions: Sequence[Position], *, aspect: float = ASPECT) -> Room:
    """The space that the table takes in a film of one round."""
    if not _are_positions(positions):
        raise BadOption(f"positions is a list of one position or more, not {positions!r:.200}")
    last = max(positions, key=lambda position: len(position.played))
    fold = fold_for(last, folds.checked_aspect(aspect), table_only=False)
    boxes = [_box_around_all(*table_of(position, fold)) for position in positions]
    return Room(fold, box_around([corner for box in boxes for corner in (box[:2], box[2:])]))


def _are_positions(given: Any) -> bool:
    listed = isinstance(given, Sequence) and len(given) > 0
    return listed and all(hasattr(each, "seen_by") for each in given)


def _box_around_all(pieces: list[Piece], spots: list[Spot]) -> Box:
    """The box around all pieces and spots."""
    boxes = [spot.box() for spot in spots]
    boxes += [box_of(pieces)] if pieces else []
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


# Hands -------------------------------------------------------------------------------------------


def _heading(seen: Position, seat_names: list[str], width: float) -> _Group:
    """The title, and whose turn it is or how the game ended."""
    left = Label(_title(seen), 0, TITLE / 2, TITLE, role="title")
    left = replace(left, height=min(TITLE, TITLE * width / left.width))
    right = Label(_state(seen, seat_names), width, TITLE / 2, TEXT_LINE * 0.9, "end")
    if left.width + right.width + 1 > width:
        right = replace(right, x=0, y=TITLE + TEXT_LINE / 2 + 0.2, anchor="start")
        widest = max(width, left.width, right.width)
        return _Group(widest, TITLE + TEXT_LINE + 0.7, labels=[left, right])
    return _Group(width, TITLE + 0.5, labels=[left, right])


def _title(seen: Position) -> str:
    return seen.title if seen.round < 2 else f"{seen.title}, round {seen.round}"


def _state(seen: Position, seat_names: list[str]) -> str:
    """Whose turn it is, or how it ended."""
    if not seen.rules.has_opponents:
        ended = f"{'won' if seen.winners else 'over'}, " if seen.over else ""
        return f"{ended}{seen.scores[0]} points"
    if seen.over:
        winners = " and ".join(seat_names[seat] for seat in seen.winners)
        return f"{winners} won" if winners else "drawn"
    if seen.to_move is None:
        return f"{seen.scores[0]} points"
    asked = f", asked: {seen.question}?" if seen.question else " to move"
    return f"{seat_names[seen.to_move]}{asked}"


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
        """Its measures, for the layout of all hands."""
        return Strip(len(self.tiles), self.size, self.label.width, self.curved)

    def group(self, width: float) -> _Group:
        """In lines no wider than this."""
        grid = folds.grid_of(len(self.tiles), self.size, width, self.curved)
        (wide, high), angle = folds.tile_size(self.curved), 270 if self.curved else 90
        right, low = (
            self.size * wide / 2,
            self.size * (OUTER if self.curved else high / 2) + NAME_SPACE,
        )
        across, down = self.size * (wide + folds.PITCH - 1), self.size * (high + folds.PITCH - 1)
        pieces = []
        for number, tile in enumerate(self.tiles):
            line, place = divmod(number, grid.in_line)
            x, y = across * place + right, down * line + low
            marks = (self.where, self.seat, number, False, tile is not None and tile in self.legal)
            pieces.append(Piece(tile, x, y, angle, self.curved, self.size, *marks))
        return _Group(*self.strip.extent(width), pieces, labels=[self.label])


def _others(seen: Position, seat_names: list[str]) -> list[_Hand]:
    """The hands of the others, clockwise after the viewer, and the boneyard; for those who see it,
    in the order in which it is drawn."""
    own = _own_seat(seen)
    seats = [(own + step) % seen.num_players for step in range(1, seen.num_players)]
    hands = [_hand(seen, seat_names, seat, SMALL) for seat in seats]
    if seen.boneyard:
        count = len(seen.boneyard)
        text = f"boneyard · {count} tile{'' if count == 1 else 's'}"
        label = Label(text, 0, TEXT_LINE / 2, TEXT_LINE * 0.85)
        hands.append(_Hand(label, seen.boneyard, SMALL, _is_curved(seen), "boneyard"))
    return hands


def _beside(hands: Sequence[_Hand], width: float) -> _Group:
    """Hands side by side, in as many lines as they need."""
    group = _Group()
    places = folds.packed([hand.strip for hand in hands], width)
    for hand, (right, down, _) in zip(hands, places, strict=True):
        group.add(hand.group(width), right, down)
    return group


def _own(seen: Position, seat_names: list[str]) -> _Hand | None:
    """The viewer's hand, or that of the first seat."""
    return _hand(seen, seat_names, _own_seat(seen), 1.0) if seen.rules.has_hands else None


def _hand(seen: Position, seat_names: list[str], seat: int, size: float) -> _Hand:
    """A seat's name, its points and its tiles."""
    points = seen.scores[seat]
    text = f"{seat_names[seat]} · {points} point{'' if points == 1 else 's'}"
    if seen.rules.teams:
        text += " · team A" if seat % 2 == 0 else " · team B"
    moves = seat == seen.to_move
    label = Label(text, 0, TEXT_LINE / 2, TEXT_LINE * 0.85, role="turn" if moves else "name")
    legal = frozenset(move.tile for move in seen.legal) if moves else frozenset()
    return _Hand(label, seen.hands[seat], size, _is_curved(seen), "hand", seat, legal)


def _is_curved(seen: Position) -> bool:
    return bool(seen.rules.is_curved)
