"""`Rules`: a domino game as data.

A game is a frozen value made of parts that are named after what they govern: how a round opens,
what the layout looks like, which halves join, when tiles are drawn, how a turn goes on, what
scores. The engine knows no game by name; it plays whatever the value says. A house rule is

    house = domino_env.rules("block_draw", hand_size=7)

or, deeper, `dataclasses.replace(BLOCK_DRAW, draw=Draw(forced="one"))`. Parts that do not fit
together cannot be built: the constructor says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args, get_type_hints

from domino_env.errors import BadRules, did_you_mean, is_whole
from domino_env.plain import make_plain
from domino_env.tileset import TileSet, double_set, listed_set

MAX_SEATS = 5
MAX_TILES = 136  # double fifteen
MAX_VALUES = 31
MAX_CURVED_TILES = 60
MAX_BRANCHES = 16  # doubles that open more than one end
LISTED = "listed"
TWISTS = ("double_back", "double_stakes", "perfect_ten")
SETS = {"double_6": 6, "double_9": 9, "double_12": 12, "double_15": 15}
MINI_SETS = {"double_2": 2, "double_3": 3}
"""Sets so small that whole games can be solved; with the hands and players that they suffice for,
they are good for every game with straight tiles."""


def _choices(part: object, owner: str) -> None:
    """Refuses a value that its field's `Literal` does not list, or an `int` that is none."""
    make_plain(part)
    for name, hint in get_type_hints(type(part)).items():
        value = getattr(part, name)
        allowed = get_args(hint)
        if allowed and all(isinstance(choice, str) for choice in allowed):
            if value not in allowed:
                hinted = did_you_mean(value, allowed)
                raise BadRules(
                    f"{owner}.{name} must be one of {', '.join(allowed)}, not {value!r}{hinted}"
                )
        elif hint is bool and not isinstance(value, bool):
            raise BadRules(f"{owner}.{name} must be True or False, not {value!r}")
        elif hint is int and (not isinstance(value, int) or isinstance(value, bool)):
            raise BadRules(f"{owner}.{name} must be a whole number, not {value!r}")


@dataclass(frozen=True, kw_only=True)
class Opening:
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

    def __post_init__(self) -> None:
        _choices(self, "opening")
        by_double = self.starter in ("highest_double", "lowest_double")
        if self.tile == "that_double" and not by_double:
            raise BadRules(
                f"opening.tile 'that_double' needs a starter who holds it: starter must be "
                f"'highest_double' or 'lowest_double', not {self.starter!r}"
            )
        if self.without_double == "highest_tile" and not by_double:
            raise BadRules(
                "opening.without_double is about a starter by a double: starter must be "
                f"'highest_double' or 'lowest_double', not {self.starter!r}"
            )
        if self.direction == "chosen" and self.tile != "that_double":
            raise BadRules(
                "the owner of the opening tile chooses the direction: opening.tile must be "
                f"'that_double', not {self.tile!r}"
            )
        if self.tile == "top_of_row" and by_double:
            raise BadRules(
                "nobody has seen a tile when the top of a row opens: opening.starter must be "
                f"'lot' or 'in_turn', not {self.starter!r}"
            )


@dataclass(frozen=True, kw_only=True)
class Layout:
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

    cross_first: bool = False
    """All four arms must be begun before anything else may be played (CR1)."""

    def __post_init__(self) -> None:
        _choices(self, "layout")
        if self.tiles == "curved" and (self.arms, self.doubles) != ("two", "through"):
            raise BadRules(
                "a curved tile has two ends: layout.arms must be 'two' and doubles 'through', not "
                f"{self.arms!r} and {self.doubles!r}"
            )
        if self.meeting == "forbidden" and self.tiles == "straight":
            raise BadRules("ends of straight lines do not meet: layout.meeting is for curved tiles")
        if self.cross_first and self.arms != "four":
            raise BadRules(
                f"layout.cross_first makes a cross of four arms: arms must be 'four', "
                f"not {self.arms!r}"
            )


