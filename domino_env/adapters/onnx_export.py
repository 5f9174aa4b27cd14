"""Trained policies as ONNX, for runtimes that know nothing of this package.

The model of a policy that gives a logit to each action takes `observation`, float32[N, F], and
gives `logits`, float32[N, A]. That of a scorer takes besides the features of the legal moves of all
decisions, `moves`, float32[R, K], and `owners`, int64[R], which decision each row is of; its
`logits` are float32[R]. One that reads histories takes `history` besides, int64[N, T, 5]: the rows
of `Batch.histories` of each decision, and zeros after them; one on graphs of moves these, `graphs`,
int8[R, V, D]. Where a policy has a prior, its logits are another input, `prior`, of the shape of
`logits`: they come from the engine (`HeuristicPrior.logits`), and not from a network.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.adapters.onnx_nodes import Nodes, add_history
from domino_env.agents import Lanes
from domino_env.agents.net import Net
from domino_env.agents.networks.graph_layers import READ_COLUMNS, SHARE, GraphWeights
from domino_env.agents.networks.policy import Policy, legal_actions
from domino_env.batches import Batch, Histories
from domino_env.engine.move_graphs.graph_fields import NUM_NODE
from domino_env.engine.recall import COLUMNS
from domino_env.errors import DominoError
from domino_env.extras import must_have

OPSET, IR = 17, 8  # read by every runtime since 2022
LOGITS = "logits"
_NODES = np.array([NUM_NODE])  # columns of a graph before its edges
TOLERANCE = 1e-3  # of the largest logit: sums are added up in other orders


def to_onnx(policy: Policy) -> bytes:
    """The content of an ONNX file: the policy's layers, and in its metadata what it is for."""
    must_have("onnx", extra="onnx")
    from onnx import helper

    model = helper.make_model(
        _Graph(policy).made(),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR,
        producer_name="domino-env",
        doc_string=f"A policy for {policy.game}, {policy.num_players} players.",
    )
    helper.set_model_props(model, _about(policy))
    return bytes(model.SerializeToString())


def inputs_of(policy: Policy, batch: Batch, lanes: Lanes) -> dict[str, npt.NDArray[Any]]:
    """The model's inputs for the decisions in some lanes."""
    inputs: dict[str, npt.NDArray[Any]] = {
        "observation": batch.as_floats(batch.observation[lanes]).astype(np.float32)
    }
    counts, legal = legal_actions(batch, lanes)
    owners = np.repeat(np.arange(len(lanes)), counts)
    if policy.move_weights is not None:
        inputs |= {"moves": batch.move_features(lanes), "owners": owners}
    if policy.history is not None:
        inputs["history"] = padded(batch.histories(lanes))
    if policy.graph is not None:
        inputs["graphs"] = batch.move_graphs(lanes)
    if policy.prior is not None:
        prior = policy.prior.logits(batch, lanes)
        inputs["prior"] = prior if policy.move_weights is None else prior[owners, legal]
    return inputs


def padded(histories: Histories) -> npt.NDArray[np.int64]:
    """int64[N, T, 5]: histories side by side, with zeros after each, to the longest's length."""
    events, lengths = histories
    there = np.arange(max(1, lengths.max(initial=0))) < lengths[:, None]
    found = np.zeros((*there.shape, events.shape[1]), np.int64)
    found[there] = events
    return found


def logits_of_legal(
    policy: Policy, found: npt.NDArray[Any], batch: Batch, lanes: Lanes
) -> npt.NDArray[Any]:
    """Of what the model gives, the logits of the legal actions, as `Policy.logits` has them."""
    if policy.move_weights is not None:
        return found
    counts, legal = legal_actions(batch, lanes)
    return found[np.repeat(np.arange(len(lanes)), counts), legal]


def must_agree(policy: Policy, content: bytes, batch: Batch, decisions: int) -> float:
    """Refuses a file in which onnxruntime does not find the logits that we find, while the policy
    plays against itself for so many decisions; otherwise how far they were apart at the most."""
    must_have("onnxruntime", extra="onnx")
    import onnxruntime

    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    every, apart, player = np.arange(batch.num_games), 0.0, Net(policy=policy)
    batch.reset()
    for _ in range(0, decisions, batch.num_games):
        (found,) = session.run(None, inputs_of(policy, batch, every))
        ours = policy.logits(batch, every)
        theirs = logits_of_legal(policy, found, batch, every)
        apart = max(apart, float(np.abs(ours - theirs).max() / max(1.0, np.abs(ours).max())))
        if apart > TOLERANCE:
            raise DominoError(
                f"onnxruntime gives logits that are {apart:.1e} from ours: nothing is written; "
                "please report it"
            )
        batch.step(player.act(batch, every))
    return apart


def _about(policy: Policy) -> dict[str, str]:
    return {
        "game": policy.game,
        "changes": json.dumps(dict(policy.changes)),
        "mark": policy.mark,
        "players": str(policy.num_players),
        "notes": json.dumps(dict(policy.notes)),
    }


