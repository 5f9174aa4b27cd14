"""Five Up (Fundex): fives again, but every double is a spinner and exactly 61 wins."""

from __future__ import annotations

from .table import Move, Piece, Referee, Side, lowest_of, matching_plays, nearest_five, pips


class FiveUp(Referee):
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

    def plays(self, seat: int) -> set[Move]:
        if not self.layout.pieces:
            return {("play", tile, 0, 0) for tile in self.hands[seat]}
        return matching_plays(self.hands[seat], self.offered_sides())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.boneyard and not any(self.can_play(seat) for seat in self.seats())

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play draws, then passes."""
        while True:
            if self.is_blocked():
                return self.blocked()
            while not self.can_play(seat) and self.boneyard:
                self.draw(seat)  # G6
            if self.can_play(seat):
                self.to_move = seat
                return None
            if self.is_blocked():
                return self.blocked()
            self.events.append(("pass", seat))
            seat = self.after(seat)

    def legal(self) -> set[Move]:
        return set() if self.to_move is None else self.plays(self.to_move)

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
        elif not self.hands[seat]:
            self.domino(seat)
        else:
            self.give_turn(self.after(seat))

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
