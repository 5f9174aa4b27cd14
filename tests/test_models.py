"""The agent `search`: models of the players in compiled code, and what it supposes of others."""

from __future__ import annotations

from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.heuristic import Heuristic, weights_of
from domino_env.agents.net import Net
from domino_env.agents.networks.player import files_of, shipped_for
from domino_env.agents.networks.policy import legal_actions, read_policy
from domino_env.agents.ppo import FirstPpo
from domino_env.agents.search import Search, _Search, policy_for
from domino_env.agents.searching.likelihood import INVERSE_TEMPERATURE, log_likelihood
from domino_env.agents.searching.model import (
    Model,
    linear_model,
    network_model,
    new_model_scratch,
    write_logits,
)
from domino_env.agents.searching.model_playout import (
    LINEAR,
    POLICY,
    Players,
    gain_by_models,
    model_likelihood,
    new_supposed,
    suppose,
)
from domino_env.agents.searching.playout import gain_of, new_scratch
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.evaluate.tournament import margins_by_deal
from tests.games import AT_A_TABLE
from tests.test_graph_policies import some_graph_policy

SEVEN = domino_env.rules("block_draw", hand_size=7)


def begun(rules: Any, players: int, games: int = 6, steps: int = 5) -> Batch:
    batch = Batch(rules, games, players, seed=5)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def logits_in(batch: Batch, lane: int, model: Model) -> Any:
    scratch, number = new_model_scratch(batch, model), int(batch.num_legal[lane])
    where = batch._games[lane], batch._logs[lane], batch._legal[lane]
    write_logits(batch._rule_table[0], *where, number, model, scratch)
    return scratch.logits[:number].copy()


# Models ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Net, FirstPpo])
@pytest.mark.parametrize("game", AT_A_TABLE)
def test_a_network_gives_the_logits_that_its_policy_gives(game: str, kind: Any) -> None:
    for file in files_of(kind.folders).get(game, ()):
        policy = read_policy(file)
        batch = begun(domino_env.rules(game, **policy.changes), policy.num_players)
        model = network_model(policy, batch)
        for lane in range(batch.num_games):
            wanted = policy.logits(batch, np.array([lane]))
            assert logits_in(batch, lane, model) == pytest.approx(wanted, abs=1e-3, rel=1e-4)


@pytest.mark.parametrize("sees", [True, False])
@pytest.mark.parametrize("game", ["block_draw", "bendomino", "blind"])
def test_a_network_on_graphs_gives_the_logits_that_its_policy_gives(game: str, sees: bool) -> None:
    policy = some_graph_policy(game, sees=sees)
    batch = begun(domino_env.rules(game), 2)
    model = network_model(policy, batch)
    assert (len(model.seen) > 0) == sees
    for lane in range(batch.num_games):
        wanted = policy.logits(batch, np.array([lane]))
        assert logits_in(batch, lane, model) == pytest.approx(wanted, abs=1e-3, rel=1e-4)


def test_models_of_all_kinds_share_their_memory() -> None:
    """As in a search, which knows several."""
    batch = begun(SEVEN, 2)
    graph = some_graph_policy(hand_size=7)
    policies = [graph, replace(graph, graph=None), some_graph_policy(rounds=0, hand_size=7)]
    models = [network_model(policy, batch) for policy in policies]
    models.append(linear_model(weights_of("block_draw"), 1.0))
    scratch, number = new_model_scratch(batch, *models), int(batch.num_legal[0])
    where = batch._rule_table[0], batch._games[0], batch._logs[0], batch._legal[0], number
    for model in (*models, *models[::-1]):
        write_logits(*where, model, scratch)
        assert scratch.logits[:number] == pytest.approx(logits_in(batch, 0, model))


def test_the_weights_of_heuristic_are_a_model_too() -> None:
    batch = begun(SEVEN, 2)
    model = linear_model(weights_of("block_draw"), 1.0)
    every = np.arange(batch.num_games)
    counts, legal = legal_actions(batch, every)
    chosen = agents.make("heuristic").act(batch, every)
    for lane in every:
        found = logits_in(batch, int(lane), model)
        assert found.max() == 0
        mine = legal[counts[:lane].sum() :][: counts[lane]]
        assert chosen[lane] in mine[found == 0]


def test_worlds_are_as_likely_by_that_model_as_pimc_finds_them() -> None:
    for game in ("block_draw", "matador", "bendomino_teams"):
        rules = domino_env.rules(game)
        batch = begun(rules, rules.players[0], steps=9)
        weights = weights_of(game)
        model = linear_model(weights, INVERSE_TEMPERATURE)
        ours, theirs = new_model_scratch(batch, model), new_scratch(batch)
        for lane in range(batch.num_games):
            seat = int(batch.seat[lane])
            worlds = belief.sample(batch, lane, seat, 3, seed=lane)
            for world in range(3):
                where = worlds._rule_table[0], worlds._games[world], worlds._logs[world], seat
                wanted = log_likelihood(*where, weights, theirs)
                assert model_likelihood(*where, model, ours) == pytest.approx(wanted)


