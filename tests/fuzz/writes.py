"""Writing into what was handed out, in every way that NumPy has."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

FILLS = (0, 1, -1, 127, 10**6, 2**31 - 1, -(2**31), float("nan"))


def write_into(array: np.ndarray, chance: Random) -> str:
    """Writes something into an array; answers how. What NumPy itself refuses is refused."""
    name = chance.choice(sorted(WAYS))
    lower = array
    if chance.random() < 0.5:
        try:
            array.flags.writeable = True
        except ValueError:  # it belongs to what must not be written to
            name = f"writeable, {name}"
    if chance.random() < 0.3 and isinstance(array.base, np.ndarray):
        lower, name = array.base, f"base, {name}"
    try:
        WAYS[name.split(", ")[-1]](lower, chance)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        return f"{name} (refused: {type(error).__name__})"
    return name


def _fill(array: np.ndarray, chance: Random) -> None:
    with np.errstate(all="ignore"):
        array[...] = np.array(chance.choice(FILLS)).astype(_plain(array))


def _one(array: np.ndarray, chance: Random) -> None:
    array.reshape(-1)[chance.randrange(max(array.size, 1))] = chance.choice((0, 1, 5, 100))


def _bytes(array: np.ndarray, chance: Random) -> None:
    array.view(np.uint8)[...] = chance.randrange(256)


def _shape(array: np.ndarray, chance: Random) -> None:
    array.shape = chance.choice(((-1,), (1, -1), (array.size, 1)))


def _dtype(array: np.ndarray, chance: Random) -> None:
    array.dtype = chance.choice((np.int8, np.uint8, np.float32, np.int16))  # type: ignore[assignment]


def _resize(array: np.ndarray, chance: Random) -> None:
    array.resize(chance.choice((0, 1, array.size * 2)), refcheck=False)


def _sort(array: np.ndarray, chance: Random) -> None:
    array.sort(axis=chance.choice((0, -1)))


def _swap(array: np.ndarray, chance: Random) -> None:
    array.byteswap(inplace=True)


def _cast(array: np.ndarray, chance: Random) -> None:
    np.add(array, 1, out=array, casting="unsafe")


def _copyto(array: np.ndarray, chance: Random) -> None:
    np.copyto(array, np.array(1), casting="unsafe")


def _put(array: np.ndarray, chance: Random) -> None:
    array.put(range(array.size), chance.choice((1, 77)))


def _plain(array: np.ndarray) -> Any:
    return array.dtype if array.dtype.names is None else np.uint8


WAYS: dict[str, Callable[[np.ndarray, Random], None]] = {
    "fill": _fill,
    "one": _one,
    "bytes": _bytes,
    "shape": _shape,
    "dtype": _dtype,
    "resize": _resize,
    "sort": _sort,
    "byteswap": _swap,
    "cast": _cast,
    "copyto": _copyto,
    "put": _put,
}
