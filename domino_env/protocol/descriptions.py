"""How an engine describes itself in its first answer, read and checked; and the options that it is
given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from domino_env.errors import BadOption, did_you_mean, is_whole
from domino_env.games import changes_of
from domino_env.protocol.faults import EngineFault

VERSION = 1
"""The version of the protocol that is spoken here."""
TYPES = ("integer", "number", "boolean", "text", "choice")


@dataclass(frozen=True)
class Option:
    """Something of an engine that can be set."""

    name: str
    type: str
    default: Any = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def takes(self, value: Any) -> bool:
        """Is this a value for it?"""
        if self.type == "boolean":
            return isinstance(value, bool)
        if self.type in ("text", "choice"):
            return isinstance(value, str) and (self.type == "text" or value in self.choices)
        is_number = is_whole(value) or (self.type == "number" and isinstance(value, float))
        if not is_number or not isfinite(value):
            return False
        return not (
            (self.low is not None and value < self.low)
            or (self.high is not None and value > self.high)
        )

    @property
    def expected(self) -> str:
        """What it takes, for errors."""
        if self.type == "choice":
            return f"one of {', '.join(self.choices)}"
        bounds = [
            f"{word} {bound:g}"
            for word, bound in (("from", self.low), ("to", self.high))
            if bound is not None
        ]
        return " ".join([f"of type {self.type}", *bounds])


@dataclass(frozen=True)
class Description:
    """What an engine says of itself."""

    name: str
    author: str = ""
    games: tuple[str, ...] | None = None
    """The ids of the games that it plays; None: all."""
    house_rules: bool = True
    options: Mapping[str, Option] = field(default_factory=dict)

    def plays(self, rules: Any) -> bool:
        """Does it play a game against others by these rules?"""
        if not rules.has_opponents or (self.games is not None and rules.id not in self.games):
            return False
        return self.house_rules or not changes_of(rules)

    def check(self, values: Mapping[str, Any]) -> None:
        """Refuses options that the engine does not have, and values that they do not take."""
        for name, value in values.items():
            if name not in self.options:
                hint = did_you_mean(name, self.options) if self.options else ": it has none"
                raise BadOption(f"{self.name} has no option {name!r}{hint}")
            if not self.options[name].takes(value):
                expected = self.options[name].expected
                raise BadOption(f"{self.name}: {name} must be {expected}, not {value!r}")


def read_description(said: Mapping[str, Any]) -> Description:
    """The first answer of an engine; a fault if it is none."""
    if said.get("type") != "hello":
        raise EngineFault(f"answered hello with a message of type {said.get('type')!r:.40}")
    version: Any = said.get("protocol")
    if not is_whole(version) or not 1 <= version <= VERSION:
        raise EngineFault(f"speaks version {version!r:.40} of the protocol, not 1 to {VERSION}")
    name, author = said.get("name"), said.get("author", "")
    if not isinstance(name, str) or not name.strip() or not isinstance(author, str):
        raise EngineFault("answered hello without a name, or with a name or author that is no text")
    games, house = said.get("games"), said.get("house_rules", True)
    if games is not None and not _texts(games):
        raise EngineFault("answered hello with games that are no list of ids")
    if not isinstance(house, bool):
        raise EngineFault("answered hello with house_rules that are neither true nor false")
    options = said.get("options", [])
    if not isinstance(options, list):
        raise EngineFault("answered hello with options that are no list")
    read = [_read_option(each) for each in options]
    known = None if games is None else tuple(games)
    return Description(name.strip(), author, known, house, {each.name: each for each in read})


def _read_option(said: Any) -> Option:
    if not isinstance(said, dict) or not isinstance(said.get("name"), str):
        raise EngineFault("has an option without a name")
    name, kind = said["name"], said.get("type")
    if kind not in TYPES:
        raise EngineFault(f"has an option {name!r:.40} of the type {kind!r:.40}, not {TYPES}")
    choices = said.get("choices", [])
    if not _texts(choices) or (kind == "choice") != bool(choices):
        raise EngineFault(f"has an option {name!r:.40} with choices {choices!r:.40}")
    bounds = said.get("low"), said.get("high")
    if not all(bound is None or isinstance(bound, (int, float)) for bound in bounds):
        raise EngineFault(f"has an option {name!r:.40} with bounds that are no numbers")
    option = Option(name, kind, said.get("default"), *bounds, tuple(choices))
    if option.default is not None and not option.takes(option.default):
        raise EngineFault(f"has an option {name!r:.40} that does not take its own default")
    return option


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
