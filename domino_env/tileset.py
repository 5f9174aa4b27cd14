"""Sets of tiles: what a half can show, and which tiles there are.

A double-n set has every pair of the numbers 0 to n. Other sets are lists of tiles, written as the
table in `games/fundomino.tiles` is: first half | second half, where a digit is a number in its own
colour, `>4` is PLAY AGAIN in the colour of 4, `+4` is DRAW in the colour of 4, and `*` is a star
that matches every colour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from domino_env.errors import BadRules

WILD = -1
NO_EFFECT, DRAW_ONE, PLAY_AGAIN = range(3)
ACTION_PIPS, STAR_PIPS = 10, 20  # FN2
_SYMBOL = re.compile(r"(?P<sign>[>+]?)(?P<number>\d{1,2})|(?P<star>\*)")


@dataclass(frozen=True)
class Value:
    """What a half can show: a number, or a symbol. Halves of one colour match."""

    text: str
    colour: int  # WILD: matches every colour
    pips: int
    effect: int = NO_EFFECT

    @property
    def is_number(self) -> bool:
        """Is it a plain number?"""
        return self.colour != WILD and self.effect == NO_EFFECT

    @property
    def face(self) -> int | str:
        """As a tile names it: a number, or the text of a symbol."""
        return self.pips if self.is_number else self.text

    @property
    def asks(self) -> int | str:
        """What must match it where it is an end: a colour, by its number, or "*"."""
        return self.text if self.colour == WILD else self.colour

    def matches(self, other: Value) -> bool:
        """Do the two halves match by colour?"""
        return WILD in (self.colour, other.colour) or self.colour == other.colour


@dataclass(frozen=True)
class TileSet:
    """The tiles of a game, and the values that their halves show."""

    values: tuple[Value, ...]
    tiles: tuple[tuple[int, int], ...]
    """For each tile the places of its first and second half in `values`."""

    def halves(self, tile: int) -> tuple[Value, Value]:
        """What a tile shows."""
        first, second = self.tiles[tile]
        return self.values[first], self.values[second]

    def pips(self, tile: int) -> int:
        """What a tile counts in a hand."""
        first, second = self.halves(tile)
        return first.pips + second.pips

    def is_double(self, tile: int) -> bool:
        """Do both halves show the same?"""
        first, second = self.tiles[tile]
        return first == second

    @cached_property
    def num_doubles(self) -> int:
        """How many of the tiles are doubles."""
        return sum(map(self.is_double, range(len(self.tiles))))

    @cached_property
    def faces(self) -> list[tuple[int | str, int | str]]:
        """For each tile what its halves show, numbers as numbers and symbols as texts."""
        return [
            (first.face, second.face) for first, second in map(self.halves, range(len(self.tiles)))
        ]

    @cached_property
    def _numbers(self) -> dict[frozenset[int | str], int]:
        return {frozenset(faces): number for number, faces in enumerate(self.faces)}

    def number(self, first: int | str, second: int | str) -> int | None:
        """The number of the tile that shows these, either half first; None if there is none."""
        return self._numbers.get(frozenset((first, second)))

    def named(self, name: str) -> int | None:
        """The number of a tile by its name, like "2|2" or ">4|1"; None if there is none."""
        values = [value for part in name.split("|") if (value := read_value(part)) is not None]
        return self.number(*(value.face for value in values)) if len(values) == 2 else None

    def opening_ranks(self, *, lowest: bool) -> list[int]:
        """For each tile how good it is to open with, 0 the best: doubles of numbers, then tiles of
        two numbers, then the rest, each by total and higher half (G2, FN3); or the lowest double
        first of all."""

        def order(tile: int) -> tuple[bool, bool, int, int]:
            halves = self.halves(tile)
            pips = [value.pips for value in halves]
            sign = -1 if lowest and self.opens(tile) else 1
            numbers = all(value.is_number for value in halves)
            return (self.opens(tile), numbers, sign * sum(pips), sign * max(pips))

        orders = [order(tile) for tile in range(len(self.tiles))]
        best_first = sorted({*orders}, reverse=True)
        return [best_first.index(order) for order in orders]

    def opens(self, tile: int) -> bool:
        """Is it a double of numbers?"""
        return self.is_double(tile) and self.halves(tile)[0].is_number

    def follow(self, tile: int) -> list[int]:
        """The tiles that match a half of this one."""
        return [
            other
            for other in range(len(self.tiles))
            if other != tile
            and any(own.matches(half) for own in self.halves(tile) for half in self.halves(other))
        ]

    @property
    def has_effects(self) -> bool:
        """Are there halves that do something when they become an open end?"""
        return any(value.effect != NO_EFFECT for value in self.values)


@lru_cache(maxsize=32)
def double_set(highest: int) -> TileSet:
    """Every pair of the numbers from 0 to the highest, the lower one first."""
    numbers = range(highest + 1)
    values = tuple(Value(str(number), number, number) for number in numbers)
    return TileSet(
        values, tuple((low, high) for low in numbers for high in range(low, highest + 1))
    )


def read_tiles(file: Path) -> tuple[str, ...]:
    """The tiles that a file lists, with `#` before comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(tile for line in lines for tile in line.partition("#")[0].split())


@lru_cache(maxsize=32)
def listed_set(tiles: tuple[str, ...]) -> TileSet:
    """A set written tile by tile, like `"1|5"`, `">6|1"` or `"*|3"`."""
    written = [_halves(tile) for tile in tiles]
    values = sorted({value for halves in written for value in halves}, key=_order)
    _refuse_twins(tiles, written)
    return TileSet(tuple(values), tuple((values.index(a), values.index(b)) for a, b in written))


def _refuse_twins(tiles: Sequence[str], written: Sequence[tuple[Value, Value]]) -> None:
    seen: set[frozenset[Value]] = set()
    for tile, halves in zip(tiles, written, strict=True):
        if frozenset(halves) in seen:
            raise BadRules(f"tiles lists {tile!r} twice")
        seen.add(frozenset(halves))


def _order(value: Value) -> tuple[bool, int, int]:
    return (value.colour == WILD, value.effect, value.colour)


def _halves(tile: str) -> tuple[Value, Value]:
    parts = tile.split("|") if isinstance(tile, str) else []
    found = [value for part in parts if (value := read_value(part.strip())) is not None]
    if len(parts) != 2 or len(found) != 2:
        raise BadRules(f"tiles are written like '1|5', '>6|1', '+3|6' or '*|3'; {tile!r} is not")
    return found[0], found[1]


def read_value(text: str) -> Value | None:
    """What a half shows that is written so; None if it is written wrongly."""
    found = _SYMBOL.fullmatch(text)
    if found is None:
        return None
    if found["star"]:
        return Value("*", WILD, STAR_PIPS)
    number = int(found["number"])
    if found["sign"] == ">":
        return Value(f">{number}", number, ACTION_PIPS, PLAY_AGAIN)
    if found["sign"] == "+":
        return Value(f"+{number}", number, ACTION_PIPS, DRAW_ONE)
    return Value(str(number), number, number)
