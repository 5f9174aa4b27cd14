"""One straight line with two ends, from which nobody draws (W4): the block games."""

from __future__ import annotations

from ..table import Move, Tile, is_double, matching_plays, pips
from .referee import DOUBLE, LOT, WorldReferee


class LineGame(WorldReferee):
    """Lay a tile at either end, or pass; until somebody is out, or nobody can play."""

    def open_round(self, starter: int | None) -> None:
        self.last_player: int | None = None  # who laid the last tile
        self.ends_before: list[int] = []  # what the ends showed before that tile
        super().open_round(starter)

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        if not self.layout.pieces:
            return {("play", tile, 0, 0) for tile in self.hands[seat]}
        return matching_plays(self.hands[seat], self.sides_of_a_line())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def legal(self) -> set[Move]:
        return set() if self.to_move is None else self.plays(self.to_move)

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        self.ends_before = [side.value for side in self.layout.open_sides()]
        if self.layout.pieces:
            self.lay_at_end(seat, tile, end, half)
        else:
            self.lay_opening(seat, tile)
        self.after_the_play(seat, tile)

    def after_the_play(self, seat: int, tile: Tile) -> None:
        self.last_player = seat
        if self.hands[seat]:
            self.give_turn(self.next_turn(seat))
        else:
            self.out(seat, tile)

    def next_turn(self, seat: int) -> int:
        """Whose turn comes after this seat's."""
        return self.after(seat)

    def give_turn(self, seat: int) -> None:
        """The turn goes round until somebody can play. If nobody can, nobody passes (G7)."""
        if not any(self.can_play(other) for other in self.seats()):
            return self.blocked()
        passed = []
        while not self.can_play(seat):
            self.events.append(("pass", seat))
            passed.append(seat)
            seat = self.next_turn(seat)
        self.after_passes(passed)
        self.to_move = seat
        return None

    def after_passes(self, passed: list[int]) -> None:
        """These have just passed, one after the other, on the last tile."""

    # -- the end of the round, each game its own

    def out(self, seat: int, tile: Tile) -> None:
        raise NotImplementedError

    def blocked(self) -> None:
        raise NotImplementedError

    # -- the last tile

    def fits_both_ends(self, tile: Tile) -> bool:
        """Could the tile just laid, no double, have gone on either end (W6)?"""
        if is_double(tile) or not self.ends_before:
            return False
        if "only_different_ends" in self.options and len(set(self.ends_before)) == 1:
            return False
        return all(value in tile for value in self.ends_before)

    # -- blocked rounds: the winning seat (W3), or None

    def seat_of_the_lower_total(self) -> int | None:
        """The side with fewer pips in its two hands; equal, nobody (PB2)."""
        ours = sum(pips(self.hands[seat]) for seat in self.side(self.last_player))
        theirs = sum(pips(self.hands[seat]) for seat in self.against(self.last_player))
        if ours == theirs:
            return None
        return self.last_player if ours < theirs else self.after(self.last_player)

    def seat_of_the_lowest_hand(self) -> int | None:
        """The single lowest hand wins for its side; shared across the sides, nobody (BN4)."""
        lowest = self.holders_of_the_lowest_hand()
        if any(seat not in self.side(lowest[0]) for seat in lowest):
            return None
        return self.first_in_turn(lowest)

    def holders_of_the_lowest_hand(self) -> list[int]:
        totals = [pips(hand) for hand in self.hands]
        return [seat for seat in self.seats() if totals[seat] == min(totals)]

    def first_in_turn(self, some: list[int]) -> int:
        """Whose turn of these comes first after the last tile (W3)."""
        order = [*self.opponents(self.last_player), self.last_player]
        return next(seat for seat in order if seat in some)

    # -- whole hands (W5)

    def their_hands(self, winner: int) -> int:
        """The pips in the hands of the other side."""
        return sum(pips(self.hands[seat]) for seat in self.against(winner))

    def all_hands(self) -> int:
        """The pips in every hand, the winner's too."""
        return sum(pips(hand) for hand in self.hands)


class NamedDoubleGame(LineGame):
    """A line game whose first round is opened by a double; or, to train on later rounds alone,
    by a lot and any tile (W2)."""

    def first_opening(self) -> str | int:
        return LOT if "free_lead" in self.options else DOUBLE
