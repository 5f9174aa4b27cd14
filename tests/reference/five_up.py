"""Five Up (Fundex): fives again, but every double is a spinner and exactly 61 wins."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Move, Piece, Side, lowest_of, nearest_five, pips


class FiveUp(DrawingGame):
    """One point for every five in the open ends; a score that would pass 61 is not given."""

    rulebook_target = 61
    draws_lots = True

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5

    def open_round(self, starter: int | None) -> None:
        """The first player, drawn by lot, may place any tile."""
        self.to_move = starter

    # -- spinners

    def give_crosswise_sides(self, piece: Piece) -> None:
        """A double has two more sides; they are no ends yet."""
        if piece.is_double():
            piece.add_side(piece.tile[0], crosswise=True)
            piece.add_side(piece.tile[0], crosswise=True)

    def open_crosswise_sides(self, piece: Piece) -> None:
        """A tile has been laid on this one: if it is a double, its crosswise sides open (FU1)."""
        for side in piece.sides:
            if side.crosswise and side.end is None:
                side.end = self.layout.next_number()

    def pips_counted(self, side: Side) -> int:
        """What an open end counts (FU2)."""
        if side.crosswise:
            return 0
        if side.piece.is_double() and not side.piece.is_alone():
            return 2 * side.value  # the side opposite its first neighbour
        return side.value

    def offered_sides(self) -> list[Side]:
        """Open ends, but of the two crosswise sides of a double, both free, only one (G19)."""
        if len(self.layout.pieces) == 1:
            return self.sides_of_a_line()
        offered = []
        for piece in self.layout.with_room:
            here = [side for side in piece.sides if side.is_open()]
            offered += [side for side in here if not side.crosswise]
            offered += lowest_of([side for side in here if side.crosswise])
        return offered

    # -- a turn

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        if not self.layout.pieces:
            self.give_crosswise_sides(self.lay_opening(seat, tile))
        else:
            (under,) = [side.piece for side in self.layout.open_sides() if side.end == end]
            self.give_crosswise_sides(self.lay_at_end(seat, tile, end, half))
            self.open_crosswise_sides(under)
        total = sum(self.pips_counted(side) for side in self.layout.open_sides())
        if total % 5 == 0:
            self.gain_if_not_too_much(seat, total // 5)
        if self.scores[seat] == self.target:
            self.end_round({seat})  # FU3: at once, and without the round's bonus
        else:
            self.go_on(seat)

    # -- the score

    def gain_if_not_too_much(self, seat: int, points: int) -> None:
        """A score that would pass 61 is not given (FU3)."""
        if self.scores[seat] + points <= self.target:
            self.gain(seat, points)

    def domino(self, seat: int) -> None:
        """Out: one point for each five, in each opponent's rounded pips (G10)."""
        fives = sum(nearest_five(pips(self.hands[other])) // 5 for other in self.opponents(seat))
        self.gain_if_not_too_much(seat, fives)
        self.end_round({seat})

    def blocked(self) -> None:
        """The single lowest total wins the difference, rounded once, in fives (G8, G10)."""
        seat = self.sole_lowest()
        if seat is None:
            return self.end_round(set())
        difference = self.opponents_pips(seat) - pips(self.hands[seat])
        self.gain_if_not_too_much(seat, nearest_five(difference) // 5)
        return self.end_round({seat})

    def match_is_over(self) -> bool:
        """Exactly 61 (FU3)."""
        return self.target in self.scores
