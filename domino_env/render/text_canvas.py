"""A canvas of characters, for frames and dots too; where frames meet, their lines join."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

UP, RIGHT, DOWN, LEFT = range(4)
LIGHT, HEAVY = 1, 2
STYLES = {"": "", "bold": "\x1b[1m", "last": "\x1b[1;33m", "lit": "\x1b[1;36m", "dim": "\x1b[2m"}
PLAIN = "\x1b[0m"

_SIDES: dict[str, tuple[int, ...]] = {
    "UP": (UP,),
    "RIGHT": (RIGHT,),
    "DOWN": (DOWN,),
    "LEFT": (LEFT,),
    "VERTICAL": (UP, DOWN),
    "HORIZONTAL": (LEFT, RIGHT),
}
_WEIGHTS = {"LIGHT": LIGHT, "HEAVY": HEAVY}
# The dots of a letter of braille, two across and four down.
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def _junctions() -> Iterator[tuple[tuple[int, ...], str]]:
    """Every box-drawing character of light and heavy lines, by the weights of its four arms."""
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code)).removeprefix("BOX DRAWINGS ").split()
        if not set(words) - {*_SIDES, *_WEIGHTS, "AND"}:
            yield _arms(words), chr(code)


def _arms(words: Sequence[str]) -> tuple[int, ...]:
    """ "DOWN HEAVY AND RIGHT LIGHT", or "LIGHT DOWN AND RIGHT": the weight may come first."""
    arms, weight = [0, 0, 0, 0], 0
    waiting: list[int] = []
    for word in words:
        waiting += _SIDES.get(word, ())
        weight = _WEIGHTS.get(word, weight if words[0] in _WEIGHTS else 0)
        if weight:
            for side in waiting:
                arms[side] = weight
            waiting = []
    return tuple(arms)


JUNCTIONS = dict(_junctions())


class TextCanvas:
    """Rows and columns of characters. Text covers frames, and frames cover dots."""

    def __init__(self) -> None:
        self.letters: dict[tuple[int, int], str] = {}
        self.frames: dict[tuple[int, int], list[int]] = {}
        self.dots: dict[tuple[int, int], int] = {}
        self.styles: dict[tuple[int, int], str] = {}

    def write(self, row: int, column: int, text: str, style: str = "") -> None:
        """Writes text from a place to the right."""
        for step, letter in enumerate(text):
            self.letters[row, column + step] = letter
            self._style(row, column + step, style)

    def has_room(self, row: int, column: int, text: str) -> bool:
        """Can it be written without covering anything?"""
        places = [(row, column + step) for step in range(-1, len(text) + 1)]
        taken = any(place in self.letters for place in places)
        return not taken and not any(place in self.frames for place in places[1:-1])

    def frame(
        self, row: int, column: int, rows: int, columns: int, weight: int, style: str
    ) -> None:
        """Draws a box; where it meets others, their lines join."""
        for right in range(columns):
            for down in (row, row + rows):
                self._line(down, column + right, RIGHT, weight, style)
                self._line(down, column + right + 1, LEFT, weight, style)
        for down in range(rows):
            for right in (column, column + columns):
                self._line(row + down, right, DOWN, weight, style)
                self._line(row + down + 1, right, UP, weight, style)

    def dot(self, down: int, right: int, style: str) -> None:
        """Sets a dot; a character has four rows of two."""
        row, column = down // 4, right // 2
        self.dots[row, column] = self.dots.get((row, column), 0) | _DOTS[down % 4][right % 2]
        self._style(row, column, style)

    def lines(self, colour: bool) -> list[str]:
        """The canvas as text."""
        taken = {*self.letters, *self.frames, *self.dots}
        if not taken:
            return []
        rows, columns = [row for row, _ in taken], [column for _, column in taken]
        across = range(min(columns), max(columns) + 1)
        return [self._text(row, across, colour) for row in range(min(rows), max(rows) + 1)]

    def _line(self, row: int, column: int, side: int, weight: int, style: str) -> None:
        arms = self.frames.setdefault((row, column), [0, 0, 0, 0])
        arms[side] = max(arms[side], weight)
        self._style(row, column, style)

    def _style(self, row: int, column: int, style: str) -> None:
        if style:
            self.styles[row, column] = style

    def _text(self, row: int, columns: range, colour: bool) -> str:
        text, before = "", ""
        for column in columns:
            style = self.styles.get((row, column), "") if colour else ""
            if style != before:
                text += (PLAIN if before else "") + STYLES[style]
            text, before = text + self._letter((row, column)), style
        return text.rstrip() + (PLAIN if before else "")

    def _letter(self, place: tuple[int, int]) -> str:
        if place in self.letters:
            return self.letters[place]
        if place in self.frames:
            return JUNCTIONS[tuple(self.frames[place])]
        return chr(0x2800 + self.dots[place]) if place in self.dots else " "
