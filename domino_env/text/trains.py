"""Trains as they are called: "my train", "the Mexican train", "seat 2's train"."""

from __future__ import annotations

import re
from collections.abc import Sequence

MINE, ALL = "mine", "all"

_OWN = (("my",), ("own",), ("my", "own"))
_OF_ALL = tuple((word,) for word in ("mexican", "everybody's", "everyone's", "public", "common"))
_NAMED = {
    **{(*words, "train"): MINE for words in _OWN},
    **{(*words, "train"): ALL for words in _OF_ALL},
    ("train", "of", "everybody"): ALL,
    ("train", "of", "everyone"): ALL,
}
_LONGEST = 6
BEGUN = {"the", "a", "seat", *(words[0] for words in _NAMED)}
"""The words that the name of a train may begin with."""


def train_at(texts: Sequence[str]) -> tuple[str, int]:
    """The train that some words begin with, and how many of them name it; none: "" and 0. A seat's
    is called by its number alone."""
    skipped = 1 if texts[:1] and texts[0] in ("the", "a") else 0
    said = tuple(texts[skipped : skipped + _LONGEST])
    for words, train in _NAMED.items():
        if said[: len(words)] == words:
            return train, skipped + len(words)
    return _of_seat(said, skipped)


def _of_seat(said: tuple[str, ...], skipped: int) -> tuple[str, int]:
    """ "seat 2's train", "train of seat 2"."""
    if said[:1] == ("seat",) and len(said) > 2 and said[1].isdigit():
        after = 3 if said[2] == "s" else 2
        if said[after : after + 1] == ("train",):
            return str(int(said[1])), skipped + after + 1
    if said[:3] == ("train", "of", "seat") and len(said) > 3 and said[3].isdigit():
        return str(int(said[3])), skipped + 4
    return "", 0


SPOKEN = (
    r"(?:my|own|my own|the mexican|mexican|everybody's|everyone's|public|common"
    r"|seat \d+(?:'s)?)(?: train)?|(?:the )?train of (?:seat \d+|everybody|everyone)"
)
"""How an object may name a train, as a regular expression."""
_SHORT = re.compile(r"mine|everybody|everyone")


def spoken(said: str) -> str:
    """A train of an object as a sentence has it; empty if it is none."""
    text = " ".join(said.lower().split()).removeprefix("on ").removeprefix("the ")
    if _SHORT.fullmatch(text):
        return "on my train" if text == "mine" else "on the mexican train"
    if not re.fullmatch(SPOKEN, text):
        return ""
    return f"on {text}" if "train" in text else f"on {text} train"
