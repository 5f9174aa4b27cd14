"""Matador, or All Sevens (Fundex): halves that meet add to seven; four tiles are wild."""

from __future__ import annotations

from functools import cached_property

from .table import Move, Referee, Tile, is_double, pips


class Matador(Referee):
    """Seven at every joint; you may draw even when you can play."""

    sets_allowed = ("double_2", "double_3", "double_6")
    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return 7 if self.players == 2 else 5

    def open_round(self, starter: int | None) -> None:
        """The highest double is placed by the deal (G4)."""
        opener, tile = self.opening_double(max)
        self.lay_opening(opener, tile)
        if not self.hands[opener]:
            self.domino(opener)
        else:
            self.give_turn(self.after(opener))

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
                self.draw(seat)  # MA1, G6
            if self.can_play(seat):
                self.to_move = seat
                return None
            if self.is_blocked():
                return self.blocked()
            self.events.append(("pass", seat))
            seat = self.after(seat)

    def legal(self) -> set[Move]:
        """A playable tile, or a draw first, as often as one likes (MA1)."""
        if self.to_move is None:
            return set()
        moves = self.plays(self.to_move)
        if self.boneyard:
            moves.add(("draw",))
        return moves

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        if move == ("draw",):
            self.draw(seat)  # and the same player decides again
            return
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        if not self.hands[seat]:
            self.domino(seat)
        else:
            self.give_turn(self.after(seat))

    # -- the end of the round

    def domino(self, seat: int) -> None:
        """Out: the opponents' pips (G9)."""
        self.gain(seat, self.opponents_pips(seat))
        self.end_round({seat})

    def blocked(self) -> None:
        """The single lowest total wins: the opponents' pips less the winner's own (G8, G9)."""
        seat = self.sole_lowest()
        if seat is None:
            return self.end_round(set())
        self.gain(seat, self.opponents_pips(seat) - pips(self.hands[seat]))
        return self.end_round({seat})
