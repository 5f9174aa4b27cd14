"""What every referee has at hand: the tiles, the table they lie on, and the score sheet.

How a game goes (its opening, its turns, its scoring) is in that game's own file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Tile = tuple[int, int]
Move = tuple

HIGHEST_NUMBER = {
    "double_2": 2,
    "double_3": 3,
    "double_6": 6,
    "double_9": 9,
    "double_12": 12,
    "double_15": 15,
}


class DealAgain(Exception):
    """This deal goes back: nobody can open (G3), or nobody would have a decision (G5)."""


# ------------------------------------------------------------------------------ tiles


def full_set(set_name: str) -> list[Tile]:
    """Every tile of the set once."""
    highest = HIGHEST_NUMBER[set_name]
    return [(low, high) for high in range(highest + 1) for low in range(high + 1)]


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def pips(tiles: Iterable[Tile]) -> int:
    """All the pips on these tiles."""
    return sum(low + high for low, high in tiles)


def nearest_five(number: int) -> int:
    """The nearest multiple of five: 1, 2 down; 3, 4 up (G10)."""
    over = number % 5
    return number - over if over <= 2 else number - over + 5


# -------------------------------------------------------------------------- the table


class Side:
    """A side of a tile on the table, where another tile lies or may come to lie."""

    def __init__(self, piece: Piece, value: int, crosswise: bool, end: int | None) -> None:
        self.piece = piece
        self.value = value  # the number that shows here
        self.crosswise = crosswise  # a long side of a double, not one of the line
        self.end = end  # its number as an end; None if it is no end (yet)
        self.neighbour: Piece | None = None  # the tile that lies here

    def is_open(self) -> bool:
        return self.end is not None and self.neighbour is None


class Piece:
    """A tile on the table, who placed it, and its sides."""

    def __init__(self, tile: Tile, seat: int | None) -> None:
        self.tile = tile
        self.seat = seat
        self.sides: list[Side] = []

    def add_side(self, value: int, *, crosswise: bool = False, end: int | None = None) -> Side:
        side = Side(self, value, crosswise, end)
        self.sides.append(side)
        return side

    def is_double(self) -> bool:
        return is_double(self.tile)

    def is_alone(self) -> bool:
        """Does no other tile touch it?"""
        return all(side.neighbour is None for side in self.sides)

    def has_room(self) -> bool:
        """Is there a side where no other tile lies?"""
        return any(side.neighbour is None for side in self.sides)


class Layout:
    """The tiles on the table, each joined to its neighbours by its sides."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []  # in the order placed
        # The others have a tile at every side: no end is there, nor ever will be.
        self.with_room: list[Piece] = []  # in the order placed

    def lay_first(self, tile: Tile, seat: int | None) -> Piece:
        """The first tile: end 0 at its lower half, end 1 at its higher."""
        piece = Piece(tile, seat)
        piece.add_side(tile[0], end=0)
        piece.add_side(tile[1], end=1)
        self.pieces.append(piece)
        self.with_room.append(piece)
        return piece

    def join(self, end: int, tile: Tile, half: int, seat: int) -> Piece:
        """Lay a tile at an open end, by this half; its other half is that end from now on."""
        (old,) = [side for side in self.open_sides() if side.end == end]
        piece = Piece(tile, seat)
        piece.add_side(tile[half]).neighbour = old.piece
        piece.add_side(tile[1 - half], end=end)
        old.neighbour = piece
        self.pieces.append(piece)
        self.with_room.append(piece)
        if not old.piece.has_room():
            self.with_room.remove(old.piece)
        return piece

    def open_sides(self) -> list[Side]:
        """Look the table over for open ends, lowest number first."""
        found = [side for piece in self.with_room for side in piece.sides if side.is_open()]
        return sorted(found, key=lambda side: side.end)

    def next_number(self) -> int:
        """The number for a new end: one above all that were ever given."""
        given = [s.end for piece in self.pieces for s in piece.sides if s.end is not None]
        return max(given) + 1


def matching_plays(tiles: Iterable[Tile], sides: Iterable[Side]) -> set[Move]:
    """Every way to lay one of these tiles with a half that shows the side's number."""
    showing: dict[int, list[int]] = {}
    for side in sides:
        showing.setdefault(side.value, []).append(side.end)
    moves: set[Move] = set()
    for tile in tiles:
        low, high = tile
        if low in showing:
            for end in showing[low]:
                moves.add(("play", tile, end, 0))
        if high in showing and high != low:
            for end in showing[high]:
                moves.add(("play", tile, end, 1))
    return moves