def test_rounds_that_it_plays_out_end_as_by_the_weights() -> None:
    for game in ("block_draw", "five_up", "bendomino_teams"):
        rules = domino_env.rules(game)
        batch = begun(rules, rules.players[0])
        weights = weights_of(game)
        model = linear_model(weights, INVERSE_TEMPERATURE)
        ours, theirs = new_model_scratch(batch, model), new_scratch(batch)
        for lane in range(batch.num_games):
            where = batch._rule_table[0], batch._games[lane]
            seat, action = int(batch.seat[lane]), int(batch.legal[lane, 0])
            wanted = gain_of(*where, seat, action, weights, theirs)
            found = gain_by_models(
                *where, batch._logs[lane], seat, action, Players(model, model), 0, 0, ours
            )
            assert found == wanted


# What is supposed --------------------------------------------------------------------------------


def test_the_others_are_in_a_world_whom_their_moves_speak_for() -> None:
    supposed, weights = new_supposed(100), np.zeros(100)
    supposed.log_likelihoods[0], supposed.log_likelihoods[1] = log(0.1), log(0.3)
    suppose(supposed, 100, weights)
    assert np.allclose(weights, log(0.4))
    assert supposed.model.sum() == 75
    supposed.log_likelihoods[1] = -1e9
    suppose(supposed, 100, weights)
    assert supposed.model.sum() == 0
    assert np.allclose(weights, log(0.1))


def test_the_policy_is_that_of_the_game_where_there_is_one() -> None:
    batch = Batch(SEVEN, 1)
    assert policy_for(batch) is shipped_for(Net.folders, batch)
    assert policy_for(Batch("block_draw", 1, 3)) is None
    assert policy_for(Batch(domino_env.rules("block_draw", set="double_9"), 1)) is None


# The agent ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_is_ahead_of_the_network_whose_weights_it_uses() -> None:
    margins = margins_by_deal(SEVEN, "search", "net", 400, seed=3)
    assert margins.mean() > ci95_half_width(margins)


@pytest.mark.parametrize(
    ("known", "number"),
    [
        ("heuristic", LINEAR),
        (Heuristic(weights={"pips": 1.0}), LINEAR),
        ("net", POLICY),
    ],
)
def test_whoever_is_known_is_the_only_one_that_is_supposed(known: Any, number: int) -> None:
    batch = begun(SEVEN, 2)
    lane = int(np.flatnonzero(batch.num_legal > 1)[0])
    search = Search(worlds=32, seed=1, opponents=known)._new_search(batch, 32)
    assert isinstance(search, _Search)
    search.begin(lane)
    assert search.try_moves(32)
    assert {*search._supposed.model[:32].tolist()} == {number}
    model = search._players[number]
    wanted = agents.make(known)
    if isinstance(wanted, Heuristic):
        assert np.array_equal(model.weights, wanted.weights_for(batch))
    else:
        assert len(model.widths) == len(shipped_for(Net.folders, batch).layers)


def test_the_policy_that_it_is_given_is_its_prior(tmp_path: Path) -> None:
    """From a file or read already; one of another game is refused."""
    batch = begun(SEVEN, 2)
    lane = int(np.flatnonzero(batch.num_legal > 1)[0])
    policy, file = shipped_for(FirstPpo.folders, batch), tmp_path / "policy.npz"
    file.write_bytes(policy.to_bytes())
    found = [
        agents.make("search", worlds=64, seed=1, **given).weigh(batch, lane)
        for given in ({}, {"policy": policy}, {"file": file}, Search.packed(file=file))
    ]
    assert found[0] != found[1]
    assert found[1] == found[2] == found[3]
    with pytest.raises(BadOption, match="was trained for block_draw"):
        agents.make("search", policy=policy).weigh(begun(domino_env.rules("matador"), 2), 0)


@pytest.mark.slow
def test_to_know_how_the_others_play_is_worth_something() -> None:
    """Against somebody who plays the lightest tile, whom it would take for `heuristic`."""
    lightest = Entrant("heuristic", "lightest", {"weights": {"pips": -1.0}})
    supposing = Entrant("search", options={"worlds": 64})
    knowing = Entrant("search", "knowing", {"worlds": 64, "opponents": lightest.make(0)})
    margins = []
    for side in (knowing, supposing):
        pairing = Pairing(SEVEN, 2, side, lightest, seed=5)
        pairing.play(1000)
        margins.append(pairing.by_deal)
    gain = margins[0] - margins[1]
    assert gain.mean() > ci95_half_width(gain)


def test_what_it_cannot_be_made_of() -> None:
    with pytest.raises(BadOption, match="how pimc plays cannot be known"):
        agents.make("search", opponents="pimc")
    with pytest.raises(BadOption, match="worlds"):
        agents.make("search", worlds=0)
    with pytest.raises(BadOption, match="seconds"):
        agents.make("search", seconds=0)
    with pytest.raises(BadOption, match="no option 'weights'"):
        agents.make("search", weights={"pips": 1.0})


def test_it_tells_what_moves_are_worth() -> None:
    batch = begun(SEVEN, 2)
    lane = int(np.flatnonzero(batch.num_legal > 1)[0])
    saved = batch.state()
    one, other = (agents.make("search", worlds=64, seed=1).weigh(batch, lane) for _ in range(2))  # type: ignore[attr-defined]
    assert one == other, "the same seed, the same worlds"
    assert {action for action, _ in one} == {*batch.legal[lane, : batch.num_legal[lane]].tolist()}
    assert [value for _, value in one] == sorted((value for _, value in one), reverse=True)
    assert max(abs(value) for _, value in one) < 168, "no more than all the pips of the set"
    assert (batch.state() == saved).all(), "it is only asked"
