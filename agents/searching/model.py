"""A player as compiled code has it: logits of the legal actions of a game that is played on.

Searches ask it what the others would do and play games out with it. It is a network, a linear
evaluation by the weights of `heuristic`, or a network whose prior is such an evaluation. What a
network is given is mostly zeros, before its first layer and, by ReLU, after it; so a layer adds up
the rows of weights of what is not zero, for one decision at a time, and no game waits for another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import Weights, weight_of
from domino_env.agents.heuristic import as_row
from domino_env.agents.networks.graph_layers import (
    Graphs,
    GraphScratch,
    GraphWeights,
    add_four,
    new_graph_scratch,
    read_graphs,
)
from domino_env.agents.networks.heuristic_prior import FLOOR
from domino_env.agents.networks.policy import Policy
from domino_env.agents.searching.playout import Scratch, new_scratch
from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.move_features.describe import describe_moves
from domino_env.engine.move_features.known import new_known
from domino_env.engine.move_graphs.write_graphs import draw_graphs
from domino_env.engine.observe import observe
from domino_env.engine.state import (
    Counts,
    Game,
    Games,
    Legal,
    Log,
    Logs,
    RuleTable,
    RuleTables,
)
from domino_env.errors import BadOption

if TYPE_CHECKING:
    from domino_env.engine.record_types import Known, Records


Numbers = npt.NDArray[np.float32]

NOT_CLIPPED = -np.inf
READS_HISTORIES = (
    "search knows no policy that reads histories: play this one by net, or train one with "
    "history: none"
)
_ZERO = np.float32(0)


class Model(NamedTuple):
    """A player. Sizes of 0 say what it has not."""

    weights: Weights  # [19] or [0]: of the features of `heuristic`
    scale: Weights  # [2]: the logit for each 1 of weight, and the least of these logits
    seen: Numbers  # [F * H] or [0]: the observation's part of the first layer, row by row; not
    # there in a network that was trained without
    moves: Numbers  # [K * H] or [0]: that of the features of a move; without it, an MLP
    biases: Numbers  # [sum of widths]: of all layers, one after the other
    onwards: Numbers  # [sum of sizes]: weights of the layers after the first, row by row
    widths: npt.NDArray[np.int64]  # [L]: what each layer gives
    graph: GraphWeights  # ... and the graph's part of the first; [0, 0] without one
    joins: Numbers  # ... which adds these rows, one after the other, to the first layer's sums
    graph_scratch: GraphScratch  # memory of its own, for some graphs


class ModelScratch(NamedTuple):
    """Memory for asking a model about one decision at a time."""

    table: Scratch
    known: Records[Known]  # [1]
    observation: Numbers  # [1, F]
    rows: Numbers  # [M, K]: features of moves
    first: Numbers  # [H]: sums of the first layer, before any move
    graphs: Graphs  # [M, V, D]: graphs of moves
    one: Numbers  # [H]: values of a layer ...
    other: Numbers  # [H]: ... and of the next
    places: npt.NDArray[np.int64]  # [I]: of those that are not 0
    logits: Weights  # [M]
    weighed: Weights  # [M]: by the weights of `heuristic`


def linear_model(weights: Weights, scale: float) -> Model:
    """The weights of `heuristic` alone, as logits."""
    none = np.zeros(0, np.float32)
    return Model(
        np.array(weights, np.float64),
        np.array([scale, NOT_CLIPPED]),
        *(none, none, none, none),
        np.zeros(0, np.int64),
        *_no_graph(),
    )


def _no_graph() -> tuple[GraphWeights, Numbers, GraphScratch]:
    none = np.zeros((0, 0), np.float32)
    weights = GraphWeights(none, _in_a_row(), np.zeros((0, 0, 0), np.float32), none, none)
    return weights, _in_a_row(), new_graph_scratch(0, 0, 0)


def network_model(policy: Policy, batch: Batch) -> Model:
    """A trained policy, with its prior, for the games of a batch."""
    if policy.history is not None:
        raise BadOption(READS_HISTORIES)
    row, scale = np.zeros(0), np.zeros(2)
    if policy.prior is not None:
        row = as_row(dict(policy.prior.weights))
        scale = np.array([policy.prior.scale, FLOOR])
    first, *others = policy.layers
    moves = policy.move_weights
    by_moves_alone = moves is not None and not first[0].any()
    return Model(
        row,
        scale,
        _in_a_row() if by_moves_alone else _in_a_row(first[0]),
        _in_a_row() if moves is None else _in_a_row(moves),
        _in_a_row(*(biases for _, biases in policy.layers)),
        _in_a_row(*(each for each, _ in others)),
        np.array([len(biases) for _, biases in policy.layers]),
        *(_no_graph() if policy.graph is None else _graph_of(policy.graph, batch)),
    )


def _graph_of(graph: GraphWeights, batch: Batch) -> tuple[GraphWeights, Numbers, GraphScratch]:
    numbers, width = len(batch.rules.tile_set.values), graph.embed.shape[1]
    scratch = new_graph_scratch(batch._legal.shape[1], numbers, width)
    return graph, _in_a_row(graph.join), scratch


def _in_a_row(*arrays: Numbers) -> Numbers:
    return np.concatenate([np.zeros(0, np.float32), *(each.ravel() for each in arrays)])


def new_model_scratch(batch: Batch, *models: Model) -> ModelScratch:
    """Memory for asking about the games of a batch."""
    width = max((int(model.widths.max(initial=1)) for model in models), default=1)
    listed, fields = batch._legal.shape[1], len(batch.move_fields)
    reads = max((len(model.graph.join) for model in models), default=0)
    return ModelScratch(
        table=new_scratch(batch),
        known=new_known(batch._rule_table),
        observation=np.zeros((1, batch.num_features + 8), np.float32),
        rows=np.zeros((listed, fields + 8), np.float32),
        graphs=np.zeros(
            (listed, len(batch.rules.tile_set.values), len(batch.graph_fields)), np.int8
        ),
        first=np.zeros(width, np.float32),
        one=np.zeros(width, np.float32),
        other=np.zeros(width, np.float32),
        places=np.zeros(max(width, batch.num_features, fields, reads), np.int64),
        logits=np.zeros(listed),
        weighed=np.zeros(listed),
    )


@kernel
def write_logits_of_lane(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    legal: Legal,
    num_legal: Counts,
    lane: int,
    model: Model,
    scratch: ModelScratch,
) -> None:
    """The logits of the legal actions in a lane."""
    number = int(num_legal[lane])
    write_logits(rule_tables[0], games[lane], logs[lane], legal[lane], number, model, scratch)


@kernel
def write_logits(
    rules: RuleTable,
    game: Game,
    log: Log,
    legal: Legal,
    number: int,
    model: Model,
    scratch: ModelScratch,
) -> None:
    """Writes the logits of the seat to move, for the first so many listed actions."""
    for k in range(number):
        scratch.logits[k] = 0.0
    if len(model.widths):
        add_network(rules, game, log, legal, number, model, scratch)
    if len(model.weights):
        add_weights(rules, game, legal, number, model, scratch)


@kernel
def add_weights(
    rules: RuleTable, game: Game, legal: Legal, number: int, model: Model, scratch: ModelScratch
) -> None:
    """Adds how far each action is behind the one that weighs the most."""
    most, table = -np.inf, scratch.table
    for k in range(number):
        weight = weight_of(rules, game, int(legal[k]), model.weights, table.after, table.features)
        scratch.weighed[k] = weight
        most = max(most, weight)
    for k in range(number):
        behind = model.scale[0] * (scratch.weighed[k] - most)
        scratch.logits[k] += max(behind, model.scale[1])


@kernel
def add_network(
    rules: RuleTable,
    game: Game,
    log: Log,
    legal: Legal,
    number: int,
    model: Model,
    scratch: ModelScratch,
) -> None:
    """Adds what the network gives."""
    width = int(model.widths[0])
    for out in range(width):
        scratch.first[out] = model.biases[out]
    if len(model.seen):
        inputs, seen = len(model.seen) // width, scratch.observation[0]
        observe(rules, game, int(game.to_move), scratch.observation, 0)
        add_rows(seen, inputs, model.seen, 0, scratch.first, width, scratch.places)
    if len(model.moves) == 0:
        last = through_hidden(model, scratch)
        for k in range(number):
            scratch.logits[k] += last_value(model, last, scratch.one, int(legal[k]))
        return
    describe_moves(
        rules,
        game,
        log,
        legal,
        np.uint64(number),
        scratch.table.after,
        scratch.known[0],
        scratch.rows,
        np.uint64(0),
    )
    has_graph = len(model.graph.embed) > 0
    if has_graph:
        look_at_graphs(rules, game, log, legal, number, model, scratch)
    inputs, reads = len(model.moves) // width, len(model.joins) // width
    for k in range(number):
        for out in range(width):
            scratch.one[out] = scratch.first[out]
        add_rows(scratch.rows[k], inputs, model.moves, 0, scratch.one, width, scratch.places)
        if has_graph:
            read = model.graph_scratch.reads[k]
            add_rows(read, reads, model.joins, 0, scratch.one, width, scratch.places)
        last = onwards(model, scratch)
        scratch.logits[k] += last_value(model, last, scratch.one, 0)


@kernel
def look_at_graphs(
    rules: RuleTable,
    game: Game,
    log: Log,
    legal: Legal,
    number: int,
    model: Model,
    scratch: ModelScratch,
) -> None:
    """What is read of the graphs of the first so many listed actions."""
    draw_graphs(
        rules,
        game,
        log,
        legal,
        np.uint64(number),
        scratch.table.after,
        scratch.known[0],
        scratch.graphs,
        np.uint64(0),
    )
    read_graphs(scratch.graphs[:number], model.graph, model.graph_scratch)


@small
def through_hidden(model: Model, scratch: ModelScratch) -> int:
    """All hidden layers, from the first one's sums."""
    for out in range(int(model.widths[0])):
        scratch.one[out] = scratch.first[out]
    return onwards(model, scratch)


