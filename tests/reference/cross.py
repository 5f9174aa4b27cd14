"""Cross Dominoes (Fundex): all four sides of the first double come before anything else."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Side, lowest_of


class Cross(DrawingGame):
    """First the cross, one drawn tile at a time; then Block & Draw on four arms."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal, a spinner with four sides (G4)."""
        opener, tile = self.opening_double(max)
        self.spinner = self.lay_opening(opener, tile)
        self.spinner.add_side(tile[0], crosswise=True, end=2)
        self.spinner.add_side(tile[0], crosswise=True, end=3)
        self.go_on(opener)

    # -- a turn

    def free_sides(self) -> list[Side]:
        """The sides of the spinner that no tile lies on."""
        return [side for side in self.spinner.sides if side.is_open()]

    def cross_is_complete(self) -> bool:
        return not self.free_sides()

    def offered_sides(self) -> list[Side]:
        if not self.cross_is_complete():
            return lowest_of(self.free_sides())  # CR1, G19: the free sides are alike
        return self.layout.open_sides()  # CR2

    def draw_if_unable(self, seat: int) -> None:
        """One tile while the cross is built (CR1), afterwards until able (CR2, G6)."""
        if self.cross_is_complete():
            super().draw_if_unable(seat)
        elif not self.can_play(seat) and self.boneyard:
            self.draw(seat)
