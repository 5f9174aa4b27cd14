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
        self.extra = False  # is the player to move on the tile a double has earned?
        opener, tile = self.opening_double(max)
        double = self.lay_opening(opener, tile)
        double.sides[1].end = None  # the side away from the arm is never played on
        self.after_the_play(opener, tile)

    # -- a turn

    def offered_sides(self) -> list[Side]:
        return self.layout.open_sides()

    def give_turn(self, seat: int) -> None:
        self.extra = False
        super().give_turn(seat)

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
