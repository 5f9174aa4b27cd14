"""The Latin block game and its nations, and Kozel: four in two teams, whole hands for points."""

from __future__ import annotations

from ..table import DealAgain, Tile, pips
from .line import NamedDoubleGame
from .referee import DOUBLE, LOT


class PartnershipBlock(NamedDoubleGame):
    """Spain and Latin America: the lead moves on, the lower team wins a blocked round."""

    seats_allowed = (4,)
    in_teams = True
    known_options = ("free_lead",)

    def rulebook_hand_size(self) -> int:
        return 7

    def usual_target(self) -> int:
        return 100

    def opening_after_a_win(self) -> str | int:
        return self.after(self.past.starter)  # PB1

    def opening_after_a_draw(self) -> str | int:
        return self.after(self.past.starter)  # PB1

    def out(self, seat: int, tile: Tile) -> None:
        self.score_round(seat, self.bonus_for_going_out(tile))

    def bonus_for_going_out(self, tile: Tile) -> int:
        """What the last tile adds to the round."""
        return 0

    def blocked(self) -> None:
        seat = self.winner_of_a_blocked_round()
        if seat is None:
            self.drawn()
        else:
            self.score_round(seat, self.bonus_for_a_block(seat))

    def winner_of_a_blocked_round(self) -> int | None:
        return self.seat_of_the_lower_total()  # PB2

    def bonus_for_a_block(self, winner: int) -> int:
        """What having blocked the round adds to it."""
        return 0

    def score_round(self, winner: int, bonus: int) -> None:
        self.gain(winner, self.worth(winner) + bonus)
        self.won_by(winner)

    def worth(self, winner: int) -> int:
        return self.their_hands(winner)  # PB3


class Venezuelan(PartnershipBlock):
    """All four hands are counted (VE1)."""

    known_options = ("winner_leads", "free_lead")

    def worth(self, winner: int) -> int:
        return self.all_hands()

    def opening_after_a_win(self) -> str | int:
        if "winner_leads" in self.options:
            return self.past.winner
        return super().opening_after_a_win()


class Dominican(PartnershipBlock):
    """The single lowest hand, the starter's team on a tie; bonuses for passes and capicúa."""

    known_options = (
        "bonus_30",
        "pass_on_lead_50",
        "no_capicua_with_blank",
        "only_different_ends",
        "club",
        "free_lead",
    )
    contradictions = (
        ("club", "bonus_30"),
        ("club", "pass_on_lead_50"),
        ("club", "no_capicua_with_blank"),
        ("club", "only_different_ends"),
    )

    def usual_target(self) -> int:
        return 200

    def opening_after_a_win(self) -> str | int:
        return self.past.winner  # DO1

    def opening_after_a_draw(self) -> str | int:
        return self.past.starter  # only the club's rounds can be drawn

    def winner_of_a_blocked_round(self) -> int:
        """The lowest hand; shared across the teams, the team of the round's starter (DO2)."""
        if "club" in self.options:
            return super().winner_of_a_blocked_round()
        lowest = self.holders_of_the_lowest_hand()
        if any(seat not in self.side(lowest[0]) for seat in lowest):
            lowest = [seat for seat in lowest if seat in self.side(self.starter)]
        return self.first_in_turn(lowest)

    def worth(self, winner: int) -> int:
        return super().worth(winner) if "club" in self.options else self.all_hands()  # DO3

    # -- bonuses (DO4)

    def bonus(self) -> int:
        if "club" in self.options:
            return 0
        return 30 if "bonus_30" in self.options else 25

    def bonus_for_going_out(self, tile: Tile) -> int:
        if "no_capicua_with_blank" in self.options and 0 in tile:
            return 0
        return self.bonus() if self.fits_both_ends(tile) else 0

    def after_passes(self, passed: list[int]) -> None:
        """The opening pass, and the round pass; a deal can bring both at once."""
        if passed and len(self.layout.pieces) == 1:
            self.gain(self.last_player, self.bonus_for_an_opening_pass())
        if len(passed) == 3:
            self.gain(self.last_player, self.bonus())

    def bonus_for_an_opening_pass(self) -> int:
        (opening,) = self.layout.pieces
        if "pass_on_lead_50" in self.options and not opening.is_double():
            return 50
        return self.bonus()


