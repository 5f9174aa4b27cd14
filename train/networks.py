"""Networks that are trained: a policy over the legal actions of a decision, and a critic.

`MlpNetwork` gives a logit to each action of the action space, from the observation.
`ScorerNetwork` scores each legal action by one shared network, from the observation and the
features of the move (`Batch.move_features`), and if it has an encoder from what has happened before
(`encoders`). Both take ragged minibatches: see `decisions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from domino_env.agents.networks.graph_layers import GraphWeights
from domino_env.agents.networks.history_encoder import HistoryEncoder
from domino_env.agents.networks.policy import Layer
from domino_env.batches import Histories
from domino_env.errors import BadOption
from domino_env.train.decisions import Decisions
from domino_env.train.dense_layers import Dense, DenseLayers, rounded, through, with_rows
from domino_env.train.encoders import EncoderSettings, new_encoder


class Weights(NamedTuple):
    """What a policy file keeps of a network."""

    layers: list[Layer]
    moves: npt.NDArray[np.float32] | None
    """Of a scorer: what the features of a move add to the first layer's sums."""
    graph: GraphWeights | None = None
    """Of a network on graphs of moves: what these add."""
    history: HistoryEncoder | None = None
    """Of a scorer that reads histories: what encodes them."""


class Inputs(NamedTuple):
    """`Decisions` as tensors."""

    observations: torch.Tensor
    seen_by_critic: torch.Tensor
    owners: torch.Tensor
    legal: torch.Tensor
    moves: torch.Tensor
    prior: torch.Tensor
    graphs: torch.Tensor
    histories: Histories | None
    """As they are: an encoder makes tensors of them."""


def as_inputs(decisions: Decisions) -> Inputs:
    """Decisions as tensors, on the same memory."""
    return Inputs(
        torch.as_tensor(decisions.observations),
        torch.as_tensor(decisions.seen_by_critic),
        torch.as_tensor(decisions.owners),
        torch.as_tensor(decisions.legal),
        torch.as_tensor(decisions.moves),
        torch.as_tensor(decisions.prior),
        torch.as_tensor(decisions.graphs),
        decisions.histories,
    )


def _with_rows(inputs: Inputs, rows: int) -> Inputs:
    """The same with so many rows: those behind are zeros, and of the first decision."""
    return inputs._replace(
        owners=with_rows(inputs.owners, rows),
        legal=with_rows(inputs.legal, rows),
        moves=with_rows(inputs.moves, rows),
        prior=with_rows(inputs.prior, rows),
        graphs=with_rows(inputs.graphs, rows),
    )


