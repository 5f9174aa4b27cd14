"""Options and numbers as they are given, each read or refused by itself: `Batch` and what stands on
it say in the same words what is wrong with one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.engine.state import BYTES, FLOATS
from domino_env.errors import BadOption, did_you_mean, is_whole

MOST_THREADS = 256
DTYPES = (FLOATS, BYTES)


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number, refused if it is below or above what it may be."""
    if not is_whole(value) or value < least:
        raise BadOption(f"{name} must be a whole number of {least} or more, not {value!r}")
    if most is not None and value > most:
        raise BadOption(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)


def switch(name: str, value: Any) -> bool:
    """True or False, and nothing that Python would take for one of them."""
    if not isinstance(value, (bool, np.bool_)):
        raise BadOption(f"{name} must be True or False, not {value!r}")
    return bool(value)


def check_choice(name: str, value: Any, allowed: Sequence[str]) -> None:
    """Refuses a value of an option that is none of the allowed ones."""
    if not isinstance(value, str) or value not in allowed:
        raise BadOption(
            f"{name} must be one of {', '.join(allowed)}, not {value!r}"
            f"{did_you_mean(value, allowed)}"
        )


def observation_dtype(given: Any) -> np.dtype[Any]:
    """What an observation is made of, by its name or as NumPy has it."""
    try:
        found = np.dtype(given) if isinstance(given, (str, type, np.dtype)) else None
    except TypeError:  # NumPy knows no such name
        found = None
    if found is None or found not in DTYPES:
        raise BadOption(
            f"observation_dtype must be one of {', '.join(map(str, DTYPES))}, not {short(given)}"
            f"{did_you_mean(given, [*map(str, DTYPES)])}"
        )
    return found


def seats(rules: Any, players: Any) -> int:
    """How many players there are; the game's usual number if none is given."""
    if players is None:
        return rules.players[0]
    if not is_whole(players) or players not in rules.players:
        raise BadOption(
            f"{rules.id} is for {' or '.join(map(str, rules.players))} players, not {players!r}"
        )
    return int(players)


def seed(seed: Any) -> int:
    """A seed; if none is given, one from the system."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return whole("seed", seed, 0)


def numbers(what: str, given: Any) -> npt.NDArray[np.int64]:
    """A copy of whole numbers as an array such as kernels take."""
    try:
        some: npt.NDArray[Any] = np.atleast_1d(np.asarray(given))
    except (ValueError, TypeError) as error:
        raise BadOption(f"{what} are whole numbers, not {short(given)}") from error
    if some.ndim != 1 or (len(some) and some.dtype.kind not in "iu"):
        raise BadOption(f"{what} are whole numbers, not {short(given)}")
    return np.array(some, np.int64)


def room_for(
    rows: int, shape: tuple[int, ...], dtype: Any, out: Any, each: str
) -> npt.NDArray[Any]:
    """An array of so many rows of some shape: the first ones of `out`, if that is given."""
    if out is None:
        return np.empty((rows, *shape), dtype)
    fits = (
        out.__class__ is np.ndarray
        and out.dtype == dtype
        and out.shape[1:] == shape
        and len(out) >= rows
        and out.flags.carray
    )
    if not fits:
        raise BadOption(
            f"out is a contiguous {np.dtype(dtype)} array of {each} with room for {rows} rows, "
            f"that may be written into; not {short(out)}"
        )
    table: npt.NDArray[Any] = out[:rows]
    return table


def short(value: Any) -> str:
    """A value as an error quotes it."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."
