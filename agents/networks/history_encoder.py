"""Encoders of histories, as policy files keep them: what a seat has witnessed (`Batch.histories`)
becomes numbers that are added to the sums of a scorer's first layer.

Each number of an event has a row in a table, and an event is the sum of its rows. The recurrent
encoder is a GRU that reads the events in their order. The attention encoder asks, by queries made
of the observation, which events matter, and adds these up by how much each does; how long ago an
event was is one of its numbers.

Training has the same in PyTorch (`train.encoders`). Here a history's result depends on nothing but
this history and its observation, and the calling thread does all the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from domino_env.agents.networks.history_layers import attend, index_events, recur
from domino_env.agents.networks.layer_arrays import halved, numbers_in
from domino_env.agents.networks.layers import Numbers, add_up, through_layer
from domino_env.batches import Batch, Histories
from domino_env.engine.recall import COLUMNS
from domino_env.errors import BadOption

KINDS = 32  # that an event can have
AGES = 32  # events that were longer ago are as old as the oldest of these
MOST_ROWS = 1 << 12  # of a table

Indices = npt.NDArray[np.int32]


class Vocabulary(NamedTuple):
    """How many rows the table has for each number of an event."""

    kinds: int
    seats: int
    tiles: int
    """Two for each tile, by the half that joins; as any other row, one more for none."""
    ends: int
    ages: int

    @property
    def rows(self) -> int:
        """Of the whole table."""
        return sum(self)

    def indices(self, histories: Histories) -> Indices:
        """int32[E, 5]: the rows of the table that each event is the sum of."""
        events, lengths = _checked(histories)
        most = (self.kinds, self.seats, (self.tiles + 1) // 2, self.ends, 3)
        if len(events) and (events.max(0) >= most).any():
            raise BadOption(f"these histories are of another game: {events.max(0)} in {self}")
        found = np.empty((len(events), len(self)), np.int32)
        starts = np.cumsum([0, *self[:-1]])
        index_events(events, lengths, starts, self.ages, found)
        return found


def _checked(histories: Histories) -> Histories:
    """Histories as kernels take them; refused if they do not fit together."""
    events: npt.NDArray[Any] = np.asarray(histories.events)
    lengths: npt.NDArray[np.int64] = np.asarray(histories.lengths, np.int64)
    if events.dtype != np.uint8 or events.shape[1:] != (len(COLUMNS),):
        raise BadOption("histories are those of batch.histories(): rows of five bytes")
    if lengths.ndim != 1 or (lengths < 0).any() or lengths.sum() != len(events):
        raise BadOption(f"{len(events)} events are not those of histories of lengths {lengths}")
    return Histories(np.ascontiguousarray(events), lengths)


def vocabulary_of(batch: Batch) -> Vocabulary:
    """What the histories of a game can contain."""
    ends = int(batch.rule_table["ends"][0])
    return Vocabulary(
        KINDS,
        batch.num_players + 1,
        2 * batch.rules.num_tiles + 1,
        max(ends, batch.num_players) + 1,  # a tile is taken from a seat, which stands there too
        AGES,
    )


class HistoryEncoder(Protocol):
    """What a policy has its histories encoded by."""

    @property
    def kind(self) -> str:
        """`recurrent` or `attention`."""
        ...

    @property
    def vocabulary(self) -> Vocabulary:
        """Of the game that it was trained for."""
        ...

    @property
    def joined(self) -> Numbers:
        """What an encoded history adds to the first layer's sums."""
        ...

    def encode(self, histories: Histories, observations: Numbers) -> Numbers:
        """float32[n, C]: the histories as numbers, with the observations that belong to them."""
        ...

    def arrays(self) -> dict[str, Numbers]:
        """The arrays that it consists of."""
        ...

    def with_arrays(self, arrays: Sequence[Numbers]) -> HistoryEncoder:
        """The same with other arrays, in the order in which `arrays` gives them."""
        ...


class _Arrays:
    """An encoder's arrays: all that it has but its vocabulary."""

    dimensions: ClassVar[Mapping[str, int]]
    """By their names."""

    def arrays(self) -> dict[str, Numbers]:
        """The arrays that it consists of."""
        return {name: getattr(self, name) for name in self.dimensions}

    def with_arrays(self, arrays: Sequence[Numbers]) -> Any:
        """The same with other arrays, in the order in which `arrays` gives them."""
        changed: Any = dict(zip(self.dimensions, arrays, strict=True))
        return replace(cast(Any, self), **changed)


