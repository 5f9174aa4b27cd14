"""The parts of `Rules` that say what scores: in play, at the end of a round, in a blocked one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from domino_env.errors import is_whole
from domino_env.ruleset.limits import MOST_MULTIPLES
from domino_env.ruleset.part import Part
from domino_env.ruleset.values import Multiple, Points, Within, refuse


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

    to: Literal["lowest_pips", "no_doubles", "fewest_tiles"] = "lowest_pips"
    """Who wins: G8, BE3 or BL4."""

    less_own: bool = True
    """The winner's own pips are taken off (G9)."""
