"""Fruitominoes (Bananagrams): doubles branch in a T; who cannot play picks one tile."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Move, Piece, Side, lowest_of


class Fruitominoes(DrawingGame):
    """One point a round, best of ten."""

    sets_allowed = ("double_2", "double_3", "double_6")
    rulebook_rounds = 10  # FR4

    def rulebook_hand_size(self) -> int:
        return 5  # FR1

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal, with four open sides (G4, FR2)."""
        opener, tile = self.opening_double(max)
        double = self.lay_opening(opener, tile)
        double.add_side(tile[0], crosswise=True, end=2)
        double.add_side(tile[0], crosswise=True, end=3)
        self.go_on(opener)

    # -- the layout

    def make_a_t(self, double: Piece) -> None:
        """A later double lies across the end: one short side is that end, one a new one (FR2)."""
        double.add_side(double.tile[0], end=self.layout.next_number())

    def offered_sides(self) -> list[Side]:
        """Open ends, but of the untouched sides of one double only one (FR2, G19)."""
        offered = []
        for piece in self.layout.with_room:
            offered += lowest_of([side for side in piece.sides if side.is_open()])
        return offered

    # -- a turn

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play picks one tile, and that was it."""
        while True:
            if self.is_blocked():
                return self.blocked()
            if self.can_play(seat):
                self.to_move = seat
                return None
            if self.boneyard:
                self.draw(seat)  # FR3: playable or not, the turn is over
            else:
                self.events.append(("pass", seat))
            seat = self.after(seat)

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        piece = self.lay_at_end(seat, tile, end, half)
        if piece.is_double():
            self.make_a_t(piece)
        self.go_on(seat)

    # -- the end of the round

    def domino(self, seat: int) -> None:
        """Out, or the lowest: the winner of the round scores one point (FR4)."""
        self.gain(seat, 1)
        self.end_round({seat})

    def blocked(self) -> None:
        """The single lowest total wins; shared, nobody (FR4)."""
        seat = self.sole_lowest()
        if seat is None:
            return self.end_round(set())
        return self.domino(seat)
