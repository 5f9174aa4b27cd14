"""Moves by name, actions by number: the one place that turns one into the other.

An action is `(tile * ends + end) * 2 + half`: a tile, the end that it is played on, and which of
its halves joins (0 the first and lower, 1 the second; a double always 0). After these come the
extras that the game can use, in the order draw, end_turn, call, silent, and no others.

    >>> import domino_env
    >>> move = domino_env.actions.decode("block_draw", 5)
    >>> str(move)
    '[0|1] by 1 → end 0'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from domino_env.engine.book import extras, num_ends, tiles_of
from domino_env.errors import BadAction, did_you_mean, is_whole
from domino_env.games import Game, rules_of
from domino_env.ruleset import Rules


class Tile(NamedTuple):
    """A domino: its lower and its higher half. Equal to the plain tuple."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}|{self.high}"

    @property
    def pips(self) -> int:
        """The pips on both halves."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Are both halves the same?"""
        return self.low == self.high


@dataclass(frozen=True)
class Move:
    """A decision. `kind` is "play", "draw", "end_turn", "call" or "silent"; a play has a `tile`,
    the number of the `end` that it joins, and the `half` (0 or 1) that it joins by."""

    kind: str
    tile: Tile | None = None
    end: int | None = None
    half: int | None = None

    def __str__(self) -> str:
        if self.tile is None or self.half is None:
            return self.kind.upper().replace("_", " ")
        by = "" if self.tile.is_double else f" by {self.tile[self.half]}"
        return f"[{self.tile}]{by} → end {self.end}"


def size(game: Game, calls: str = "automatic") -> int:
    """How many actions a game has."""
    rules = rules_of(game)
    return _plays(rules) + len(extras(rules, calls))


def decode(game: Game, action: int, calls: str = "automatic") -> Move:
    """The move that an action stands for."""
    rules = rules_of(game)
    names = extras(rules, calls)
    plays = _plays(rules)
    if not is_whole(action) or not 0 <= action < plays + len(names):
        raise BadAction(
            f"{rules.id} has actions 0 to {plays + len(names) - 1}; {action!r} is none of them"
        )
    if action >= plays:
        return Move(names[action - plays])
    place, half = divmod(int(action), 2)
    tile, end = divmod(place, num_ends(rules))
    return Move("play", Tile(*tiles_of(rules)[tile]), end, half)


def encode(game: Game, move: Move, calls: str = "automatic") -> int:
    """The action that stands for a move."""
    rules = rules_of(game)
    names = extras(rules, calls)
    if not isinstance(move, Move):
        raise BadAction(
            f"a move is a Move, like Move('play', Tile(0, 1), end=0, half=1); not {move!r}"
        )
    if move.kind in names:
        return _plays(rules) + names.index(move.kind)
    if move.kind != "play":
        raise BadAction(
            f"{rules.id} has no move {move.kind!r}{did_you_mean(move.kind, ['play', *names])}"
        )
    if move.tile is None or not is_whole(move.end) or move.half not in (0, 1):
        raise BadAction(f"a play needs a tile, an end and a half (0 or 1); this is {move!r}")
    if move.end is None or not 0 <= move.end < num_ends(rules):
        raise BadAction(f"{rules.id} has ends 0 to {num_ends(rules) - 1}, not {move.end}")
    half = move.half
    if move.tile[0] >= move.tile[1]:  # a double joins by its half 0; 3|1 is the tile 1|3
        half = 0 if move.tile[0] == move.tile[1] else 1 - half
    return (tile_number(rules, move.tile) * num_ends(rules) + move.end) * 2 + half


def tile_number(rules: Rules, tile: tuple[int, int]) -> int:
    """The number of a tile in its set: 0|0, 0|1, ... 1|1, 1|2, ..."""
    if len(tile) != 2 or not all(map(is_whole, tile)):
        raise BadAction(f"a tile has two numbers, like (3, 5); not {tile!r}")
    low, high = sorted(tile)
    if not 0 <= low <= high <= rules.max_pip:
        raise BadAction(f"{rules.set} has no tile {low}|{high}")
    return low * (rules.max_pip + 1) - low * (low - 1) // 2 + high - low


def _plays(rules: Rules) -> int:
    return rules.num_tiles * num_ends(rules) * 2
