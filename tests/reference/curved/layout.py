"""The curved tiles on the table, and the ends where the next ones may be laid."""

from __future__ import annotations

from .geometry import LEFT, RIGHT, Arc, Pose, face_each_other, lay_next

Half = int | str
CurvedTile = tuple[Half, Half]

# One face is printed, so the half that joins decides the turn (B3).
TURN = {0: RIGHT, 1: LEFT}


class Piece:
    """A tile on the table, who placed it (None: nobody), and how it lies."""

    def __init__(self, tile: CurvedTile, seat: int | None, arc: Arc) -> None:
        self.tile = tile
        self.seat = seat
        self.arc = arc


class OpenEnd:
    """An end where nothing has been laid yet."""

    def __init__(self, piece: Piece, half: int, pose: Pose) -> None:
        self.piece = piece
        self.half = half  # which half of the tile shows here
        self.pose = pose

    @property
    def shows(self) -> Half:
        return self.piece.tile[self.half]


class Place:
    """Where a tile would lie if it were laid at an end with this turn."""

    def __init__(self, arc: Arc, far: Pose, is_free: bool) -> None:
        self.arc = arc
        self.far = far  # the far end
        self.is_free = is_free  # would it overlap no tile on the table?


class CurvedLayout:
    """The table. Ends keep their numbers; ends that met are no longer there."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []  # in the order placed
        self.open_ends: dict[int, OpenEnd] = {}
        self.places: dict[tuple[int, int], Place] = {}  # at the ends that are open now

    def lay_free(self, tile: CurvedTile, seat: int | None, arc: Arc, ends: tuple[int, int]) -> None:
        """A tile by itself: from the first of its ends (first half) to the second it turns right
        (B6)."""
        piece = Piece(tile, seat, arc)
        first, second = arc.ends()
        self.open_ends[ends[0]] = OpenEnd(piece, 0, first)
        self.open_ends[ends[1]] = OpenEnd(piece, 1, second)
        self.put_down(piece)

    def put_down(self, piece: Piece) -> None:
        """One more tile on the table; it may lie where others could have been laid."""
        self.pieces.append(piece)
        for place in self.places.values():
            if place.is_free and place.arc.overlaps(piece.arc):
                place.is_free = False

    def place(self, end: int, half: int) -> Place:
        """Where a tile would lie that joins this end by this half."""
        if (end, half) not in self.places:
            arc, far = lay_next(self.open_ends[end].pose, TURN[half])
            is_free = not any(arc.overlaps(piece.arc) for piece in self.pieces)
            self.places[end, half] = Place(arc, far, is_free)
        return self.places[end, half]

    def meets(self, end: int, half: int) -> int | None:
        """The open end that the far end of such a tile would lie against."""
        far = self.place(end, half).far
        met = [n for n, e in self.open_ends.items() if face_each_other(far, e.pose)]
        return met[0] if met else None

    def join(self, tile: CurvedTile, seat: int, end: int, half: int) -> None:
        """Lay a tile at an end. Its far side is that end now, unless it met another (B5)."""
        place, met = self.place(end, half), self.meets(end, half)
        piece = Piece(tile, seat, place.arc)
        if met is None:
            self.open_ends[end] = OpenEnd(piece, 1 - half, place.far)
        else:
            del self.open_ends[end]
            del self.open_ends[met]
        self.places = {at: there for at, there in self.places.items() if at[0] not in (end, met)}
        self.put_down(piece)

    def state(self, end: int) -> str:
        """Which turns fit here? Ends that would meet are no matter of fit (B4)."""
        right, left = self.place(end, 0).is_free, self.place(end, 1).is_free
        if right and left:
            return "open"
        if right:
            return RIGHT
        if left:
            return LEFT
        return "dead"