class PuertoRican(PartnershipBlock):
    """Bonuses for the last tile, and for the first four rounds won in a match."""

    known_options = ("san_juan", "block_bonus", "only_different_ends", "free_lead")
    contradictions = (("san_juan", "block_bonus"), ("san_juan", "only_different_ends"))

    def usual_target(self) -> int:
        return 200 if "san_juan" in self.options else 500

    def opening_after_a_win(self) -> str | int:
        return self.past.winner  # PR1

    def opening_after_a_draw(self) -> str | int:
        return self.past.starter  # PR1

    def worth(self, winner: int) -> int:
        return self.all_hands() + self.bonus_for_an_early_round()  # PR3

    def bonus_for_an_early_round(self) -> int:
        """PR5: the rounds won so far are counted, not the rounds played."""
        if self.episode == "round" or "san_juan" in self.options:
            return 0
        bonuses = (100, 75, 50, 25)
        won = self.past.rounds_won
        return bonuses[won] if won < len(bonuses) else 0

    def bonus_for_going_out(self, tile: Tile) -> int:
        """Capicú, or chuchazo (PR4)."""
        if "san_juan" in self.options:
            return 0
        return 100 if tile == (0, 0) or self.fits_both_ends(tile) else 0

    def bonus_for_a_block(self, winner: int) -> int:
        """The option: the block was made by the team that has won it."""
        made_it = winner in self.side(self.last_player)
        return 100 if "block_bonus" in self.options and made_it else 0


class Cuban(PartnershipBlock):
    """Double nine, ten each, fifteen unseen; a lot and a free lead."""

    usual_set = "double_9"
    sets_allowed = ("double_9", "double_2", "double_3")  # and the mini sets
    known_options = ("highest_double_opens", "team_totals")

    def rulebook_hand_size(self) -> int:
        return 10

    def usual_target(self) -> int:
        return 150

    def first_opening(self) -> str | int:
        return DOUBLE if "highest_double_opens" in self.options else LOT

    def opening_after_a_win(self) -> str | int:
        return self.past.winner  # CU1

    def opening_after_a_draw(self) -> str | int:
        return self.past.starter  # CU1

    def winner_of_a_blocked_round(self) -> int | None:
        if "team_totals" in self.options:
            return self.seat_of_the_lower_total()
        return self.seat_of_the_lowest_hand()  # CU2


class Kozel(PartnershipBlock):
    """1-1 opens; a team's first points must be 13 at least."""

    known_options = ("first_score_25", "free_lead")

    def usual_target(self) -> int:
        return 101

    def double_that_opens(self) -> tuple[int, Tile]:
        """1-1; where small hands lack it, the lowest double above it; else deal again (W2)."""
        held = [(tile, seat) for seat in self.seats() for tile in self.doubles_in_hand(seat)]
        above_blank = [(tile, seat) for tile, seat in held if pips([tile]) > 0]
        if not above_blank:
            raise DealAgain("no double above the blank was dealt")
        tile, seat = min(above_blank)
        return seat, tile

    def opening_after_a_win(self) -> str | int:
        return self.past.winner  # KZ1

    def opening_after_a_draw(self) -> str | int:
        return DOUBLE  # KZ1

    def worth(self, winner: int) -> int:
        """A first score that is too small is lost, though the round is won (KZ4)."""
        points = self.their_hands(winner)
        least = 25 if "first_score_25" in self.options else 13
        too_small = self.scores[winner] == 0 and points < least
        return 0 if self.episode == "match" and too_small else points
