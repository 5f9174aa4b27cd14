"""Terms spelled out as bytes: numbers in their digits, and texts as they stand in a table."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.protocol.terms import NOT_NUMBERS, NUMBER, WIDTH, Terms

Line: TypeAlias = npt.NDArray[np.int64]  # terms, one after the other
Page: TypeAlias = npt.NDArray[np.uint8]  # bytes

ZERO, MINUS = 48, 45
TEN = np.uint64(10)


@kernel
def spell(terms: Terms, line: Line, size: int, page: Page, at: int) -> int:
    """Writes the first terms of a line from a place of the page on, where there must be room for so
    many of the longest; the place behind them. Of a text all its room in the table is copied, and
    what comes next is written over the rest: its length need not be guessed."""
    for place in range(np.uint64(size)):
        term = line[place]
        if term > NOT_NUMBERS:
            at = spell_number(int(term) - NUMBER, page, at)
        else:
            for offset in range(WIDTH):
                page[np.uint64(at + offset)] = terms.texts[np.uint64(term), np.uint64(offset)]
            at += int(terms.lengths[np.uint64(term)])
    return at


@small
def spell_number(number: int, page: Page, at: int) -> int:
    """Writes a whole number; the place behind it."""
    if number < 0:
        page[at] = MINUS
        at, number = at + 1, -number
    left, digits = np.uint64(number) // TEN, 1
    while left > 0:
        left, digits = left // TEN, digits + 1
    left = np.uint64(number)
    for place in range(at + digits - 1, at - 1, -1):
        page[place] = np.uint64(ZERO) + left % TEN
        left //= TEN
    return at + digits
