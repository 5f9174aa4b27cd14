"""Chickenfoot: nothing else may be played until a double has its three toes."""

from __future__ import annotations

from typing import ClassVar

from ..table import Move, Piece, Side, Tile, lowest_of
from .middle import MiddleDouble


def no_pick(loser: int, gainer: int, tiles: list[Tile]) -> Tile:
    """Stands in until the driver says how a random tile is picked."""
    raise RuntimeError("set game.pick_tile first")


class Chickenfoot(MiddleDouble):
    """The middle double is a foot with more toes (CF2); every later double has three (CF3)."""

    usual_set = "double_9"
    usual_hands: ClassVar = {
        "double_9": {2: 21, 3: 14, 4: 11, 5: 8, 6: 7, 7: 6, 8: 5},
        "double_12": {4: 12, 5: 10, 6: 8, 7: 7, 8: 6},
        "double_15": {6: 12, 7: 10, 8: 9},
    }  # CF1
    options_allowed = (
        "double_blank_0",
        "six_toes_on_middle",
        "draw_until_playable",
        "say_last_tile",
    )
    pick_tile = staticmethod(no_pick)

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.foot: Piece | None = None  # the double whose toes are not complete
        self.mover = -1  # who made the last play
        self.to_ask: list[int] = []  # who may speak about the mover's last tile, in order

    def add_sides(self, middle: Piece) -> None:
        """Four sides, or six, before anything else (CF2)."""
        sides = 6 if "six_toes_on_middle" in self.options else 4
        for end in range(2, sides):
            middle.add_side(middle.tile[0], crosswise=True, end=end)
        self.foot = middle

    def worth_of_double_blank(self) -> int:
        return 0 if "double_blank_0" in self.options else 50  # CF5

    # -- where one may play

    def free_toes(self) -> list[Side]:
        """The sides of the foot that no tile lies on."""
        return [side for side in self.foot.sides if side.is_open()] if self.foot else []

    @property
    def duty(self) -> int | None:
        """The one end that may be played on, as long as a foot (or the middle) is not complete."""
        return self.free_toes()[0].end if self.foot else None

    def sides_in_play(self) -> list[Side]:
        """The toes come first, and are alike (CF3, G19); otherwise every end, for everybody."""
        return lowest_of(self.free_toes()) if self.foot else self.layout.open_sides()

    def offered_sides(self, seat: int) -> list[Side]:
        return self.sides_in_play()

    def find_a_tile(self, seat: int) -> bool:
        """One tile is drawn, or as many as it takes (G6)."""
        if "draw_until_playable" in self.options:
            while not self.can_play(seat) and self.boneyard:
                self.draw(seat)
        return super().find_a_tile(seat)

    # -- after a play

    def after_the_play(self, seat: int, piece: Piece, end: int) -> None:
        """The foot, if there is a new one; then out, the last tile said, or the next player."""
        if piece.is_double():
            self.make_a_foot(piece)
        elif not self.free_toes():
            self.foot = None  # complete
        self.mover = seat
        if not self.hands[seat]:
            self.out(seat)  # with a double too (TR4)
        elif self.calls == "explicit" and len(self.hands[seat]) == 1:
            self.to_ask = [seat, *self.opponents(seat)]  # G12
            self.to_move = seat
        else:
            self.go_on()

    def make_a_foot(self, double: Piece) -> None:
        """Across its end: that end is one toe, and there are two new ones (CF3)."""
        for _ in range(2):
            double.add_side(double.tile[0], crosswise=True, end=self.layout.next_number())
        self.foot = double

    def go_on(self) -> None:
        """The next player, unless a toe is missing that nobody can ever play (CF4)."""
        if self.foot and not self.is_left(self.foot.tile[0]):
            self.blocked()
        else:
            self.give_turn(self.after(self.mover))

    # -- the last tile

    def legal(self) -> set[Move]:
        return {("call",), ("silent",)} if self.to_ask else super().legal()

    def carry_out(self, move: Move) -> None:
        if self.to_ask:
            self.answer(move[0])
        else:
            super().carry_out(move)

    def answer(self, word: str) -> None:
        """The mover says it, or forgets it and the others may, in turn (G12)."""
        seat = self.to_ask.pop(0)
        self.events.append((word, seat))
        if word == "silent" and self.to_ask:
            self.to_move = self.to_ask[0]
            return
        self.to_ask = []
        if word == "call" and seat != self.mover:
            self.penalty(seat)
        if not self.hands[seat]:
            self.out(seat)  # a caller who gave the last tile away (FN12)
        else:
            self.go_on()

    def penalty(self, caller: int) -> None:
        """The mover draws a tile; from an empty boneyard, a random one of the caller's (G12)."""
        if self.boneyard:
            self.draw(self.mover)
            return
        tile = self.pick_tile(caller, self.mover, list(self.hands[caller]))
        self.hands[caller].remove(tile)
        self.hands[self.mover].append(tile)
        self.events.append(("take", self.mover, caller, tile))