def any_matches(tiles: Iterable[Tile], sides: Iterable[Side]) -> bool:
    """Does one of these tiles have a half that shows the number of one of these sides?"""
    shown = {side.value for side in sides}
    return any(low in shown or high in shown for low, high in tiles)


def lowest_of(sides: list[Side]) -> list[Side]:
    """Of sides that nothing tells apart only the lowest-numbered is offered (G19)."""
    return sorted(sides, key=lambda side: side.end)[:1]


# ---------------------------------------------------------------------- the referee


class Referee:
    """The score sheet and the record. Every game fills in how it is played."""

    seats_allowed: tuple[int, ...] = (2, 3, 4)
    sets_allowed: tuple[str, ...] = tuple(HIGHEST_NUMBER)
    rulebook_target: int | None = None  # a match to so many points ...
    rulebook_rounds: int | None = None  # ... or of so many rounds
    has_calls = False
    draws_lots = False  # is the first player drawn by lot (G18)?

    def __init__(
        self,
        players: int,
        *,
        set_name: str,
        hand_size: int | None,
        target: int | None,
        rounds: int | None,
        calls: str,
        episode: str,
    ) -> None:
        if players not in self.seats_allowed:
            raise ValueError(f"not a game for {players}")
        if set_name not in self.sets_allowed:
            raise ValueError(f"not a game for {set_name}")
        if target is not None and self.rulebook_target is None:
            raise ValueError("this game has no target")
        if rounds is not None and self.rulebook_rounds is None:
            raise ValueError("this game is not played for a number of rounds")
        if calls not in (("automatic", "explicit") if self.has_calls else ("automatic",)):
            raise ValueError(f"no such calls here: {calls}")
        if episode not in ("round", "match"):
            raise ValueError(f"no such episode: {episode}")

        self.players = players
        self.tiles = full_set(set_name)
        self.hand_size = self.rulebook_hand_size() if hand_size is None else hand_size
        if not 1 <= self.hand_size <= len(self.tiles) // players:
            raise ValueError(f"cannot deal {self.hand_size} tiles to each")
        self.target = self.rulebook_target if target is None else target
        self.rounds = self.rulebook_rounds if rounds is None else rounds
        self.calls = calls
        self.episode = episode
        self.check_deal = True  # turn it off to set up a position by hand

        self.hands: list[list[Tile]] = [[] for _ in range(players)]
        self.boneyard: list[Tile] = []
        self.layout = Layout()
        self.events: list[tuple] = []
        self.to_move: int | None = None
        self.scores = [0] * players
        self.gained = [0] * players  # since the last step
        self.rounds_played = 0
        self.round_over = False
        self.round_winners: set[int] = set()
        self.episode_over = False
        self.winners: set[int] = set()

    # -- every game says these for itself

    def rulebook_hand_size(self) -> int:
        """How many tiles each player draws."""
        raise NotImplementedError

    def open_round(self, starter: int | None) -> None:
        """The opening, and all that is forced up to the first decision."""
        raise NotImplementedError

    def legal(self) -> set[Move]:
        """What the player to move may do."""
        raise NotImplementedError

    def carry_out(self, move: Move) -> None:
        """Do a legal move, and all that is forced after it."""
        raise NotImplementedError

    # -- a round

    def start_round(
        self,
        hands: list[list[Tile]],
        boneyard: list[Tile],
        starter: int | None = None,
    ) -> None:
        """Take a deal, and go to the first decision. Raises DealAgain if the deal goes back."""
        if self.episode_over and self.episode == "match":
            raise ValueError("the match is over")
        if self.draws_lots and starter not in range(self.players):
            raise ValueError("this game needs a starter")
        self.hands = [[tuple(tile) for tile in hand] for hand in hands]
        self.boneyard = [tuple(tile) for tile in boneyard]
        if self.check_deal:
            self.look_at_the_deal()
        if self.episode == "round":
            self.scores = [0] * self.players
            self.rounds_played = 0
        scores_before = list(self.scores)
        rounds_before = self.rounds_played
        self.clear_the_table()
        try:
            self.open_round(starter)
            if self.round_over:
                raise DealAgain("nobody had anything to decide")  # G5
        except DealAgain:
            # Back to where the match was; nothing of this deal counts.
            self.clear_the_table()
            self.scores = scores_before
            self.rounds_played = rounds_before
            raise

    def look_at_the_deal(self) -> None:
        """Has everybody the right number of tiles, and is the set complete?"""
        if [len(hand) for hand in self.hands] != [self.hand_size] * self.players:
            raise ValueError(f"everybody gets {self.hand_size} tiles")
        dealt = [tile for hand in self.hands for tile in hand] + self.boneyard
        if sorted(dealt) != sorted(self.tiles):
            raise ValueError("that is not the whole set, each tile once")

    def clear_the_table(self) -> None:
        self.layout = Layout()
        self.events = []
        self.to_move = None
        self.gained = [0] * self.players
        self.round_over = False
        self.round_winners = set()
        self.episode_over = False
        self.winners = set()

    def apply(self, move: Move) -> list[int]:
        """Carry out a decision; the points each seat has gained since the last one (G4)."""
        if move not in self.legal():
            raise ValueError(f"{move} is not legal")
        self.carry_out(move)
        gained, self.gained = self.gained, [0] * self.players
        return gained

    def gain(self, seat: int, points: int) -> None:
        """Write down points (a penalty is negative)."""
        self.scores[seat] += points
        self.gained[seat] += points

    def end_round(self, winners: set[int]) -> None:
        """The round is over, and its score has been written down."""
        self.to_move = None
        self.round_over = True
        self.round_winners = set(winners)
        self.rounds_played += 1
        if self.episode == "round":
            self.episode_over = True
            self.winners = set(winners)
        elif self.match_is_over():
            self.episode_over = True
            self.winners = self.match_winners()

    def match_is_over(self) -> bool:
        """Has somebody the target, or are all rounds played? Asked when a round ends (G11)."""
        if self.target is not None:
            return max(self.scores) >= self.target
        return self.rounds_played >= self.rounds

    def match_winners(self) -> set[int]:
        """The highest total; a shared highest total is a drawn match (G11)."""
        best = [seat for seat in self.seats() if self.scores[seat] == max(self.scores)]
        return set(best) if len(best) == 1 else set()

    # -- seats, hands and the boneyard

    def seats(self) -> range:
        return range(self.players)

    def after(self, seat: int) -> int:
        """The next seat, clockwise (G1)."""
        return (seat + 1) % self.players

    def opponents(self, seat: int) -> list[int]:
        """The others, in turn order after this seat."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    def doubles_in_hand(self, seat: int) -> list[Tile]:
        return [tile for tile in self.hands[seat] if is_double(tile)]

    def opening_double(self, choose: Callable) -> tuple[int, Tile]:
        """Who holds the highest (max) or lowest (min) double, and which; none: deal again (G3)."""
        held = [(tile, seat) for seat in self.seats() for tile in self.doubles_in_hand(seat)]
        if not held:
            raise DealAgain("no double dealt")
        tile, seat = choose(held)
        return seat, tile

    def draw(self, seat: int) -> None:
        """Take the top tile of the boneyard."""
        tile = self.boneyard.pop(0)
        self.hands[seat].append(tile)
        self.events.append(("draw", seat, tile))

    def sole_lowest(self) -> int | None:
        """The seat with the lowest pip total; None if that is shared (G8)."""
        totals = [pips(hand) for hand in self.hands]
        if totals.count(min(totals)) > 1:
            return None
        return totals.index(min(totals))

    def opponents_pips(self, seat: int) -> int:
        return sum(pips(self.hands[other]) for other in self.opponents(seat))

    # -- the table

    def lay_opening(self, seat: int, tile: Tile) -> Piece:
        """The opening tile of the round leaves the hand for the middle of the table."""
        self.hands[seat].remove(tile)
        self.events.append(("play", seat, tile, 0, 0))
        return self.layout.lay_first(tile, seat)

    def lay_at_end(self, seat: int, tile: Tile, end: int, half: int) -> Piece:
        """A tile leaves the hand for an end of the layout."""
        self.hands[seat].remove(tile)
        self.events.append(("play", seat, tile, end, half))
        return self.layout.join(end, tile, half, seat)

    def pips_counted(self, side: Side) -> int:
        """What an open end counts (AF1): a double both halves, unless it lies alone."""
        if side.piece.is_double() and not side.piece.is_alone():
            return 2 * side.value
        return side.value

    def sides_of_a_line(self) -> list[Side]:
        """The ends offered in a straight game: a lone double's two sides are alike (G19)."""
        sides = self.layout.open_sides()
        if len(self.layout.pieces) == 1 and self.layout.pieces[0].is_double():
            return lowest_of(sides)
        return sides

    @property
    def table(self) -> list[tuple[Tile, int | None]]:
        """The tiles on the table and who placed them, in order."""
        return [(piece.tile, piece.seat) for piece in self.layout.pieces]

    def ends(self) -> dict[int, tuple[int, Tile, int]]:
        """Every open end: the number that shows, the tile it is on, the pips it counts."""
        return {
            side.end: (side.value, side.piece.tile, self.pips_counted(side))
            for side in self.layout.open_sides()
        }
