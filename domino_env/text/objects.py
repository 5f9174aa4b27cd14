"""Reads moves that are said in JSON: `{"tile": "5-3", "end": 1}`, `{"action": "draw"}`, or the call
of a tool, as the sentence that says the same."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from domino_env.errors import is_whole
from domino_env.text.trains import SPOKEN, spoken
from domino_env.text.word_lists import MOVES_BY_NAME

MOST_NESTED = 8
_DECODER = json.JSONDecoder()
MOST_SAID = 200  # characters of a value

# What each key says, as it is said in a sentence; "" of keys whose value says it all.
_SPECS = {
    **dict.fromkeys(("end", "end_number", "end_index"), "end"),
    **dict.fromkeys(("on", "asks", "shows", "value", "pip", "onto"), "on the"),
    **dict.fromkeys(("by", "half", "with_half", "joins_by", "joins"), "by"),
    **dict.fromkeys(("column", "col"), "column"),
    **dict.fromkeys(("place", "junction", "gap", "position"), "place"),
    **dict.fromkeys(("turn", "turning", "bend"), "turning"),
    "train": "train",
    **dict.fromkeys(("side", "to", "where", "target"), ""),
}
_MOVES = ("tile", "domino", "bone", "tiles", "pair", "move", "action", "answer", "choice", "play")
_NAMES = ("name", "tool", "tool_name", "kind", "type")
_INSIDE = (
    *("arguments", "args", "parameters", "params", "input", "function", "tool_call", "tool_calls"),
    *("output", "final_answer", "response", "result", "final"),
)
_CHATTER = (
    *("reason", "reasoning", "thought", "thoughts", "thinking", "explanation", "comment", "why"),
    *("comments", "analysis", "rationale", "id", "call_id", "index", "seat", "player", "plan"),
    *("confidence", "note", "notes", "strategy", "message", "summary"),
)
_GENERAL = ("play", "function", "tool_use", "tool_call", "move", "action", "make_move", "play_tile")


_NUMBER = re.compile(r"[>+]?\d+|\*")
_PLACE = re.compile(
    r"(?:on |to |at )?(?:the )?(?:(?:left|right|[>+]?\d+|\*)(?: end| side)?|end \d+"
    r"|(?:column|place) \d+|(?:an )?empty(?: column)?|turning (?:left|right)|star|blank"
    rf"|(?:{SPOKEN}))"
)


class Found(NamedTuple):
    """An object that has been found in a text."""

    value: Any
    end: int
    """Where it ends in the text."""


def last_object(text: str) -> Found | None:
    """The last object in a text, if there is any."""
    found, start = None, text.find("{")
    while start >= 0:
        value, end = _decoded(text, start)
        if isinstance(value, dict):
            found = Found(value, end)
        start = text.find("{", end)
    if found is not None and not text[found.end :].strip(" \n]),;"):
        return Found(found.value, len(text))  # of a list of calls the last counts
    return found


def _decoded(text: str, start: int) -> tuple[Any, int]:
    for written in (text, text.replace("'", '"')):
        try:
            return _DECODER.raw_decode(written, start)
        except (ValueError, RecursionError):
            continue
    return None, start + 1


def sentence_of(value: Any) -> tuple[str, str]:
    """What an object says as a sentence, and what is wrong with it; one of them is empty."""
    parts: list[str] = []
    try:
        _collect(value, parts, MOST_NESTED)
    except ValueError as error:
        return "", str(error)
    named = [part for part in dict.fromkeys(parts) if part not in _GENERAL]
    return ", ".join(named), ""


def _collect(value: Mapping[str, Any], parts: list[str], depth: int) -> None:
    if not depth:
        raise ValueError("the object is nested too deeply")
    specs: list[str] = []
    for key, said in value.items():
        name = key.strip().lower() if isinstance(key, str) else ""
        if name in _CHATTER or (said is None and name not in MOVES_BY_NAME):
            continue
        if name in _SPECS:
            specs.append(_spec(_SPECS[name], said))
        elif name in _INSIDE or isinstance(said, Mapping):
            _collect_inside(name, said, parts, depth)
        elif name in _MOVES or name in _NAMES:
            parts.append(_move(name, said))
        elif name in MOVES_BY_NAME:
            parts.append(_by_name(name, said))
        else:
            raise ValueError(f"the key {str(key)[:40]!r} is not known")
    parts += specs


def _collect_inside(name: str, said: Any, parts: list[str], depth: int) -> None:
    """What is said by an object in an object, or by its text."""
    if isinstance(said, list) and said:
        said = said[-1]
    if isinstance(said, str) and said.lstrip().startswith("{"):
        said = _decoded(said, said.index("{"))[0]
    if isinstance(said, str):
        parts.append(_text(name, said))
    elif isinstance(said, Mapping):
        _collect(said, parts, depth - 1)
        if name in MOVES_BY_NAME:
            parts.append(name)
    elif said not in ([], None):
        raise ValueError(f"the value of {name[:40]!r} is no object")


def _move(name: str, said: Any) -> str:
    """A tile, a pair of them, or the name of a move."""
    if isinstance(said, list):
        if len(said) == 2 and all(map(is_whole, said)):
            return f"[{said[0]}|{said[1]}]"
        return " ".join(_move(name, each) for each in said[:3])
    if not isinstance(said, str):
        raise ValueError(f"{name} is a word, or a tile like '5-3', not {str(said)[:40]}")
    return _text(name, said)


def _by_name(name: str, said: Any) -> str:
    if is_whole(said):
        return f"{name} {said}"
    if said is False:
        raise ValueError(f"{name} is false")
    return name if said in (True, None) else f"{name} {_text(name, said)}"


def _spec(word: str, said: Any) -> str:
    """Where or how a tile is played, as it is said."""
    if word == "train" or (isinstance(said, str) and "train" in said.lower()):
        return _train(said)
    if is_whole(said) and said >= 0:
        return f"{word or 'to'} {said}"
    text = " ".join(_text(word or "to", said).lower().split())
    if _NUMBER.fullmatch(text):
        return f"{word or 'to'} {text}"
    if not _PLACE.fullmatch(text) or (word == "turning") != ("turning" in f"{word} {text}"):
        raise ValueError(f"{text[:40]!r} is not understood")
    return f"turning {text}" if word == "turning" and text in ("left", "right") else text


def _train(said: Any) -> str:
    train = spoken(_text("train", said))
    if not train:
        raise ValueError(f"a train is 'mine', 'everybody' or 'seat 2', not {str(said)[:40]!r}")
    return train


def _text(name: str, said: Any) -> str:
    if not isinstance(said, str) or len(said) > MOST_SAID:
        raise ValueError(f"{name} is a short text, not {str(said)[:40]}")
    return said.strip().rstrip(".!")
