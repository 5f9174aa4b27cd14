"""The parts of `Rules`, each named after what it governs. A part checks its own values, and the
rows of the table of needs that speak of it alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domino_env.errors import is_whole
from domino_env.plain import make_plain
from domino_env.ruleset.conditions import check_all
from domino_env.ruleset.needs import needs_within
from domino_env.ruleset.values import (
    Count,
    Multiple,
    Points,
    Sides,
    Within,
    check_values,
    refuse,
)


def _check(part: object, prefix: str) -> None:
    make_plain(part)
    check_values(part, prefix)
    check_all(needs_within(prefix), part, prefix)


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Who plays the first tile of a round, and which."""

    starter: Literal["highest_double", "lowest_double", "round_double", "lot", "in_turn"] = (
        "highest_double"
    )
    """The holder of a double, which may be that of the round: the highest in the first, the next
    lower in each that follows (TR1); a seat drawn by lot (G18); or, in a match, each seat in its
    turn."""

    tile: Literal[
        "that_double", "any", "top_of_row", "from_boneyard", "two_from_boneyard", "middle"
    ] = "that_double"
    """What is laid first: the starter's double (G4), a tile of the starter's choice, the top of the
    starter's row, or a start tile that is nobody's, written in front of the boneyard: the first of
    the set that is no double (YT1), or the double of the round (TR1), taken before hands are dealt;
    or the first two of the boneyard, back to back (BN5)."""

    without_double: Literal["deal_again", "highest_tile"] = "deal_again"
    """When nobody holds a double: hands go back (G3), or the highest tile stands in for it."""

    later: Literal["as_first", "next_seat"] = "as_first"
    """Who leads the later rounds of a match: found as in the first, or the seat after the last one
    that led."""

    direction: Literal["clockwise", "chosen"] = "clockwise"
    """Which way turns go round; the owner of the opening tile may choose (FN3)."""

    @property
    def tiles(self) -> int:
        """How many are laid first."""
        return 2 if self.tile == "two_from_boneyard" else 1

    @property
    def from_boneyard(self) -> int:
        """How many of them are taken from the boneyard."""
        laid_out = ("from_boneyard", "two_from_boneyard", "middle")
        return self.tiles if self.tile in laid_out else 0

    def __post_init__(self) -> None:
        _check(self, "opening.")


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The shape of what lies on the table."""

    tiles: Literal["straight", "curved"] = "straight"
    """Curved tiles must fit, too: where a line may turn is geometry (B1-B7)."""

    meeting: Literal["allowed", "forbidden"] = "allowed"
    """Two ends of a curved line may meet if their halves match, or never (B5)."""

    arms: Literal["one", "two", "four", "six", "own"] = "two"
    """How many sides of the opening tile can be played on; or there is a train for each seat, which
    others may play on only while its marker lies there, and one for all (MT2-MT4)."""

    doubles: Literal["through", "spinner", "fork", "foot"] = "through"
    """What a double opens: one end, like any tile; its crosswise sides too, once there is a tile
    on either side of it (FU1); its two short sides instead of the far one (FR2); or the three toes
    of a foot (CF3)."""

    opening_first: Sides = 0
    """So many tiles must lie on an opening double before anything else may be played; with four a
    cross comes first (CR1)."""

    doubles_first: Sides = 0
    """So many tiles must lie on every later double before anything else may be played: 1 covers it
    (MT5), 3 are the toes of a foot (CF3)."""

    hopeless: Literal["stays", "blocks", "lifted"] = "stays"
    """A double that must have tiles, when all that fit it are on the table: it stays, and the round
    goes on until nobody can do anything (G7); it blocks the round at once (CF4); or it needs
    nothing any more (MT6)."""

    def __post_init__(self) -> None:
        _check(self, "layout.")


@dataclass(frozen=True, kw_only=True)
class Match:
    """Which halves may join."""

    by: Literal["same", "sum"] = "same"
    """Halves that are the same; or halves that add to one more than the highest pip of the set
    (seven with double six), where the tiles that add to it in themselves and the double blank are
    wild, and only they join a blank (MA1-MA3)."""

    def __post_init__(self) -> None:
        _check(self, "match.")


Forced = Literal["until_playable", "one", "none"]


@dataclass(frozen=True, kw_only=True)
class Draw:
    """What the boneyard is for."""

    forced: Forced = "until_playable"
    """What a player who cannot play draws (G6)."""

    then: Literal["play", "end_turn", "may_pass"] = "play"
    """A single forced draw that can be played must be played, may be played (BN1), or the turn is
    over anyhow (FR3)."""

    voluntary: bool = False
    """A player who can play may draw first."""

    voluntary_then: Literal["play", "end_turn"] = "play"
    """A draw by choice leaves the turn as it was (MA1), or ends it (BN1)."""

    reserve: Count = 0
    """The last tiles of the boneyard, never drawn (YT3)."""

    while_crossing: Literal["as_forced", "until_playable", "one", "none"] = "as_forced"
    """The forced draw until the opening double has its tiles (CR1)."""

    def __post_init__(self) -> None:
        _check(self, "draw.")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """How a turn goes on, and what happens to a player who is stuck."""

    again: Literal["never", "after_any", "after_double", "to_cover"] = "never"
    """When a tile played gives the player another (FO1, OA1); or who plays a double that must have
    tiles goes on, on that double (MT5)."""

    first_turn: Literal["one_tile", "own_line"] = "one_tile"
    """In a first turn, too, one tile is played; or who plays on their own train may go on along it
    as long as a tile fits."""

    stuck: Literal["passes", "ends_round"] = "passes"
    """A player who cannot play, nor draw any more, passes; or the round ends at once (YT3)."""

    until: Literal["first_out", "one_left"] = "first_out"
    """A round lasts until somebody is out, or until one player only has tiles left (FN6)."""

    says_domino: bool = False
    """Who is left with one tile must say "Domino!"; a player who notices that it was forgotten
    makes them draw a penalty tile (G12)."""

    def __post_init__(self) -> None:
        _check(self, "turn.")


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What earns points, in play and at the end of a round."""

    plays: Literal["nothing", "fives", "same_ends"] = "nothing"
    """A play can score when the ends add to a multiple of five, or when they are the same (BE2)."""

    called: bool = False
    """The points of a play must be called, and others may call them (G12)."""

    pips_a_point: Multiple = 1
    """1: a point for every pip; 5: a point for every five (Five Up)."""

    nearest: Multiple = 1
    """Pips left in hands are rounded to the nearest multiple of this (G10)."""

    left: Literal["winner", "penalties"] = "winner"
    """The winner scores what the others hold, or everyone is charged what they hold (YT4)."""

    win: Points = 0
    """A fixed worth of a round, instead of the pips the others hold; 0: the pips."""

    less_own: bool = True
    """In a blocked round the winner's own pips are taken off (G9)."""

    out_bonus: Points = 0
    """With penalties: what a player who is out adds to each of the others."""

    rounded_up: Multiple = 1
    """The worth of a round is rounded up to a multiple of this (FN7)."""

    places: tuple[int, ...] = ()
    """What the first, second ... place of a round is worth; the last is worth nothing (FN6). Empty:
    a round has a winner only."""

    bonus_to: Literal["winner", "most_points"] = "winner"
    """Who scores what the others hold: the winner, or who scored most in the round (BN6)."""

    blocked_to: Literal["lowest_pips", "no_doubles", "fewest_tiles"] = "lowest_pips"
    """Who wins a blocked round: G8, BE3 or BL4."""

    def __post_init__(self) -> None:
        _check(self, "scoring.")
        self._check_places()
        if self.rounding % self.pips_a_point:
            refuse(
                "scoring.nearest or scoring.rounded_up",
                f"a multiple of scoring.pips_a_point {self.pips_a_point}, so that rounds are worth "
                "whole points",
                self.rounding,
            )

    @property
    def rounding(self) -> int:
        """Pips are rounded to a multiple of this; 1: they are not."""
        return max(self.nearest, self.rounded_up)

    def _check_places(self) -> None:
        if not isinstance(self.places, tuple) or not all(map(is_whole, self.places)):
            refuse("scoring.places", "a tuple like (40, 20, 10)", self.places)
        in_bounds = all(points in Within(0, 1000) for points in self.places)
        if not in_bounds or self.places[:1] == (0,):
            refuse("scoring.places", "from 0 to 1000, the first above 0", self.places)
