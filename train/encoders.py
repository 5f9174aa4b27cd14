"""Encoders of histories that are trained: a GRU over the events of a round, or attention to them.

What they compute is said where policies are played (`agents.networks.history_encoder`), without
PyTorch. What they give joins the first layer's sums of a scorer, and begins at zero: so a network
with a history begins as the same network without one, and has nothing to unlearn.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
import torch

from domino_env.agents.networks.history_encoder import (
    AttentionEncoder,
    HistoryEncoder,
    RecurrentEncoder,
    Vocabulary,
)
from domino_env.batches import Histories

HEADS = 4  # queries of an attention encoder


class EncoderSettings(NamedTuple):
    """How histories are encoded.

    Attributes:
        kind: `recurrent` or `attention`.
        size: of the state, or of an event and a query.
        vocabulary: what the histories of the game can contain.
    """

    kind: str
    size: int
    vocabulary: Vocabulary


class Encoder(torch.nn.Module):
    """Histories as what they add to the first layer's sums."""

    def __init__(self, settings: EncoderSettings, given: int, width: int) -> None:
        super().__init__()
        self.vocabulary = settings.vocabulary
        self.events = torch.nn.Parameter(torch.empty(settings.vocabulary.rows, settings.size))
        self.joined = torch.nn.Parameter(torch.zeros(given, width))

    def forward(self, histories: Histories, observations: torch.Tensor) -> torch.Tensor:
        """[n, W]: what each history adds, with the observation that belongs to it."""
        if not len(histories.events):
            return observations.new_zeros(len(observations), self.joined.shape[1])
        rows = torch.as_tensor(self.vocabulary.indices(histories))
        events = torch.nn.functional.embedding_bag(rows, self.events, mode="sum")
        return self.encode(events, histories.lengths, observations) @ self.joined

    def encode(
        self, events: torch.Tensor, lengths: np.ndarray, observations: torch.Tensor
    ) -> torch.Tensor:
        """[n, C]: the histories as numbers; `events` are those of all, one after the other."""
        raise NotImplementedError

    def weights(self) -> HistoryEncoder:
        """What a policy file keeps."""
        raise NotImplementedError


class Recurrent(Encoder):
    """A GRU over the events."""

    def __init__(self, settings: EncoderSettings, width: int, rng: torch.Generator) -> None:
        super().__init__(settings, settings.size, width)
        torch.nn.init.normal_(self.events, 0.0, 1.0, generator=rng)
        # Without values yet: to draw some, PyTorch would use the generator of the process.
        empty: torch.nn.GRU = torch.nn.GRU(settings.size, settings.size, device="meta")
        self.gru = empty.to_empty(device="cpu")
        for weights in self.gru.parameters():
            bound = 1 / sqrt(settings.size)  # as PyTorch has it
            torch.nn.init.uniform_(weights, -bound, bound, generator=rng)

    def encode(
        self, events: torch.Tensor, lengths: np.ndarray, observations: torch.Tensor
    ) -> torch.Tensor:
        """The state after the last event of each."""
        order, places, at_once = by_steps(lengths)
        packed = torch.nn.utils.rnn.PackedSequence(
            events.index_select(0, torch.as_tensor(places)), torch.as_tensor(at_once)
        )
        _, last = self.gru(packed)
        states = observations.new_zeros(len(lengths), last.shape[2])
        return states.index_copy(0, torch.as_tensor(order[: at_once[0]]), last[0])

    def weights(self) -> HistoryEncoder:
        """What a policy file keeps: the events have gone through the gates' weights already."""
        of_events, of_state, biases, state_biases = self.gru.parameters()
        return RecurrentEncoder(
            self.vocabulary,
            _plain(self.events @ of_events.T),
            _plain(biases),
            _plain(of_state.T),
            _plain(state_biases),
            _plain(self.joined),
        )


class Attention(Encoder):
    """Attention from the observation to the events."""

    def __init__(
        self, settings: EncoderSettings, features: int, width: int, rng: torch.Generator
    ) -> None:
        super().__init__(settings, HEADS * settings.size, width)
        torch.nn.init.normal_(self.events, 0.0, 0.5, generator=rng)
        self.queries = torch.nn.Parameter(torch.empty(features, HEADS * settings.size))
        torch.nn.init.orthogonal_(self.queries, 1.0, rng)
        self.query_biases = torch.nn.Parameter(torch.zeros(HEADS * settings.size))
        torch.nn.init.normal_(self.query_biases, 0.0, 1.0, generator=rng)

    def encode(
        self, events: torch.Tensor, lengths: np.ndarray, observations: torch.Tensor
    ) -> torch.Tensor:
        """For each query the mean of the events, weighed by how well they fit it."""
        number, longest, size = len(lengths), int(lengths.max()), events.shape[1]
        there = np.arange(longest) < lengths[:, None]
        padded = events.new_zeros(number * longest, size)
        padded = padded.index_copy(0, torch.as_tensor(np.flatnonzero(there)), events.relu())
        padded = padded.view(number, longest, size)
        queries = (observations @ self.queries + self.query_biases).view(number, HEADS, size)
        fit = queries @ padded.transpose(1, 2) / sqrt(size)
        fit = fit.masked_fill(torch.as_tensor(~there)[:, None], -1e9)
        return (fit.softmax(2) @ padded).flatten(1)

    def weights(self) -> HistoryEncoder:
        """What a policy file keeps: queries that are scaled already."""
        scale = sqrt(self.events.shape[1])
        return AttentionEncoder(
            self.vocabulary,
            _plain(self.events),
            _plain(self.queries / scale),
            _plain(self.query_biases / scale),
            _plain(self.joined),
        )


def new_encoder(
    settings: EncoderSettings, features: int, width: int, rng: torch.Generator
) -> Encoder:
    """An encoder for observations of so many features, and a first layer of such a width."""
    if settings.kind == "attention":
        return Attention(settings, features, width, rng)
    return Recurrent(settings, width, rng)


def by_steps(lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Histories step by step, the longest first: their order, the places of all first events in it,
    then of all second ones, and so on, and how many each of these are."""
    order = np.argsort(-lengths, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    at_once = len(lengths) - np.bincount(lengths).cumsum()[:-1]  # of more than 0, 1, ... events
    starts, firsts = np.cumsum(at_once) - at_once, np.cumsum(lengths) - lengths
    steps = np.arange(lengths.sum()) - np.repeat(firsts, lengths)
    places = np.empty(len(steps), np.int64)
    places[starts[steps] + np.repeat(rank, lengths)] = np.arange(len(steps))
    return order, places, at_once


def _plain(weights: torch.Tensor) -> np.ndarray:
    return np.ascontiguousarray(weights.detach().numpy())
