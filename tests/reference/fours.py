"""Fours (Fundex): four players; keep playing as long as you can."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Move


class Fours(DrawingGame):
    """Block & Draw, but a turn may hold many tiles."""

    seats_allowed = (4,)
    rulebook_target = 100
    draws_lots = True

    def rulebook_hand_size(self) -> int:
        return 5

    def open_round(self, starter: int | None) -> None:
        """The first player, drawn by lot, may place any tile (FO1)."""
        self.may_stop = False
        self.to_move = starter

    # -- a turn

    def carry_out(self, move: Move) -> None:
        """One tile must be played; after that, more or stop (FO1)."""
        seat = self.to_move
        if move == ("end_turn",):
            return self.stop()
        _, tile, end, half = move
        if not self.layout.pieces:
            self.lay_opening(seat, tile)
        else:
            self.lay_at_end(seat, tile, end, half)
        self.may_stop = True
        if not self.hands[seat]:
            self.domino(seat)
        elif not self.can_play(seat):
            self.give_turn(self.after(seat))  # G5: the turn ends by itself
        return None
