"""Cross Dominoes (Fundex): all four sides of the first double come before anything else."""

from __future__ import annotations

from .table import Move, Referee, Side, lowest_of, matching_plays, pips


class Cross(Referee):
    """First the cross, one drawn tile at a time; then Block & Draw on four arms."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal, a spinner with four sides (G4)."""
        opener, tile = self.opening_double(max)
        self.spinner = self.lay_opening(opener, tile)
        self.spinner.add_side(tile[0], crosswise=True, end=2)
        self.spinner.add_side(tile[0], crosswise=True, end=3)
        if not self.hands[opener]:
            self.domino(opener)
        else:
            self.give_turn(self.after(opener))

    # -- a turn

    def free_sides(self) -> list[Side]:
        """The sides of the spinner that no tile lies on."""
        return [side for side in self.spinner.sides if side.is_open()]

    def cross_is_complete(self) -> bool:
        return not self.free_sides()

    def offered_sides(self) -> list[Side]:
        if not self.cross_is_complete():
            return lowest_of(self.free_sides())  # CR1, G19: the free sides are alike
        return self.layout.open_sides()  # CR2

    def plays(self, seat: int) -> set[Move]:
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
            if self.cross_is_complete():
                while not self.can_play(seat) and self.boneyard:
                    self.draw(seat)  # CR2, G6
            elif not self.can_play(seat) and self.boneyard:
                self.draw(seat)  # CR1: one only
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
        self.lay_at_end(seat, tile, end, half)
        if not self.hands[seat]:
            self.domino(seat)
        else:
            self.give_turn(self.after(seat))

    # -- the end of the round

    def domino(self, seat: int) -> None:
        """Out: the opponents' pips (G9)."""
        self.gain(seat, self.opponents_pips(seat))
        self.end_round({seat})

    def blocked(self) -> None:
        """The single lowest total wins: the opponents' pips less the winner's own (G8, G9)."""
        seat = self.sole_lowest()
        if seat is None:
            return self.end_round(set())
        self.gain(seat, self.opponents_pips(seat) - pips(self.hands[seat]))
        return self.end_round({seat})
