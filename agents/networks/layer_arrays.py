"""The layers of a network as the arrays of a file, in numbers of half the size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.networks.layers import Numbers
from domino_env.errors import BadOption

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""Weights and biases."""


def arrays_of(layers: Sequence[Layer]) -> dict[str, npt.NDArray[np.float16]]:
    """Layers by the names that they have in a file."""
    arrays = {}
    for number, (weights, biases) in enumerate(layers):
        arrays[f"weights_{number}"] = halved(weights)
        arrays[f"biases_{number}"] = halved(biases)
    return arrays


def halved(numbers: Numbers) -> npt.NDArray[np.float16]:
    """The same in numbers of half the size, which are as good to play by."""
    with np.errstate(over="ignore"):
        kept = numbers.astype(np.float16)
    if not np.isfinite(kept).all():
        raise BadOption(
            "this policy has weights that are infinite or too large: its training has diverged; "
            "start again with a lower learning_rate"
        )
    return kept


def layers_in(arrays: Mapping[str, Any]) -> list[Layer]:
    """The layers of a file, the first of which takes what comes in, and each what the one before
    gives; anything else is a `ValueError`, or whatever missing arrays are."""
    layers = [
        (numbers_in(arrays, f"weights_{place}", 2), numbers_in(arrays, f"biases_{place}", 1))
        for place in range(len(arrays) // 2)
    ]
    if not layers:
        raise ValueError("no layers")
    width = layers[0][0].shape[0]
    for weights, biases in layers:
        if weights.shape != (width, len(biases)):
            raise ValueError(f"{weights.shape} after {width}")
        width = len(biases)
    return layers


def numbers_in(arrays: Mapping[str, Any], name: str, dimensions: int) -> Numbers:
    """One of the arrays, if it is what it should be."""
    found = arrays[name].astype(np.float32)
    if found.ndim != dimensions or not np.isfinite(found).all():
        raise ValueError(name)
    return np.ascontiguousarray(found)  # kernels are compiled for arrays row by row
