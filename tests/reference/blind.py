"""Blind Dominoes (Fundex): nobody sees a tile until it is flipped."""

from __future__ import annotations

from .table import Move, Referee, Tile, any_matches, matching_plays


class Blind(Referee):
    """Flip the top of your row; play it and go on, or put it at the bottom."""

    seats_allowed = (2, 3, 4, 5)
    rulebook_rounds = 1  # BL4: a match is one round
    draws_lots = True

    def rulebook_hand_size(self) -> int:
        return len(self.tiles) // self.players  # BL1

    def open_round(self, starter: int | None) -> None:
        """The starter's top tile goes to the middle, and the next player has the turn."""
        self.lay_opening(starter, self.hands[starter][0])
        if not self.hands[starter]:
            self.domino(starter)
        else:
            self.give_turn(self.after(starter))

    # -- a turn

    def plays_of(self, tile: Tile) -> set[Move]:
        return matching_plays([tile], self.sides_of_a_line())

    def is_blocked(self) -> bool:
        """No tile in any row matches, seen or not (BL4)."""
        sides = self.sides_of_a_line()
        return not any(any_matches(row, sides) for row in self.hands)

    def give_turn(self, seat: int) -> None:
        """Flip tiles, seat after seat, until one can be played."""
        if self.is_blocked():  # flipping alone changes nothing about that
            return self.blocked()
        while True:
            row = self.hands[seat]
            self.events.append(("flip", seat, row[0]))
            if self.plays_of(row[0]):
                self.to_move = seat
                return None
            tile = row.pop(0)
            row.append(tile)  # BL2: to the bottom, and the turn is over
            self.events.append(("back", seat, tile))
            seat = self.after(seat)

    def legal(self) -> set[Move]:
        """The flipped tile must be played: at which end, by which half? (BL2)"""
        return set() if self.to_move is None else self.plays_of(self.hands[self.to_move][0])

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        if not self.hands[seat]:
            self.domino(seat)
        else:
            self.give_turn(seat)  # BL2: the same player flips again

    # -- the end of the round

    def domino(self, seat: int) -> None:
        """Out: a round won is worth 1 (BL4)."""
        self.gain(seat, 1)
        self.end_round({seat})

    def blocked(self) -> None:
        """Fewest tiles left wins; a shared fewest is a drawn round (BL4)."""
        left = [len(row) for row in self.hands]
        if left.count(min(left)) > 1:
            return self.end_round(set())
        return self.domino(left.index(min(left)))