@kernel
def onwards(model: Model, scratch: ModelScratch) -> int:
    """Through the layers between the first and the last; where the weights of the last begin."""
    layers, at, bias = len(model.widths), 0, int(model.widths[0])
    for layer in range(1, layers - 1):
        takes, gives = int(model.widths[layer - 1]), int(model.widths[layer])
        for out in range(gives):
            scratch.other[out] = model.biases[bias + out]
        for place in range(takes):
            scratch.one[place] = max(scratch.one[place], _ZERO)
        add_rows(scratch.one, takes, model.onwards, at, scratch.other, gives, scratch.places)
        for out in range(gives):
            scratch.one[out] = scratch.other[out]
        at += takes * gives
        bias += gives
    return at


@kernel
def last_value(model: Model, at: int, values: Numbers, out: int) -> float:
    """One number of the last layer, whose weights begin there. Four sums do not wait for one
    another."""
    layers = len(model.widths)
    gives = int(model.widths[layers - 1])
    if layers == 1:
        return float(values[out])
    one = model.biases[len(model.biases) - gives + out]
    two = three = four = np.float32(0)
    takes, at = int(model.widths[layers - 2]), at + out
    fours = takes - takes % 4
    for place in range(0, fours, 4):
        one += max(values[place], _ZERO) * model.onwards[at]
        two += max(values[place + 1], _ZERO) * model.onwards[at + gives]
        three += max(values[place + 2], _ZERO) * model.onwards[at + 2 * gives]
        four += max(values[place + 3], _ZERO) * model.onwards[at + 3 * gives]
        at += 4 * gives
    for place in range(fours, takes):
        one += max(values[place], _ZERO) * model.onwards[at]
        at += gives
    return float((one + two) + (three + four))


@kernel
def add_rows(
    values: Numbers,
    number: int,
    rows: Numbers,
    at: int,
    sums: Numbers,
    width: int,
    places: npt.NDArray[np.int64],
) -> None:
    """Adds the rows of weights, which begin there, of the values that are not 0: four in one go,
    for sums are slow to fetch and to put away."""
    found = 0
    for place in range(number):
        places[found] = place
        found += values[place] != 0
    fours = found - found % 4
    for first in range(0, fours, 4):
        p, q, r, s = places[first], places[first + 1], places[first + 2], places[first + 3]
        add_four(
            values[p],
            values[q],
            values[r],
            values[s],
            rows[at + p * width : at + (p + 1) * width],
            rows[at + q * width : at + (q + 1) * width],
            rows[at + r * width : at + (r + 1) * width],
            rows[at + s * width : at + (s + 1) * width],
            sums[:width],
        )
    for last in range(fours, found):
        value, row = values[places[last]], at + places[last] * width
        for out in range(width):
            sums[out] += value * rows[row + out]


@small
def best_logit(logits: Weights, number: int) -> int:
    """The place of the highest; the first of several."""
    best = 0
    for k in range(1, number):
        if logits[k] > logits[best]:
            best = k
    return best
