"""Graphs of moves do not depend on what numbers are called, nor does a network on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import torch

from domino_env.batches import Batch
from domino_env.train.decisions import Decisions
from domino_env.train.graph_network import GraphNetwork
from domino_env.train.networks import as_inputs
from tests.test_move_features import OF_PIPS, relabelled_games


def test_with_other_numbers_graphs_are_the_same_but_for_the_names() -> None:
    compared = 0
    for batch, other, change in relabelled_games(range(3, 20)):
        names = [field.name for field in batch.graph_fields]
        kept, renamed = columns_of(names, range(7)), columns_of(names, change)
        graphs = batch.move_graphs()[:, :, kept]
        theirs = other.move_graphs()[:, change][:, :, renamed]
        assert sorted(map(bytes, graphs)) == sorted(map(bytes, theirs))
        assert not (graphs == batch.move_graphs()[:, change][:, :, renamed]).all()
        compared += len(graphs)
    assert compared > 50


def columns_of(names: list[str], numbers: Iterable[int]) -> list[int]:
    """The columns but for pips, with the edges to numbers in some order."""
    nodes = [at for at, name in enumerate(names) if "[" not in name and name != "pips"]
    order = [*numbers]
    ours, theirs = ([f"{whose}_to[{to}]" for to in order] for whose in ("own", "unseen"))
    return nodes + [names.index(name) for name in (*ours, *theirs)]


def test_a_network_without_pips_then_gives_the_same_logits() -> None:
    network, compared = None, 0
    for batch, other, _ in relabelled_games(range(3, 20)):
        network = network or blind_to_pips(batch)
        logits, theirs = (logits_of(network, each) for each in (batch, other))
        assert sorted(theirs) == pytest.approx(sorted(logits), abs=1e-5)
        compared += len({*np.round(logits, 4)}) > 1
    assert compared > 20


def blind_to_pips(batch: Batch) -> GraphNetwork:
    """A network that has learned nothing, and to which all numbers are alike."""
    fields = len(batch.move_fields)
    network = GraphNetwork(
        [batch.num_features, 8, 6],
        fields,
        [batch.num_features, 8, 1],
        torch.Generator().manual_seed(1),
        sees=False,
        graph_sizes=(5, 5, 5),
    )
    names = [field.name.rpartition(".")[2] for field in batch.move_fields]
    pips = [field.name for field in batch.graph_fields].index("pips")
    with torch.no_grad():
        network.embed.weight[:, pips] = 0
        network.moves.weight[:, [at for at, name in enumerate(names) if name in OF_PIPS]] = 0
        network.onwards[-1].weight *= 100
    return network


def logits_of(network: GraphNetwork, batch: Batch) -> Any:
    """The logits of the legal actions in all lanes."""
    moves, counts = batch.move_features(), batch.num_legal.copy()
    decisions = Decisions(
        batch.observation,
        batch.observation,
        counts,
        np.zeros(len(moves), np.int64),
        moves,
        np.zeros(len(moves), np.float32),
        batch.move_graphs(),
    )
    with torch.no_grad():
        return network(as_inputs(decisions))[0].numpy()
