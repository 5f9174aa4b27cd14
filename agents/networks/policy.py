"""Trained policies: the layers of a network, and the file that holds them.

There are two kinds of network. One gives a logit to each action of the action space, from the
observation. The other scores one legal action at a time, from the observation and what the action
would leave on the table (`Batch.move_features`): one small network for all actions. It may look at
the graph that the action leaves besides (`graph_layers`), or read the history of the round
(`history_encoder`).

A policy file is a NumPy archive of plain arrays and a piece of JSON that says what it was trained
for. Reading one runs no code, and playing one needs no trainer.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from domino_env.agents import Lanes
from domino_env.agents.networks.archive import DAMAGED, read_arrays, read_at_most
from domino_env.agents.networks.graph_layers import (
    Graphs,
    GraphWeights,
    add_graphs,
    must_fit_graphs,
)
from domino_env.agents.networks.heuristic_prior import HeuristicPrior
from domino_env.agents.networks.history_encoder import (
    HistoryEncoder,
    add_encoded,
    arrays_in_file,
    as_told,
    encoder_in,
    vocabulary_of,
)
from domino_env.agents.networks.layer_arrays import Layer as Layer
from domino_env.agents.networks.layer_arrays import arrays_of, halved, layers_in, numbers_in
from domino_env.agents.networks.layers import Numbers, add_up, through_layer
from domino_env.batches import Batch, Histories
from domino_env.errors import BadOption
from domino_env.games import has_mark

ABOUT_KINDS = {"game": str, "changes": dict, "mark": str, "players": int, "notes": dict}
ABOUT = "about"  # the entry of the archive that says what the policy is for
KIND, KIND_OF_SCORER, KIND_OF_GRAPH, KIND_WITH_HISTORY = (
    f"domino policy {number}" for number in (1, 2, 3, 4)
)
HISTORY = "history"  # what is said of what encodes histories
MOVES = "moves"  # the entry of a scorer's weights for the features of a move
GRAPH = "graph_"  # before the names of the weights for graphs
MOST_BYTES = 1 << 27  # of a policy file, packed or not: 64 million numbers
LEAST_BYTES, MOST_TIMES = 1 << 24, 16  # it may unpack to so many, and to so many times its size


@dataclass(frozen=True)
class Policy:
    """A policy network: logits of all actions from the observation of a seat.

    Attributes:
        game: the id of the game it was trained for.
        changes: the house rules, to be read.
        mark: a hash of the rules with these changes (`mark_of`).
        num_players: seats in a game.
        layers: weights and biases, from the observation to a logit for each action, or of a scorer
            to one logit; ReLU between them.
        notes: whatever else is worth keeping, how it was trained for example.
        prior: logits that are added to those of the network, if any.
        move_weights: float32[K, H], of a scorer: what the features of a move add to the first
            layer's sums.
        graph: of a scorer that sees the graphs of moves, its weights for these.
        history: of a scorer that reads histories: what encodes them.
    """

    game: str
    changes: Mapping[str, Any]
    mark: str
    num_players: int
    layers: Sequence[Layer]
    notes: Mapping[str, Any] = field(default_factory=dict)
    prior: HeuristicPrior | None = None
    move_weights: Numbers | None = None
    graph: GraphWeights | None = None
    history: HistoryEncoder | None = None

    def logits(self, batch: Batch, lanes: Lanes) -> Numbers:
        """float32[R]: a logit for each legal action in some lanes, from what the seat to move sees:
        lane after lane, in the order of `batch.legal`."""
        observations = batch.as_floats(batch._observation[lanes])
        counts, legal = legal_actions(batch, lanes)
        rows = np.repeat(np.arange(len(lanes)), counts)
        if self.move_weights is None:
            logits = self.network_logits(observations)[rows, legal]
        else:
            graphs = None if self.graph is None else batch.move_graphs(lanes)
            histories = None if self.history is None else batch.histories(lanes)
            moves = batch.move_features(lanes)
            logits = self.scorer_logits(observations, moves, counts, graphs, histories)
        if self.prior is not None:
            logits += self.prior.logits(batch, lanes)[rows, legal]
        return logits

    def network_logits(self, observations: Numbers) -> Numbers:
        """Logits of the network alone for all actions, for rows of observations."""
        return self._onwards(through_layer(observations, *self.layers[0]))

    def scorer_logits(
        self,
        observations: Numbers,
        moves: Numbers,
        counts: Lanes,
        graphs: Graphs | None = None,
        histories: Histories | None = None,
    ) -> Numbers:
        """Logits of a scorer, for so many moves of each observation: the observation, and what has
        happened before it, go through their parts of the first layer only once."""
        if self.move_weights is None or moves.shape[1:] != self.move_weights.shape[:1]:
            raise BadOption(f"this policy scores no moves of {moves.shape[-1]} numbers")
        if (self.history is None) != (histories is None):
            raise BadOption("histories are for policies that read them, and needed by those alone")
        seen = through_layer(observations, *self.layers[0])
        if self.history is not None and histories is not None:
            add_encoded(self.history, histories, observations, seen)
        sums = np.repeat(seen, counts, axis=0)
        add_up(moves, self.move_weights, sums)
        if self.graph is not None:
            if graphs is None:
                raise BadOption("this policy scores moves by their graphs, too: see move_graphs")
            add_graphs(graphs, self.graph, sums)
        return self._onwards(sums)[:, 0]

    def _onwards(self, values: Numbers) -> Numbers:
        """From the first layer's sums to logits."""
        for weights, biases in self.layers[1:]:
            np.maximum(values, 0.0, out=values)
            values = through_layer(values, weights, biases)
        return values

    def must_fit(self, batch: Batch) -> None:
        """Refuses batches of other games than it was trained for."""
        if self.game != batch.rules.id or self.num_players != batch.num_players:
            raise BadOption(
                f"this policy was trained for {self.game} with {self.num_players} players, "
                f"not for {batch.rules.id} with {batch.num_players}"
            )
        takes, gives = self.layers[0][0].shape[0], self.layers[-1][0].shape[1]
        actions = batch.num_actions if self.move_weights is None else gives
        if (takes, gives) != (batch.num_features, actions):
            raise BadOption(
                f"this policy was trained for {self.game} with other house rules, options or "
                f"calls: it takes {takes} features and scores {gives} actions, but here are "
                f"{batch.num_features} and {batch.num_actions}"
            )
        columns = None if self.move_weights is None else len(self.move_weights)
        if columns not in (None, len(batch.move_fields)):
            raise BadOption(
                f"this policy was trained for {self.game} with other house rules: it scores moves "
                f"of {columns} numbers, but here they have {len(batch.move_fields)}"
            )
        if self.graph is not None:  # it does for any number of numbers
            must_fit_graphs(self.graph, len(self.layers[0][1]))
        if self.history is not None and self.history.vocabulary != vocabulary_of(batch):
            raise BadOption(
                f"this policy was trained for {self.game} with other house rules: it reads "
                f"histories of {self.history.vocabulary}, but here they are of "
                f"{vocabulary_of(batch)}"
            )

    def knows(self, batch: Batch) -> bool:
        """Was it trained for exactly these rules and seats?"""
        return self.num_players == batch.num_players and has_mark(batch.rules, self.mark)

    @property
    def _kind(self) -> str:
        if self.history is not None and self.graph is not None:
            raise BadOption(
                "a policy file keeps what reads graphs or what reads histories, not both"
            )
        if self.history is not None:
            return KIND_WITH_HISTORY
        if self.graph is not None:
            return KIND_OF_GRAPH
        return KIND if self.move_weights is None else KIND_OF_SCORER

    def to_bytes(self) -> bytes:
        """As the content of a file; numbers of half the size are as good to play by."""
        about: dict[str, Any] = {
            "kind": self._kind,
            "game": self.game,
            "changes": dict(self.changes),
            "mark": self.mark,
            "players": self.num_players,
            "notes": dict(self.notes),
        }
        if self.prior is not None:
            about["leans"] = self.prior.to_plain()
        if self.history is not None:
            about[HISTORY] = as_told(self.history)
        arrays: dict[str, Any] = {ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8)}
        arrays |= arrays_of(self.layers)
        if self.move_weights is not None:
            arrays[MOVES] = halved(self.move_weights)
        if self.graph is not None:
            arrays |= {GRAPH + name: halved(part) for name, part in self.graph._asdict().items()}
        if self.history is not None:
            arrays |= arrays_in_file(self.history)
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        return file.getvalue()


