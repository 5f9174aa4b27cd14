"""Where lines of tiles fold, so that tiles come out as large as the picture allows.

How wide the table is depends on the shape of the picture, on what else is in it, and on how many
tiles lie on the table. It widens in a few steps as tiles are laid, and never narrows in a round. So
a line stays as it lies for many moves, and equal positions give equal pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import isfinite, sqrt
from typing import Any, NamedTuple

from domino_env.errors import BadOption
from domino_env.render.scene import INNER, OUTER
from domino_env.render.theme import MARGIN as FELT_MARGIN

ASPECT = 1.5  # width by height of the usual picture
_FLATTEST = 4.0  # a wider picture is laid out as this one, and a higher one as its inverse
MARGIN = 1.0  # round a scene
_EDGES = 2 * (MARGIN + FELT_MARGIN)  # what a picture has round its scene, both sides together
_LEAST_AREA = 29.8 * 19.8  # of a whole picture, in halves: in a smaller one tiles are too large
_LEAST_TABLE_AREA = 17.0 * 11.3  # the same of a table alone
_STEP = 1.12  # from one width to the next
NARROWEST = 8  # halves
ROW_ACROSS, ROW_DOWN = 2.4, 1.6  # what a tile of a puzzle's row takes

SMALL = 0.55  # tiles of the others, and of the boneyard
PITCH = 1.15  # from tile to tile in a hand, in tiles
TEXT_LINE = 0.9  # the height of names and notes
TITLE = 1.2
BESIDE, BELOW = 1.5, 0.4  # from one hand to the next
NAME_SPACE = TEXT_LINE + 0.2  # what a name takes above its hand
_NAME_WIDTH = 9.0  # as wide as most names

# The area for each tile, in halves.
_IN_LINE = 4.1  # lines lie side by side
_IN_CROSS = 6.0  # lines in four directions
_IN_TREE = 9.0  # needs space to grow
_IN_FEET = 12.0  # with three ends for each double
_OVERHANG = 5.0  # trees reach a tile or two beyond their edge where they must
_NO_EDGE = 200  # quarters; lines that fold at the sides need no other edge


class Fold(NamedTuple):
    """The edges of a table of straight tiles: how far from its middle, in quarters of a tile."""

    right: int
    down: int
    row: int = 0
    """Of a puzzle's row: how many tiles lie side by side."""

    @property
    def in_rows(self) -> bool:
        """Do lines fold at the left and right edges only?"""
        return self.down == _NO_EDGE


class Grid(NamedTuple):
    """How the tiles of a hand are laid out: so many in a line, and the size of all of it."""

    in_line: int
    width: float
    height: float


class Strip(NamedTuple):
    """The measures of a hand: how many tiles, how large, and the width of the name above them."""

    tiles: int
    size: float
    named: float
    curved: bool

    def extent(self, width: float) -> tuple[float, float]:
        """Its width and height where lines may be so wide."""
        grid = grid_of(self.tiles, self.size, width, self.curved)
        return max(self.named, grid.width), NAME_SPACE + grid.height


def tile_size(curved: bool) -> tuple[float, float]:
    """Width and height of a tile in a hand: straight tiles stand upright."""
    return (OUTER * 1.7321, OUTER - INNER / 2) if curved else (1.0, 2.0)


