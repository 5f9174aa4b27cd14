"""Block & Draw (Fundex): the traditional game."""

from __future__ import annotations

from .drawing import DrawingGame


class BlockDraw(DrawingGame):
    """Draw until you can play; out first wins."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 5  # BD1

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal (G4)."""
        opener, tile = self.opening_double(max)
        self.lay_opening(opener, tile)
        self.go_on(opener)
