"""Actions (integers) and moves (named), and the conversion between them.

An action is `(tile * ends + end) * 2 + half`: a tile, the end that it is played on, and which of
its halves joins (0 the first and lower, 1 the second; a double always 0). After these come the
extra actions that the game can use, in the order draw, pass, end_turn, call, silent, clockwise,
counter, reverse, keep, raise, hold, accept, refuse, lead, yield.

    >>> import domino_env
    >>> move = domino_env.actions.decode("block_draw", 5)
    >>> str(move)
    '[0|1] by 1 → end 0'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from domino_env.engine.game_setup import extras, num_ends
from domino_env.errors import BadAction, BadOption, did_you_mean, is_whole
from domino_env.games import Game, rules_of
from domino_env.puzzles.columns import EMPTY, STOP, TARGETS
from domino_env.puzzles.puzzle_state import COLUMNS
from domino_env.puzzles.puzzle_table import num_actions
from domino_env.puzzles.rules import PuzzleRules
from domino_env.ruleset import Rules
from domino_env.tileset import read_value


class Tile(NamedTuple):
    """A tile: its first half (the lower of two numbers) and its second.

    A half is a number, or the text of a symbol like ">4". Equal to the plain tuple.
    """

    first: int | str
    second: int | str

    def __str__(self) -> str:
        return f"{self.first}|{self.second}"

    @property
    def pips(self) -> int:
        """The pips of both halves together."""
        halves = (read_value(str(half)) for half in self)
        return sum(value.pips for value in halves if value is not None)

    @property
    def is_double(self) -> bool:
        """Are both halves the same?"""
        return self.first == self.second


@dataclass(frozen=True)
class Move:
    """A decision. `kind` is "play", "draw", "pass", "end_turn" or an answer to a question, such as
    "call" or "silent". A play has a `tile`, the number of the `end` that it joins, and the `half`
    (0 or 1) that it joins by; a curved tile then turns right (0) or left (1)."""

    kind: str
    tile: Tile | None = None
    end: int | None = None
    half: int | None = None
    place: int | None = None
    """In one-player games: the junction that is knocked, or the column that a tile and all below it
    go to; None: an empty one."""

    def __str__(self) -> str:
        if self.kind == "knock":
            return f"KNOCK {self.place}"
        if self.kind == "move":
            return f"[{self.tile}] → {'empty column' if self.place is None else self.place}"
        if self.tile is None or self.half not in (0, 1):
            return self.kind.upper().replace("_", " ")
        by = f" by {self.tile[self.half]}"
        if self.tile.is_double:
            by = " turning left" if self.half else ""
        return f"[{self.tile}]{by} → end {self.end}"


class Codec(Protocol):
    """How the actions of an engine's games are numbered."""

    def size(self, rules: Any, calls: str, players: int) -> int:
        """How many actions a game has."""

    def decode(self, rules: Any, action: int, calls: str, players: int) -> Move:
        """The move that an action stands for; it is one of the game's."""

    def encode(self, rules: Any, move: Move, calls: str, players: int) -> int:
        """The action that stands for a move."""


def size(game: Game, calls: str = "automatic", num_players: int | None = None) -> int:
    """The number of actions of a game; where each player has an end of their own, of so many
    players: without the number, of its usual one."""
    rules = rules_of(game)
    return CODECS[rules.engine].size(rules, calls, _seats(rules, num_players))


def decode(
    game: Game, action: int, calls: str = "automatic", num_players: int | None = None
) -> Move:
    """The move that an action stands for; `num_players` as for `size`."""
    rules, actions = rules_of(game), size(game, calls, num_players)
    if not is_whole(action) or not 0 <= action < actions:
        raise BadAction(f"{rules.id} has actions 0 to {actions - 1}; {action!r} is none of them")
    return CODECS[rules.engine].decode(rules, int(action), calls, _seats(rules, num_players))


def encode(game: Game, move: Move, calls: str = "automatic", num_players: int | None = None) -> int:
    """The action that stands for a move; `num_players` as for `size`."""
    rules = rules_of(game)
    if not isinstance(move, Move):
        raise BadAction(
            f"a move is a Move, like Move('play', Tile(0, 1), end=0, half=1); not {move!r}"
        )
    return CODECS[rules.engine].encode(rules, move, calls, _seats(rules, num_players))


def _seats(rules: Any, num_players: int | None) -> int:
    """The number of players, the usual one if none is given."""
    if num_players is None:
        return int(rules.players[0])
    if not is_whole(num_players) or num_players not in rules.players:
        allowed = " or ".join(map(str, sorted(rules.players)))
        raise BadOption(f"{rules.id} is for {allowed} players, not {num_players!r:.40}")
    return int(num_players)


