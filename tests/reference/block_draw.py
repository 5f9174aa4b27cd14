"""Block & Draw (Fundex): the traditional game."""

from __future__ import annotations

from .table import Move, Referee, matching_plays, pips


class BlockDraw(Referee):
    """Draw until you can play; out first wins."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 5  # BD1

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal (G4)."""
        opener, tile = self.opening_double(max)
        self.lay_opening(opener, tile)
        if not self.hands[opener]:
            self.domino(opener)
        else:
            self.give_turn(self.after(opener))

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        return matching_plays(self.hands[seat], self.sides_of_a_line())

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
