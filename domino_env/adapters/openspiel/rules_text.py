"""Rules as a string without spaces, for a game's parameters: only what differs from the
defaults."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from domino_env.errors import BadRules
from domino_env.games import differences
from domino_env.ruleset import (
    Blocked,
    Bonuses,
    Draw,
    Layout,
    Match,
    Opening,
    Plays,
    Round,
    Rules,
    Tally,
    Turn,
)
from domino_env.ruleset.former import in_new_words

MOST_BYTES = 100_000  # of rules in words
_PARTS: dict[str, Any] = {
    "opening": Opening,
    "layout": Layout,
    "match": Match,
    "draw": Draw,
    "turn": Turn,
    "plays": Plays,
    "round": Round,
    "blocked": Blocked,
    "bonuses": Bonuses,
    "tally": Tally,
}


def write_rules(rules: Rules) -> str:
    """Rules as letters, digits, - and _."""
    text = json.dumps(differences(Rules(id=".", title=".", summary="."), rules))
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def read_rules(text: str) -> Rules:
    """The rules that were written so."""
    try:
        packed = zlib.decompressobj()
        said = packed.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_BYTES)
        changes = in_new_words(json.loads(said))
    except (ValueError, RecursionError, zlib.error) as error:
        raise BadRules(f"these rules were not written by `load`: {text!r}") from error
    parts = {name: kind(**_tuples(changes.pop(name, {}))) for name, kind in _PARTS.items()}
    return Rules(**_tuples(changes), **parts)


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _tuple(value) for name, value in values.items()}


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
