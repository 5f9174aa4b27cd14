"""Bergen (Fundex): points when both ends of the line are the same."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Move, Tile, is_double, pips


class Bergen(DrawingGame):
    """The LOWEST double opens; who cannot play draws one tile only."""

    rulebook_target = 15

    def rulebook_hand_size(self) -> int:
        return 6

    def open_round(self, starter: int | None) -> None:
        """The lowest double is placed by the deal, and scores 2 (G4)."""
        opener, tile = self.opening_double(min)
        self.lay_opening(opener, tile)
        self.gain(opener, 2)
        self.go_on(opener)

    # -- a turn

    def draw_if_unable(self, seat: int) -> None:
        """Who cannot play draws one tile only (BE1)."""
        if not self.can_play(seat) and self.boneyard:
            self.draw(seat)

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        self.gain(seat, self.points_for(tile))
        self.go_on(seat)

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
