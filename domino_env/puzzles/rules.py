"""`PuzzleRules`: a one-player game as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from domino_env.errors import BadRules, did_you_mean, is_whole
from domino_env.plain import make_plain
from domino_env.tileset import TileSet, double_set

Play = Literal["counting", "pairs", "turning_up"]


@dataclass(frozen=True, kw_only=True)
class PuzzleRules:
    """A one-player game. `id`, `title`, `summary` and `source` name it; `play` is what is done."""

    id: str
    title: str
    summary: str
    source: str = ""

    play: Play
    """Counting along a row, where a tile that meets its number goes (EL1); knocking pairs that
    match out of a row (KO1); or joining columns until all their tiles are turned up (SO1)."""

    moves: int | None = None
    """A game of columns is cut off after so many moves (SO3); None: never."""

    set: ClassVar[str] = "double_6"
    sets: ClassVar[tuple[str, ...]] = ("double_6",)
    players: ClassVar[tuple[int, ...]] = (1,)
    has_calls: ClassVar[bool] = False

    # The answers to what is asked of any game: see `ruleset.Rules`.
    engine: ClassVar[str] = "one_player"
    has_opponents: ClassVar[bool] = False
    has_hands: ClassVar[bool] = False
    has_matches: ClassVar[bool] = False
    has_ends: ClassVar[bool] = False
    deals_turned: ClassVar[bool] = True
    is_curved: ClassVar[bool] = False
    teams: ClassVar[bool] = False
    rows: ClassVar[bool] = False
    draws: ClassVar[bool] = False
    hand_size: ClassVar[str] = "all"

    def __post_init__(self) -> None:
        make_plain(self)
        for name in ("id", "title", "summary", "source"):
            if not isinstance(getattr(self, name), str):
                raise BadRules(f"{name} must be a text, not {getattr(self, name)!r}")
        if not self.id:
            raise BadRules("id must name the game, not be empty")
        if self.play not in get_args(Play):
            hint = did_you_mean(self.play, get_args(Play))
            choices = ", ".join(get_args(Play))
            raise BadRules(f"play must be one of {choices}, not {self.play!r}{hint}")
        if self.moves is not None and (not is_whole(self.moves) or not 1 <= self.moves <= 10_000):
            raise BadRules(f"moves must be a whole number from 1 to 10000, not {self.moves!r}")
        if (self.play == "turning_up") != (self.moves is not None):
            raise BadRules(
                "moves limits a game of columns, which could go on for ever, and no other: with "
                f"play {self.play!r} it must {'' if self.moves is None else 'not '}be a number, "
                f"not {self.moves!r}"
            )

    @property
    def layout_kind(self) -> Literal["straight", "curved", "row", "columns"]:
        """How tiles lie on the table."""
        return "columns" if self.play == "turning_up" else "row"

    @property
    def tile_set(self) -> TileSet:
        """The tiles that it is played with."""
        return double_set(6)

    @property
    def num_tiles(self) -> int:
        """How many tiles the set has."""
        return len(self.tile_set.tiles)