def legal_actions(batch: Batch, lanes: Lanes) -> tuple[Lanes, Lanes]:
    """How many legal actions there are in each of some lanes, and which: lane after lane."""
    counts = batch._num_legal[lanes].astype(np.int64)
    listed = batch._legal[lanes]
    legal: Lanes = listed[np.arange(listed.shape[1]) < counts[:, None]].astype(np.int64)
    return counts, legal


def read_policy(file: Path) -> Policy:
    """The policy that a file keeps."""
    try:
        content = read_at_most(file, MOST_BYTES)
    except OSError as error:
        raise BadOption(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        told = f"{str(file)!r} cannot be read, or is too large to be a policy file"
        raise BadOption(told) from error
    try:
        # Trained numbers can hardly be packed; what unpacks to many times its size is none of ours.
        arrays = read_arrays(content, min(MOST_BYTES, LEAST_BYTES + MOST_TIMES * len(content)))
        about = json.loads(bytes(arrays.pop(ABOUT)))
        if about["kind"] not in (KIND, KIND_OF_SCORER, KIND_OF_GRAPH, KIND_WITH_HISTORY):
            raise ValueError(about["kind"])
        for name, kind in ABOUT_KINDS.items():
            if type(about[name]) is not kind:
                raise ValueError(name)
        moves = None if about["kind"] == KIND else numbers_in(arrays, MOVES, 2)
        graph = graph_in(arrays) if about["kind"] == KIND_OF_GRAPH else None
        reads = about["kind"] == KIND_WITH_HISTORY
        history = encoder_in(about[HISTORY], arrays) if reads else None
        prior = about.get("leans")
        policy = Policy(
            about["game"],
            about["changes"],
            about["mark"],
            about["players"],
            layers_in(arrays),
            about["notes"],
            prior and HeuristicPrior.from_plain(prior),
            moves,
            graph,
            history,
        )
        _must_fit_moves(policy.layers, moves)
        if graph is not None:
            must_fit_graphs(graph, len(policy.layers[0][1]))
        _must_join(policy.layers, history)
    except (BadOption, *DAMAGED) as error:
        raise BadOption(f"{file} is damaged, or is not a policy file") from error
    return policy


def graph_in(arrays: dict[str, Any]) -> GraphWeights:
    """The weights for graphs, which are taken out of the arrays of a file."""
    axes = {"embed": 2, "embed_biases": 1, "rounds": 3, "biases": 2, "join": 2}
    parts = {name: numbers_in(arrays, GRAPH + name, number) for name, number in axes.items()}
    for name in parts:
        del arrays[GRAPH + name]
    return GraphWeights(**parts)


def game_of(file: Path) -> str:
    """The game that one of our own policy files is for: its numbers are not read."""
    with np.load(file) as arrays:
        return str(json.loads(bytes(arrays[ABOUT]))["game"])


def _must_fit_moves(layers: Sequence[Layer], moves: Numbers | None) -> None:
    """Do the features of a move go into the first layer, and is one logit what comes out?"""
    if moves is not None and (moves.shape[1], 1) != (len(layers[0][1]), len(layers[-1][1])):
        raise ValueError(f"{moves.shape} are no moves for these layers")


def _must_join(layers: Sequence[Layer], history: HistoryEncoder | None) -> None:
    """Do encoded histories go into the first layer, and are they asked by its observations?"""
    if history is None:
        return
    arrays, (features, width) = history.arrays(), layers[0][0].shape
    if history.joined.shape[1] != width or len(arrays.get("queries", layers[0][0])) != features:
        raise ValueError(f"{history.joined.shape} are no histories for {features} and {width}")