class _AtTable:
    """Plays on ends, then the extras of the game."""

    def size(self, rules: Rules, calls: str, players: int) -> int:
        return _plays(rules, players) + len(_extras(rules, calls))

    def decode(self, rules: Rules, action: int, calls: str, players: int) -> Move:
        plays = _plays(rules, players)
        if action >= plays:
            return Move(_extras(rules, calls)[action - plays])
        place, half = divmod(action, 2)
        tile, end = divmod(place, num_ends(rules, players))
        return Move("play", Tile(*rules.tile_set.faces[tile]), end, half)

    def encode(self, rules: Rules, move: Move, calls: str, players: int) -> int:
        names = _extras(rules, calls)
        if move.kind in names:
            return _plays(rules, players) + names.index(move.kind)
        if move.kind != "play":
            raise BadAction(
                f"{rules.id} has no move {move.kind!r}{did_you_mean(move.kind, ['play', *names])}"
            )
        return _encode_play(rules, move, num_ends(rules, players))


def _encode_play(rules: Rules, move: Move, ends: int) -> int:
    if move.tile is None or not is_whole(move.end) or move.half not in (0, 1):
        raise BadAction(f"a play needs a tile, an end and a half (0 or 1); this is {move!r}")
    if move.end is None or not 0 <= move.end < ends:
        raise BadAction(f"{rules.id} has ends 0 to {ends - 1}, not {move.end}")
    tile = tile_number(rules, move.tile)
    half = move.half
    if rules.tile_set.is_double(tile):
        half = half if rules.is_curved else 0  # straight: both halves are alike
    elif rules.tile_set.faces[tile] != tuple(move.tile):  # 3|1 is the tile 1|3
        half = 1 - half
    return (tile * ends + move.end) * 2 + half


class _OnePlayer:
    """What is done in a one-player game."""

    def size(self, rules: PuzzleRules, calls: str, players: int) -> int:
        return num_actions(rules)

    def decode(self, rules: PuzzleRules, action: int, calls: str, players: int) -> Move:
        if rules.play == "counting":
            return Move("go_on")
        if rules.play == "pairs":
            return Move("knock", place=action)
        if action == STOP:
            return Move("stop")
        tile, target = divmod(action, TARGETS)
        place = None if target == EMPTY else target
        return Move("move", Tile(*rules.tile_set.faces[tile]), place=place)

    def encode(self, rules: PuzzleRules, move: Move, calls: str, players: int) -> int:
        kinds = {"counting": ("go_on",), "pairs": ("knock",), "turning_up": ("move", "stop")}
        if move.kind not in kinds[rules.play]:
            hint = did_you_mean(move.kind, kinds[rules.play])
            raise BadAction(f"{rules.id} has no move {move.kind!r}{hint}")
        if move.kind == "go_on":
            return 0
        return STOP if move.kind == "stop" else _encode_place(rules, move)


def _encode_place(rules: PuzzleRules, move: Move) -> int:
    places = num_actions(rules) if move.kind == "knock" else COLUMNS
    if move.place is None and move.kind == "move":
        place = EMPTY
    elif is_whole(move.place) and move.place is not None and 0 <= move.place < places:
        place = int(move.place)
    else:
        raise BadAction(f"{rules.id} has places 0 to {places - 1}, not {move.place!r}")
    if move.kind == "knock":
        return place
    if move.tile is None:
        raise BadAction(f"a move needs the uppermost tile that moves; this is {move!r}")
    return tile_number(rules, move.tile) * TARGETS + place


CODECS: dict[str, Codec] = {"table": _AtTable(), "one_player": _OnePlayer()}
"""By the engine that plays the rules."""


def tile_number(rules: Any, tile: tuple[int | str, int | str]) -> int:
    """The number of a tile in its set, either half first."""
    if not isinstance(tile, (tuple, list)) or len(tile) != 2:
        raise BadAction(f"a tile has two halves, like (3, 5); not {tile!r}")
    if not all(is_whole(half) or isinstance(half, str) for half in tile):
        raise BadAction(f"a tile has two halves, like (3, 5); not {tile!r}")
    number = rules.tile_set.number(*tile)
    if number is None:
        raise BadAction(f"{rules.set} has no tile {tile[0]}|{tile[1]}")
    return number


def _extras(rules: Rules, calls: str) -> list[str]:
    """The actions besides playing a tile."""
    if not isinstance(calls, str) or calls not in ("automatic", "explicit"):
        raise BadOption(f"calls must be one of automatic, explicit, not {calls!r}")
    return extras(rules, calls)


def _plays(rules: Rules, players: int) -> int:
    return rules.num_tiles * num_ends(rules, players) * 2