@dataclass(frozen=True, kw_only=True)
class Match:
    """Which halves may join."""

    by: Literal["same", "sum"] = "same"
    """Halves that are the same; or halves that add to one more than the highest pip of the set
    (seven with double six), where the tiles that add to it in themselves and the double blank are
    wild, and only they join a blank (MA1-MA3)."""

    def __post_init__(self) -> None:
        _choices(self, "match")


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

    reserve: int = 0
    """The last tiles of the boneyard, never drawn (YT3)."""

    while_crossing: Literal["as_forced", "until_playable", "one", "none"] = "as_forced"
    """The forced draw until a cross is complete (CR1)."""

    def __post_init__(self) -> None:
        _choices(self, "draw")
        if self.reserve < 0:
            raise BadRules(f"draw.reserve must be 0 or more tiles, not {self.reserve}")
        if self.then == "end_turn" and self.forced != "one":
            raise BadRules(
                "draw.then 'end_turn' is about a single forced draw: draw.forced must be 'one', "
                f"not {self.forced!r}"
            )
        if self.then == "may_pass" and self.forced != "one":
            raise BadRules(
                "draw.then 'may_pass' is about a single forced draw: draw.forced must be 'one', "
                f"not {self.forced!r}"
            )
        if self.voluntary_then == "end_turn" and not self.voluntary:
            raise BadRules("draw.voluntary_then needs draws by choice: draw.voluntary is False")


