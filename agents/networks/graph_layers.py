"""The forward pass over graphs of moves: numbers tell each other what they know, along the tiles.

Each number has a few values. First they are made of what is known of it; then, in some rounds, of
its own values, and those of all numbers that own tiles, or unseen ones, lead to. What is read in
the end does not depend on the order of the numbers: the sum over all of them, over those that the
action makes, and over the ends that are offered and closed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.networks.layers import Numbers, add_up
from domino_env.compiling import kernel, small
from domino_env.engine.move_graphs.graph_fields import NODE_FIELDS, NUM_NODE

COMPILED = ("the agent ppo", 2)

Graphs = npt.NDArray[np.int8]
AT_ONCE = 32  # graphs whose values stay in the processor's cache
SHARE = np.float32(0.25)  # of the sum over all numbers
READ_COLUMNS = tuple(
    [field.name for field in NODE_FIELDS].index(name) for name in ("made", "offered", "closed")
)
"""What is known of a number that says how much it counts in a sum that is read."""
READS = 1 + len(READ_COLUMNS)  # sums, that over all numbers first
_MADE, _OFFERED, _CLOSED = READ_COLUMNS


class GraphWeights(NamedTuple):
    """Weights of the graph's part of a network; biases are the last row of each."""

    embed: Numbers  # [C + 1, U]
    rounds: Numbers  # [N, 3 * U + 1, U]: of own values, of own tiles, of unseen ones
    join: Numbers  # [READS * U, H]: what is read, added to the first layer's sums


class GraphScratch(NamedTuple):
    """Memory for some graphs."""

    nodes: Numbers  # [G * V, C]
    values: Numbers  # [G * V, U]
    joined: Numbers  # [G * V, 3 * U]
    reads: Numbers  # [G, READS * U]


def new_graph_scratch(graphs: int, numbers: int, width: int) -> GraphScratch:
    """Memory for so many graphs of so many numbers, each with so many values."""
    nodes = graphs * numbers
    return GraphScratch(
        np.zeros((nodes, NUM_NODE), np.float32),
        np.zeros((nodes, width), np.float32),
        np.zeros((nodes, 3 * width), np.float32),
        np.zeros((graphs, READS * width), np.float32),
    )


def must_fit_graphs(weights: GraphWeights, hidden: int) -> None:
    """A `ValueError` if the parts do not fit one another, and the first layer."""
    width = weights.embed.shape[1]
    expected = ((NUM_NODE + 1, width), (len(weights.rounds), 3 * width + 1, width))
    if (weights.embed.shape, weights.rounds.shape) != expected:
        raise ValueError(f"{weights.embed.shape} and {weights.rounds.shape} are no graph's")
    if weights.join.shape != (READS * width, hidden):
        raise ValueError(f"{weights.join.shape} after {READS} times {width}, before {hidden}")


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
    nodes = len(graphs) * graphs.shape[1]
    put_nodes(graphs, scratch.nodes)
    through(scratch.nodes[:nodes], weights.embed, scratch.values[:nodes])
    for number in range(len(weights.rounds)):
        put_joined(graphs, scratch.values, scratch.joined)
        through(scratch.joined[:nodes], weights.rounds[number], scratch.values[:nodes])
    put_reads(graphs, scratch.values, scratch.reads)


@small
def put_nodes(graphs: Graphs, nodes: Numbers) -> None:
    """What is known of each number, as floats."""
    at = 0
    for graph in range(len(graphs)):
        for number in range(graphs.shape[1]):
            for column in range(nodes.shape[1]):
                nodes[at, column] = graphs[graph, number, column]
            at += 1


@small
def through(values: Numbers, weights: Numbers, out: Numbers) -> None:
    """A layer, whose biases are the last row, and ReLU."""
    last, width = len(weights) - 1, out.shape[1]
    for row in range(len(out)):
        for place in range(width):
            out[row, place] = weights[last, place]
    add_up(values, weights[:last], out)
    for row in range(len(out)):
        for place in range(width):
            out[row, place] = max(out[row, place], np.float32(0))


@small
def put_joined(graphs: Graphs, values: Numbers, joined: Numbers) -> None:
    """Beside each number's values the sums of those that its tiles lead to."""
    width, numbers, columns = values.shape[1], graphs.shape[1], graphs.shape[2]
    edges, at = columns - 2 * numbers, 0
    for graph in range(len(graphs)):
        first = graph * numbers
        for number in range(numbers):
            for place in range(width):
                joined[at, place] = values[at, place]
                joined[at, width + place] = 0
                joined[at, 2 * width + place] = 0
            for other in range(numbers):
                own = graphs[graph, number, edges + other]
                unseen = graphs[graph, number, edges + numbers + other]
                if own != 0:
                    add_times(own, values[first + other], joined[at], width)
                if unseen != 0:
                    add_times(unseen, values[first + other], joined[at], 2 * width)
            at += 1


@small
def add_times(times: int, values: Numbers, sums: Numbers, first: int) -> None:
    """Adds values, so many times, from a place on."""
    factor = np.float32(times)
    for place in range(len(values)):
        sums[first + place] += factor * values[place]


@small
def put_reads(graphs: Graphs, values: Numbers, reads: Numbers) -> None:
    """The sums that are read."""
    width, numbers, at = values.shape[1], graphs.shape[1], 0
    for graph in range(len(graphs)):
        for place in range(READS * width):
            reads[graph, place] = 0
        for number in range(numbers):
            made, offered = graphs[graph, number, _MADE], graphs[graph, number, _OFFERED]
            closed = graphs[graph, number, _CLOSED]
            for place in range(width):
                value = values[at, place]
                reads[graph, place] += SHARE * value
                reads[graph, width + place] += np.float32(made) * value
                reads[graph, 2 * width + place] += np.float32(offered) * value
                reads[graph, 3 * width + place] += np.float32(closed) * value
            at += 1
