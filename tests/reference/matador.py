"""Matador, or All Sevens (Fundex): halves that meet add to seven; four tiles are wild."""

from __future__ import annotations

from functools import cached_property

from .drawing import DrawingGame
from .table import Move, Tile, is_double


class Matador(DrawingGame):
    """Seven at every joint; you may draw even when you can play."""

    sets_allowed = ("double_2", "double_3", "double_6")
    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal (G4)."""
        opener, tile = self.opening_double(max)
        self.lay_opening(opener, tile)
        self.go_on(opener)

    # -- a turn

    @cached_property
    def seven(self) -> int:
        """Seven; with a smaller set too it is one more than the highest number."""
        return 1 + max(high for _, high in self.tiles)

    def halves_that_fit(self, tile: Tile, open_number: int) -> list[int]:
        """Which halves of the tile may join an end that shows this number?"""
        halves = [0] if is_double(tile) else [0, 1]
        if sum(tile) in (0, self.seven):
            return halves  # MA2: a matador goes on any end, by either half
        # MA3: on a blank nothing here adds to seven.
        return [half for half in halves if tile[half] + open_number == self.seven]

    def plays(self, seat: int) -> set[Move]:
        return {
            ("play", tile, side.end, half)
            for side in self.sides_of_a_line()
            for tile in self.hands[seat]
            for half in self.halves_that_fit(tile, side.value)
        }

    def legal(self) -> set[Move]:
        """A playable tile, or a draw first, as often as one likes (MA1)."""
        if self.to_move is None:
            return set()
        moves = super().legal()
        if self.boneyard:
            moves.add(("draw",))
        return moves

    def carry_out(self, move: Move) -> None:
        if move == ("draw",):
            self.draw(self.to_move)  # and the same player decides again
            return
        super().carry_out(move)
