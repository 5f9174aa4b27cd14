"""Conditions on settings, and `Need`: a row of the table of what fits together.

A row says that where some settings hold others must hold too, and why. Settings are named by their
path, like "draw.forced". The error of a row is made from the row:

    Need({"layout.arms": "own"}, {"layout.doubles": "through"}, "an arm with an owner ...")

    layout.arms 'own' needs layout.doubles 'through', not 'fork': an arm with an owner ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from reprlib import Repr
from typing import Any, NamedTuple, TypeAlias

from domino_env.errors import BadRules

_SHORT = Repr()  # of long lists of tiles
_SHORT.maxtuple, _SHORT.maxother, _SHORT.maxstring = 6, 100, 100


@dataclass(frozen=True)
class Values:
    """What a setting may be, other than one plain value."""

    allows: Callable[[Any], bool]
    words: str
    is_exclusion: bool = False

    def __str__(self) -> str:
        return self.words


def either(*values: Any) -> Values:
    """One of these."""
    return Values(lambda value: value in values, " or ".join(map(repr, values)))


def other_than(unwanted: Any) -> Values:
    """Anything but this."""
    return Values(lambda value: value != unwanted, f"other than {unwanted!r}", True)


def more_than(number: int) -> Values:
    """A larger number."""
    return Values(lambda value: value > number, f"more than {number}")


def factor_of(number: int) -> Values:
    """A number that divides this one."""
    return Values(lambda value: number % value == 0, f"a factor of {number}")


class Fact(NamedTuple):
    """Something that follows from settings, which a row may speak of as of a setting."""

    words: str
    read: Callable[[Any], bool]


Name: TypeAlias = str | Fact
Settings: TypeAlias = Mapping[Name, Any]
"""Names, and a value or the `Values` of each."""


class Need(NamedTuple):
    """Where all of `having` holds all of `needs` must hold, `because`."""

    having: Settings
    needs: Settings
    because: str

    def check(self, read: Callable[[Name], Any]) -> None:
        """Refuses settings, read by name, that lack what they need."""
        if _hold(self.having, read) and not _hold(self.needs, read):
            raise BadRules(self._refusal(read))

    def _refusal(self, read: Callable[[Name], Any]) -> str:
        """The error: what there is, what that needs, what came instead, and the reason."""
        having = _and(_in_words(name, read(name)) for name in self.having)
        needs = _and(settings_in_words(self.needs))
        came = _and(_text(read(name)) for name in self.needs if self._tells_what_came(name))
        several = len(self.having) > 1 or any(isinstance(name, Fact) for name in self.having)
        verb = "need" if several else "needs"
        return f"{having} {verb} {needs}{', not ' if came else ''}{came}: {self.because}"

    def _tells_what_came(self, name: Name) -> bool:
        """Does it help to say what came? Not where one value was excluded: it came."""
        return isinstance(name, str) and not getattr(self.needs[name], "is_exclusion", False)

    def names(self) -> set[str]:
        """All settings that it speaks of."""
        return {str(getattr(name, "words", name)) for name in (*self.having, *self.needs)}


def check_all(rows: Iterable[Need], owner: object, prefix: str = "") -> None:
    """Refuses an owner of settings, or a part whose names begin with the prefix, by the first row
    that it breaks."""

    def read(name: Name) -> Any:
        if isinstance(name, Fact):
            return name.read(owner)
        return _reader(name.removeprefix(prefix))(owner)

    for row in rows:
        row.check(read)


@cache
def _reader(path: str) -> attrgetter[Any]:
    return attrgetter(path)


def settings_in_words(settings: Settings) -> list[str]:
    """Each setting of a row in words: `draw.forced 'one'`."""
    return [_in_words(name, wanted) for name, wanted in settings.items()]


def _hold(settings: Settings, read: Callable[[Name], Any]) -> bool:
    for name, wanted in settings.items():
        value = read(name)
        if not (wanted.allows(value) if isinstance(wanted, Values) else value == wanted):
            return False
    return True


def _in_words(name: Name, value: Any) -> str:
    """A setting in words: `rows=True`, `draw.forced 'one'`; a fact by its own."""
    if isinstance(name, Fact):
        return name.words if value else f"no {name.words}"
    return f"{name}={value}" if isinstance(value, bool) else f"{name} {_text(value)}"


def _text(value: Any) -> str:
    return str(value) if isinstance(value, Values) else _SHORT.repr(value)


def _and(parts: Iterable[str]) -> str:
    return " and ".join(parts)
