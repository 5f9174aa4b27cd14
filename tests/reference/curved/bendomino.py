"""Bendomino and its variations, but for All Five: numbers that match, tiles that fit."""

from __future__ import annotations

from collections.abc import Sequence

from ..table import Move, full_set, is_double
from .layout import CurvedTile, Half
from .referee import CurvedReferee


class Bendomino(CurvedReferee):
    """Who cannot play draws one tile; anybody may draw one instead of playing."""

    rulebook_target = 100

    def rulebook_hand_size(self) -> int:
        return {2: 7, 3: 6, 4: 5}[self.players]

    def all_tiles(self, given: Sequence[CurvedTile] | None) -> list[CurvedTile]:
        if given is not None:
            raise ValueError("Bendomino has its own tiles")
        return full_set("double_6")

    # -- halves

    def matches(self, half: Half, shown: Half) -> bool:
        return half == shown

    def may_meet(self, half: Half, shown: Half) -> bool:
        return half == shown  # B5

    def asks(self, half: Half) -> Half:
        return half

    def counts(self, half: Half) -> int:
        return half

    # -- the opening

    def opening_tile(self) -> tuple[int, CurvedTile]:
        """The highest double and its holder, else the highest tile (G2, G3)."""
        held = self.held_tiles()
        doubles = [(seat, tile) for seat, tile in held if is_double(tile)]
        return self.highest(doubles or held)

    def open_round(self, starter: int | None) -> None:
        """The opening is placed by the deal (G4)."""
        self.has_drawn = False  # has the player to move drawn in this turn?
        opener, tile = self.opening_tile()
        self.lay_opening_tile(opener, tile)
        if not self.hands[opener]:
            self.out(opener)
        else:
            self.give_turn(self.after(opener))

    # -- a turn

    def draw_when_unable(self, seat: int) -> None:
        """One tile, if there is one (BN1)."""
        if self.can_draw():
            self.draw(seat)
            self.has_drawn = True

    def may_pass(self) -> bool:
        """The tile that was drawn may be played or not (BN1)."""
        return self.has_drawn

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat; who cannot play draws, and if that does not help passes."""
        while True:
            self.has_drawn = False
            if self.is_blocked():
                return self.blocked()
            if not self.can_play(seat):
                self.draw_when_unable(seat)
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
        moves = self.plays(self.to_move)
        if self.can_draw() and not self.has_drawn:
            moves.add(("draw",))
        if self.may_pass():
            moves.add(("pass",))
        return moves

    def carry_out(self, move: Move) -> None:
        seat = self.to_move
        if move == ("draw",):
            self.draw(seat)  # and the turn is over (BN1)
            self.give_turn(self.after(seat))
        elif move == ("pass",):
            self.events.append(("pass", seat))
            self.give_turn(self.after(seat))
        else:
            _, tile, end, half = move
            self.lay_tile(seat, tile, end, half)
            self.after_the_play(seat)

    def after_the_play(self, seat: int) -> None:
        if not self.hands[seat]:
            self.out(seat)
        else:
            self.give_turn(self.after(seat))

    # -- the end of the round

    def out(self, seat: int) -> None:
        """Out: all the rivals' dots."""
        self.gain(seat, self.rivals_in_hand(seat))
        self.end_round(set(self.side_of(seat)))

    def blocked(self) -> None:
        """The lowest total wins, and nothing is subtracted (BN0); shared: nobody (G8, BN4)."""
        side = self.lowest_side()
        if side:
            self.out(side[0])
        else:
            self.end_round(set())


class WildDraw(Bendomino):
    """Who cannot play draws until able, and then must play (BN2)."""

    def draw_when_unable(self, seat: int) -> None:
        while self.can_draw() and not self.can_play(seat):
            self.draw(seat)
            self.has_drawn = True

    def may_pass(self) -> bool:
        return False


class NoDraw(Bendomino):
    """Nobody draws (BN3)."""

    uses_boneyard = False


class Teams(NoDraw):
    """Two teams of two, and no stock (BN4)."""

    seats_allowed = (4,)
    in_teams = True

    def rulebook_hand_size(self) -> int:
        return 7
