"""The forward pass of a trained network's layer, without threads.

`values @ weights + biases` would compute the same, but NumPy multiplies matrices on threads of its
own: two runs on the same machine then slow each other down many times. It also rounds a row
depending on the other rows, so an agent's action in a lane could depend on which other lanes it is
asked about. Here a row's result depends on that row alone, and the calling thread does all the
work.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.errors import BadOption

COMPILED = ("the agent ppo", 2)

Numbers = npt.NDArray[np.float32]


def through_layer(values: Numbers, weights: Numbers, biases: Numbers) -> Numbers:
    """A layer applied to rows of values: float32[N, I] to float32[N, O]."""
    if values.shape[1:] != weights.shape[:1] or biases.shape != weights.shape[1:]:
        raise BadOption(f"rows of {len(weights)} numbers are expected, not shape {values.shape}")
    sums = np.tile(biases, (len(values), 1))
    add_up(values, weights, sums)
    return sums


@kernel
def add_up(values: Numbers, weights: Numbers, sums: Numbers) -> None:
    """Adds up all rows: four at a time, which is as fast as matrices are multiplied anywhere."""
    fours = len(values) - len(values) % 4
    for row in range(0, fours, 4):
        add_four(values[row : row + 4], weights, sums[row : row + 4])
    for row in range(fours, len(values)):
        add_one(values[row], weights, 0, sums[row])


@small
def add_one(values: Numbers, weights: Numbers, first: int, sums: Numbers) -> None:
    """Adds what the values of a row weigh, from the first on."""
    for place in range(first, len(weights)):
        value, row = values[place], weights[place]
        for out in range(len(sums)):
            sums[out] += value * row[out]


@small
def add_four(values: Numbers, weights: Numbers, sums: Numbers) -> None:
    """The same for four rows, in the same order; two places in one go, for sums are slow to fetch
    and to put away."""
    one, two, three, four = sums[0], sums[1], sums[2], sums[3]
    pairs = len(weights) - len(weights) % 2
    for place in range(0, pairs, 2):
        a, b = values[:, place], values[:, place + 1]
        a1, a2, a3, a4 = a[0], a[1], a[2], a[3]
        b1, b2, b3, b4 = b[0], b[1], b[2], b[3]
        this, that = weights[place], weights[place + 1]
        for out in range(len(one)):
            one[out] = one[out] + a1 * this[out] + b1 * that[out]
            two[out] = two[out] + a2 * this[out] + b2 * that[out]
            three[out] = three[out] + a3 * this[out] + b3 * that[out]
            four[out] = four[out] + a4 * this[out] + b4 * that[out]
    for row in range(4):
        add_one(values[row], weights, pairs, sums[row])
