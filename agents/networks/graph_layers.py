"""The forward pass over graphs of moves: numbers tell each other what they know, along the tiles.

Each number has a few values. First they are made of what is known of it; then, in some rounds, of
its own values, and those of all numbers that own tiles, or unseen ones, lead to. What is read in
the end does not depend on the order of the numbers: the sum over all of them, over those that the
action makes, and over the ends that are offered and closed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.networks.layers import Numbers, add_up
from domino_env.compiling import kernel, small
from domino_env.engine.move_graphs.graph_fields import NODE_FIELDS, NUM_NODE
from domino_env.errors import BadOption

COMPILED = ("the agent ppo", 2)

Graphs = npt.NDArray[np.int8]
AT_ONCE = 32  # graphs whose values stay in the processor's cache
SHARE = np.float32(0.25)  # of the sum over all numbers
READ_COLUMNS = tuple(
    [field.name for field in NODE_FIELDS].index(name) for name in ("made", "offered", "closed")
)
"""What is known of a number that says how much it counts in a sum that is read."""
READS = 1 + len(READ_COLUMNS)  # sums, that over all numbers first


class GraphWeights(NamedTuple):
    """Weights of the graph's part of a network."""

    embed: Numbers  # [C, U]
    embed_biases: Numbers  # [U]
    rounds: Numbers  # [N, U, 3 * U]: what a number keeps, tells along own tiles, along unseen ones
    biases: Numbers  # [N, U]
    join: Numbers  # [READS * U, H]: what is read, added to the first layer's sums


class GraphScratch(NamedTuple):
    """Memory for some graphs."""

    values: Numbers  # [V, U]: of one graph
    told: Numbers  # [V, 3 * U]: what its numbers keep and tell
    places: npt.NDArray[np.int64]  # [U or C]: of what is not 0
    reads: Numbers  # [G, READS * U]


def new_graph_scratch(graphs: int, numbers: int, width: int) -> GraphScratch:
    """Memory for so many graphs of so many numbers, each with so many values."""
    return GraphScratch(
        np.zeros((numbers, width), np.float32),
        np.zeros((numbers, 3 * width), np.float32),
        np.zeros(max(width, NUM_NODE), np.int64),
        np.zeros((graphs, READS * width), np.float32),
    )


def must_fit_graphs(weights: GraphWeights, hidden: int) -> None:
    """Refuses parts that do not fit one another, or the first layer."""
    rounds, width = weights.biases.shape
    expected = (
        *((NUM_NODE, width), (width,), (rounds, width, 3 * width), (rounds, width)),
        (READS * width, hidden),
    )
    shapes = tuple(part.shape for part in weights)
    if shapes != expected:
        raise BadOption(f"weights for graphs have shapes like {expected}, not {shapes}")


def add_graphs(graphs: Graphs, weights: GraphWeights, sums: Numbers) -> None:
    """Adds to the first layer's sums what graphs say: a row for each."""
    at_once = min(AT_ONCE, len(graphs))
    scratch = new_graph_scratch(at_once, graphs.shape[1], weights.embed.shape[1])
    for first in range(0, len(graphs), AT_ONCE):
        some = graphs[first : first + AT_ONCE]
        read_graphs(some, weights, scratch)
        add_up(scratch.reads[: len(some)], weights.join, sums[first : first + AT_ONCE])


@kernel
def read_graphs(graphs: Graphs, weights: GraphWeights, scratch: GraphScratch) -> None:
    """Writes what is read of some graphs."""
    for graph in range(len(graphs)):
        put_values(graphs[graph], weights, scratch)
        for number in range(len(weights.rounds)):
            tell(scratch, weights.rounds[number])
            hear(graphs[graph], weights.biases[number], scratch)
        put_reads(graphs[graph], scratch.values, scratch.reads[graph])


@small
def put_values(graph: Graphs, weights: GraphWeights, scratch: GraphScratch) -> None:
    """What is known of each number makes its first values. Most of it is 0."""
    for number in range(len(graph)):
        values, found = scratch.values[number], 0
        for column in range(NUM_NODE):
            scratch.places[found] = column
            found += graph[number, column] != 0
        for place in range(len(values)):
            values[place] = weights.embed_biases[place]
        for at in range(found):
            column = scratch.places[at]
            add_times(graph[number, column], weights.embed[column], 0, values)
        cut_off(values)


@small
def tell(scratch: GraphScratch, weights: Numbers) -> None:
    """What each number keeps, and tells along tiles; half of its values are 0."""
    for number in range(len(scratch.values)):
        values, told, found = scratch.values[number], scratch.told[number], 0
        for place in range(len(values)):
            scratch.places[found] = place
            found += values[place] != 0
        for place in range(len(told)):
            told[place] = 0
        fours = found - found % 4
        for at in range(0, fours, 4):
            p, q = scratch.places[at], scratch.places[at + 1]
            r, s = scratch.places[at + 2], scratch.places[at + 3]
            add_four(
                *(values[p], values[q], values[r], values[s]),
                *(weights[p], weights[q], weights[r], weights[s]),
                told,
            )
        for at in range(fours, found):
            place = scratch.places[at]
            add_times(values[place], weights[place], 0, told)


@small
def hear(graph: Graphs, biases: Numbers, scratch: GraphScratch) -> None:
    """New values of each number: what it keeps, and what it is told along its tiles."""
    numbers, width = len(graph), len(biases)
    edges = graph.shape[1] - 2 * numbers
    for number in range(numbers):
        values = scratch.values[number]
        for place in range(width):
            values[place] = biases[place] + scratch.told[number, place]
        for other in range(numbers):
            own, unseen = graph[number, edges + other], graph[number, edges + numbers + other]
            if own != 0:
                add_times(own, scratch.told[other], width, values)
            if unseen != 0:
                add_times(unseen, scratch.told[other], 2 * width, values)
        cut_off(values)


@small
def cut_off(values: Numbers) -> None:
    """ReLU."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0))


@small
def add_times(times: float | np.floating[Any], values: Numbers, first: int, sums: Numbers) -> None:
    """Adds values from a place on, so many times."""
    factor = np.float32(times)
    for place in range(len(sums)):
        sums[place] += factor * values[first + place]


@small
def add_four(
    a: float,
    b: float,
    c: float,
    d: float,
    row_a: Numbers,
    row_b: Numbers,
    row_c: Numbers,
    row_d: Numbers,
    sums: Numbers,
) -> None:
    """Adds four rows, so many times each: sums are slow to fetch and to put away."""
    for place in range(len(sums)):
        sums[place] += a * row_a[place] + b * row_b[place] + c * row_c[place] + d * row_d[place]


@small
def put_reads(graph: Graphs, values: Numbers, reads: Numbers) -> None:
    """The sums that are read of a graph."""
    width = values.shape[1]
    for place in range(len(reads)):
        reads[place] = 0
    for number in range(len(values)):
        add_times(SHARE, values[number], 0, reads[:width])
        for which in range(len(READ_COLUMNS)):
            counted = graph[number, READ_COLUMNS[which]]
            if counted != 0:
                first = (which + 1) * width
                add_times(counted, values[number], 0, reads[first : first + width])
