"""Splits what somebody has answered into tokens: tiles, numbers, words and breaks.

It knows how tiles are written ("[3|5]", "5-3", "3:5", "(3, 5)", "double six", "🀹"), and nothing of
what may be said of them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

MOST_CHARACTERS = 20_000  # of an answer: its last ones, for the last statement counts

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
_TOKEN = re.compile(
    rf"""
      (?P<arrow>→|[-=]+>)
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
    | (?P<word>[a-z\u00df-\u024f][\w'\u00df-\u024f]*)
    | (?P<stop>[.!?;]+(?=[\s"')\]]|$) | \n+ | [.!?;]+)
    | (?P<comma>[,:()\-]+ | /)
    | (?P<other>.)
    """,
    re.VERBOSE,
)


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
    text = _ONE_WORD.sub(lambda found: f"{found[1]}clockwise", text.lower())
    return text.replace("**", " ").replace("__", " ")


def tokens_of(text: str) -> list[Token]:
    """The tokens of a normalised text."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        kind = "tile" if match["tile"] is not None else kind
        if kind == "tile":
            found.append(_tile(match))
        elif kind not in ("skip", "other"):
            found.append(Token(kind, match[0]))
    return found


def _tile(match: re.Match[str]) -> Token:
    first = match["first"] or match["left"] or match["double"]
    second = match["second"] or match["right"] or match["double"]
    one, two = _half(first), _half(second)
    return Token("tile", f"[{one}|{two}]", one, two)


def _half(text: str) -> str:
    if text in HALVES:
        return HALVES[text]
    sign = text[0] if text[0] in ">+*" else ""
    digits = text[len(sign) :]
    return sign + (str(int(digits)) if digits else "")
