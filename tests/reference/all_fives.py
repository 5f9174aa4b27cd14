"""All Fives (Fundex): a play scores when the ends add to a multiple of five."""

from __future__ import annotations

from .drawing import DrawingGame
from .table import Move, nearest_five, pips


class AllFives(DrawingGame):
    """Block & Draw with points for fives, and Muggins for points that are not called."""

    rulebook_target = 100  # AF3
    has_calls = True

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal, and scores for its owner (G4)."""
        self.claim = 0  # points waiting for somebody to call them
        self.mover = -1  # who made the last play
        self.to_ask: list[int] = []  # who may still call, in order
        opener, tile = self.opening_double(max)
        self.lay_opening(opener, tile)
        self.count_the_ends(opener)

    # -- counting and calling

    def total_of_ends(self) -> int:
        """What the open ends add to; pips_counted has the doubles right (AF1)."""
        return sum(self.pips_counted(side) for side in self.layout.open_sides())

    def count_the_ends(self, mover: int) -> None:
        """Right after a play: does it score, and who says so?"""
        self.mover = mover
        total = self.total_of_ends()
        if total == 0 or total % 5 != 0:  # AF2
            self.go_on(self.mover)
        elif self.calls == "automatic":
            self.gain(mover, total)
            self.go_on(self.mover)
        else:
            self.claim = total
            self.to_ask = [mover, *self.opponents(mover)]  # G12
            self.to_move = mover

    def answer(self, word: str) -> None:
        """CALL takes the points; SILENT leaves them to the next player (G12)."""
        seat = self.to_ask.pop(0)
        self.events.append((word, seat))
        if word == "call":
            self.gain(seat, self.claim)
            self.to_ask = []
        if self.to_ask:
            self.to_move = self.to_ask[0]
        else:
            self.claim = 0
            self.go_on(self.mover)

    # -- a turn

    def legal(self) -> set[Move]:
        return {("call",), ("silent",)} if self.to_ask else super().legal()

    def carry_out(self, move: Move) -> None:
        if self.to_ask:
            self.answer(move[0])
            return
        seat = self.to_move
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        self.count_the_ends(seat)

    # -- the end of the round

    def domino(self, seat: int) -> None:
        """Out: each opponent's pips to the nearest five, then summed (G10)."""
        self.gain(seat, sum(nearest_five(pips(self.hands[s])) for s in self.opponents(seat)))
        self.end_round({seat})

    def blocked(self) -> None:
        """The single lowest total wins the difference, rounded once (G8, G10)."""
        seat = self.sole_lowest()
        if seat is None:
            return self.end_round(set())
        difference = self.opponents_pips(seat) - pips(self.hands[seat])
        self.gain(seat, nearest_five(difference))
        return self.end_round({seat})
