"""Bendomino All Five: two tiles back to back, four ends, points for multiples of five."""

from __future__ import annotations

from .bendomino import Bendomino
from .geometry import MIDDLE, Arc


class AllFive(Bendomino):
    """Basic Bendomino on four ends."""

    rulebook_target = 200
    set_aside = 2

    def open_round(self, starter: int | None) -> None:
        """Two tiles of the stock lie back to back; the first move is free (BN5)."""
        self.has_drawn = False
        self.earned = [0] * self.players  # by plays, in this round
        first, second = self.boneyard.pop(0), self.boneyard.pop(0)
        self.events += [("start", None, first), ("start", None, second)]
        # Each one's back points at the centre of the other's ring.
        self.layout.lay_free(first, None, Arc(0, 0, 0), (0, 1))
        self.layout.lay_free(second, None, Arc(4 * MIDDLE, 0, 180), (2, 3))
        holder, _ = self.opening_tile()
        self.give_turn(holder)

    def after_the_play(self, seat: int) -> None:
        """A multiple of five scores, zero does not (BN5)."""
        total = self.total_of_ends()
        if total > 0 and total % 5 == 0:
            self.gain(seat, total)
            self.earned[seat] += total
        super().after_the_play(seat)

    # -- the end of the round

    def winner(self) -> int | None:
        """Most points earned; shared: who went out, else the lowest total, else nobody (BN6)."""
        best = [seat for seat in self.seats() if self.earned[seat] == max(self.earned)]
        if len(best) == 1:
            return best[0]
        for seat in best:
            if not self.hands[seat]:
                return seat
        totals = [self.in_hand(seat) for seat in best]
        if totals.count(min(totals)) > 1:
            return None
        return best[totals.index(min(totals))]

    def count_the_round(self) -> None:
        """The winner adds the dots left in the others' hands (BN6)."""
        seat = self.winner()
        if seat is None:
            self.end_round(set())
        else:
            self.gain(seat, self.rivals_in_hand(seat))
            self.end_round({seat})

    def out(self, seat: int) -> None:
        self.count_the_round()

    def blocked(self) -> None:
        self.count_the_round()
