"""What the referees of the games of the world share: options, teams, and who opens a round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..table import DealAgain, Referee, Tile

DOUBLE, LOT = "a double", "a lot"  # how a round is opened, if not by a seat that leads


@dataclass(frozen=True)
class Past:
    """What a match remembers of the rounds before."""

    starter: int | None = None  # who laid the first tile of the last round
    winner: int | None = None  # its winning seat (W3); None if it was drawn
    rounds_won: int = 0  # by whomever


class WorldReferee(Referee):
    """Points for a seat or for its team; the lead goes on as the game says.

    `starter` is given to start_round when `draws_lots` is true, and only then looked at: when the
    next round is opened by a lot. In every other round the referee knows who opens it.
    """

    usual_set = "double_6"
    sets_allowed = ("double_6", "double_2", "double_3")  # and the mini sets
    known_options: tuple[str, ...] = ()
    contradictions: tuple[tuple[str, str], ...] = ()  # options that cannot be played together
    in_teams = False

    def __init__(self, players: int, *, options: Iterable[str] = (), **rest: Any) -> None:
        self.options = frozenset(options)
        self.check_options()
        self.in_teams = self.in_teams or "teams" in self.options
        if self.in_teams and players != 4:
            raise ValueError("teams are two against two")
        self.rulebook_target = self.usual_target()
        self.past = Past()
        self.starter: int | None = None  # who lays the first tile of this round
        super().__init__(players, **rest)

    def check_options(self) -> None:
        unknown = self.options - set(self.known_options)
        if unknown:
            raise ValueError(f"not an option here: {', '.join(sorted(unknown))}")
        for pair in self.contradictions:
            if self.options.issuperset(pair):
                raise ValueError(f"not together: {' and '.join(pair)}")

    def usual_target(self) -> int:
        """How many points a match is played to."""
        raise NotImplementedError

    # -- who opens

    def is_first_round(self) -> bool:
        """A single round is a first round (W2)."""
        return self.episode == "round" or self.past.starter is None

    def opening(self) -> str | int:
        """How the next round is opened: by DOUBLE, by LOT, or by the seat that leads."""
        if self.is_first_round():
            return self.first_opening()
        if self.past.winner is None:
            return self.opening_after_a_draw()
        return self.opening_after_a_win()

    def first_opening(self) -> str | int:
        raise NotImplementedError

    def opening_after_a_draw(self) -> str | int:
        raise NotImplementedError

    def opening_after_a_win(self) -> str | int:
        """The winner leads (W3), in most games."""
        return self.past.winner

    @property
    def draws_lots(self) -> bool:
        return self.opening() == LOT

    def start_round(
        self,
        hands: list[list[Tile]],
        boneyard: list[Tile],
        starter: int | None = None,
    ) -> None:
        """Take a deal, and go to the first decision; a deal that goes back leaves no trace."""
        before = self.past
        try:
            super().start_round(hands, boneyard, starter)
        except DealAgain:
            self.past = before
            raise

    def open_round(self, starter: int | None) -> None:
        """The double that opens is placed by the deal (G4); any other lead is a decision (W2)."""
        how = self.opening()
        if how == DOUBLE:
            self.starter, tile = self.double_that_opens()
            self.lay_opening(self.starter, tile)
            self.after_the_play(self.starter, tile)
        else:
            self.starter = starter if how == LOT else how
            self.ask_to_lead(self.starter)

    def double_that_opens(self) -> tuple[int, Tile]:
        """6-6; where small hands lack it, the highest double (W2)."""
        return self.opening_double(max)

    def ask_to_lead(self, seat: int) -> None:
        """The lead is free: any tile."""
        self.to_move = seat

    def after_the_play(self, seat: int, tile: Tile) -> None:
        """A tile has been laid: its points, the end of the round or the next turn."""
        raise NotImplementedError

    # -- sides

    def side(self, seat: int) -> set[int]:
        """Whoever shares this seat's points: the seat and its partner, or the seat alone (G1)."""
        return {seat, (seat + 2) % 4} if self.in_teams else {seat}

    def against(self, seat: int) -> list[int]:
        """Everybody who is not on this seat's side."""
        return [other for other in self.seats() if other not in self.side(seat)]

    def gain(self, seat: int, points: int) -> None:
        """Points are written down for both partners alike."""
        for member in self.side(seat):
            super().gain(member, points)

    # -- the end of a round

    def won_by(self, seat: int) -> None:
        """The round ends, won by this seat (W3) and its partner."""
        self.past = Past(self.starter, seat, self.past.rounds_won + 1)
        self.end_round(self.side(seat))

    def drawn(self) -> None:
        """The round ends, won by nobody."""
        self.past = Past(self.starter, None, self.past.rounds_won)
        self.end_round(set())

    def match_winners(self) -> set[int]:
        """The highest total; shared by two sides, a drawn match (G11)."""
        best = [seat for seat in self.seats() if self.scores[seat] == max(self.scores)]
        return set(best) if set(best) == self.side(best[0]) else set()