@dataclass(frozen=True, kw_only=True)
class Turn:
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

    def __post_init__(self) -> None:
        _choices(self, "turn")


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """What earns points, in play and at the end of a round."""

    plays: Literal["nothing", "fives", "same_ends"] = "nothing"
    """A play can score when the ends add to a multiple of five, or when they are the same (BE2)."""

    called: bool = False
    """The points of a play must be called, and others may call them (G12)."""

    pips_a_point: int = 1
    """1: a point for every pip; 5: a point for every five (Five Up)."""

    nearest: int = 1
    """Pips left in hands are rounded to the nearest multiple of this (G10)."""

    left: Literal["winner", "penalties"] = "winner"
    """The winner scores what the others hold, or everyone is charged what they hold (YT4)."""

    win: int = 0
    """A fixed worth of a round, instead of the pips the others hold; 0: the pips."""

    less_own: bool = True
    """In a blocked round the winner's own pips are taken off (G9)."""

    out_bonus: int = 0
    """With penalties: what a player who is out adds to each of the others."""

    rounded_up: int = 1
    """The worth of a round is rounded up to a multiple of this (FN7)."""

    places: tuple[int, ...] = ()
    """What the first, second ... place of a round is worth; the last is worth nothing (FN6). Empty:
    a round has a winner only."""

    bonus_to: Literal["winner", "most_points"] = "winner"
    """Who scores what the others hold: the winner, or who scored most in the round (BN6)."""

    blocked_to: Literal["lowest_pips", "no_doubles", "fewest_tiles"] = "lowest_pips"
    """Who wins a blocked round: G8, BE3 or BL4."""

    def __post_init__(self) -> None:
        _choices(self, "scoring")
        if not isinstance(self.places, tuple) or not all(map(is_whole, self.places)):
            raise BadRules(f"scoring.places must be a tuple like (40, 20, 10), not {self.places!r}")
        in_bounds = all(0 <= points <= 1000 for points in self.places)
        if not in_bounds or self.places[:1] == (0,):
            raise BadRules(
                f"scoring.places must be from 0 to 1000, the first above 0, not {self.places}"
            )
        if self.places and (self.win or self.left == "penalties"):
            raise BadRules(
                f"scoring.places {self.places} say what a round is worth: scoring.win must be 0 "
                f"and scoring.left 'winner', not {self.win} and {self.left!r}"
            )
        for name in ("pips_a_point", "nearest", "rounded_up"):
            if not 1 <= getattr(self, name) <= 1000:
                raise BadRules(f"scoring.{name} must be from 1 to 1000, not {getattr(self, name)}")
        for name in ("win", "out_bonus"):
            if not 0 <= getattr(self, name) <= 1000:
                raise BadRules(f"scoring.{name} must be from 0 to 1000, not {getattr(self, name)}")
        if self.rounded_up > 1 and self.nearest > 1:
            raise BadRules(
                "rounds are rounded once: scoring.nearest must be 1 with scoring.rounded_up "
                f"{self.rounded_up}, not {self.nearest}"
            )
        if max(self.nearest, self.rounded_up) % self.pips_a_point:
            raise BadRules(
                "scoring.nearest must be a multiple of scoring.pips_a_point, so that rounds are "
                f"worth whole points: {self.nearest} is none of {self.pips_a_point}"
            )
        if self.plays == "fives" and self.pips_a_point not in (1, 5):
            raise BadRules(
                "scoring.pips_a_point must be 1 or 5, so that multiples of five make whole points, "
                f"not {self.pips_a_point}"
            )
        if self.called and self.plays == "nothing":
            raise BadRules("scoring.called needs plays that score: scoring.plays is 'nothing'")
        if self.left == "penalties" and self.win:
            raise BadRules(
                f"scoring.win is what a winner scores: with scoring.left 'penalties' it must be 0, "
                f"not {self.win}"
            )
        if self.left == "penalties" and self.bonus_to != "winner":
            raise BadRules(
                "with scoring.left 'penalties' nobody scores what others hold: scoring.bonus_to "
                f"must be 'winner', not {self.bonus_to!r}"
            )
        if self.left == "winner" and self.out_bonus:
            raise BadRules(
                "scoring.out_bonus is a penalty: scoring.left must be 'penalties', "
                f"not {self.left!r}"
            )


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
    scoring: Scoring = field(default_factory=Scoring)

    target: int | None = 100
    """A match ends when somebody has this many points; None: by rounds alone."""

    exact: bool = False
    """The target must be hit exactly, which ends the match at once; points past it do not count."""

    rounds: int | None = None
    """A match ends after this many rounds; None: by the target alone."""

    double_back: bool = False
    """Twist: who plays a double may reverse the order of turns (FN9)."""

    double_stakes: bool = False
    """Twist: who plays the double 2 may raise the stakes of the round (FN10)."""

    perfect_ten: bool = False
    """Twist: two ends that total a multiple of ten score it at once (FN11)."""

    def __post_init__(self) -> None:
        make_plain(self)
        for name in ("hand_size", "sets", "tiles"):  # lists come from files
            value = getattr(self, name)
            if isinstance(value, list):
                object.__setattr__(self, name, tuple(value))
        self._check_names()
        self._check_tiles()
        self._check_players()
        for players in self.players:
            self._check_hand(players)
        self._check_rows()
        self._check_layout()
        for players in self.players:
            self._check_opening(players)
        self._check_scoring()
        self._check_twists()
        self._check_end()

    @property
    def tile_set(self) -> TileSet:
        """The tiles that it is played with."""
        if self.set == LISTED:
            return listed_set(self.tiles)
        return double_set((SETS | MINI_SETS)[self.set])

    @property
    def counts_ends(self) -> bool:
        """Can the total of the open ends score?"""
        return self.perfect_ten or self.scoring.plays == "fives"

    @property
    def scores_in_play(self) -> bool:
        """Can a tile score when it is played?"""
        return self.perfect_ten or self.scoring.plays != "nothing"

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
        return self.perfect_ten or self.scoring.called or self.turn.says_domino

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

    def hand_size_for(self, players: int) -> int:
        """How many tiles each of so many players is dealt."""
        if self.hand_size == "all":
            return self.num_tiles // players
        if isinstance(self.hand_size, int):
            return self.hand_size
        return self.hand_size[self.players.index(players)]

    # What fits together -------------------------------------------------------------------------

    def _check_names(self) -> None:
        for name in ("id", "title", "summary", "source"):
            if not isinstance(getattr(self, name), str):
                raise BadRules(f"{name} must be a text, not {getattr(self, name)!r}")
        if not self.id:
            raise BadRules("id must name the game, not be empty")
        for name, kind in _PARTS.items():
            if not isinstance(getattr(self, name), kind):
                raise BadRules(
                    f"{name} must be a {kind.__name__}(...), not {getattr(self, name)!r}"
                )
        for name in ("rows", "exact", "teams", *TWISTS):
            if not isinstance(getattr(self, name), bool):
                raise BadRules(f"{name} must be True or False, not {getattr(self, name)!r}")
        if not isinstance(self.sets, tuple) or not self.sets:
            raise BadRules(f"sets must be a tuple like ('double_6',), not {self.sets!r}")
        known = (*SETS, *MINI_SETS, LISTED)
        for name, choice in (*(("sets", each) for each in self.sets), ("set", self.set)):
            if not isinstance(choice, str) or choice not in known:
                raise BadRules(f"{name}: unknown set {choice!r}{did_you_mean(choice, known)}")
        is_mini = self.set in MINI_SETS and self.layout.tiles == "straight"
        if self.set not in self.sets and not is_mini:
            raise BadRules(
                f"set must be one of sets, for {self.id} {' or '.join(self.sets)}, not {self.set!r}"
            )

    def _check_tiles(self) -> None:
        texts = isinstance(self.tiles, tuple) and all(isinstance(each, str) for each in self.tiles)
        if not texts:
            raise BadRules(f"tiles must be a tuple like ('1|5', '*|3'), not {self.tiles!r}")
        if (self.set == LISTED) != bool(self.tiles):
            raise BadRules(
                f"tiles are listed for the set {LISTED!r} and for no other: set is {self.set!r} "
                f"and tiles has {len(self.tiles)}"
            )
        most = MAX_CURVED_TILES if self.layout.tiles == "curved" else MAX_TILES
        if not 2 <= self.num_tiles <= most:
            name = "tiles" if self.set == LISTED else f"set {self.set!r}"
            raise BadRules(
                f"{name} has {self.num_tiles} tiles: where layout.tiles is {self.layout.tiles!r} "
                f"there must be from 2 to {most}"
            )
        if len(self.tile_set.values) > MAX_VALUES:
            raise BadRules(
                f"tiles must show {MAX_VALUES} different halves or fewer, not "
                f"{len(self.tile_set.values)}"
            )
        if self.match.by == "sum" and self.set == LISTED:
            raise BadRules(
                "match.by 'sum' adds numbers up to the highest of a double set, not of listed tiles"
            )

    def _check_players(self) -> None:
        if not isinstance(self.players, tuple) or not self.players:
            raise BadRules(f"players must be a tuple like (2, 3, 4), not {self.players!r}")
        for count in self.players:
            if not is_whole(count) or not 2 <= count <= MAX_SEATS:
                raise BadRules(
                    f"players must be whole numbers from 2 to {MAX_SEATS}, not {count!r}"
                )
        if len({*self.players}) != len(self.players):
            raise BadRules(f"players names a number twice: {self.players}")
        if self.teams and self.players != (4,):
            raise BadRules(f"teams are two against two: players must be (4,), not {self.players}")

    def _check_hand(self, players: int) -> None:
        size = self.hand_size
        if isinstance(size, tuple) and len(size) != len(self.players):
            raise BadRules(
                f"hand_size must have one number for each of players {self.players}, not {size}"
            )
        sizes = size if isinstance(size, tuple) else (size,)
        if not (isinstance(size, str) and size == "all") and not all(map(is_whole, sizes)):
            raise BadRules(
                "hand_size must be a whole number, one for each number of players, or 'all', "
                f"not {size!r}"
            )
        each = self.hand_size_for(players)
        # A player who opens with their only tile is out before anybody has had a decision (G5).
        forced = self.opening.tile in ("that_double", "top_of_row")
        least = 2 if forced else 1
        if each < least:
            raise BadRules(
                f"hand_size must be {least} or more where opening.tile is {self.opening.tile!r}, "
                f"not {each}"
            )
        spare, laid = self._spare(), self._laid_out()
        if each * players + max(spare, self.draw.reserve + laid) > self.num_tiles:
            beside = ""
            if spare:
                beside = f" and {spare} tiles to open with"
            elif self.draw.reserve:
                beside = f" and a draw.reserve of {self.draw.reserve}"
            raise BadRules(
                f"hand_size {each} for {players} players{beside} takes more than the "
                f"{self.num_tiles} tiles of {self.set}; deal fewer, or take {players} off players"
            )

    def _check_opening(self, players: int) -> None:
        if self.set == LISTED and not self._can_begin(players):
            raise BadRules(
                "tiles must have some that open a round, and some that can follow them: with "
                f"opening.tile {self.opening.tile!r} and {self.hand_size_for(players)} for each of "
                f"{players} players every deal would be dealt again"
            )

    def _can_begin(self, players: int) -> bool:
        """Is there a deal in which somebody has a decision? (G3, G5)"""
        tiles, every = self.tile_set, range(self.num_tiles)
        by_double = self.opening.starter in ("highest_double", "lowest_double")
        anything_opens = not by_double or self.opening.without_double == "highest_tile"
        if not anything_opens and not any(map(tiles.opens, every)):
            return False
        if self.opening.tile == "any":
            return True
        if self.opening.tile != "that_double":
            doubles_too = self.opening.tile != "from_boneyard"
            return any(tiles.follow(t) for t in every if doubles_too or not tiles.is_double(t))
        ranks = tiles.opening_ranks(lowest=self.opening.starter == "lowest_double")
        undealt = self.num_tiles - players * self.hand_size_for(players)
        for tile in every:
            may_open = anything_opens or tiles.opens(tile)
            better = sum(rank < ranks[tile] for rank in ranks)
            if may_open and better <= undealt:
                if any(ranks[other] >= ranks[tile] for other in tiles.follow(tile)):
                    return True
        return False

    def _laid_out(self) -> int:
        """Tiles that the opening takes from the boneyard."""
        return {"from_boneyard": 1, "two_from_boneyard": 2}.get(self.opening.tile, 0)

    def _spare(self) -> int:
        """Tiles that the boneyard must have for the opening, whatever their order."""
        if self.opening.tile == "from_boneyard":  # one of them is no double
            return 1 + self.tile_set.num_doubles
        return self._laid_out()

    def _check_rows(self) -> None:
        if self.rows != (self.opening.tile == "top_of_row"):
            raise BadRules(
                "rows are opened by their top tile: rows=True goes with opening.tile 'top_of_row' "
                f"and with nothing else; not rows={self.rows} with {self.opening.tile!r}"
            )
        if not self.rows:
            return
        if self.draw.forced != "none" or self.draw.voluntary:
            raise BadRules(
                "a game of rows draws nothing: draw.forced must be 'none' and draw.voluntary "
                f"False, not {self.draw.forced!r} and {self.draw.voluntary}"
            )
        if self.draw.reserve:
            raise BadRules(
                f"a game of rows draws nothing: draw.reserve must be 0, not {self.draw.reserve}"
            )
        if self.turn.stuck != "passes":
            raise BadRules(
                "in a game of rows a tile that does not fit only ends the turn: turn.stuck must be "
                f"'passes', not {self.turn.stuck!r}"
            )
        if self.turn.until != "first_out":
            raise BadRules(
                "nobody flips a tile of an empty row: turn.until must be 'first_out' in a game of "
                f"rows, not {self.turn.until!r}"
            )
        if self.turn.says_domino:
            raise BadRules("a game of rows draws nothing: turn.says_domino must be False, not True")
        if self.tile_set.has_effects:
            raise BadRules(
                "a game of rows draws nothing: tiles must have no DRAW or PLAY AGAIN halves, not "
                f"{self.tiles}"
            )

    def _check_layout(self) -> None:
        if self.layout.arms == "four" and self.opening.tile != "that_double":
            raise BadRules(
                "four arms grow from a double: opening.tile must be 'that_double', "
                f"not {self.opening.tile!r}"
            )
        if self.layout.arms == "four" and self.opening.without_double != "deal_again":
            raise BadRules(
                "four arms grow from a double: opening.without_double must be 'deal_again', "
                f"not {self.opening.without_double!r}"
            )
        doubles = self.tile_set.num_doubles
        if self.layout.doubles != "through" and doubles > MAX_BRANCHES:
            raise BadRules(
                f"layout.doubles must be 'through' with more than {MAX_BRANCHES} doubles: tiles "
                f"has {doubles}"
            )
        if self.opening.tile == "two_from_boneyard" and self.layout.tiles != "curved":
            raise BadRules(
                "two tiles lie back to back where tiles are curved: layout.tiles must be 'curved', "
                f"not {self.layout.tiles!r}"
            )
        crossing = self.draw.while_crossing
        if crossing != "as_forced" and not self.layout.cross_first:
            raise BadRules(
                f"draw.while_crossing must be 'as_forced', not {crossing!r}, where no cross comes "
                "first: layout.cross_first is False"
            )
        if self.draw.then != "play" and crossing == "until_playable":
            raise BadRules(
                f"draw.then {self.draw.then!r} is about single draws: draw.while_crossing must not "
                "be 'until_playable'"
            )

    def _check_scoring(self) -> None:
        line = (self.layout.arms, self.layout.doubles)
        if self.scoring.plays == "same_ends" and line != ("two", "through"):
            raise BadRules(
                "scoring.plays 'same_ends' compares the two ends of one line: layout.arms and "
                f"layout.doubles must be 'two' and 'through', not {line[0]!r} and {line[1]!r}"
            )
        if self.teams and self.scoring.left == "penalties":
            raise BadRules(
                "penalties are charged to each player: teams must be False with scoring.left "
                "'penalties'"
            )
        if self.scoring.plays == "same_ends" and self.layout.tiles == "curved":
            raise BadRules(
                "curved ends may meet and be gone: scoring.plays must not be 'same_ends' where "
                "layout.tiles is 'curved'"
            )
        counted = (("two", "through"), ("two", "spinner"))
        if self.scoring.plays == "fives" and line not in counted:
            raise BadRules(
                "scoring.plays 'fives' counts the ends of two arms: layout.arms must be 'two' and "
                f"layout.doubles 'through' or 'spinner', not {line[0]!r} and {line[1]!r}"
            )

    def _check_twists(self) -> None:
        if self.tile_set.has_effects and self.turn.again != "never":
            raise BadRules(
                "turn.again must be 'never' where tiles have DRAW or PLAY AGAIN halves, which say "
                f"how a turn goes on; not {self.turn.again!r}"
            )
        for twist in TWISTS:
            if getattr(self, twist) and self.set != LISTED:
                raise BadRules(f"{twist}=True is a twist of listed tiles: set is {self.set!r}")
        if self.double_stakes and self.tile_set.number(2, 2) is None:
            raise BadRules("double_stakes=True is about the double 2: tiles must have '2|2'")
        if self.perfect_ten and self.scoring.plays != "nothing":
            raise BadRules(
                "perfect_ten=True is what plays score: scoring.plays must be 'nothing', "
                f"not {self.scoring.plays!r}"
            )
        if self.perfect_ten and 10 % self.scoring.pips_a_point:
            raise BadRules(
                "perfect_ten=True scores multiples of ten: scoring.pips_a_point must be 1, 2, 5 or "
                f"10, not {self.scoring.pips_a_point}"
            )
        if self.perfect_ten and self.layout.tiles == "straight":
            raise BadRules("perfect_ten=True counts two curved ends: layout.tiles is 'straight'")

    def _check_end(self) -> None:
        for name in ("target", "rounds"):
            value = getattr(self, name)
            if value is not None and (not is_whole(value) or not 1 <= value <= 100_000):
                raise BadRules(f"{name} must be a whole number from 1 to 100000, not {value!r}")
        if self.target is None and self.rounds is None:
            raise BadRules("a match must end: target and rounds must not both be None")
        if self.exact and self.target is None:
            raise BadRules("exact=True needs a target to hit: target must not be None")
        if self.rounds is None and self.scoring.left == "penalties":
            raise BadRules(
                "with scoring.left 'penalties' no target is ever reached: rounds must be a number, "
                "not None"
            )
        heaviest = max(map(self.tile_set.pips, range(self.num_tiles)))
        if self.scoring.nearest > heaviest:
            raise BadRules(
                f"scoring.nearest must be {heaviest} or less, the pips of the heaviest tile, or "
                f"rounds would be worth nothing and no target reached; not {self.scoring.nearest}"
            )
        if self.exact:
            self._check_exact()

    def _check_exact(self) -> None:
        if self.scores_in_play and self.opening.tile != "any":
            raise BadRules(
                f"exact=True with scoring.plays {self.scoring.plays!r} needs an opening that is a "
                "decision, as it may end the match: opening.tile must be 'any', "
                f"not {self.opening.tile!r}"
            )
        if self.scoring.places:
            raise BadRules(
                "exact=True is about the first to hit the target, and places are paid to all at "
                f"once: scoring.places must be (), not {self.scoring.places}"
            )
        # Whatever a player has, the least that can be scored must lead on to the target.
        worths = self._worths()
        if any(points % worths[0] for points in (*worths, self.target or 0)):
            raise BadRules(
                f"points come as {' and '.join(map(str, worths))} here: players can get stuck "
                f"below an exact target of {self.target}"
            )

    def _worths(self) -> list[int]:
        """The points that everything else is a sum of."""
        scoring, unit = self.scoring, self.scoring.pips_a_point
        plays = {"nothing": [], "fives": [5 // unit], "same_ends": [2, 3]}[scoring.plays]
        steps = max(scoring.nearest, scoring.rounded_up)
        tens = [10 // unit] if self.perfect_ten else []
        return sorted({scoring.win or steps // unit, *plays, *tens})


_PARTS: dict[str, type] = {
    "opening": Opening,
    "layout": Layout,
    "match": Match,
    "draw": Draw,
    "turn": Turn,
    "scoring": Scoring,
}