@dataclass(frozen=True)
class RecurrentEncoder(_Arrays):
    """A GRU over the events; its last state is the history.

    Attributes:
        vocabulary: of the game.
        inputs: float32[rows, 3H]: what each number of an event adds to the gates' sums.
        input_biases, state_weights, state_biases: [3H], [H, 3H], [3H]: as of a GRU, whose gates are
            reset, update and new, in this order.
        joined: [H, W].
    """

    vocabulary: Vocabulary
    inputs: Numbers
    input_biases: Numbers
    state_weights: Numbers
    state_biases: Numbers
    joined: Numbers

    kind = "recurrent"
    dimensions = MappingProxyType(
        {"inputs": 2, "input_biases": 1, "state_weights": 2, "state_biases": 1, "joined": 2}
    )

    def __post_init__(self) -> None:
        size = len(self.joined)
        _must_have_shapes(
            (self.inputs, (self.vocabulary.rows, 3 * size)),
            (self.input_biases, (3 * size,)),
            (self.state_weights, (size, 3 * size)),
            (self.state_biases, (3 * size,)),
        )

    def encode(self, histories: Histories, observations: Numbers) -> Numbers:
        """The state after the last event of each history."""
        size = len(self.joined)
        states = np.zeros((len(histories.lengths), size), np.float32)
        recur(
            self.vocabulary.indices(histories),
            histories.lengths,
            self.inputs,
            self.input_biases,
            self.state_weights,
            self.state_biases,
            np.zeros((2, 3 * size), np.float32),
            states,
        )
        return states


@dataclass(frozen=True)
class AttentionEncoder(_Arrays):
    """Attention from the observation to the events.

    Attributes:
        vocabulary: of the game.
        events: float32[rows, D]: what each number of an event adds to it; ReLU comes after.
        queries, query_biases: [F, heads * D], [heads * D]: the queries that an observation makes.
        joined: [heads * D, W].
    """

    vocabulary: Vocabulary
    events: Numbers
    queries: Numbers
    query_biases: Numbers
    joined: Numbers

    kind = "attention"
    dimensions = MappingProxyType({"events": 2, "queries": 2, "query_biases": 1, "joined": 2})

    def __post_init__(self) -> None:
        width = len(self.joined)
        _must_have_shapes(
            (self.events, (self.vocabulary.rows, self.events.shape[-1])),
            (self.queries, (len(self.queries), width)),
            (self.query_biases, (width,)),
        )
        if width % self.events.shape[1]:
            raise ValueError(f"queries of {width} for events of {self.events.shape[1]}")

    def encode(self, histories: Histories, observations: Numbers) -> Numbers:
        """For each query the mean of the events, weighed by how well they fit it."""
        if len(observations) != len(histories.lengths):
            raise BadOption(f"{len(observations)} observations are not one for each history")
        longest, size = int(histories.lengths.max(initial=0)), self.events.shape[1]
        asked = through_layer(observations, self.queries, self.query_biases)
        found = np.zeros_like(asked)
        attend(
            self.vocabulary.indices(histories),
            histories.lengths,
            self.events,
            asked,
            np.zeros((longest, size), np.float32),
            np.zeros(longest, np.float32),
            found,
        )
        return found


def _must_have_shapes(*expected: tuple[Numbers, tuple[int, ...]]) -> None:
    for array, shape in expected:
        if array.shape != shape or not array.size:
            raise ValueError(f"{array.shape} is not {shape}")


ENCODERS: dict[str, Any] = {each.kind: each for each in (RecurrentEncoder, AttentionEncoder)}
PREFIX = "history_"  # of the names of its arrays in a file


def add_encoded(
    encoder: HistoryEncoder, histories: Histories, observations: Numbers, sums: Numbers
) -> None:
    """Adds what histories come to to the sums of a first layer."""
    add_up(encoder.encode(histories, observations), encoder.joined, sums)


def as_told(encoder: HistoryEncoder) -> dict[str, Any]:
    """What a file says of an encoder, beside its arrays."""
    return {"kind": encoder.kind, "vocabulary": list(encoder.vocabulary)}


def arrays_in_file(encoder: HistoryEncoder) -> dict[str, npt.NDArray[np.float16]]:
    """The arrays by the names that they have in a file."""
    return {f"{PREFIX}{name}": halved(array) for name, array in encoder.arrays().items()}


def encoder_in(told: Any, arrays: dict[str, Any]) -> HistoryEncoder:
    """The encoder of a file, whose arrays are taken out; anything else is a `ValueError`, or
    whatever missing arrays are."""
    vocabulary = Vocabulary(*told["vocabulary"])
    if any(type(rows) is not int or rows < 1 for rows in vocabulary) or vocabulary.rows > MOST_ROWS:
        raise ValueError(vocabulary)
    encoder = ENCODERS[told["kind"]]
    found = {
        name: numbers_in(arrays, PREFIX + name, size) for name, size in encoder.dimensions.items()
    }
    for name in found:
        arrays.pop(PREFIX + name)
    made: HistoryEncoder = encoder(vocabulary, **found)
    return made
