"""All Fives (Fundex): a play scores when the ends add to a multiple of five."""

from __future__ import annotations

from .table import Move, Referee, matching_plays, nearest_five, pips


class AllFives(Referee):
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
            self.after_the_play()
        elif self.calls == "automatic":
            self.gain(mover, total)
            self.after_the_play()
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
            self.after_the_play()

    def after_the_play(self) -> None:
        """With the points settled: out, or on to the next player."""
        if not self.hands[self.mover]:
            self.domino(self.mover)
        else:
            self.give_turn(self.after(self.mover))

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        return matching_plays(self.hands[seat], self.sides_of_a_line())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody at the table can play (G7)."""
        return not self.boneyard and not any(self.can_play(seat) for seat in self.seats())

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play draws, then passes."""
        while True:
            if self.is_blocked():
                return self.blocked()
            while not self.can_play(seat) and self.boneyard:
                self.draw(seat)  # G6
            if self.can_play(seat):
                self.to_move = seat
                return None
            if self.is_blocked():
                return self.blocked()
            self.events.append(("pass", seat))
            seat = self.after(seat)

    def legal(self) -> set[Move]:
        if self.to_move is None:
            return set()
        if self.to_ask:
            return {("call",), ("silent",)}
        return self.plays(self.to_move)

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
