"""The errors the library raises on purpose. Each says what was expected, what came, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Integral
from typing import Any


class DominoError(ValueError):
    """The base class: `except DominoError` catches whatever this library refuses."""


class UnknownVariant(DominoError):
    """No game has that id."""


class BadRules(DominoError):
    """A `Rules` that cannot be built: an impossible option, or parts that do not fit together."""


class BadOption(DominoError):
    """An option of a batch or an environment that is out of its range."""


class BadDeal(DominoError):
    """A given deal that is malformed, or that the rules would deal again; or rules under which no
    deal can be played."""


class BadAction(DominoError):
    """Actions of the wrong shape or type, or outside the action space."""


class IllegalMove(DominoError):
    """An action of the action space that is not legal now. Nothing has changed."""

    reason: str = ""
    """What is wrong with it, without a word of what would be legal; of moves read from text."""


class NotAMove(DominoError):
    """Text in which no move, or more than one, can be read. Nothing has changed."""

    reason: str = ""
    """What is wrong with it, without a word of what would be legal."""


class NotReset(DominoError):
    """A step, sample or position asked for before the first `reset`."""


class GameOver(DominoError):
    """A step after the end, without autoreset."""


class BadSave(DominoError):
    """Bytes given to `restore` that this batch did not write."""


class InUse(DominoError):
    """A batch that another thread is using at this moment."""


class BadRecord(DominoError):
    """A record that is damaged, or of a game that cannot have been played that way."""


class BadDataset(DominoError):
    """A data set that is damaged or incomplete."""


class TooUncertain(DominoError):
    """A belief that cannot be sampled: too few deals agree with what a seat has seen."""


def is_whole(value: Any) -> bool:
    """Is this a whole number, of Python's or of NumPy's? True and False are none."""
    if value.__class__ is int:  # which takes a tenth of the time to find out
        return True
    return isinstance(value, Integral) and not isinstance(value, bool)


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """`; did you mean 'all_fives'?`, or the whole list where nothing is near."""
    names = sorted(known)
    near = get_close_matches(word, names, n=1) if isinstance(word, str) else []
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; choose one of {', '.join(names)}"
