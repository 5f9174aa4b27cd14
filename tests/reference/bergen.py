"""Bergen (Fundex): points when both ends of the line are the same."""

from __future__ import annotations

from .table import Move, Referee, Tile, is_double, matching_plays, pips


class Bergen(Referee):
    """The LOWEST double opens; who cannot play draws one tile only."""

    rulebook_target = 15

    def rulebook_hand_size(self) -> int:
        return 6

    def open_round(self, starter: int | None) -> None:
        """The lowest double is placed by the deal, and scores 2 (G4)."""
        opener, tile = self.opening_double(min)
        self.lay_opening(opener, tile)
        self.gain(opener, 2)
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
        """The turn comes to this seat; who cannot play draws one, then plays it or passes."""
        while True:
            if self.is_blocked():
                return self.blocked()
            if not self.can_play(seat) and self.boneyard:
                self.draw(seat)  # BE1
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
        self.gain(seat, self.points_for(tile))
        if not self.hands[seat]:
            self.domino(seat)
        else:
            self.give_turn(self.after(seat))

    def points_for(self, placed: Tile) -> int:
        """Are both ends of the line the same now that this tile has been placed? (BE2)"""
        one, other = self.layout.open_sides()
        if one.value != other.value:
            return 0
        return 3 if is_double(placed) else 2

    # -- the end of the round

    def domino(self, seat: int) -> None:
        """Out: one point."""
        self.gain(seat, 1)
        self.end_round({seat})

    def blocked(self) -> None:
        """One point for no double and the lowest total, or for the lowest double (BE3)."""
        without = [seat for seat in self.seats() if not self.doubles_in_hand(seat)]
        if without:
            worth = {seat: pips(self.hands[seat]) for seat in without}
        else:
            worth = {seat: min(self.doubles_in_hand(seat))[0] for seat in self.seats()}
        best = [seat for seat in worth if worth[seat] == min(worth.values())]
        if len(best) > 1:
            return self.end_round(set())
        self.gain(best[0], 1)
        return self.end_round(set(best))
