"""Splits what somebody has answered into tokens: tiles, numbers, words and breaks.

It knows how tiles are written ("[3|5]", "5-3", "3:5", "(3, 5)", "double six", "🀹"), and nothing of
what may be said of them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

MOST_CHARACTERS = 20_000  # of an answer: its last ones, for the last statement counts
MOST_KEPT = 4096  # tokens that are remembered

_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)
NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS)}
HALVES = {**NUMBERS, "blank": "0", "ace": "1"}

# Other signs for what is written "-", "|", ":" and "→".
_SIGNS = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("│┃∣❘｜¦‖║⎮︱", "|"),
    **dict.fromkeys("：∶﹕", ":"),
    **dict.fromkeys("／⁄∕", "/"),
    **dict.fromkeys("➔➜➝➞➡⟶⇒⇨↦⟹►▶", "→"),
    **dict.fromkeys("‘’ʼ´", "'"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("\u00a0\u2009\u202f\u200a\u2003\t", " "),
    **dict.fromkeys("\u200b\ufe0f\ufeff\u2060\u00ad\r", ""),
    "…": ".",
}


def _domino_glyphs() -> dict[str, str]:
    """The dominoes of Unicode, lying and upright."""
    found = {}
    for first, high in ((0x1F031, 7), (0x1F063, 7)):
        for number in range(high * high):
            found[chr(first + number)] = f" [{number // 7}|{number % 7}] "
    return found


_TRANSLATED = str.maketrans({**_SIGNS, **_domino_glyphs()})

_HALF = r"(?:[>+]?\d{1,3}|\*|" + "|".join(HALVES) + ")"
_GAP = r"[ ]{0,2}"
_LETTER = r"[a-z\u00df-\u024f]"
_TOKEN = re.compile(
    rf"""
    [ ]*(?:
      (?P<word>(?!double|{"|".join(HALVES)}){_LETTER}[\w'\u00df-\u024f]*)
    | (?P<arrow>→|[-=]+>)
    | (?P<tile>
          (?<![\w|\-+>])(?<!\d[:./,])[\[(]?{_GAP}
          (?P<first>{_HALF}){_GAP}[|:/\-]{_GAP}(?P<second>{_HALF}){_GAP}[\])]?
          (?!\w|\.\d|{_GAP}[|:/\-]{_GAP}\d)
        | (?<!\w)[\[(]{_GAP}(?P<left>{_HALF}){_GAP},{_GAP}(?P<right>{_HALF}){_GAP}[\])](?!\w)
        | (?<!\w)double[ -]?(?P<double>{_HALF})(?!\w|{_GAP}[|:/\-]{_GAP}\d)
      )
    | (?P<skip>(?:[ "`\[\]{{}}~]|=(?!=*>))+)
    | (?P<bad>-\d+ | \d+(?:[a-z_]\w*|\.\d+) | [>+]\d+\w*[a-z]\w* | \+(?!\d) | \d{{4,}})
    | (?P<number>[>+]?\d+ | \*)
    | (?P<half>{_LETTER}[\w'\u00df-\u024f]*)
    | (?P<stop>[.!?;]+(?=[\s"')\]]|$) | \n+ | [.!?;]+)
    | (?P<comma>[,:()\-]+ | /)
    | (?P<other>.)
    )
    """,
    re.VERBOSE,
)
_KINDS = {
    number: {"half": "word", "skip": "", "other": ""}.get(name, name)
    for name, number in _TOKEN.groupindex.items()
}
"""What each group of the expression is; a word that may begin a tile is a word where it does not,
and what is passed over is nothing."""


_ONE_WORD = re.compile(r"\b(counter|anti)[- ]clockwise\b")


class Token(NamedTuple):
    """A token: its kind, and its text; of a tile the texts of both halves."""

    kind: str
    """"tile", "number", "word", "arrow", "comma", "stop" (the end of a sentence), "bad"."""
    text: str
    first: str = ""
    second: str = ""


def normalised(answer: str) -> str:
    """The same in small letters and plain signs, without the marks of Markdown."""
    text = answer[-MOST_CHARACTERS:]
    if not text.replace("→", "").isascii():  # our own arrow is plain enough
        text = unicodedata.normalize("NFKC", text.translate(_TRANSLATED)).translate(_TRANSLATED)
    else:
        text = text.replace("\t", " ").replace("\r", "")
    text = text.lower()
    if "clockwise" in text:
        text = _ONE_WORD.sub(r"\1clockwise", text)
    return text.replace("**", " ").replace("__", " ")


def tokens_of(text: str) -> list[Token]:
    """The tokens of a normalised text."""
    found = []
    for match in _TOKEN.finditer(text):
        number = match.lastindex or 0
        kind = _KINDS[number]
        if kind == "tile":
            found.append(_tile(*match.group(*_TILE)))
        elif kind:
            found.append(_token(kind, match[number]))
    return found


_TILE = ("first", "second", "left", "right", "double")


@lru_cache(MOST_KEPT)
def _token(kind: str, text: str) -> Token:
    return Token(kind, text)


@lru_cache(MOST_KEPT)
def _tile(first: str, second: str, left: str, right: str, double: str) -> Token:
    one, two = _half(first or left or double), _half(second or right or double)
    return Token("tile", f"[{one}|{two}]", one, two)


def _half(text: str) -> str:
    if text in HALVES:
        return HALVES[text]
    sign = text[0] if text[0] in ">+*" else ""
    digits = text[len(sign) :]
    return sign + (str(int(digits)) if digits else "")
