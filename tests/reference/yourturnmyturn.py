"""YourTurnMyTurn.com domino: two players, four rounds, fewest penalty points."""

from __future__ import annotations

from .table import DealAgain, Move, Referee, is_double, matching_plays, pips

NEVER_DRAWN = 2  # YT3


class YourTurnMyTurn(Referee):
    """A plain line from a start tile that is no one's; no passing.

    A deal names the hands and then what is left, in its order. The start tile was taken before the
    hands were dealt (YT1), and is written before the boneyard. In a deal that somebody has made up
    doubles may stand before it.
    """

    seats_allowed = (2,)
    sets_allowed = ("double_2", "double_3", "double_6")
    rulebook_rounds = 4  # YT4
    draws_lots = True

    def rulebook_hand_size(self) -> int:
        return 7  # YT1

    def open_round(self, starter: int | None) -> None:
        """The first tile that is no double lies on the table (YT1), and is no part of the boneyard
        any more."""
        turn_to_start = self.rounds_played % 2  # YT2: player 0 in rounds 1 and 3
        if self.check_deal and self.episode == "match" and starter != turn_to_start:
            raise ValueError(f"player {turn_to_start} starts this round")
        singles = [tile for tile in self.boneyard if not is_double(tile)]
        if not singles:
            raise DealAgain("no start tile")
        self.boneyard.remove(singles[0])
        self.events.append(("start", None, singles[0]))
        self.layout.lay_first(singles[0], None)
        self.give_turn(starter)

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        return matching_plays(self.hands[seat], self.layout.open_sides())

    def can_play(self, seat: int) -> bool:
        return bool(self.plays(seat))

    def give_turn(self, seat: int) -> None:
        """Who cannot play draws; if that does not help, the round ends at once (YT3)."""
        while not self.can_play(seat) and len(self.boneyard) > NEVER_DRAWN:
            self.draw(seat)
        if self.can_play(seat):
            self.to_move = seat
        else:
            self.count_penalties()

    def legal(self) -> set[Move]:
        return set() if self.to_move is None else self.plays(self.to_move)

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        self.lay_at_end(seat, tile, end, half)
        if not self.hands[seat]:
            self.count_penalties()
        else:
            self.give_turn(self.after(seat))

    # -- the end of the round

    def count_penalties(self) -> None:
        """Pips left in hand, and 5 more if the other player is out (YT4)."""
        penalty = [pips(hand) for hand in self.hands]
        for seat in self.seats():
            if not self.hands[self.after(seat)]:
                penalty[seat] += 5
        for seat in self.seats():
            self.gain(seat, -penalty[seat])
        if penalty[0] == penalty[1]:
            self.end_round(set())
        else:
            self.end_round({penalty.index(min(penalty))})
