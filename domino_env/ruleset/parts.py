"""The parts of `Rules` that say how tiles are laid, drawn and played, each named after what it
governs; those that say what scores are in `points`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from domino_env.ruleset.part import Part
from domino_env.ruleset.values import Count, Sides


@dataclass(frozen=True, kw_only=True)
class Opening(Part, prefix="opening."):
    """Who plays the first tile of a round, and which."""

    starter: Literal["highest_double", "lowest_double", "lot", "in_turn"] = "highest_double"
    """The holder of a double; a seat drawn by lot (G18); or, in a match, each seat in its turn."""

    tile: Literal["that_double", "any", "top_of_row", "from_boneyard", "two_from_boneyard"] = (
        "that_double"
    )
    """What is laid first: the starter's double (G4), a tile of the starter's choice, the top of the
    starter's row, or a start tile that is nobody's, written in front of the boneyard: the first of
    the set that is no double, taken before hands are dealt (YT1); or the first two of the boneyard,
    back to back (BN5)."""

    without_double: Literal["deal_again", "highest_tile"] = "deal_again"
    """When nobody holds a double: hands go back (G3), or the highest tile stands in for it."""

    direction: Literal["clockwise", "chosen"] = "clockwise"
    """Which way turns go round; the owner of the opening tile may choose (FN3)."""

    @property
    def tiles(self) -> int:
        """How many are laid first."""
        return 2 if self.tile == "two_from_boneyard" else 1

    @property
    def from_boneyard(self) -> int:
        """How many of them are taken from the boneyard."""
        return self.tiles if self.tile in ("from_boneyard", "two_from_boneyard") else 0


@dataclass(frozen=True, kw_only=True)
class Layout(Part, prefix="layout."):
    """The shape of what lies on the table."""

    tiles: Literal["straight", "curved"] = "straight"
    """Curved tiles must fit, too: where a line may turn is geometry (B1-B7)."""

    meeting: Literal["allowed", "forbidden"] = "allowed"
    """Two ends of a curved line may meet if their halves match, or never (B5)."""

    arms: Literal["one", "two", "four"] = "two"
    """How many sides of the opening tile can be played on."""

    doubles: Literal["through", "spinner", "fork"] = "through"
    """What a double opens: one end, like any tile; its crosswise sides too, once there is a tile
    on either side of it (FU1); or its two short sides instead of the far one (FR2)."""

    opening_first: Sides = 0
    """So many sides of the opening double must have a tile before anything else may be played; with
    all four a cross comes first (CR1)."""


@dataclass(frozen=True, kw_only=True)
class Match(Part, prefix="match."):
    """Which halves may join."""

    by: Literal["same", "sum"] = "same"
    """Halves that are the same; or halves that add to one more than the highest pip of the set
    (seven with double six), where the tiles that add to it in themselves and the double blank are
    wild, and only they join a blank (MA1-MA3)."""


Forced = Literal["until_playable", "one", "none"]


@dataclass(frozen=True, kw_only=True)
class Draw(Part, prefix="draw."):
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


@dataclass(frozen=True, kw_only=True)
class Turn(Part, prefix="turn."):
    """How a turn goes on, and what happens to a player who is stuck."""

    again: Literal["never", "after_any", "after_double"] = "never"
    """When a tile played gives the player another (FO1, OA1)."""

    stuck: Literal["passes", "ends_round"] = "passes"
    """A player who cannot play, nor draw any more, passes; or the round ends at once (YT3)."""

    until: Literal["first_out", "one_left"] = "first_out"
    """A round lasts until somebody is out, or until one player only has tiles left (FN6)."""

    says_domino: bool = False
    """Who is left with one tile must say "Domino!"; a player who notices that it was forgotten
    makes them draw a penalty tile (G12)."""

    reversed_by: Literal["nothing", "double"] = "nothing"
    """Who plays a double may turn the order of turns round (FN9)."""

    raised_by: str = ""
    """Who plays this tile, like "2|2", may raise the stakes of the round (FN10); empty: no tile."""
