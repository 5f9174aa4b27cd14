"""Policies that score moves by their graphs: their logits, their files, and the agents on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.net import Net
from domino_env.agents.networks.graph_layers import READS, GraphWeights
from domino_env.agents.networks.policy import Policy, read_policy
from domino_env.agents.ppo import Ppo
from domino_env.batches import Batch
from domino_env.engine.move_graphs.graph_fields import NUM_NODE
from domino_env.errors import BadOption
from tests.test_net import begun, kept, read_about, rewritten, some_scorer

WIDTH = 5


def some_graph_policy(
    game: str = "block_draw",
    players: int = 2,
    *,
    rounds: int = 2,
    sees: bool = True,
    **changes: Any,
) -> Policy:
    """A policy on graphs that has learned nothing."""
    return with_graphs(some_scorer(game, players, **changes), rounds=rounds, sees=sees)


def with_graphs(policy: Policy, *, rounds: int = 2, sees: bool = True) -> Policy:
    """A scorer as one that sees graphs, too."""
    chance = np.random.default_rng(1)
    (weights, biases), *others = policy.layers
    graph = GraphWeights(
        some_numbers(chance, NUM_NODE, WIDTH),
        some_numbers(chance, WIDTH),
        some_numbers(chance, rounds, WIDTH, 3 * WIDTH),
        some_numbers(chance, rounds, WIDTH),
        some_numbers(chance, READS * WIDTH, len(biases)),
    )
    first = weights if sees else np.zeros_like(weights)
    return replace(policy, layers=[(first, biases), *others], graph=graph)


def some_numbers(chance: np.random.Generator, *shape: int) -> Any:
    return (chance.normal(size=shape) / 3).astype(np.float32)


def by_matrices(policy: Policy, batch: Batch) -> Any:
    """The logits in all lanes, by a forward pass of matrices."""
    assert policy.graph is not None
    assert policy.move_weights is not None
    names = [field.name for field in batch.graph_fields]
    graphs = batch.move_graphs().astype(np.float32)
    known, edges = graphs[..., :NUM_NODE], graphs[..., NUM_NODE:]
    own, unseen = np.split(edges, 2, axis=2)
    values = np.maximum(known @ policy.graph.embed + policy.graph.embed_biases, 0)
    for weights, biases in zip(policy.graph.rounds, policy.graph.biases, strict=True):
        keeps, by_own, by_unseen = np.split(values @ weights, 3, axis=2)
        values = np.maximum(keeps + own @ by_own + unseen @ by_unseen + biases, 0)
    reads = [0.25 * values.sum(1)]
    for name in ("made", "offered", "closed"):
        reads.append((known[..., names.index(name), None] * values).sum(1))
    (first, bias), *others = policy.layers
    sums = np.repeat(batch.observation, batch.num_legal, axis=0) @ first + bias
    sums += batch.move_features() @ policy.move_weights
    sums += np.concatenate(reads, 1) @ policy.graph.join
    for weights, biases in others:
        sums = np.maximum(sums, 0) @ weights + biases
    return sums[:, 0]


@pytest.mark.parametrize("rounds", [0, 2])
@pytest.mark.parametrize("game", ["five_up", "bendomino", "blind"])
def test_it_scores_each_legal_action_by_its_graph_besides(game: str, rounds: int) -> None:
    policy, batch = some_graph_policy(game, rounds=rounds), begun(game, 20)
    logits = policy.logits(batch, np.arange(20))
    assert logits == pytest.approx(by_matrices(policy, batch), abs=1e-3, rel=1e-4)
    assert abs(logits - replace(policy, graph=None).logits(batch, np.arange(20))).max() > 0.01


def test_its_logits_do_not_depend_on_the_other_lanes() -> None:
    policy, batch = some_graph_policy("all_fives"), begun("all_fives", 30)
    assert batch.num_legal.sum() > 64, "graphs go through the network in several lots"
    together = policy.logits(batch, np.arange(30))
    apart = [policy.logits(batch, np.array([lane])) for lane in range(30)]
    assert np.array_equal(together, np.concatenate(apart))


@pytest.mark.parametrize("game", ["block_draw", "bendomino", "blind"])
def test_its_logits_are_the_same_in_all_worlds_that_look_the_same(game: str) -> None:
    policy, batch = some_graph_policy(game), domino_env.batch(game, 1, seed=3, autoreset=False)
    batch.reset()
    alone = np.zeros(1, np.int64)
    for step in range(12):
        if batch.seat[0] < 0:
            break
        world = belief.sample(batch, 0, int(batch.seat[0]), seed=step)
        assert (policy.logits(batch, alone) == policy.logits(world, alone)).all()
        batch.step(batch.sample())


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sees", [True, False])
def test_it_comes_back_from_its_file(sees: bool, tmp_path: Path) -> None:
    policy, batch = some_graph_policy(sees=sees), begun("block_draw", 20)
    assert policy.graph is not None
    found, lanes = read_policy(kept(tmp_path, policy)), np.arange(20)
    assert found.graph is not None
    for part, wanted in zip(found.graph, policy.graph, strict=True):
        assert part == pytest.approx(wanted, abs=1e-3)
        assert part.flags.c_contiguous
    logits = policy.logits(batch, lanes)
    assert found.logits(batch, lanes) == pytest.approx(logits, abs=float(abs(logits).max()) / 50)
    assert b"domino policy 3" in read_about(policy)
    assert read_policy(kept(tmp_path, found)).to_bytes() == found.to_bytes()


CUTS: dict[str, Callable[[GraphWeights], GraphWeights]] = {
    "columns": lambda graph: graph._replace(embed=graph.embed[1:]),
    "values": lambda graph: graph._replace(embed=graph.embed[:, 1:]),
    "rounds": lambda graph: graph._replace(rounds=graph.rounds[:, 1:]),
    "width": lambda graph: graph._replace(rounds=graph.rounds[:, :, 1:]),
    "biases": lambda graph: graph._replace(biases=graph.biases[:, 1:]),
    "first biases": lambda graph: graph._replace(embed_biases=graph.embed_biases[1:]),
    "number of rounds": lambda graph: graph._replace(biases=graph.biases[1:]),
    "reads": lambda graph: graph._replace(join=graph.join[1:]),
    "hidden": lambda graph: graph._replace(join=graph.join[:, 1:]),
    "flat": lambda graph: graph._replace(rounds=graph.rounds[0]),
}


@pytest.mark.parametrize("wrong", CUTS)
def test_a_file_whose_graph_does_not_fit_is_refused(wrong: str, tmp_path: Path) -> None:
    policy = some_graph_policy()
    assert policy.graph is not None
    file = kept(tmp_path, replace(policy, graph=CUTS[wrong](policy.graph)))
    with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
        read_policy(file)


@pytest.mark.parametrize("name", [*(f"graph_{name}" for name in GraphWeights._fields), "moves"])
@pytest.mark.parametrize("array", [None, np.full((2, 2), np.inf, np.float16)])
def test_a_file_without_a_part_or_with_infinite_numbers_is_refused(
    name: str, array: Any, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.npz"
    file.write_bytes(rewritten(some_graph_policy().to_bytes(), name, array))
    with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
        read_policy(file)


def test_where_it_does_not_fit_it_is_refused() -> None:
    """Its graph would do for any number of numbers; what it has learnt is of one game."""
    policy = some_graph_policy()
    for rules in (domino_env.rules("all_fives"), domino_env.rules("block_draw", set="double_9")):
        batch = domino_env.batch(rules, 1, 2, seed=0)
        batch.reset()
        with pytest.raises(BadOption, match="this policy was trained for block_draw"):
            agents.make("net", policy=policy).act(batch, np.zeros(1, np.int64))


def test_weights_that_do_not_fit_one_another_are_refused_before_they_are_read() -> None:
    policy, batch = some_graph_policy(), begun("block_draw", 1)
    assert policy.graph is not None
    for cut in CUTS.values():
        wrong = replace(policy, graph=cut(policy.graph))
        with pytest.raises(BadOption, match="weights for graphs have shapes like"):
            agents.make("net", policy=wrong).act(batch, np.zeros(1, np.int64))
    moves = batch.move_features()
    with pytest.raises(BadOption, match="by their graphs, too"):
        policy.scorer_logits(batch.observation, moves, batch.num_legal.astype(np.int64))


# Agents -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", [Net, Ppo])
def test_agents_play_the_legal_action_with_the_highest_score(agent: Any, tmp_path: Path) -> None:
    file, batch = kept(tmp_path, some_graph_policy()), begun("block_draw", 40)
    chosen = agent(file=file).act(batch, np.arange(40))
    logits = read_policy(file).logits(batch, np.arange(40))
    for lane, scores in enumerate(np.split(logits, np.cumsum(batch.num_legal)[:-1])):
        assert chosen[lane] == batch.legal[lane, scores.argmax()]


@pytest.mark.parametrize("sees", [True, False])
def test_a_search_takes_it(sees: bool, tmp_path: Path) -> None:
    file, batch = kept(tmp_path, some_graph_policy(sees=sees)), begun("block_draw", 2)
    player = agents.make("search", worlds=2, seed=1, file=file)
    chosen = player.act(batch, np.arange(2))
    assert batch.mask[np.arange(2), chosen].all()
