"""Fives and Threes: the ends divide by five, by three or by both; exactly 61."""

from __future__ import annotations

from ..table import Tile
from .line import LineGame
from .referee import LOT


class FivesAndThrees(LineGame):
    """A score that would pass 61 is not given; a blocked round is worth nothing."""

    known_options = ("teams",)

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5  # FT1

    def usual_target(self) -> int:
        return 61

    def first_opening(self) -> str | int:
        return LOT  # FT1

    def opening_after_a_win(self) -> str | int:
        return self.after(self.past.starter)  # FT1

    def opening_after_a_draw(self) -> str | int:
        return self.after(self.past.starter)  # FT1

    def next_turn(self, seat: int) -> int:
        """Who is out, in teams, is skipped."""
        seat = self.after(seat)
        while not self.hands[seat]:
            seat = self.after(seat)
        return seat

    # -- the score

    def after_the_play(self, seat: int, tile: Tile) -> None:
        """The points of the play and of going out are one score (FT3)."""
        self.last_player = seat
        is_out = not any(self.hands[member] for member in self.side(seat))
        points = self.points_of_the_ends() + (1 if is_out else 0)
        if self.scores[seat] + points <= self.target:  # FT4
            self.gain(seat, points)
        if is_out or self.scores[seat] == self.target:
            self.won_by(seat)
        else:
            self.give_turn(self.next_turn(seat))

    def points_of_the_ends(self) -> int:
        """A point for each five if fives go into the total, and for each three if threes do."""
        total = sum(self.pips_counted(side) for side in self.layout.open_sides())
        fives = total // 5 if total % 5 == 0 else 0
        threes = total // 3 if total % 3 == 0 else 0
        return fives + threes  # FT2

    def blocked(self) -> None:
        self.drawn()  # FT3

    def match_is_over(self) -> bool:
        """Exactly 61 (FT4)."""
        return self.target in self.scores
