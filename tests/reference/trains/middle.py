"""What Mexican Train and Chickenfoot have in common: a double in the middle, charges, and turns in
which who cannot play draws."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from ..table import (
    HIGHEST_NUMBER,
    DealAgain,
    Move,
    Piece,
    Referee,
    Side,
    Tile,
    any_matches,
    matching_plays,
    pips,
)

DOUBLE_BLANK = (0, 0)


class MiddleDouble(Referee):
    """As many rounds as there are doubles: the highest lies in the middle first, 0-0 last (TR1)."""

    seats_allowed = (2, 3, 4, 5, 6, 7, 8)
    usual_set = ""
    usual_hands: ClassVar[dict[str, dict[int, int]]] = {}
    options_allowed: tuple[str, ...] = ()

    def __init__(
        self,
        players: int,
        *,
        set_name: str,
        hand_size: int | None,
        target: int | None,
        rounds: int | None,
        calls: str,
        episode: str,
        options: Collection[str],
    ) -> None:
        for option in options:
            if option not in self.options_allowed:
                raise ValueError(f"no such option here: {option}")
        self.options = frozenset(options)
        self.set_name = set_name
        self.draws_lots = "middle_is_dealt" not in self.options
        self.has_calls = "say_last_tile" in self.options
        self.rulebook_rounds = HIGHEST_NUMBER.get(set_name, 0) + 1
        super().__init__(
            players,
            set_name=set_name,
            hand_size=hand_size,
            target=target,
            rounds=rounds,
            calls=calls,
            episode=episode,
        )
        to_deal = len(self.tiles) - 1 if self.draws_lots else len(self.tiles)
        if self.hand_size > to_deal // players:
            raise ValueError(f"cannot deal {self.hand_size} tiles to each")
        if not 1 <= self.rounds <= self.rulebook_rounds:
            raise ValueError(f"{set_name} has no doubles for {self.rounds} rounds")
        self.first_starter: int | None = None  # who was drawn by lot for round 1
        self.clear_the_table()

    def rulebook_hand_size(self) -> int:
        sizes = self.usual_hands.get(self.set_name, {})
        if self.players not in sizes:
            raise ValueError(f"{self.set_name} is not for {self.players} without a hand size")
        return sizes[self.players]

    # -- every game says these for itself

    def add_sides(self, middle: Piece) -> None:
        """The sides of the middle double besides ends 0 and 1."""
        raise NotImplementedError

    def offered_sides(self, seat: int) -> list[Side]:
        """Where this player may play now."""
        raise NotImplementedError

    def sides_in_play(self) -> list[Side]:
        """Where anybody at all may play, now or when others have passed."""
        raise NotImplementedError

    def after_the_play(self, seat: int, piece: Piece, end: int) -> None:
        """What comes of a tile that has just been laid at this end."""
        raise NotImplementedError

    def could_not_play(self, seat: int) -> None:
        """What a player does who has to pass."""

    # -- the deal

    def start_round(
        self, hands: list[list[Tile]], boneyard: list[Tile], starter: int | None = None
    ) -> None:
        """As any round; from the second on who starts is known (TR2)."""
        super().start_round(hands, boneyard, self.who_starts(starter))

    def round_index(self) -> int:
        """How many rounds have been played before this one; a single round is a first one (W2)."""
        return 0 if self.episode == "round" else self.rounds_played

    def who_starts(self, starter: int | None) -> int | None:
        """By lot in round 1, then the next seat each round (TR2)."""
        if not self.draws_lots:
            return None
        if self.round_index() == 0:
            self.first_starter = starter
            return starter
        in_turn = (self.first_starter + self.round_index()) % self.players
        if starter not in (None, in_turn):
            raise ValueError(f"player {in_turn} starts this round")
        return in_turn

    def middle_of_the_round(self) -> Tile:
        """The highest double, and each round the next lower (TR1)."""
        number = max(self.tiles)[0] - self.round_index()
        return (number, number)

    def look_at_the_deal(self) -> None:
        super().look_at_the_deal()
        if self.draws_lots and self.boneyard[0] != self.middle_of_the_round():
            raise ValueError(f"{self.middle_of_the_round()} lies in the middle this round")

    # -- the opening

    def open_round(self, starter: int | None) -> None:
        """The double is laid in the middle, by nobody; or it was dealt, and opens (G4)."""
        if self.draws_lots:
            tile = self.boneyard.pop(0)
            self.events.append(("start", None, tile))
            self.add_sides(self.layout.lay_first(tile, None))
            self.give_turn(starter)
        else:
            opener, tile = self.holder_of_the_middle()
            self.add_sides(self.lay_opening(opener, tile))
            if not self.hands[opener]:
                self.out(opener)
            else:
                self.give_turn(self.after(opener))

    def holder_of_the_middle(self) -> tuple[int, Tile]:
        """Who was dealt the double of the round; it is dealt again until somebody was."""
        tile = self.middle_of_the_round()
        for seat in self.seats():
            if tile in self.hands[seat]:
                return seat, tile
        raise DealAgain(f"nobody holds {tile}")

    # -- a turn

    def plays(self, seat: int) -> set[Move]:
        return matching_plays(self.hands[seat], self.offered_sides(seat))

    def can_play(self, seat: int) -> bool:
        return any_matches(self.hands[seat], self.offered_sides(seat))

    def find_a_tile(self, seat: int) -> bool:
        """Can this player play? If not, with one tile drawn (TR3)?"""
        if not self.can_play(seat) and self.boneyard:
            self.draw(seat)
        return self.can_play(seat)

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat (or stays there), and goes on until somebody can play."""
        while not self.find_a_tile(seat):
            if self.is_blocked():
                self.blocked()
                return
            self.events.append(("pass", seat))
            self.could_not_play(seat)
            seat = self.after(seat)
        self.to_move = seat

    def legal(self) -> set[Move]:
        return set() if self.to_move is None else self.plays(self.to_move)

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        _, tile, end, half = move
        piece = self.lay_at_end(seat, tile, end, half)
        self.after_the_play(seat, piece, end)

    def is_left(self, number: int) -> bool:
        """Is any tile with this number not on the table yet?"""
        unplayed = [tile for hand in self.hands for tile in hand] + self.boneyard
        return any(number in tile for tile in unplayed)

    # -- the end of the round

    def is_blocked(self) -> bool:
        """Nothing to draw, and nobody holds a tile for any end that is in play (G7, MT7)."""
        sides = self.sides_in_play()
        return not self.boneyard and not any(any_matches(hand, sides) for hand in self.hands)

    def worth_of_double_blank(self) -> int:
        """What 0-0 counts in a hand."""
        return 0

    def charge(self, seat: int) -> int:
        """The pips left in a hand (TR5)."""
        hand = self.hands[seat]
        return pips(hand) + (self.worth_of_double_blank() if DOUBLE_BLANK in hand else 0)

    def write_down_charges(self) -> None:
        for seat in self.seats():
            self.gain(seat, -self.charge(seat))

    def out(self, seat: int) -> None:
        """Somebody is out, and has won the round (TR4, TR5)."""
        self.write_down_charges()
        self.end_round({seat})

    def blocked(self) -> None:
        """Nobody is out: the lowest charge has won, shared nobody (TR5)."""
        charges = [self.charge(seat) for seat in self.seats()]
        best = [seat for seat in self.seats() if charges[seat] == min(charges)]
        self.write_down_charges()
        self.end_round(set(best) if len(best) == 1 else set())
