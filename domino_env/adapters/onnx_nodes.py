"""The nodes of an ONNX graph, and those of encoders of histories (`history_encoder`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.networks.history_encoder import (
    AttentionEncoder,
    HistoryEncoder,
    RecurrentEncoder,
)

KIND, SEAT, TILE, END, HALF = range(5)  # columns of an event
OF_ONNX = (1, 0, 2)  # our gates, reset, update and new, in the order of its GRU
FLOAT, INT32, INT64 = 1, 6, 7  # as ONNX numbers its types
NOT_THERE = -1e9


class Nodes:
    """Nodes, one after the other, and the numbers that they are given."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, numbers: npt.ArrayLike) -> str:
        """Keeps numbers by a name."""
        from onnx import numpy_helper

        array = np.array(numbers, order="C")
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def node(
        self, kind: str, *inputs: str, output: str = "", place: int = 0, **options: Any
    ) -> str:
        """Adds a node; the name of what it gives, at that place of its outputs."""
        from onnx import helper

        name = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [""] * place + [name], **options))
        return name


def add_history(graph: Nodes, encoder: HistoryEncoder) -> str:
    """What histories add to the first layer's sums, from `history` and `observation`."""
    found = _History(graph).encoded(encoder)
    return graph.node("MatMul", found, graph.constant("weights_of_history", encoder.joined))


class _History:
    """The histories of some decisions, [N, T, 5], as they are read."""

    def __init__(self, graph: Nodes) -> None:
        self._graph, self._node = graph, graph.node
        self._kinds = self._column(KIND)
        self._there = self._node("Greater", self._kinds, self._number(0))
        self._ones = self._node("Cast", self._there, to=INT64)
        self._lengths = self._node("ReduceSum", self._ones, self._numbers([1]), keepdims=1)

    def encoded(self, encoder: HistoryEncoder) -> str:
        """[N, C]: by an encoder."""
        if isinstance(encoder, AttentionEncoder):
            return self._attended(encoder)
        assert isinstance(encoder, RecurrentEncoder)
        return self._read(encoder)

    def _column(self, column: int) -> str:
        return self._node("Gather", "history", self._number(column), axis=2)

    def _number(self, number: int) -> str:
        return self._numbers(number)

    def _numbers(self, numbers: int | list[int]) -> str:
        name = f"number_{len(self._graph.constants)}"
        return self._graph.constant(name, np.array(numbers, np.int64))

    def _sums(self, encoder: HistoryEncoder, table: npt.NDArray[np.float32]) -> str:
        """[N, T, D]: of each event the sum of its rows of the table."""
        starts = np.cumsum([0, *encoder.vocabulary])
        places = [self._kinds, self._column(SEAT), self._laid(), self._column(END)]
        found = ""
        for number, place in enumerate([*places, self._ages(encoder.vocabulary.ages)]):
            part = table[starts[number] : starts[number + 1]]
            rows = self._node("Gather", self._graph.constant(f"table_{number}", part), place)
            found = self._node("Add", found, rows) if found else rows
        return found

    def _laid(self) -> str:
        """The tile, by the half that joined."""
        tile = self._column(TILE)
        second = self._node("Equal", self._column(HALF), self._number(2))
        place = self._node("Mul", tile, self._number(2))
        place = self._node("Sub", place, self._number(1))
        place = self._node("Add", place, self._node("Cast", second, to=INT64))
        return self._node("Max", place, self._number(0))

    def _ages(self, ages: int) -> str:
        """How many events there were since."""
        before = self._node("CumSum", self._ones, self._number(1))
        return self._node("Min", self._node("Sub", self._lengths, before), self._number(ages - 1))

    def _attended(self, encoder: AttentionEncoder) -> str:
        size, width = encoder.events.shape[1], len(encoder.joined)
        events = self._node("Relu", self._sums(encoder, encoder.events))
        queries = self._node(
            "Gemm",
            "observation",
            self._graph.constant("queries", encoder.queries),
            self._graph.constant("query_biases", encoder.query_biases),
        )
        queries = self._node("Reshape", queries, self._numbers([-1, width // size, size]))
        fit = self._node("MatMul", queries, self._node("Transpose", events, perm=[0, 2, 1]))
        there = self._node("Unsqueeze", self._there, self._numbers([1]))
        low = self._graph.constant("not_there", np.float32(NOT_THERE))
        shares = self._node("Softmax", self._node("Where", there, fit, low), axis=2)
        # Of a history without events everything is as likely, and nothing.
        ones = self._node("Cast", there, to=FLOAT)
        shares = self._node("Mul", shares, ones)
        return self._node(
            "Reshape", self._node("MatMul", shares, events), self._numbers([-1, width])
        )

    def _read(self, encoder: RecurrentEncoder) -> str:
        """The last state of a GRU whose inputs are the sums of its gates already."""
        size = len(encoder.joined)
        events = self._node("Transpose", self._sums(encoder, encoder.inputs), perm=[1, 0, 2])
        lengths = self._node("Squeeze", self._lengths, self._numbers([1]))
        biases = [_gates(encoder.input_biases), _gates(encoder.state_biases)]
        state = self._node(
            "GRU",
            events,
            self._graph.constant("gates", _gates(np.eye(3 * size, dtype=np.float32))[None]),
            self._graph.constant("state_weights", _gates(encoder.state_weights.T)[None]),
            self._graph.constant("gate_biases", np.concatenate(biases)[None]),
            self._node("Cast", lengths, to=INT32),
            place=1,
            hidden_size=size,
            linear_before_reset=1,
        )
        return self._node("Squeeze", state, self._numbers([0]))


def _gates(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Three parts, in the order in which ONNX has the gates."""
    parts = np.split(rows, 3)
    return np.concatenate([parts[place] for place in OF_ONNX])
