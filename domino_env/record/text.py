"""The text of a record: JSON, laid out for people. `game` says what the values mean."""

from __future__ import annotations

import json
from typing import Any

from domino_env.errors import BadRecord

WIDTH = 100


def page(value: Any) -> str:
    """A value on as few lines as are good to read: what fits on a line stands on one."""
    return _laid_out(value, "", "") + "\n"


def line(value: Any) -> str:
    """A value on one line."""
    return _flat(value) + "\n"


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _laid_out(value: Any, before: str, indent: str) -> str:
    """A value that stands after `before`, and its parts a step further in."""
    flat, further = _flat(value), indent + " "
    if len(indent) + len(before) + len(flat) < WIDTH or not isinstance(value, (dict, list)):
        return indent + before + flat
    if isinstance(value, dict):
        parts = [_laid_out(part, f"{_flat(key)}: ", further) for key, part in value.items()]
    else:
        parts = [_laid_out(part, "", further) for part in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    inside = ",\n".join(parts)
    return f"{indent}{before}{first}\n{inside}\n{indent}{last}"


def value_of(text: str) -> Any:
    """What a text says, read strictly: no key twice, nothing that is no number."""
    try:
        value = json.loads(text, object_pairs_hook=_mapping, parse_constant=_no_number)
        _flat(value).encode()
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadRecord(f"{place}: this is not JSON: {error.msg}") from error
    except RecursionError as error:
        raise BadRecord("this is no record: it is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise BadRecord(
            "it contains half of a character (a lone surrogate such as \\ud800)"
        ) from error
    except ValueError as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(f"a number is too long: {error}") from error
    return value


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecord(f"{twice[:40]!r} is given twice")
    return found


def _no_number(word: str) -> Any:
    raise BadRecord(f"{word} is no number")
