"""Events as words of the log: `kind | seat << 5 | tile << 9 | end << 17 | half << 25`.

A seat has four bits: eight can play, and a start tile is nobody's. Only this module knows where the
parts of a word lie. In kernels words have a sign, as `information_set.word_at` reads them.
"""

from __future__ import annotations

from domino_env.compiling import small

SEAT, TILE, END, HALF = 5, 9, 17, 25  # the lowest bit of each part; a kind begins at 0


@small
def packed(kind: int, seat: int, tile: int, end: int, half: int) -> int:
    """An event as a word."""
    return kind | seat << SEAT | tile << TILE | end << END | half << HALF


@small
def kind_of(word: int) -> int:
    """What happened: see the events in `state`."""
    return word & 31


@small
def seat_of(word: int) -> int:
    """Who did it, or NOBODY."""
    return word >> SEAT & 15


@small
def tile_of(word: int) -> int:
    """Which tile it was done with."""
    return word >> TILE & 255


@small
def end_of(word: int) -> int:
    """The end that a tile was played on; why one was drawn; out of whose hand one was taken."""
    return word >> END & 255


@small
def half_of(word: int) -> int:
    """The half by which a tile was joined."""
    return word >> HALF & 15


@small
def with_tile(word: int, tile: int) -> int:
    """The same event with another tile."""
    return (word & ~(255 << TILE)) | tile << TILE
