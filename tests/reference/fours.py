"""Fours (Fundex): four players; keep playing as long as you can."""

from __future__ import annotations

from .table import Move, Referee, matching_plays, pips


class Fours(Referee):
    """Block & Draw, but a turn may hold many tiles."""

    seats_allowed = (4,)
    rulebook_target = 100
    draws_lots = True

    def rulebook_hand_size(self) -> int:
        return 5

    def open_round(self, starter: int | None) -> None:
        """The first player, drawn by lot, may place any tile (FO1)."""
        self.has_played = False  # a tile in this turn already?
        self.to_move = starter

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        if not self.layout.pieces:
            return {("play", tile, 0, 0) for tile in self.hands[seat]}
        return matching_plays(self.hands[seat], self.sides_of_a_line())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.boneyard and not any(self.can_play(seat) for seat in self.seats())

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play a first tile draws, then passes."""
        self.has_played = False
        while True:
            if self.is_blocked():
                return self.blocked()
            while not self.can_play(seat) and self.boneyard:
                self.draw(seat)  # FO1, G6
            if self.can_play(seat):
                self.to_move = seat
                return None
            if self.is_blocked():
                return self.blocked()
            self.events.append(("pass", seat))
            seat = self.after(seat)

    def legal(self) -> set[Move]:
        """One tile must be played; after that, more or stop (FO1)."""
        if self.to_move is None:
            return set()
        moves = self.plays(self.to_move)
        if self.has_played:
            moves.add(("end_turn",))
        return moves

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        if move == ("end_turn",):
            self.events.append(("end_turn", seat))
            self.give_turn(self.after(seat))
            return
        _, tile, end, half = move
        if not self.layout.pieces:
            self.lay_opening(seat, tile)
        else:
            self.lay_at_end(seat, tile, end, half)
        self.has_played = True
        if not self.hands[seat]:
            self.domino(seat)
        elif not self.can_play(seat):
            self.give_turn(self.after(seat))  # G5: the turn ends by itself

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
