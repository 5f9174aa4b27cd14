"""Six love: Jamaican Partner, and Cut-throat, where each plays alone."""

from __future__ import annotations

from ..table import Move, Tile
from .line import NamedDoubleGame
from .referee import DOUBLE

MOST_ROUNDS = 500  # JP5


class SixLove(NamedDoubleGame):
    """A round is worth 1, or 2 with the key; 6-6 opens, the winner leads, 6-6 after a draw."""

    def rulebook_hand_size(self) -> int:
        return 7

    def usual_target(self) -> int:
        return 6

    def opening_after_a_draw(self) -> str | int:
        return DOUBLE  # JP1

    def out(self, seat: int, tile: Tile) -> None:
        self.score_round(seat, self.worth_of_going_out(seat, tile))

    def blocked(self) -> None:
        seat = self.seat_of_the_lowest_hand()  # JP2
        if seat is None:
            self.drawn()
        else:
            self.score_round(seat, self.worth_of_a_block(seat))

    def worth_of_going_out(self, seat: int, tile: Tile) -> int:
        return 2 if self.is_key(tile) else 1  # JP3

    def worth_of_a_block(self, seat: int) -> int:
        return 1  # JP3

    def is_key(self, tile: Tile) -> bool:
        """It fitted both ends, and nothing that is not on the table would have fitted either."""
        on_the_table = {piece.tile for piece in self.layout.pieces}
        missing = [other for other in self.tiles if other not in on_the_table]
        other_fits = any(value in other for other in missing for value in self.ends_before)
        return self.fits_both_ends(tile) and not other_fits

    # -- the match

    def score_round(self, seat: int, worth: int) -> None:
        self.gain(seat, worth)
        if self.episode == "match":
            self.wipe(seat, worth)
        self.won_by(seat)

    def wipe(self, winner: int, worth: int) -> None:
        """Wipe out what the rules say; that is nobody's gain and nobody's loss (JP4)."""
        raise NotImplementedError

    def is_won(self) -> bool:
        return max(self.scores) >= self.target

    def match_is_over(self) -> bool:
        """Won, or cut off (JP5)."""
        return self.is_won() or self.rounds_played >= MOST_ROUNDS

    def match_winners(self) -> set[int]:
        return super().match_winners() if self.is_won() else set()


class JamaicanPartner(SixLove):
    """Two teams; a win while the others have points wipes out both."""

    seats_allowed = (4,)
    in_teams = True
    known_options = (
        "straight_six",
        "no_key",
        "keep_after_bruk",
        "team_leads",
        "only_different_ends",
        "free_lead",
    )
    contradictions = (("straight_six", "keep_after_bruk"), ("no_key", "only_different_ends"))

    def is_key(self, tile: Tile) -> bool:
        return "no_key" not in self.options and super().is_key(tile)

    def wipe(self, winner: int, worth: int) -> None:
        """Bruk: 0-0, or what the round was worth if the winners keep it (JP4, JP5)."""
        (one, _) = self.against(winner)
        if "straight_six" in self.options or self.scores[one] == 0:
            return
        kept = worth if "keep_after_bruk" in self.options else 0
        self.scores = [kept if seat in self.side(winner) else 0 for seat in self.seats()]

    # -- the option that the winning pair agrees who leads (JP1)

    def ask_to_lead(self, seat: int) -> None:
        super().ask_to_lead(seat)
        self.asked_who_leads = "team_leads" in self.options and not self.is_first_round()

    def legal(self) -> set[Move]:
        if self.to_move is not None and self.is_asked_who_leads():
            return {("lead",), ("yield",)}
        return super().legal()

    def is_asked_who_leads(self) -> bool:
        return not self.layout.pieces and self.asked_who_leads

    def carry_out(self, move: Move) -> None:
        if not self.is_asked_who_leads():
            return super().carry_out(move)
        self.events.append((move[0], self.to_move))
        if move == ("yield",):
            (self.to_move,) = self.side(self.to_move) - {self.to_move}
        self.starter = self.to_move
        self.asked_who_leads = False
        return None


class CutthroatBlock(SixLove):
    """Each alone; when everybody has won a round, all begin again."""

    known_options = ("pips", "only_different_ends", "free_lead")
    contradictions = (("pips", "only_different_ends"),)

    def __init__(self, players: int, **rest: object) -> None:
        super().__init__(players, **rest)
        if players == 3:
            self.tiles.remove((0, 0))  # CT1

    def rulebook_hand_size(self) -> int:
        return {2: 14, 3: 9, 4: 7}[self.players]  # CT1

    def usual_target(self) -> int:
        return 100 if "pips" in self.options else 6

    def worth_of_going_out(self, seat: int, tile: Tile) -> int:
        if "pips" in self.options:
            return self.their_hands(seat)
        return super().worth_of_going_out(seat, tile)

    def worth_of_a_block(self, seat: int) -> int:
        if "pips" in self.options:
            return self.their_hands(seat)
        return super().worth_of_a_block(seat)

    def wipe(self, winner: int, worth: int) -> None:
        """Everybody has won a round: all go back to 0 (CT3)."""
        if "pips" not in self.options and min(self.scores) > 0:
            self.scores = [0] * self.players