class ActorCritic(torch.nn.Module):
    """A policy and a critic, in networks of their own."""

    critic: torch.nn.Sequential

    def forward(self, inputs: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of all rows, and the value of each decision."""
        return self.policy_logits(inputs), self.values(inputs)

    def policy_logits(self, inputs: Inputs) -> torch.Tensor:
        """The logit of each row, with those of the prior."""
        return self.logits(inputs) + inputs.prior

    def values(self, inputs: Inputs) -> torch.Tensor:
        """The value of each decision, as the critic sees it."""
        values: torch.Tensor = self.critic(inputs.seen_by_critic)[:, 0]
        return values

    def logits(self, inputs: Inputs) -> torch.Tensor:
        """The logit of each row, by the network alone."""
        raise NotImplementedError

    def weights(self) -> Weights:
        """The policy's weights."""
        raise NotImplementedError

    def take(self, weights: Weights) -> None:
        """Takes the weights of a policy that was trained before, instead of the policy's own."""
        raise NotImplementedError


class MlpNetwork(ActorCritic):
    """A logit for each action of the action space."""

    def __init__(
        self, sizes: Sequence[int], critic_sizes: Sequence[int], rng: torch.Generator
    ) -> None:
        super().__init__()
        self.policy = layers_of_sizes(sizes, 0.01, rng)
        self.critic = layers_of_sizes(critic_sizes, 1.0, rng)

    def logits(self, inputs: Inputs) -> torch.Tensor:
        """The logit of each row."""
        *before, last = self.policy
        assert isinstance(last, Dense)
        hidden = through(before, inputs.observations)
        return last.entries(hidden, inputs.owners, inputs.legal)

    def weights(self) -> Weights:
        """The policy's weights."""
        return Weights([plain_layer(layer) for layer in linear_layers(self.policy)], None)

    def take(self, weights: Weights) -> None:
        """Takes the weights of a policy that was trained before."""
        must_be_alike(self.weights(), weights)
        for layer, given in zip(linear_layers(self.policy), weights.layers, strict=True):
            put_into(layer, *given)


class ScorerNetwork(ActorCritic):
    """A score for each legal action. The observation and the features of a move have a part each in
    the first layer, so that the observation goes through its part once for all moves. That part
    begins at zero: what the features say is learned first, and it is most of it. So does the part
    of the history, if there is an encoder. A network that does not see the observation stays at the
    features: it is cheap enough to play rounds out with."""

    def __init__(
        self,
        sizes: Sequence[int],
        move_features: int,
        critic_sizes: Sequence[int],
        rng: torch.Generator,
        *,
        sees: bool = True,
        encoder: EncoderSettings | None = None,
    ) -> None:
        super().__init__()
        self._sees = sees
        whole = layers_of_sizes([move_features, *sizes[1:], 1], 0.01, rng)
        self.seen = empty_layer(sizes[0], sizes[1])
        self.moves = empty_layer(move_features, sizes[1], bias=False)
        torch.nn.init.zeros_(self.seen.weight)
        torch.nn.init.zeros_(self.seen.bias)
        with torch.no_grad():
            self.moves.weight.copy_(linear_layers(whole)[0].weight)
        self.onwards = DenseLayers(*list(whole)[1:])
        self.critic = layers_of_sizes(critic_sizes, 1.0, rng)
        # Drawn after the rest, which begins as it would without.
        self.encoder = None if encoder is None else new_encoder(encoder, sizes[0], sizes[1], rng)

    def logits(self, inputs: Inputs) -> torch.Tensor:
        """The logit of each row."""
        rows = rounded(len(inputs.moves))  # minibatches differ in it
        scores: torch.Tensor = self.onwards(self.first_sums(_with_rows(inputs, rows)))
        return scores[: len(inputs.moves), 0]

    def first_sums(self, inputs: Inputs) -> torch.Tensor:
        """What the first layer adds up, for each row."""
        seen: torch.Tensor = self.seen.bias
        if self._sees:
            seen = self._of_decisions(inputs).index_select(0, inputs.owners)
        sums: torch.Tensor = seen + self.moves(inputs.moves)
        return sums

    def _of_decisions(self, inputs: Inputs) -> torch.Tensor:
        """What the observation of each decision adds, and what has happened before it."""
        seen: torch.Tensor = self.seen(inputs.observations)
        if self.encoder is not None:
            assert inputs.histories is not None
            seen = seen + self.encoder(inputs.histories, inputs.observations)
        return seen

    def weights(self) -> Weights:
        """The policy's weights."""
        layers = [plain_layer(layer) for layer in (self.seen, *linear_layers(self.onwards))]
        history = None if self.encoder is None else self.encoder.weights()
        return Weights(layers, self.moves.weight.detach().numpy().T.copy(), history=history)

    def take(self, weights: Weights) -> None:
        """Takes the weights of a policy that was trained before."""
        must_be_alike(self.weights(), weights)
        layers = (self.seen, *linear_layers(self.onwards))
        for layer, given in zip(layers, weights.layers, strict=True):
            put_into(layer, *given)
        assert weights.moves is not None
        put_into(self.moves, weights.moves)


def must_be_alike(ours: Weights, given: Weights) -> None:
    """Refuses weights of a network of another shape."""
    if given.history is not None:
        raise BadOption("start: a policy that reads histories cannot be gone on from")
    if shapes_of(ours) != shapes_of(given):
        raise BadOption(
            "start: this policy has a network of another shape: give the settings network, "
            "hidden_sizes and graph_sizes that it was trained with"
        )


def shapes_of(weights: Weights) -> list[tuple[int, ...]]:
    """The shapes of all arrays of a policy's network."""
    parts = [array for layer in weights.layers for array in layer]
    parts += [] if weights.moves is None else [weights.moves]
    return [array.shape for array in (*parts, *(weights.graph or ()))]


def put_into(
    layer: torch.nn.Linear,
    weights: npt.NDArray[np.float32],
    biases: npt.NDArray[np.float32] | None = None,
) -> None:
    """Has a layer what a policy file keeps of one."""
    with torch.no_grad():
        layer.weight.copy_(torch.as_tensor(np.ascontiguousarray(weights.T)))
        if biases is not None:
            layer.bias.copy_(torch.as_tensor(biases))


def layers_of_sizes(sizes: Sequence[int], last_gain: float, rng: torch.Generator) -> DenseLayers:
    """Layers initialised as in Stable-Baselines3: orthogonal, the last one with a gain of its own.
    The same generator gives the same weights, and no other is touched."""
    parts: list[torch.nn.Module] = []
    for number, (before, after) in enumerate(pairwise(sizes)):
        layer = empty_layer(before, after)
        gain = last_gain if number == len(sizes) - 2 else sqrt(2)
        torch.nn.init.orthogonal_(layer.weight, gain, rng)
        torch.nn.init.zeros_(layer.bias)
        parts += [layer, torch.nn.ReLU()]
    return DenseLayers(*parts[:-1])


def empty_layer(before: int, after: int, bias: bool = True) -> torch.nn.Linear:
    """A layer without values yet: to draw some, PyTorch would use the generator of the process."""
    layer: torch.nn.Linear = torch.nn.utils.skip_init(  # type: ignore[no-untyped-call]
        Dense, before, after, bias=bias
    )
    return layer


def linear_layers(parts: Iterable[torch.nn.Module]) -> list[torch.nn.Linear]:
    """Those of some parts that have weights."""
    return [part for part in parts if isinstance(part, torch.nn.Linear)]


def plain_layer(layer: torch.nn.Linear) -> Layer:
    """A layer as a policy file keeps it."""
    return layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()