class _Graph(Nodes):
    """The nodes of a policy, one after the other."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy

    def made(self) -> Any:
        """The whole graph."""
        from onnx import TensorProto, helper

        policy = self._policy
        features, rows = policy.layers[0][0].shape[0], self._shape_of_logits()
        inputs = [("observation", TensorProto.FLOAT, ["decisions", features])]
        if policy.move_weights is not None:
            inputs.append(("moves", TensorProto.FLOAT, ["rows", len(policy.move_weights)]))
            inputs.append(("owners", TensorProto.INT64, ["rows"]))
        if policy.history is not None:
            inputs.append(("history", TensorProto.INT64, ["decisions", "events", len(COLUMNS)]))
        if policy.graph is not None:
            inputs.append(("graphs", TensorProto.INT8, ["rows", "numbers", "columns"]))
        if policy.prior is not None:
            inputs.append(("prior", TensorProto.FLOAT, rows))
        self._add_all()
        return helper.make_graph(
            self.nodes,
            policy.game,
            [helper.make_tensor_value_info(*each) for each in inputs],
            [helper.make_tensor_value_info(LOGITS, TensorProto.FLOAT, rows)],
            self.constants,
        )

    def _shape_of_logits(self) -> list[Any]:
        if self._policy.move_weights is not None:
            return ["rows"]
        return ["decisions", len(self._policy.layers[-1][1])]

    def _add_all(self) -> None:
        policy = self._policy
        values = self._layer(0, "observation")
        if policy.history is not None:
            values = self.node("Add", values, add_history(self, policy.history))
        if policy.move_weights is not None:
            values = self.node("Gather", values, "owners", axis=0)
            weights = self.constant("weights_of_moves", policy.move_weights)
            values = self.node("Add", values, self.node("MatMul", "moves", weights))
        if policy.graph is not None:
            values = self.node("Add", values, self._read_of_graphs(policy.graph))
        for number in range(1, len(policy.layers)):
            values = self._layer(number, self.node("Relu", values))
        if policy.move_weights is not None:
            values = self.node("Squeeze", values, self.constant("last", np.array([1])))
        if policy.prior is not None:
            values = self.node("Add", values, "prior")
        self.node("Identity", values, output=LOGITS)

    def _read_of_graphs(self, graph: GraphWeights) -> str:
        """What is read of the graphs adds this to the first layer's sums."""
        known, own, unseen = self._parts_of_graphs()
        values = self._layer_of("embed", known, graph.embed, graph.embed_biases)
        for number, (weights, biases) in enumerate(zip(graph.rounds, graph.biases, strict=True)):
            told = [self.node("MatMul", edges, values) for edges in (own, unseen)]
            heard = self.node("Concat", values, *told, axis=2)
            stacked = np.concatenate(np.hsplit(weights, 3))
            values = self._layer_of(f"round_{number}", heard, stacked, biases)
        shares = self.node("Transpose", self._shares(known), perm=[0, 2, 1])
        reads = self.node("Flatten", self.node("MatMul", shares, values), axis=1)
        return self.node("MatMul", reads, self.constant("join", graph.join))

    def _parts_of_graphs(self) -> list[str]:
        """What is known of the numbers, and the edges of own and of unseen tiles. There are as many
        columns of either as there are numbers."""
        from onnx import TensorProto

        graphs = self.node("Cast", "graphs", to=TensorProto.FLOAT)
        numbers = self.node("Shape", "graphs", start=1, end=2)
        bounds = [self.constant("begin", np.array([0])), self.constant("nodes", _NODES)]
        bounds.append(self.node("Add", bounds[1], numbers))
        bounds.append(self.node("Add", bounds[2], numbers))
        axis = self.constant("columns", np.array([2]))
        return [self.node("Slice", graphs, first, last, axis) for first, last in pairwise(bounds)]

    def _shares(self, known: str) -> str:
        """How much each number counts in each of the sums that are read."""
        none = self.node(
            "Mul", self._columns(known, [0]), self.constant("none", np.zeros(1, np.float32))
        )
        every = self.node("Add", none, self.constant("share", np.array([SHARE])))
        return self.node("Concat", every, self._columns(known, READ_COLUMNS), axis=2)

    def _columns(self, known: str, columns: Sequence[int]) -> str:
        places = self.constant(f"columns_{len(self.nodes)}", np.array(columns))
        return self.node("Gather", known, places, axis=2)

    def _layer_of(
        self, name: str, values: str, weights: npt.NDArray[Any], biases: npt.NDArray[Any]
    ) -> str:
        """A layer of the graph's part, and ReLU."""
        sums = self.node("MatMul", values, self.constant(f"{name}_weights", weights))
        biased = self.node("Add", sums, self.constant(f"{name}_biases", biases))
        return self.node("Relu", biased)

    def _layer(self, number: int, values: str) -> str:
        weights, biases = self._policy.layers[number]
        return self.node(
            "Gemm",
            values,
            self.constant(f"weights_{number}", weights),
            self.constant(f"biases_{number}", biases),
        )
