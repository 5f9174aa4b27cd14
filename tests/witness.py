"""What a witness of a round can tell, from its events alone: where turns began, who went out when,
how curved tiles lie, which moves are legal. Plain Python, from the rules, the hands, the ends and
the events of a position; the engine's kernels and tables are not looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from domino_env.actions import Move, Tile
from domino_env.batches import Batch
from domino_env.position import End, Event, Position

Face: TypeAlias = int | str

ANSWERS = {
    "points": ("call", "silent"),
    "domino": ("call", "silent"),
    "direction": ("clockwise", "counter"),
    "reverse": ("reverse", "keep"),
    "raise": ("raise", "hold"),
    "accept": ("accept", "refuse"),
    "lead": ("lead", "yield"),
}
"""What may be answered to each question."""

WORDS = {word for words in ANSWERS.values() for word in words}


# Halves ------------------------------------------------------------------------------------------


def colour(face: Face) -> str:
    """The colour of a half, by its number; "*" has them all."""
    return str(face).lstrip(">+")


def matches(one: Face, other: Face) -> bool:
    """Do two halves match by colour? (FN2)"""
    return "*" in (one, other) or colour(one) == colour(other)


def asks(face: Face) -> Face:
    """What a half asks for where it is an end."""
    return face if isinstance(face, int) or face == "*" else int(colour(face))


def joins(batch: Batch, tile: Tile, half: int, value: Face | None) -> bool:
    """Does this half of the tile join an end that asks for the value?"""
    if value is None:  # on the empty table a tile lies one way only
        return half == 0
    if batch.rules.match.by == "same":
        return matches(tile[half], value)
    total = batch.rules.max_pip + 1
    numbers = [number for number in (tile[half], value) if isinstance(number, int)]
    return sum(numbers) == total or tile.pips == total or tile == (0, 0)


# Curved tiles on their honeycomb (B1-B6) ---------------------------------------------------------

Place: TypeAlias = tuple[int, int, int]  # a cell (q, r), and a corner or an edge of it

STEPS = {0: (0, -1), 1: (1, -1), 2: (1, 0), 3: (0, 1), 4: (-1, 1), 5: (-1, 0)}


def across(place: Place) -> Place:
    """The same edge, seen from the cell on its other side."""
    q, r, edge = place
    return q + STEPS[edge][0], r + STEPS[edge][1], (edge + 3) % 6


def corner_taken(wait: Place, half: int) -> Place:
    """The corner that a tile takes which joins by this half: one turns right, the other left."""
    q, r, edge = wait
    return q, r, (edge - 1) % 6 if half == 0 else edge


def far_edge(wait: Place, half: int) -> Place:
    """The edge by which it leaves the cell."""
    q, r, edge = wait
    return q, r, (edge - 1) % 6 if half == 0 else (edge + 1) % 6


@dataclass
class Curve:
    """Curved tiles as they lie, and the ends that wait for more."""

    taken: list[Place] = field(default_factory=list)
    """The corner of each tile, in the order in which they were laid."""
    waits: dict[int, Place] = field(default_factory=dict)
    """For each end the edge through which its next tile comes, seen from the cell it comes into."""
    shows: dict[int, Face] = field(default_factory=dict)
    """The half that each end shows."""

    def lay(self, tile: Tile, corner: int) -> None:
        """A tile of the opening: going from its first half to its second one turns right."""
        self.taken.append((0, 0, corner))
        for face, edge in zip(tile, (corner + 1, corner), strict=True):
            self.shows[len(self.waits)] = face
            self.waits[len(self.waits)] = across((0, 0, edge))

    def join(self, tile: Tile, end: int, half: int) -> bool:
        """Lays a tile at an end; answers whether it met another end."""
        met = self.meets(end, half)
        self.taken.append(corner_taken(self.waits[end], half))
        if met is None:
            self.shows[end] = tile[1 - half]
            self.waits[end] = across(far_edge(self.waits[end], half))
            return False
        for gone in (end, met):
            del self.waits[gone], self.shows[gone]
        return True

    def fits(self, end: int, half: int) -> bool:
        """Is there room: are the corner and the two beside it free? (B1)"""
        q, r, corner = corner_taken(self.waits[end], half)
        return not any((q, r, (corner + step) % 6) in self.taken for step in (-1, 0, 1))

    def meets(self, end: int, half: int) -> int | None:
        """The end that waits where a tile would come out (B5)."""
        out = far_edge(self.waits[end], half)
        return next((other for other, wait in self.waits.items() if wait == out), None)

    def takes(self, batch: Batch, tile: Tile, end: int, half: int) -> bool:
        """May a tile that matches be laid here?"""
        met = self.meets(end, half) if self.fits(end, half) else end
        if met is None:
            return True
        allowed = batch.rules.layout.meeting == "allowed" and met != end
        return allowed and joins(batch, tile, 1 - half, asks(self.shows[met]))


# The course of a round ---------------------------------------------------------------------------


class Course:
    """A round gone through event by event."""

    def __init__(self, batch: Batch, position: Position) -> None:
        self.rules, self.position = batch.rules, position
        self.explicit = batch.calls == "explicit"
        self.sizes = [batch.rules.hand_size_for(batch.num_players)] * batch.num_players
        self.did: list[list[Event]] = [[] for _ in self.sizes]  # in each seat's latest turn
        self.turn: int | None = None
        self.out: list[int] = []
        self.reversals = 0
        self.curve = Curve()
        self.markers: set[int] = set()  # seats on whose trains all may play (MT4)
        self.due: Tile | None = None  # the double that must have tiles first ...
        self.due_left = 0  # ... and how many
        self.had_turn: set[int] = set()
        self._laid = 0
        self.symbol = ""  # ">" or "+" on the open end that the tile played last made
        self.goes_again = False  # it gives its player another turn
        self.given: list[Event] = []  # draws that a tile of another player made, by DRAW
        self._before: Event | None = None
        for event in position.events:
            self._follow(event)
            self._before = event
        self._look_up()

    def _look_up(self) -> None:
        """Whoever has the turn now may have done nothing in it yet."""
        now = self.position
        if self.turn != now.turn or (self.goes_again and not now.question and not now.over):
            self.did[now.turn] = []

    def _follow(self, event: Event) -> None:
        if event.seat is None:  # a start tile
            self._lay(event)
        elif event.kind in WORDS:
            self.reversals += event.kind in ("counter", "reverse")
        else:
            self._act(event, event.seat)

    def _act(self, event: Event, seat: int) -> None:
        if seat != self.turn and self.turn is not None and not self._only_opened(self.turn):
            self.had_turn.add(self.turn)
        if seat != self.turn or (self.goes_again and not self._is_penalty(event)):
            if self.symbol == "+" and event.kind in ("draw", "take"):
                self.given.append(event)
            self.turn, self.did[seat], self.symbol, self.goes_again = seat, [], "", False
        self.did[seat].append(event)
        self.sizes[seat] += {"play": -1, "draw": 1, "take": 1}.get(event.kind, 0)
        if event.giver is not None:
            self.sizes[event.giver] -= 1
        self.out += [who for who, size in enumerate(self.sizes) if not size and who not in self.out]
        if event.kind == "pass":
            self.markers.add(seat)
        if event.kind == "play":
            if event.end == seat + 1:
                self.markers.discard(seat)
            self.symbol = self._symbol(event)
            self.goes_again = self.symbol == ">" and self.sizes[seat] > 0

    def _is_penalty(self, event: Event) -> bool:
        """Is this the tile that the mover draws who was caught forgetting to say "Domino!"?"""
        before = self._before
        asked = self.explicit and self.rules.turn.says_domino and self.sizes[event.seat or 0] == 1
        return asked and before is not None and (before.kind == "call" and before.seat != self.turn)

    def _lay(self, event: Event) -> bool:
        """Lays a tile on the table; answers whether it closed a line of curved tiles."""
        assert event.tile is not None
        self._laid += 1
        self._count_due(event.tile)
        if self.rules.layout.tiles == "straight":
            return False
        openers = 2 if self.rules.opening.tile == "two_from_boneyard" else 1
        if self._laid <= openers:
            self.curve.lay(event.tile, (0, 3)[self._laid - 1])
            return False
        assert event.end is not None
        assert event.half is not None
        return self.curve.join(event.tile, event.end, event.half)

    def _only_opened(self, seat: int) -> bool:
        """Has a seat done nothing but to open the round, as the deal had it? (G4)"""
        return self._laid == 1 and [event.kind for event in self.did[seat]] == ["play"]

    def _count_due(self, tile: Tile) -> None:
        """A double that must have tiles has one more, or there is one now (CR1, MT5, CF3)."""
        layout = self.rules.layout
        if self.due is not None:
            self.due_left -= 1
        elif tile.is_double:
            self.due_left = layout.opening_first if self._laid == 1 else layout.doubles_first
            self.due = tile
        if not self.due_left or (layout.hopeless == "lifted" and not self._left_for_due()):
            self.due, self.due_left = None, 0

    def _left_for_due(self) -> bool:
        """Is there a tile with the number of the double that is due, and not on the table?"""
        laid = [tile for tile, _ in self.position.played[: self._laid]]
        return any(
            self.due is not None and self.due[0] in faces and Tile(*faces) not in laid
            for faces in self.rules.tile_set.faces
        )

    def _symbol(self, event: Event) -> str:
        """Lays a tile, and tells the symbol on the half that is an open end now (FN4)."""
        closed = self._lay(event)
        assert event.tile is not None
        sign = str(event.tile[1 - (event.half or 0)])[0]
        return sign if sign in ">+" and not closed and self._laid > 1 else ""

    def in_turn(self, seat: int, *kinds: str) -> list[Event]:
        """What of these kinds a seat did in its latest turn."""
        return [event for event in self.did[seat] if event.kind in kinds]


# Rewards -----------------------------------------------------------------------------------------


def paid(
    kind: str, points: Sequence[int], teams: bool, over: bool, winners: Collection[int]
) -> list[float]:
    """What every seat is paid for a step in which they made these points (G14), to three digits."""
    if kind == "points":
        return [float(own) for own in points]
    if kind == "win":
        if not over or not winners:
            return [0.0 for _ in points]
        return [1.0 if seat in winners else -1.0 for seat in range(len(points))]
    found = []
    for seat, own in enumerate(points):
        against = [
            made
            for other, made in enumerate(points)
            if (other % 2 != seat % 2 if teams else other != seat)
        ]
        found.append(round(own - sum(against) / len(against), 3))
    return found


# Moves -------------------------------------------------------------------------------------------


def placings(batch: Batch, course: Course, tiles: list[Tile]) -> Iterator[Move]:
    """Every way to lay one of these tiles."""
    curved = batch.rules.layout.tiles == "curved" and course.position.played
    for tile in tiles:
        for end in course.position.ends:
            if end.offered:
                for half in halves_of(tile, end, bool(curved)):
                    if joins(batch, tile, half, end.value):
                        if not curved or course.curve.takes(batch, tile, end.number, half):
                            yield Move("play", tile, end.number, half)


def halves_of(tile: Tile, end: End, curved: bool) -> tuple[int, ...]:
    """The halves that a tile may join by: a straight double has one way to lie."""
    return (0,) if tile.is_double and not curved else (0, 1)


def earns_another(batch: Batch, course: Course) -> bool:
    """Has the mover just played a tile that lets the turn go on?"""
    if batch.rules.turn.first_turn == "own_line":
        return goes_along(course, course.position.turn)
    if batch.rules.turn.again in ("never", "to_cover") or batch.rules.rows:
        return False
    did = course.in_turn(course.position.turn, "play", "pass", "end_turn")
    if not did or did[-1].kind != "play" or did[-1].tile is None:
        return False
    return batch.rules.turn.again == "after_any" or did[-1].tile.is_double


def goes_along(course: Course, seat: int) -> bool:
    """Has a seat just played on its own train in its first turn, with no double due?"""
    did = course.in_turn(seat, "play", "pass", "end_turn")
    first = seat not in course.had_turn and course.due is None
    return first and bool(did) and did[-1].kind == "play" and did[-1].end == seat + 1


def whose_turn(batch: Batch, course: Course) -> int | None:
    """Whose turn it is now; None if the events do not tell, as after a draw or at the end."""
    position = course.position
    if position.over:
        return None
    if position.question:
        return course.turn
    acts = [event for event in position.events if event.kind not in WORDS]
    if not acts or acts[-1].kind not in ("play", "pass", "end_turn") or acts[-1].seat is None:
        return None
    seat = acts[-1].seat
    if acts[-1].kind == "play" and (course.goes_again or goes_on(batch, course, acts[-1])):
        return seat
    after = course.sizes[seat + 1 :] + course.sizes[: seat + 1]
    seats = [(seat + 1 + place) % len(after) for place, size in enumerate(after) if size]
    clockwise = course.reversals % 2 == 0
    others = [other for other in seats if other != seat] or seats
    return others[0 if clockwise else -1]


def goes_on(batch: Batch, course: Course, played: Event) -> bool:
    """Does a tile that was played let the turn go on?"""
    again, hand = batch.rules.turn.again, course.position.hands[played.seat or 0]
    if again == "to_cover" and course.due is not None and played.tile == course.due:
        return True
    if batch.rules.turn.first_turn == "own_line":
        own = course.position.ends[1 + (played.seat or 0)].value
        fits = any(joins(batch, tile, half, own) for tile in hand for half in (0, 1))
        return goes_along(course, played.seat or 0) and fits
    earned = again == "after_any" or bool(
        again == "after_double" and played.tile and played.tile.is_double
    )
    return earned and any(placings(batch, course, hand))


def may_draw(batch: Batch, course: Course, seat: int) -> bool:
    """May a player who can play draw a tile instead, or first? (MA1, BN1)"""
    draw, boneyard = batch.rules.draw, len(course.position.boneyard)
    if not draw.voluntary or boneyard <= draw.reserve or not course.position.played:
        return False
    if batch.rules.hand_size == "all":  # the rest has been set aside
        return False
    return draw.voluntary_then == "play" or not course.in_turn(seat, "draw", "take")


def may_pass(batch: Batch, course: Course, seat: int) -> bool:
    """Has the mover, unable to play, drawn a tile that fits? It may be kept (BN1)."""
    if batch.rules.draw.then != "may_pass" or course.in_turn(seat, "play"):
        return False
    drawn = [e.tile for e in course.in_turn(seat, "draw") if e not in course.given]
    before = [tile for tile in course.position.hands[seat] if tile not in drawn]
    return bool(drawn) and not any(placings(batch, course, before))


def legal_moves(batch: Batch, course: Course) -> set[Move]:
    """The legal moves, worked out from the hands, the ends and the events."""
    position = course.position
    if position.to_move is None:
        return set()
    if position.question is not None:
        return {Move(word) for word in ANSWERS[position.question]}
    seat = position.to_move
    tiles = position.hands[seat]
    if batch.rules.rows:
        last = position.events[-1]
        assert (last.kind, last.tile) == ("flip", tiles[0])
        tiles = tiles[:1]
    found = {*placings(batch, course, tiles)}
    if may_draw(batch, course, seat):
        found.add(Move("draw"))
    if may_pass(batch, course, seat):
        found.add(Move("pass"))
    if earns_another(batch, course):
        found.add(Move("end_turn"))
    return found
