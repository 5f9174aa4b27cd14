"""Answers of the common form, read by compiled code, with blanks or without:
`{"type":"move","request":7,"moves":[{"game":3,"id":17},{"game":8,"id":2}]}`.

Whatever has other fields, another order or anything odd is left to the reader of all JSON.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.state import Numbers
from domino_env.protocol.composing import COMPILED as COMPILED

Text: TypeAlias = npt.NDArray[np.uint8]

ODD = -1
MOST_DIGITS = 18
ZERO, NINE, QUOTE, BLANK = b'09" '


def _text(said: bytes) -> Text:
    """What must come next in a line; there may be blanks before each mark in it, and behind it."""
    return np.frombuffer(said, np.uint8)


TYPE, MOVE, REQUEST = _text(b'{"type":'), _text(b'"move",'), _text(b'"request":')
MOVES, GAME, ID = _text(b',"moves":['), _text(b'{"game":'), _text(b',"id":')
COMMA, CLOSE, END = _text(b","), _text(b"}"), _text(b"]}")


def common_moves(line: bytes, request: int, most: int) -> dict[int, int] | None:
    """The ids of the moves by the numbers of the games, in an answer to a request about so many
    games; None if the line is not of the common form, or names a game twice."""
    games, ids = np.empty((2, most), np.int64)
    size = read_moves(np.frombuffer(line, np.uint8), request, games, ids) if line else ODD
    found = dict(zip(games[:size].tolist(), ids[:size].tolist(), strict=True))
    return found if len(found) == size else None


@kernel
def read_moves(line: Text, request: int, games: Numbers, ids: Numbers) -> int:
    """Reads the games and ids of a line; how many, or ODD."""
    at = behind(line, behind(line, behind(line, 0, TYPE), MOVE), REQUEST)
    number, at = number_at(line, at)
    at = behind(line, at, MOVES) if number == request else ODD
    found = 0
    while at != ODD and found < len(games):
        games[found], at = number_at(line, behind(line, at, GAME))
        ids[found], at = number_at(line, behind(line, at, ID))
        at = behind(line, at, CLOSE)
        found += 1
        further = behind(line, at, COMMA)
        if further == ODD:
            is_whole = behind(line, at, END) == len(line)
            return found if is_whole else ODD
        at = further
    return ODD


@kernel
def behind(line: Text, at: int, text: Text) -> int:
    """The place behind a text that comes next in a line, and behind the blanks that follow it; ODD
    if something else comes. There may be blanks before its marks too, though not within a word."""
    if at == ODD:
        return ODD
    in_word = False
    for place in range(len(text)):
        if not in_word:
            at = behind_blanks(line, at)
        if at >= len(line) or line[at] != text[place]:
            return ODD
        at += 1
        in_word ^= text[place] == QUOTE
    return behind_blanks(line, at)


@small
def behind_blanks(line: Text, at: int) -> int:
    """The place of the next byte that is no blank."""
    while at < len(line) and line[at] == BLANK:
        at += 1
    return at


@kernel
def number_at(line: Text, at: int) -> tuple[int, int]:
    """The whole number that comes next, as JSON has it, and the place behind it; or ODD as that."""
    if at == ODD:
        return 0, ODD
    number, first = 0, at
    while at < len(line) and ZERO <= line[at] <= NINE:
        number = 10 * number + int(line[at]) - ZERO
        at += 1
    digits = at - first
    if digits == 0 or digits > MOST_DIGITS or (digits > 1 and line[first] == ZERO):
        return 0, ODD
    return number, at
