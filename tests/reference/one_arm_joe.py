"""One-Arm Joe (Fundex): one open end; a double earns another tile."""

from __future__ import annotations

from .table import Move, Referee, Tile, is_double, matching_plays, pips


class OneArmJoe(Referee):
    """Block & Draw along a single arm."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 3  # OA1

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal, and earns its owner a tile (G4)."""
        self.extra = False  # is the player to move on the tile a double has earned?
        opener, tile = self.opening_double(max)
        double = self.lay_opening(opener, tile)
        double.sides[1].end = None  # the side away from the arm is never played on
        self.after_the_play(opener, tile)

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        return matching_plays(self.hands[seat], self.layout.open_sides())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.boneyard and not any(self.can_play(seat) for seat in self.seats())

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play draws, then passes."""
        self.extra = False
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

    def after_the_play(self, seat: int, placed: Tile) -> None:
        """Out, or one more tile for a double, or on to the next player (OA1)."""
        if not self.hands[seat]:
            self.domino(seat)
        elif is_double(placed) and self.can_play(seat):
            self.extra = True
            self.to_move = seat
        else:
            self.give_turn(self.after(seat))  # G5: also after a double with nothing to follow

    def legal(self) -> set[Move]:
        """A tile; the extra one may be declined (OA1)."""
        if self.to_move is None:
            return set()
        moves = self.plays(self.to_move)
        if self.extra:
            moves.add(("end_turn",))
        return moves

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        if move == ("end_turn",):
            self.events.append(("end_turn", seat))
            self.give_turn(self.after(seat))
            return
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        self.after_the_play(seat, tile)

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
