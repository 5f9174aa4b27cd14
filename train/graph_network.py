"""A network on graphs of moves: numbers are nodes, tiles are edges between them.

What makes a move good is what it leaves: which numbers lead to which, by tiles of one's own and by
tiles that others may have. That is a graph (`Batch.move_graphs`), and it means the same whichever
numbers are called what. Values of the numbers are passed along the tiles for some rounds, and what
is read in the end joins the features of the move: see `agents.networks.graph_layers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
import torch

from domino_env.agents.networks.graph_layers import READ_COLUMNS, READS, SHARE, GraphWeights
from domino_env.engine.move_graphs.graph_fields import (
    EDGE_SCALES,
    NUM_NODE,
    node_scales,
)
from domino_env.train.networks import (
    Inputs,
    ScorerNetwork,
    Weights,
    empty_layer,
    linear_layers,
    plain_layer,
    put_into,
)

SCALES = (1.0, *EDGE_SCALES)  # of own values, of what own tiles lead to, and unseen ones


class GraphNetwork(ScorerNetwork):
    """A scorer that sees the graph that each action leaves, too."""

    def __init__(
        self,
        sizes: Sequence[int],
        move_features: int,
        critic_sizes: Sequence[int],
        rng: torch.Generator,
        *,
        sees: bool,
        graph_sizes: Sequence[int],
    ) -> None:
        super().__init__(sizes, move_features, critic_sizes, rng, sees=sees)
        width = graph_sizes[0]
        self._scales = torch.as_tensor(node_scales())
        self.embed = _layer(NUM_NODE, width, rng)
        self.rounds = torch.nn.ModuleList(_layer(3 * width, width, rng) for _ in graph_sizes[1:])
        self.join = _layer(READS * width, sizes[1], rng, bias=False)

    def first_sums(self, inputs: Inputs) -> torch.Tensor:
        """What the first layer adds up, for each row."""
        return super().first_sums(inputs) + self.join(self._read(inputs.graphs))

    def _read(self, graphs: torch.Tensor) -> torch.Tensor:
        """What is read of each graph."""
        numbers = graphs.shape[1]
        known = graphs[..., :NUM_NODE].float()
        own = graphs[..., NUM_NODE : NUM_NODE + numbers].float() * EDGE_SCALES[0]
        unseen = graphs[..., NUM_NODE + numbers :].float() * EDGE_SCALES[1]
        values = torch.relu(self.embed(known * self._scales))
        for layer in self.rounds:
            told = [values, torch.bmm(own, values), torch.bmm(unseen, values)]
            values = torch.relu(layer(torch.cat(told, 2)))
        every = torch.full_like(known[..., :1], float(SHARE))
        shares = torch.cat([every, known[..., list(READ_COLUMNS)]], 2)  # [R, V, READS]
        return torch.bmm(shares.transpose(1, 2), values).flatten(1)

    def weights(self) -> Weights:
        """The policy's weights; scales are part of them."""
        width = self.embed.out_features
        (embed, embed_biases), *rounds = map(plain_layer, (self.embed, *linear_layers(self.rounds)))
        parts = [  # beside each other what a number keeps, and what it tells along tiles
            np.hstack(
                [part * scale for part, scale in zip(np.vsplit(each, 3), SCALES, strict=True)]
            )
            for each, _ in rounds
        ]
        graph = GraphWeights(
            np.ascontiguousarray(embed * self._scales.numpy()[:, None]),
            embed_biases,
            np.array(parts, np.float32).reshape(-1, width, 3 * width),
            np.array([biases for _, biases in rounds], np.float32).reshape(-1, width),
            np.ascontiguousarray(self.join.weight.detach().numpy().T),
        )
        return super().weights()._replace(graph=graph)

    def take(self, weights: Weights) -> None:
        """Takes the weights of a policy that was trained before."""
        super().take(weights)
        graph = weights.graph
        assert graph is not None
        put_into(self.embed, graph.embed / self._scales.numpy()[:, None], graph.embed_biases)
        for layer, told, biases in zip(
            linear_layers(self.rounds), graph.rounds, graph.biases, strict=True
        ):
            parts = zip(np.hsplit(told, 3), SCALES, strict=True)
            put_into(layer, np.vstack([part / scale for part, scale in parts]), biases)
        put_into(self.join, graph.join)


def _layer(before: int, after: int, rng: torch.Generator, bias: bool = True) -> torch.nn.Linear:
    layer = empty_layer(before, after, bias)
    torch.nn.init.kaiming_uniform_(layer.weight, sqrt(5), generator=rng)
    if bias:
        torch.nn.init.zeros_(layer.bias)
    return layer
