"""The forward passes of encoders of histories, one history at a time: a GRU, and attention."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.networks.layers import Numbers, add_one
from domino_env.compiling import kernel, small

COMPILED = ("the agent net", 3)

Whole = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
F = np.float32
_MOST = np.float32(40)  # more makes no difference to a sigmoid, and powers of it stay finite
_KIND, _SEAT, _TILE, _END, _HALF = range(5)  # columns of an event


@kernel
def index_events(
    events: npt.NDArray[np.uint8], lengths: Whole, starts: Whole, ages: int, out: Indices
) -> None:
    """Writes which rows of a table each event is the sum of: those of its kind, its seat, its tile
    by the half that joined, its end, and how many events there were since."""
    event = 0
    for length in lengths:
        for left in range(length - 1, -1, -1):
            row, found = events[event], out[event]
            tile = int(row[_TILE])
            found[0] = starts[0] + row[_KIND]
            found[1] = starts[1] + row[_SEAT]
            found[2] = starts[2] + (0 if tile == 0 else 2 * tile - 1 + (row[_HALF] == 2))
            found[3] = starts[3] + row[_END]
            found[4] = starts[4] + min(left, ages - 1)
            event += 1


@small
def add_rows(rows: Any, table: Numbers, sums: Numbers) -> None:
    """Adds the rows of a table that an event is the sum of."""
    for place in range(len(rows)):
        row = table[rows[place]]
        for out in range(len(sums)):
            sums[out] += row[out]


@kernel
def recur(
    indices: Indices,
    lengths: Whole,
    inputs: Numbers,
    input_biases: Numbers,
    state_weights: Numbers,
    state_biases: Numbers,
    scratch: Numbers,
    states: Numbers,
) -> None:
    """Has a GRU read histories; `scratch` are two rows as long as the sums of its gates."""
    event, gates, sums = 0, scratch[0], scratch[1]
    for place in range(len(lengths)):
        state = states[place]
        for _ in range(lengths[place]):
            for out in range(len(gates)):
                gates[out], sums[out] = input_biases[out], state_biases[out]
            add_rows(indices[event], inputs, gates)
            add_one(state, state_weights, 0, sums)
            pass_gates(gates, sums, state)
            event += 1


@small
def pass_gates(gates: Numbers, sums: Numbers, state: Numbers) -> None:
    """The next state of a GRU, by what the event and the state before it add to the gates."""
    size = len(state)
    for place in range(size):
        reset = sigmoid(gates[place] + sums[place])
        update = sigmoid(gates[size + place] + sums[size + place])
        inner = gates[2 * size + place] + reset * sums[2 * size + place]
        new = F(2) * sigmoid(F(2) * inner) - F(1)  # its hyperbolic tangent
        state[place] = (F(1) - update) * new + update * state[place]


@small
def sigmoid(number: Any) -> Any:
    """From 0 to 1."""
    return F(1) / (F(1) + np.exp(-min(max(number, -_MOST), _MOST)))


@kernel
def attend(
    indices: Indices,
    lengths: Whole,
    table: Numbers,
    queries: Numbers,
    vectors: Numbers,
    shares: Numbers,
    found: Numbers,
) -> None:
    """For each query of each history the mean of its events, weighed by the softmax of how well
    they fit the query; `vectors` and `shares` have room for the events of one history."""
    first, size = 0, table.shape[1]
    for place in range(len(lengths)):
        length = lengths[place]
        for event in range(length):
            write_event(indices[first + event], table, vectors[event])
        for start in range(0, queries.shape[1], size):
            query, mean = queries[place, start : start + size], found[place, start : start + size]
            weigh_events(vectors, length, query, shares)
            for event in range(length):
                vector, share = vectors[event], shares[event]
                for out in range(size):
                    mean[out] += share * vector[out]
        first += length


@small
def write_event(rows: Any, table: Numbers, vector: Numbers) -> None:
    """An event as numbers."""
    for out in range(len(vector)):
        vector[out] = 0
    add_rows(rows, table, vector)
    for out in range(len(vector)):
        vector[out] = max(vector[out], F(0))


@small
def weigh_events(vectors: Numbers, length: int, query: Numbers, shares: Numbers) -> None:
    """The softmax of how well events fit a query."""
    highest, total = F(-np.inf), F(0)
    for event in range(length):
        fit = F(0)
        for out in range(len(query)):
            fit += query[out] * vectors[event, out]
        shares[event] = fit
        highest = max(highest, fit)
    for event in range(length):
        shares[event] = np.exp(shares[event] - highest)
        total += shares[event]
    for event in range(length):
        shares[event] /= total
