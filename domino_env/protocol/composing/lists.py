"""Terms, numbers, tiles, and lists of them, in a line of terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, Words, lowest
from domino_env.protocol.spelling import Line
from domino_env.protocol.terms import CLOSE, COMMA, NULL, NUMBER, OPEN, TILE


@small
def put_term(line: Line, at: int, term: int) -> int:
    """One term."""
    line[np.uint64(at)] = term
    return at + 1


@small
def put_number(line: Line, at: int, number: int) -> int:
    """A whole number."""
    line[np.uint64(at)] = NUMBER + number
    return at + 1


@small
def put_named(line: Line, at: int, name: int, number: int) -> int:
    """A whole number with its name before it."""
    return put_number(line, put_term(line, at, name), number)


@small
def put_tile_or_null(line: Line, at: int, tile: int) -> int:
    """A tile; null if its number is below 0."""
    return put_term(line, at, TILE + tile if tile >= 0 else NULL)


@small
def put_number_or_null(line: Line, at: int, number: int) -> int:
    """A number; null if it is below 0."""
    if number < 0:
        return put_term(line, at, NULL)
    return put_number(line, at, number)


@small
def go_on(line: Line, first: int, at: int) -> int:
    """Goes on with a list that has begun at `first`: with a comma, unless it is empty."""
    return at if at == first else put_term(line, at, COMMA)


@small
def put_numbers(line: Line, at: int, name: int, numbers: npt.NDArray[Any], size: int) -> int:
    """The first of some numbers, without the end of the list, which the next name has in it."""
    first = at = put_term(line, at, name)
    for place in range(size):
        at = put_number(line, go_on(line, first, at), int(numbers[np.uint64(place)]))
    return at


@kernel
def put_tiles(line: Line, at: int, tiles: Words, words: int) -> int:
    """A set of tiles, by their numbers."""
    first = at
    for word in range(words):
        left = tiles[np.uint64(word)]
        while left != NONE:
            at = put_term(line, go_on(line, first, at), TILE + 64 * word + lowest(left))
            left &= left - ONE
    return at


@small
def put_seats(line: Line, at: int, seats: int, players: int) -> int:
    """A set of seats, given as bits, as a list."""
    first = at = put_term(line, at, OPEN)
    for seat in range(players):
        if seats >> seat & 1:
            at = put_number(line, go_on(line, first, at), seat)
    return put_term(line, at, CLOSE)
