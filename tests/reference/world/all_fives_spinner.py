"""All Fives with one spinner: the first double is played on four sides, and fives score."""

from __future__ import annotations

from ..table import (
    HIGHEST_NUMBER,
    Move,
    Piece,
    Side,
    Tile,
    lowest_of,
    matching_plays,
    nearest_five,
    pips,
)
from .referee import LOT, WorldReferee


class AllFivesSpinner(WorldReferee):
    """Draw until you can play. In teams, the Texas game, everything is dealt and nobody draws."""

    sets_allowed = tuple(HIGHEST_NUMBER)
    has_calls = True
    known_options = ("teams", "a_point_for_each_five")

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 or self.in_teams else 5  # AS1, AS4

    def usual_target(self) -> int:
        return 61 if "a_point_for_each_five" in self.options else 150  # AS4

    def first_opening(self) -> str | int:
        return LOT  # AS1

    def opening_after_a_draw(self) -> str | int:
        return LOT  # AS1

    def open_round(self, starter: int | None) -> None:
        self.spinner: Piece | None = None
        self.last_player: int | None = None
        self.claim = 0  # points that wait for somebody to call them (G12)
        self.to_ask: list[int] = []  # who may still call them, in order
        super().open_round(starter)

    # -- the spinner (AS2)

    def look_for_the_spinner(self, piece: Piece) -> None:
        """The first double of the round has two more sides; they are no ends yet."""
        if piece.is_double() and self.spinner is None:
            self.spinner = piece
            piece.add_side(piece.tile[0], crosswise=True)
            piece.add_side(piece.tile[0], crosswise=True)

    def look_for_short_sides(self) -> None:
        """With both long sides of the spinner covered, its short sides become ends 2 and 3."""
        if self.spinner is None:
            return
        short = [side for side in self.spinner.sides if side.crosswise]
        long = [side for side in self.spinner.sides if not side.crosswise]
        if all(side.neighbour is not None for side in long) and short[0].end is None:
            short[0].end, short[1].end = 2, 3

    def pips_counted(self, side: Side) -> int:
        """What an open end counts (AS3): a short side that no tile touches, nothing."""
        return 0 if side.crosswise else super().pips_counted(side)

    def offered_sides(self) -> list[Side]:
        """All open ends, but of sides that nothing tells apart only one (G19)."""
        along = [side for side in self.sides_of_a_line() if not side.crosswise]
        across = [side for side in self.layout.open_sides() if side.crosswise]
        return along + lowest_of(across)

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        if not self.layout.pieces:
            return {("play", tile, 0, 0) for tile in self.hands[seat]}
        return matching_plays(self.hands[seat], self.offered_sides())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def legal(self) -> set[Move]:
        if self.to_move is None:
            return set()
        if self.to_ask:
            return {("call",), ("silent",)}
        return self.plays(self.to_move)

    def can_draw(self) -> bool:
        """In teams what is not dealt stays unseen (AS4)."""
        return bool(self.boneyard) and not self.in_teams

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.can_draw() and not any(self.can_play(seat) for seat in self.seats())

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play draws, then passes."""
        while not self.is_blocked():
            while not self.can_play(seat) and self.can_draw():
                self.draw(seat)  # G6
            if self.can_play(seat):
                self.to_move = seat
                return
            if not self.is_blocked():
                self.events.append(("pass", seat))
                seat = self.after(seat)
        self.blocked()

    def carry_out(self, move: Move) -> None:
        if self.to_ask:
            self.answer(move[0])
            return
        seat = self.to_move
        _, tile, end, half = move
        if self.layout.pieces:
            piece = self.lay_at_end(seat, tile, end, half)
        else:
            piece = self.lay_opening(seat, tile)
        self.look_for_the_spinner(piece)
        self.look_for_short_sides()
        self.after_the_play(seat, tile)

    # -- fives (AS3), and who says so (G12)

    def after_the_play(self, seat: int, tile: Tile) -> None:
        self.last_player = seat
        total = sum(self.pips_counted(side) for side in self.layout.open_sides())
        if total == 0 or total % 5 != 0:
            self.go_on()
        elif self.calls == "automatic":
            self.gain(seat, self.in_points(total))
            self.go_on()
        else:
            self.claim = self.in_points(total)
            self.to_ask = [seat, *self.opponents(seat)]
            self.to_move = seat

    def answer(self, word: str) -> None:
        """CALL takes the points; SILENT leaves them to the next player."""
        seat = self.to_ask.pop(0)
        self.events.append((word, seat))
        if word == "call":
            self.gain(seat, self.claim)
            self.to_ask = []
        if self.to_ask:
            self.to_move = self.to_ask[0]
        else:
            self.go_on()

    def go_on(self) -> None:
        """With the points settled: out, or the next turn."""
        if self.hands[self.last_player]:
            self.give_turn(self.after(self.last_player))
        else:
            self.out(self.last_player)

    def in_points(self, fives: int) -> int:
        """So many pips, a multiple of five: a point for each, or one for each five (AS4)."""
        return fives // 5 if "a_point_for_each_five" in self.options else fives

    # -- the end of the round (AS4)

    def out(self, seat: int) -> None:
        """What each of the others holds, to the nearest five, then summed (G9, G10)."""
        fives = sum(nearest_five(pips(self.hands[other])) for other in self.against(seat))
        self.gain(seat, self.in_points(fives))
        self.won_by(seat)

    def blocked(self) -> None:
        """The others' pips less the winning side's own, rounded once (G8, G9, G10)."""
        seat = self.seat_of_the_lower_total() if self.in_teams else self.sole_lowest()
        if seat is None:
            self.drawn()
            return
        own = sum(pips(self.hands[member]) for member in self.side(seat))
        theirs = sum(pips(self.hands[other]) for other in self.against(seat))
        self.gain(seat, self.in_points(nearest_five(theirs - own)))
        self.won_by(seat)

    def seat_of_the_lower_total(self) -> int | None:
        """The side with fewer pips; who laid the last tile if it is theirs, else the next (W3)."""
        ours = sum(pips(self.hands[seat]) for seat in self.side(self.last_player))
        theirs = sum(pips(self.hands[seat]) for seat in self.against(self.last_player))
        if ours == theirs:
            return None
        return self.last_player if ours < theirs else self.after(self.last_player)
