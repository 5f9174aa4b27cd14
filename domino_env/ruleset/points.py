"""The parts of `Rules` that say what scores: in play, at the end of a round, in a blocked one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from domino_env.errors import is_whole
from domino_env.ruleset.limits import MOST_MULTIPLES, MOST_ROUNDS
from domino_env.ruleset.part import Part
from domino_env.ruleset.values import Limit, Multiple, Points, Within, refuse


def _check_numbers(name: str, value: Any, bounds: Within, example: str) -> None:
    if not isinstance(value, tuple) or not all(map(is_whole, value)):
        refuse(name, f"a tuple like {example}", value)
    if not all(number in bounds for number in value):
        refuse(name, f"{bounds}, each of them", value)


@dataclass(frozen=True, kw_only=True)
class Plays(Part, prefix="plays."):
    """What a tile scores when it is played."""

    by: Literal["nothing", "same_ends", "multiples"] = "nothing"
    """A play can score when the ends are the same (BE2), or when their total divides."""

    multiples: tuple[int, ...] = (5,)
    """... by any of these: five (All Fives), ten (FN11), five or three (FT2)."""

    points: Literal["pips", "division"] = "pips"
    """The total itself, or a point for each multiple in it, of every one that divides it: 15 makes
    3 for its fives and 5 for its threes."""

    out: Points = 0
    """The play that goes out, and so ends the round, makes so many points more, as one score with
    what the ends make (FT3)."""

    called: bool = False
    """The points must be called, and others may call them (G12)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_numbers("plays.multiples", self.multiples, Within(1, 1000), "(5, 3)")
        number = len(self.multiples)
        if not 1 <= number <= MOST_MULTIPLES or len({*self.multiples}) < number:
            expected = f"different numbers, from 1 to {MOST_MULTIPLES} of them"
            refuse("plays.multiples", expected, self.multiples)

    def most_points(self, pips: int) -> int:
        """The most that ends of so many pips can score."""
        if self.points == "pips":
            return pips
        return sum(pips // multiple for multiple in self.multiples)


@dataclass(frozen=True, kw_only=True)
class Round(Part, prefix="round."):
    """What a round is worth when it ends, and to whom."""

    worth: Literal["others_pips", "all_pips", "points", "places", "nothing"] = "others_pips"
    """The pips that the other side holds, or that all hold; so many points; something for each
    place; or nothing, and only plays score."""

    points: Points = 1
    """What a round is worth that is worth points."""

    key: Points = 0
    """What it is worth instead if the last tile was the key: it fitted both ends, and no other tile
    not yet on the table fits either (JP3). 0: as always."""

    places: tuple[int, ...] = ()
    """What the first, second ... place is worth; the last is worth nothing (FN6)."""

    nearest: Multiple = 1
    """Pips left in hands are rounded to the nearest multiple of this (G10)."""

    rounded_up: Multiple = 1
    """The worth of a round is rounded up to a multiple of this (FN7)."""

    pips_a_point: Multiple = 1
    """1: a point for every pip; 5: a point for every five (Five Up)."""

    to: Literal["winner", "most_points"] = "winner"
    """Who scores it: the winner, or who scored most in the round (BN6)."""

    penalties: bool = False
    """Nobody scores it: everyone is charged the pips they hold (YT4)."""

    out_bonus: Points = 0
    """With penalties: what a player who is out adds to each of the others."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_places()
        if self.rounding % self.pips_a_point:
            refuse(
                "round.nearest or round.rounded_up",
                f"a multiple of round.pips_a_point {self.pips_a_point}, so that rounds are worth "
                "whole points",
                self.rounding,
            )

    @property
    def rounding(self) -> int:
        """Pips are rounded to a multiple of this; 1: they are not."""
        return max(self.nearest, self.rounded_up)

    @property
    def fixed(self) -> int:
        """The most that it is worth where it is worth points; else 0."""
        return max(self.points, self.key) if self.worth == "points" else 0

    @property
    def counts_pips(self) -> bool:
        """Is it worth the pips that are left in hands?"""
        return self.worth in ("others_pips", "all_pips")

    def _check_places(self) -> None:
        _check_numbers("round.places", self.places, Within(0, 1000), "(40, 20, 10)")
        if self.places[:1] == (0,):
            refuse("round.places", "above 0, the first", self.places)


@dataclass(frozen=True, kw_only=True)
class Blocked(Part, prefix="blocked."):
    """Who wins a blocked round, and how its worth differs."""

    to: Literal["lowest_pips", "lowest_team", "no_doubles", "fewest_tiles", "nobody"] = (
        "lowest_pips"
    )
    """Who wins: G8, the team with the lower total of both hands (PB2), BE3, BL4, or nobody."""

    shared: Literal["nobody", "starter_team"] = "nobody"
    """Who wins if the lowest is shared across the teams: nobody, or the team that led the round
    (DO2)."""

    less_own: bool = True
    """The winner's own pips are taken off (G9)."""


@dataclass(frozen=True, kw_only=True)
class Bonuses(Part, prefix="bonuses."):
    """What is paid beside points of plays and rounds."""

    fits_both_ends: Points = 0
    """For going out with a tile, no double, that could have been laid on either end (W6)."""

    different_ends: bool = False
    """... only if the ends were different."""

    no_blanks: bool = False
    """... only with a tile that has no blank."""

    double_blank: Points = 0
    """For going out with 0-0 (PR4)."""

    opening_pass: Points = 0
    """For an opening tile that the next seat cannot answer (DO4)."""

    opening_pass_no_double: Annotated[int | None, Within(0, 1000)] = None
    """... if it is no double; None: the same."""

    round_pass: Points = 0
    """For a tile after which all others pass, and one can play again (DO4)."""

    own_block: Points = 0
    """For winning a round that one's own side has blocked."""

    by_round: tuple[int, ...] = ()
    """In a match, what the first round that somebody wins is worth more, the second ... (PR5)."""

    @property
    def of_rounds(self) -> list[int]:
        """All that the winner of a round can have beside its worth."""
        bonuses = (self.fits_both_ends, self.double_blank, self.own_block, *self.by_round)
        return [points for points in bonuses if points]

    @property
    def most_of_a_round(self) -> int:
        """The most that the winner of a round can have beside its worth."""
        last = max(self.fits_both_ends, self.double_blank, self.own_block)
        return last + max(self.by_round, default=0)

    def most_of_passes(self, plays: int) -> int:
        """The most that so many tiles can earn by the passes after them."""
        opening = max(self.opening_pass, self.opening_pass_no_double or 0)
        return opening + plays * self.round_pass

    @property
    def of_passes(self) -> list[int]:
        """All that a tile can earn by the passes after it."""
        single = self.opening_pass_no_double
        bonuses = (self.opening_pass, 0 if single is None else single, self.round_pass)
        return [points for points in bonuses if points]

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_numbers("bonuses.by_round", self.by_round, Within(0, 1000), "(100, 75, 50, 25)")
        if len(self.by_round) > MOST_ROUNDS:
            refuse("bonuses.by_round", f"of {MOST_ROUNDS} rounds at most", self.by_round)


@dataclass(frozen=True, kw_only=True)
class Tally(Part, prefix="tally."):
    """How the points of rounds make a match."""

    least_first: Points = 0
    """Who has no points yet scores nothing for a round that is worth less (KZ4)."""

    wiped: Literal["never", "by_a_win", "when_all_have_won"] = "never"
    """All scores go back to nothing: never; when somebody wins while an opponent has points (JP4);
    or when everybody has some (CT3). Rewards are not touched."""

    keeps_last: bool = False
    """... but the winners keep what the round was worth."""

    cut_off: Limit = None
    """After so many rounds a match is drawn (JP5); None: never."""