def grid_of(tiles: int, size: float, width: float, curved: bool) -> Grid:
    """How so many tiles are laid out in lines no wider than this."""
    wide, high = tile_size(curved)
    across, down = size * (wide + PITCH - 1), size * (high + PITCH - 1)
    in_line = max(1, int((width + 0.01) // across))
    lines = max(1, -(-tiles // in_line))
    return Grid(in_line, across * min(tiles, in_line), lines * down)


def packed(strips: list[Strip], width: float) -> Iterator[tuple[float, float, float]]:
    """For each hand, side by side in lines no wider than this: its left, its top and its bottom."""
    right = down = deepest = 0.0
    for strip in strips:
        wide, high = strip.extent(width)
        if right and right + wide > width:
            right, down, deepest = 0.0, down + deepest, 0.0
        yield right, down, down + high
        right, deepest = right + wide + BESIDE, max(deepest, high + BELOW)


def height_beside(strips: list[Strip], own: Strip, width: float) -> float:
    """The height of all hands, and of the gaps to the table."""
    others = max((low for _, _, low in packed(strips, width)), default=0.0)
    return others + 0.5 + 0.5 + own.extent(width)[1]


def checked_aspect(aspect: float) -> float:
    """The aspect to lay out for: refused if it is no such number, and brought within limits."""
    if not (isinstance(aspect, (int, float)) and isfinite(aspect) and aspect > 0):
        raise BadOption(f"aspect must be a width by a height, above 0, not {aspect!r}")
    return min(max(float(aspect), 1 / _FLATTEST), _FLATTEST)


def least_width(aspect: float, table_only: bool) -> float:
    """The least width of a scene in a picture of this shape: few tiles are not drawn too large."""
    return sqrt((_LEAST_TABLE_AREA if table_only else _LEAST_AREA) * aspect) - _EDGES


def height_of(width: float, aspect: float) -> float:
    """The height of a scene so wide in a picture of this shape."""
    return (width + _EDGES) / aspect - _EDGES


def width_of(height: float, aspect: float) -> float:
    """The width of a scene so high in a picture of this shape."""
    return (height + _EDGES) * aspect - _EDGES


def is_tree(rules: Any) -> bool:
    """May doubles open more ends than the one that they are laid on?"""
    return bool(rules.layout.doubles != "through")


def _space(rules: Any) -> float:
    """The area for each tile."""
    if rules.layout.doubles == "foot":
        return _IN_FEET
    return _IN_CROSS if _is_cross(rules) else _IN_TREE if is_tree(rules) else _IN_LINE


def _is_cross(rules: Any) -> bool:
    """Do lines go in all directions from the middle?"""
    return bool(rules.layout.arms not in ("one", "two"))


def fold_of(
    rules: Any,
    players: int,
    laid: int,
    aspect: float,
    table_only: bool,
    widest: float | None = None,
) -> Fold:
    """Where lines fold.

    Args:
        rules: of a game of straight tiles.
        players: whose hands are in the picture.
        laid: how many tiles lie on the table.
        aspect: width by height of the picture.
        table_only: is the table all there is in it?
        widest: how many halves a line may be long at most, whatever the aspect.
    """
    space = _space(rules)
    hand = rules.hand_size_for(players)
    sizes = _sizes(rules.num_tiles, players, hand, space, aspect, table_only)
    width, height = sizes[min(laid, len(sizes) - 1)]
    in_rows = not is_tree(rules) and not _is_cross(rules)
    if widest is not None:
        most = max(NARROWEST, widest - (0 if in_rows else _OVERHANG))
        width, height = min(width, most), 2 * height * max(1, width / most)  # it can be scrolled
    return Fold(int(width), _NO_EDGE if in_rows else int(max(NARROWEST, height)))


def row_of(tiles: int, aspect: float, table_only: bool, widest: float | None = None) -> Fold:
    """Where a puzzle's row folds, so that all the tiles that it begins with come out large."""
    heading = 0 if table_only else TITLE + 1

    def room(row: int) -> float:
        width, height = ROW_ACROSS * row, ROW_DOWN * -(-tiles // row) + heading
        return max((width + _EDGES) / aspect, height + _EDGES)

    most = tiles if widest is None else max(1, min(tiles, int(widest / ROW_ACROSS)))
    return Fold(0, 0, min(range(most, 0, -1), key=room))


@lru_cache(maxsize=256)
def _sizes(
    tiles: int, players: int, hand: int, space: float, aspect: float, table_only: bool
) -> tuple[tuple[float, float], ...]:
    """The width and height of the table for each number of tiles on it, never less than for fewer.
    Hands count as they were dealt, so that draws change nothing."""
    width, found = least_width(aspect, table_only), []
    height, steps = -1.0, 0
    for laid in range(tiles + 1):
        boneyard = max(0, tiles - laid - players * hand)
        while height < 0 or width * height < space * laid:
            width = (width + _EDGES) * _STEP - _EDGES if steps else width
            height = height_of(width, aspect)
            height -= 0 if table_only else _height_of_hands(players, hand, boneyard, width)
            steps += 1
        found.append((width, height))
    return tuple(found)


def as_dealt(rules: Any, players: int) -> list[Strip]:
    """The measures of the others' hands, the boneyard if there is one, and one's own, as dealt."""
    hand, curved = rules.hand_size_for(players), rules.layout.tiles == "curved"
    boneyard = rules.num_tiles - players * hand
    strips = [Strip(hand, SMALL, _NAME_WIDTH, curved)] * (players - 1)
    strips += [Strip(boneyard, SMALL, _NAME_WIDTH, curved)] if boneyard > 0 else []
    return [*strips, Strip(hand, 1.0, _NAME_WIDTH, curved)]


def _height_of_hands(players: int, hand: int, boneyard: int, width: float) -> float:
    others = [Strip(hand, SMALL, _NAME_WIDTH, False)] * (players - 1)
    others += [Strip(boneyard, SMALL, _NAME_WIDTH, False)] if boneyard else []
    return TITLE + 0.5 + height_beside(others, Strip(hand, 1.0, _NAME_WIDTH, False), width)
