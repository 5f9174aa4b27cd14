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

    lowest: Count = 0
    """With the lowest double: no double of a lower number opens (1: the 1-1, and never 0-0)."""

    without_double: Literal["deal_again", "highest_tile"] = "deal_again"
    """When nobody holds a double: hands go back (G3), or the highest tile stands in for it."""

    direction: Literal["clockwise", "chosen"] = "clockwise"
    """Which way turns go round; the owner of the opening tile may choose (FN3)."""

    later: Literal["as_first", "winner", "next_seat", "same_seat"] = "as_first"
    """Who leads the later rounds of a match: as in the first; who won the round before (W3), or the
    next seat after its starter, or the same. Where a double opened the first round, these lead with
    any tile."""

    after_draw: Literal["as_first", "next_seat", "same_seat"] = "as_first"
    """... and after a round that nobody has won."""

    yields: bool = False
    """The winner may leave the lead to the partner (JP1)."""

    @property
    def tiles(self) -> int:
        """How many are laid first."""
        return 2 if self.tile == "two_from_boneyard" else 1

    @property
    def from_boneyard(self) -> int:
        """How many of them are taken from the boneyard."""
        laid_out = ("from_boneyard", "two_from_boneyard", "middle")
        return self.tiles if self.tile in laid_out else 0


@dataclass(frozen=True, kw_only=True)
class Layout(Part, prefix="layout."):
    """The shape of what lies on the table."""

    tiles: Literal["straight", "curved"] = "straight"
    """Curved tiles must fit, too: where a line may turn is geometry (B1-B7)."""

    meeting: Literal["allowed", "forbidden"] = "allowed"
    """Two ends of a curved line may meet if their halves match, or never (B5)."""

    arms: Literal["one", "two", "four", "six", "own"] = "two"
    """How many sides of the opening tile can be played on; or there is a train for each seat, which
    others may play on only while its marker lies there, and one for all (MT2-MT4)."""

    doubles: Literal["through", "spinner", "first_spinner", "fork", "foot"] = "through"
    """What a double opens: one end, like any tile; its crosswise sides too, once there is a tile
    on either side of it (FU1); the same of the first double alone, once there is a tile on both
    sides (AS2); its two short sides instead of the far one (FR2); or the three toes of a foot
    (CF3)."""

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

    again: Literal["never", "after_any", "after_double", "to_cover"] = "never"
    """When a tile played gives the player another (FO1, OA1); or who plays a double that must have
    tiles goes on, on that double (MT5)."""

    first_turn: Literal["one_tile", "own_line"] = "one_tile"
    """In a first turn, too, one tile is played; or who plays on their own train may go on along it
    as long as a tile fits."""

    stuck: Literal["passes", "ends_round"] = "passes"
    """A player who cannot play, nor draw any more, passes; or the round ends at once (YT3)."""

    until: Literal["first_out", "one_left", "team_out"] = "first_out"
    """A round lasts until somebody is out, until one player only has tiles left (FN6), or until
    both partners of a team are out."""

    says_domino: bool = False
    """Who is left with one tile must say "Domino!"; a player who notices that it was forgotten
    makes them draw a penalty tile (G12)."""

    reversed_by: Literal["nothing", "double"] = "nothing"
    """Who plays a double may turn the order of turns round (FN9)."""

    raised_by: str = ""
    """Who plays this tile, like "2|2", may raise the stakes of the round (FN10); empty: no tile."""
