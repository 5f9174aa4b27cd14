"""`Rules`: all that a game is, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, TypeAlias

from domino_env.plain import make_plain
from domino_env.ruleset import former, own_fields, playable
from domino_env.ruleset.conditions import check_all
from domino_env.ruleset.limits import LISTED, MINI_SETS, SETS
from domino_env.ruleset.needs import NEEDS
from domino_env.ruleset.parts import Draw, Layout, Match, Opening, Turn
from domino_env.ruleset.points import Blocked, Bonuses, Plays, Round, Tally
from domino_env.ruleset.values import Limit, as_tuple, check_values
from domino_env.tileset import TileSet, double_set, listed_set

HandSizes: TypeAlias = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""By the name of a set: the numbers of players, and the tiles dealt to each of so many."""


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

    hand_size: int | tuple[int, ...] | HandSizes | Literal["all"] = 7
    """Tiles dealt to each: one number, one for each number in `players`, or `"all"`: as many as the
    set allows, the rest set aside. Or for each set which numbers of players it is good for and how
    many tiles each of so many is dealt, like `(("double_9", ((2, 12), (3, 11))), ...)`; then
    `players` are those of them that the set is good for."""

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
    bonuses: Bonuses = field(default_factory=Bonuses)
    tally: Tally = field(default_factory=Tally)

    target: Limit = 100
    """A match ends when somebody has this many points; None: by rounds alone."""

    exact: bool = False
    """The target must be hit exactly, which ends the match at once; points past it do not count."""

    rounds: Limit = None
    """A match ends after this many rounds. None: by the target alone; or, where each double in its
    turn lies in the middle, after the last of them (TR1)."""

    worths: tuple[tuple[str, int], ...] = ()
    """Tiles that do not count their pips when hands are counted, like `(("0|0", 50),)`."""

    left_out: tuple[tuple[int, str], ...] = ()
    """Tiles that are not played with by so many players, like `((3, "0|0"),)`."""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Refuses words of before."""
        former.refuse(given)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        make_plain(self)
        for name in ("hand_size", "sets", "tiles", "worths", "left_out"):  # lists come from files
            deep = name in ("hand_size", "worths", "left_out")
            object.__setattr__(self, name, as_tuple(getattr(self, name), deep))
        check_values(self)
        own_fields.check(self)
        if sizes := own_fields.sizes_for_set(self):
            object.__setattr__(self, "players", tuple(n for n in self.players if n in sizes))
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

    def left_out_with(self, players: int) -> list[int]:
        """The tiles that so many players leave out, by their numbers."""
        named = [self.tile_set.named(name) for number, name in self.left_out if number == players]
        return sorted(tile for tile in named if tile is not None)

    def may_open(self, tile: int) -> bool:
        """May a tile open a round that the holder of a tile opens?"""
        tiles, opening = self.tile_set, self.opening
        if not tiles.opens(tile):
            return opening.without_double == "highest_tile"
        lowest = opening.lowest if opening.starter == "lowest_double" else 0
        return tiles.halves(tile)[0].pips >= lowest

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
        sizes = own_fields.sizes_for_set(self)
        if sizes is not None:
            return sizes[players]
        return int(self.hand_size[self.players.index(players)])  # type: ignore[arg-type]

    @property
    def most_rounds(self) -> int | None:
        """A match lasts so many rounds at most, one for each double where these lie in the middle
        or open by turns (TR1); None: rounds are not counted."""
        by_double = len(self.tile_set.round_doubles) if self.has_round_doubles else None
        return self.rounds or by_double

    @property
    def has_round_doubles(self) -> bool:
        """Has each round a double of its own, in the middle or in a hand? (TR1)"""
        return self.opening.tile == "middle" or self.opening.starter == "round_double"
