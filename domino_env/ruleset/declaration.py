"""`Rules`: all that a game is, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from domino_env.plain import make_plain
from domino_env.ruleset import former, own_fields, playable
from domino_env.ruleset.conditions import check_all
from domino_env.ruleset.limits import LISTED, MINI_SETS, SETS
from domino_env.ruleset.needs import NEEDS
from domino_env.ruleset.parts import Draw, Layout, Match, Opening, Turn
from domino_env.ruleset.points import Blocked, Plays, Round
from domino_env.ruleset.values import Limit, check_values
from domino_env.tileset import TileSet, double_set, listed_set


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A game. `id`, `title`, `summary` and `source` name it; all else is played by the engine."""

    id: str
    title: str
    summary: str
    source: str = ""
    """The rulebook it is taken from."""

    set: str = "double_6"
    sets: tuple[str, ...] = tuple(SETS)
    """The sets it can be played with. `"listed"`: the tiles of the list `tiles`."""

    tiles: tuple[str, ...] = ()
    """A set of tiles written one by one, like `("1|5", ">6|1", "*|3")`; see `tileset`."""

    players: tuple[int, ...] = (2, 3, 4)
    """The numbers of players it takes; the first is its usual one."""

    hand_size: int | tuple[int, ...] | Literal["all"] = 7
    """Tiles dealt to each: one number, one for each number in `players`, or `"all"`: as many as the
    set allows, the rest set aside."""

    rows: bool = False
    """Tiles are dealt into rows that nobody looks at; a turn flips the top one (BL1-BL3)."""

    teams: bool = False
    """Seats 0 and 2 play against seats 1 and 3 (G1)."""

    opening: Opening = field(default_factory=Opening)
    layout: Layout = field(default_factory=Layout)
    match: Match = field(default_factory=Match)
    draw: Draw = field(default_factory=Draw)
    turn: Turn = field(default_factory=Turn)
    plays: Plays = field(default_factory=Plays)
    round: Round = field(default_factory=Round)
    blocked: Blocked = field(default_factory=Blocked)

    target: Limit = 100
    """A match ends when somebody has this many points; None: by rounds alone."""

    exact: bool = False
    """The target must be hit exactly, which ends the match at once; points past it do not count."""

    rounds: Limit = None
    """A match ends after this many rounds; None: by the target alone."""

    worths: tuple[tuple[str, int], ...] = ()
    """Tiles that do not count their pips when hands are counted, like `(("0|0", 50),)`."""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuses words of before."""
        former.refuse(given)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        make_plain(self)
        for name in ("hand_size", "sets", "tiles", "worths"):  # lists come from files
            value = getattr(self, name)
            if isinstance(value, list):
                value = tuple(tuple(part) if isinstance(part, list) else part for part in value)
                object.__setattr__(self, name, value)
        check_values(self)
        own_fields.check(self)
        check_all(NEEDS, self)
        playable.check(self)

    @property
    def tile_set(self) -> TileSet:
        """The tiles that it is played with."""
        if self.set == LISTED:
            return listed_set(self.tiles)
        return double_set((SETS | MINI_SETS)[self.set])

    @property
    def raiser(self) -> int | None:
        """The number of the tile that may raise the stakes; None: there is none."""
        return self.tile_set.named(self.turn.raised_by) if self.turn.raised_by else None

    @property
    def counts_ends(self) -> bool:
        """Can the total of the open ends score?"""
        return self.plays.by == "multiples"

    @property
    def scores_in_play(self) -> bool:
        """Can a tile score when it is played?"""
        return self.plays.by != "nothing"

    # What games for one player answer otherwise: see `puzzles.rules`.

    engine: ClassVar[str] = "table"
    """Which engine plays it: "table", or "one_player"."""

    has_opponents: ClassVar[bool] = True
    """Is it played against others, at a table?"""

    has_hands: ClassVar[bool] = True
    """Does each player have tiles of their own?"""

    has_matches: ClassVar[bool] = True
    """Is it played in matches of several rounds?"""

    has_ends: ClassVar[bool] = True
    """Are tiles played on open ends?"""

    deals_turned: ClassVar[bool] = False
    """Does a deal say of each tile how it lies?"""

    @property
    def layout_kind(self) -> Literal["straight", "curved", "row", "columns"]:
        """How tiles lie on the table."""
        return self.layout.tiles

    @property
    def is_curved(self) -> bool:
        """Are its tiles curved?"""
        return self.layout_kind == "curved"

    @property
    def has_calls(self) -> bool:
        """Is there something that a player may forget to say? (G12)"""
        return self.plays.called or self.turn.says_domino

    @property
    def draws(self) -> bool:
        """Is anything ever drawn from the boneyard?"""
        crossing = self.draw.while_crossing not in ("as_forced", "none")
        return self.draw.forced != "none" or self.draw.voluntary or crossing

    @property
    def max_pip(self) -> int:
        """The highest number of the set."""
        numbers = (value.pips for value in self.tile_set.values if value.is_number)
        return max(numbers, default=0)

    @property
    def num_tiles(self) -> int:
        """How many tiles the set has."""
        return len(self.tile_set.tiles)

    def counted(self, tile: int) -> int:
        """What a tile counts in a hand at the end of a round."""
        own = {self.tile_set.named(name): worth for name, worth in self.worths}
        return own.get(tile, self.tile_set.pips(tile))

    def hand_size_for(self, players: int) -> int:
        """How many tiles each of so many players is dealt."""
        if self.hand_size == "all":
            return self.num_tiles // players
        if isinstance(self.hand_size, int):
            return self.hand_size
        return self.hand_size[self.players.index(players)]
