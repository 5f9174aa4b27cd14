"""How rules were spelled before: the one door through which records, policies and journals of then
are read, and what the errors say to whoever writes so now.

What a play scores, what a round is worth and who wins a blocked one was one part, `scoring`; three
switches of `Rules` itself are settings of `turn` and `plays`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from domino_env.errors import BadRules

SWITCHES = ("double_back", "double_stakes", "perfect_ten")
"""What were settings of `Rules` itself, and are options of some games now."""

CLASSES = {
    "Scoring": "`Scoring` is now three parts: `Plays`, `Round` and `Blocked`; "
    "`Scoring(win=1)`, for one, is `Round(worth='points', points=1)`",
    "TWISTS": "`TWISTS` are now options of games: see `domino_env.games.options_of`",
}
"""What `ruleset` had by a name that is gone."""

Changes = dict[str, Any]
"""Settings by their paths, like "draw.forced"."""


def _plays(by: Any) -> Changes:
    if by == "fives":
        return {"plays.by": "multiples", "plays.multiples": (5,)}
    return {"plays.by": by}


def _pips_a_point(pips: Any) -> Changes:
    points = "pips" if pips == 1 else "division"
    return {"plays.points": points, "round.pips_a_point": pips}


def _win(points: Any) -> Changes:
    if points == 0:
        return {"round.worth": "others_pips"}
    return {"round.worth": "points", "round.points": points}


def _places(places: Any) -> Changes:
    worth = {"round.worth": "places"} if places else {}
    return {**worth, "round.places": places}


def _tens(on: Any) -> Changes:
    if not on:
        return {}
    return {"plays.by": "multiples", "plays.multiples": (10,), "plays.called": True}


SPELLINGS: dict[str, Callable[[Any], Changes]] = {
    "scoring.plays": _plays,
    "scoring.called": lambda called: {"plays.called": called},
    "scoring.pips_a_point": _pips_a_point,
    "scoring.nearest": lambda pips: {"round.nearest": pips},
    "scoring.rounded_up": lambda pips: {"round.rounded_up": pips},
    "scoring.left": lambda left: {"round.penalties": left == "penalties"},
    "scoring.win": _win,
    "scoring.places": _places,
    "scoring.out_bonus": lambda points: {"round.out_bonus": points},
    "scoring.bonus_to": lambda to: {"round.to": to},
    "scoring.blocked_to": lambda to: {"blocked.to": to},
    "scoring.less_own": lambda less: {"blocked.less_own": less},
    "layout.cross_first": lambda first: {"layout.opening_first": 4 if first else 0},
    "double_back": lambda on: {"turn.reversed_by": "double" if on else "nothing"},
    "double_stakes": lambda on: {"turn.raised_by": "2|2" if on else ""},
    "perfect_ten": _tens,
}
"""What each setting of before is now, by its value."""


# Errors ------------------------------------------------------------------------------------------


def refuse(given: Mapping[str, Any], prefix: str = "") -> None:
    """Refuses settings, or those of the part with a prefix, that have another name now."""
    for name, value in _paths(given, prefix):
        if name in SPELLINGS:
            raise BadRules(_is_now(name, value))


def _paths(given: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Settings by their paths; a part that was given as a mapping by those in it."""
    for word, value in given.items():
        if isinstance(value, Mapping):
            yield from _paths(value, f"{prefix}{word}.")
        elif f"{prefix}{word}" == "scoring":
            raise BadRules(CLASSES["Scoring"])  # a value that no file can hold
        else:
            yield f"{prefix}{word}", value


def _is_now(name: str, value: Any) -> str:
    try:
        now = SPELLINGS[name](value)
    except (TypeError, ValueError, LookupError, AttributeError):  # it has never been a value of it
        return f"`{name}` has another name now, and was never {value!r:.60}"
    settings = ", ".join(f"`{path}={new!r}`" for path, new in now.items())
    return f"`{name}={value!r}` is now {settings or 'the usual'}"


# Files -------------------------------------------------------------------------------------------


def in_new_words(changes: Mapping[str, Any], options: Iterable[str] = ()) -> dict[str, Any]:
    """The changes of a house rule as a file of before has them, parts as mappings, as they are said
    now; what was never spelled otherwise, or is the name of an option, stays as it is."""
    found: dict[str, Any] = {}
    for name, value in _paths(changes, ""):
        is_moved = name in SPELLINGS and name not in options
        now = SPELLINGS[name](value) if is_moved else {name: value}
        for path, new in now.items():
            _put(found, path, new)
    if not found.get("round", {}).get("places", True):  # no places any more, and no other worth
        found["round"].setdefault("worth", "others_pips")
    return found


def _put(found: dict[str, Any], path: str, value: Any) -> None:
    part, _, name = path.rpartition(".")
    (found.setdefault(part, {}) if part else found)[name] = value


# Marks -------------------------------------------------------------------------------------------

_FIELDS = {
    "Rules": "id title summary source set sets tiles players hand_size rows teams opening layout "
    "match draw turn scoring target exact rounds double_back double_stakes perfect_ten",
    "opening": "starter tile without_double direction",
    "layout": "tiles meeting arms doubles cross_first",
    "match": "by",
    "draw": "forced then voluntary voluntary_then reserve while_crossing",
    "turn": "again stuck until says_domino",
    "scoring": "plays called pips_a_point nearest left win less_own out_bonus rounded_up places "
    "bonus_to blocked_to",
}
"""The settings that there were, in their order."""


def spelled(rules: Any) -> str | None:
    """Rules as the text that their mark was made of; None if they could not be said then."""
    before = _before(rules)
    try:
        if _built(rules, in_new_words(before)) != rules:
            return None
    except BadRules:
        return None
    return _text("Rules", before)


def _before(rules: Any) -> dict[str, Any]:
    """The settings of rules by their names of before, as far as they have some."""
    ten = rules.plays.by == "multiples" and rules.plays.multiples == (10,)
    plays = "nothing" if ten else "fives" if rules.plays.by == "multiples" else rules.plays.by
    worth = rules.round
    moved = {
        "double_back": rules.turn.reversed_by == "double",
        "double_stakes": bool(rules.turn.raised_by),
        "perfect_ten": ten,
    }
    found = {name: moved.get(name, getattr(rules, name, None)) for name in _names("Rules")}
    for part in ("opening", "layout", "match", "draw", "turn"):
        values = vars(getattr(rules, part)) | {"cross_first": rules.layout.opening_first == 4}
        found[part] = {name: values[name] for name in _names(part)}
    found["scoring"] = {
        "plays": plays,
        "called": rules.plays.called and not ten,
        "left": "penalties" if worth.penalties else "winner",
        "win": worth.points if worth.worth == "points" else 0,
        "less_own": rules.blocked.less_own,
        "bonus_to": worth.to,
        "blocked_to": rules.blocked.to,
        **{
            name: getattr(worth, name)
            for name in ("pips_a_point", "nearest", "out_bonus", "rounded_up", "places")
        },
    }
    return found


def _built(rules: Any, words: dict[str, Any]) -> Any:
    """Rules of these words, parts as mappings."""
    made = {
        name: type(getattr(rules, name))(**value) if isinstance(value, dict) else value
        for name, value in words.items()
    }
    return type(rules)(**made)


def _text(name: str, values: Mapping[str, Any]) -> str:
    parts = (
        f"{word}={_text(word, values[word]) if word in _FIELDS else repr(values[word])}"
        for word in _names(name)
    )
    return f"{name[0].upper()}{name[1:]}({', '.join(parts)})"


def _names(name: str) -> list[str]:
    return _FIELDS[name].split()
