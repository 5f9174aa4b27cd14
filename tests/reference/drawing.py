"""The turn that games with a boneyard share: who cannot play draws, and then passes.

Each game's own file says how it opens, and what it does differently.
"""

from __future__ import annotations

from .table import Move, Referee, Side, matching_plays, pips


class DrawingGame(Referee):
    """Lay a tile at an open end; out first wins."""

    may_stop = False  # may the player to move end the turn, although a tile would fit?

    # -- a turn

    def offered_sides(self) -> list[Side]:
        """The ends that a tile may be laid at."""
        return self.sides_of_a_line()

    def plays(self, seat: int) -> set[Move]:
        """Every tile that fits; on an empty table every tile."""
        if not self.layout.pieces:
            return {("play", tile, 0, 0) for tile in self.hands[seat]}
        return matching_plays(self.hands[seat], self.offered_sides())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.boneyard and not any(self.can_play(seat) for seat in self.seats())

    def draw_if_unable(self, seat: int) -> None:
        """Who cannot play draws until able (G6)."""
        while not self.can_play(seat) and self.boneyard:
            self.draw(seat)

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play draws, then passes."""
        self.may_stop = False
        while True:
            if self.is_blocked():
                return self.blocked()
            self.draw_if_unable(seat)
            if self.can_play(seat):
                self.to_move = seat
                return None
            if self.is_blocked():
                return self.blocked()
            self.events.append(("pass", seat))
            seat = self.after(seat)

    def legal(self) -> set[Move]:
        if self.to_move is None:
            return set()
        return self.plays(self.to_move) | ({("end_turn",)} if self.may_stop else set())

    def stop(self) -> None:
        """The player to move ends the turn."""
        self.events.append(("end_turn", self.to_move))
        self.give_turn(self.after(self.to_move))

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        self.go_on(seat)

    def go_on(self, seat: int) -> None:
        """After a play: out, or on to the next player."""
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
