"""One-Arm Joe (Fundex): one open end; a double earns another tile."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Move, Side, Tile, is_double


class OneArmJoe(DrawingGame):
    """Block & Draw along a single arm."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 3  # OA1

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal, and earns its owner a tile (G4)."""
        self.may_stop = False
        opener, tile = self.opening_double(max)
        double = self.lay_opening(opener, tile)
        double.sides[1].end = None  # the side away from the arm is never played on
        self.after_the_play(opener, tile)

    # -- a turn

    def offered_sides(self) -> list[Side]:
        return self.layout.open_sides()

    def after_the_play(self, seat: int, placed: Tile) -> None:
        """Out, or one more tile for a double, or on to the next player (OA1)."""
        if not self.hands[seat]:
            self.domino(seat)
        elif is_double(placed) and self.can_play(seat):
            self.may_stop = True  # the extra tile may be declined
            self.to_move = seat
        else:
            self.give_turn(self.after(seat))  # G5: also after a double with nothing to follow

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        if move == ("end_turn",):
            return self.stop()
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        self.after_the_play(seat, tile)
        return None
