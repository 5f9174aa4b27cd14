"""Mexican Train: a train for each player and one for all, and doubles that must be satisfied."""

from __future__ import annotations

from typing import ClassVar

from ..table import Move, Piece, Side
from .middle import MiddleDouble

MEXICAN = 0  # the end of the train that is everybody's (MT2)


class MexicanTrain(MiddleDouble):
    """End 0 is the Mexican train, end 1+s the train of seat s (MT2)."""

    usual_set = "double_12"
    usual_hands: ClassVar = {
        "double_9": {2: 12, 3: 11, 4: 10},
        "double_12": {2: 15, 3: 15, 4: 15, 5: 12, 6: 12, 7: 10, 8: 10},
        "double_15": {2: 15, 3: 15, 4: 15, 5: 15, 6: 15, 7: 12, 8: 12},
    }  # MT1
    options_allowed = ("own_line_on_first_turn", "double_blank_50", "middle_is_dealt")

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.markers = [False] * self.players  # by seat: may everybody play on this train?
        self.duty: int | None = None  # the end with a double that must be satisfied
        self.had_a_turn: set[int] = set()  # whose first turn of the round is over
        self.goes_on = False  # has the player to move played, and may go on or stop?

    def add_sides(self, middle: Piece) -> None:
        """A train for everybody and one for each player, all begun at the middle."""
        for seat in self.seats():
            if self.train_of(seat) > 1:  # ends 0 and 1 are there
                middle.add_side(middle.tile[0], crosswise=True, end=self.train_of(seat))

    def train_of(self, seat: int) -> int:
        return 1 + seat

    def worth_of_double_blank(self) -> int:
        return 50 if "double_blank_50" in self.options else 0

    # -- where one may play

    def is_open_to(self, seat: int, end: int) -> bool:
        """Is it the Mexican train, one's own, or one with a marker? (MT3)"""
        return end in (MEXICAN, self.train_of(seat)) or self.markers[end - 1]

    def sides_in_play(self) -> list[Side]:
        """All trains, as if each had its marker; under an open double only that one (MT5, MT7)."""
        sides = self.layout.open_sides()
        return [side for side in sides if self.duty in (None, side.end)]

    def offered_sides(self, seat: int) -> list[Side]:
        if self.duty is not None:
            return self.sides_in_play()  # whoever owns the train
        sides = self.layout.open_sides()
        if self.goes_on:
            return [side for side in sides if side.end == self.train_of(seat)]
        return [side for side in sides if self.is_open_to(seat, side.end)]

    # -- a turn

    def legal(self) -> set[Move]:
        moves = super().legal()
        return moves | {("end_turn",)} if self.goes_on else moves

    def carry_out(self, move: Move) -> None:
        if move == ("end_turn",):
            self.events.append(("end_turn", self.to_move))
            self.end_turn(self.to_move)
        else:
            super().carry_out(move)

    def after_the_play(self, seat: int, piece: Piece, end: int) -> None:
        """Out; or satisfy a double; or go on; or the next player."""
        self.goes_on = False
        self.duty = None  # if there was one, this tile is on it
        if end == self.train_of(seat):
            self.markers[seat] = False  # MT4
        if not self.hands[seat]:
            self.out(seat)  # with a double too (TR4)
        elif piece.is_double() and self.is_left(piece.tile[0]):
            self.duty = end
            self.give_turn(seat)  # MT5: the player goes on, on that double
        else:
            self.go_on_or_end(seat, end)  # MT6: a double that nothing fits any more, too

    def go_on_or_end(self, seat: int, end: int) -> None:
        """One tile a turn, but on the first turn perhaps more along one's own train."""
        is_first = "own_line_on_first_turn" in self.options and seat not in self.had_a_turn
        self.goes_on = is_first and end == self.train_of(seat)
        if self.goes_on and self.can_play(seat):
            self.to_move = seat
        else:
            self.end_turn(seat)  # by itself, if nothing more fits (G5)

    def end_turn(self, seat: int) -> None:
        self.goes_on = False
        self.had_a_turn.add(seat)
        self.give_turn(self.after(seat))

    def could_not_play(self, seat: int) -> None:
        """The marker goes down, with an empty boneyard too (MT4)."""
        self.markers[seat] = True
        self.had_a_turn.add(seat)
