"""Policies that read histories: their files, and how they are played without PyTorch."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.net import Net
from domino_env.agents.networks.history_encoder import (
    ENCODERS,
    AttentionEncoder,
    HistoryEncoder,
    RecurrentEncoder,
    Vocabulary,
    vocabulary_of,
)
from domino_env.agents.networks.policy import Policy, read_policy
from domino_env.agents.ppo import Ppo
from domino_env.agents.search import can_be_known
from domino_env.batches import Batch, Histories
from domino_env.errors import BadOption
from domino_env.evaluate.rollout import play_episodes
from tests.games import AT_A_TABLE
from tests.test_net import begun, kept, read_about, rewritten, some_scorer

KINDS = [*ENCODERS]
SIZE, HEADS = 5, 3


def some_encoder(kind: str, vocabulary: Vocabulary, features: int, width: int) -> HistoryEncoder:
    """An encoder that has learned nothing."""
    chance = np.random.default_rng(1)

    def drawn(*shape: int) -> Any:
        return chance.normal(size=shape).astype(np.float32)

    rows = vocabulary.rows
    if kind == "attention":
        asked = HEADS * SIZE
        shapes = drawn(rows, SIZE), drawn(features, asked), drawn(asked), drawn(asked, width)
        return AttentionEncoder(vocabulary, *shapes)
    gates = 3 * SIZE
    of_state = drawn(SIZE, gates), drawn(gates), drawn(SIZE, width)
    return RecurrentEncoder(vocabulary, drawn(rows, gates), drawn(gates), *of_state)


def some_reader(kind: str, game: str = "block_draw", players: int = 2) -> Policy:
    """A scorer that reads histories and has learned nothing."""
    policy, batch = some_scorer(game, players), domino_env.batch(game, 1, players)
    features, width = policy.layers[0][0].shape
    return replace(policy, history=some_encoder(kind, vocabulary_of(batch), features, width))


# What is computed ---------------------------------------------------------------------------------


def sigmoid(numbers: Any) -> Any:
    return 1 / (1 + np.exp(-numbers))


def sum_of_rows(encoder: Any, event: Any, age: int, table: Any) -> Any:
    """An event as the sum of its rows of a table."""
    kinds, seats, tiles, ends, ages = np.split(table, np.cumsum(encoder.vocabulary)[:-1])
    kind, seat, tile, end, half = event.tolist()
    laid = 2 * tile - (half != 2) if tile else 0
    return kinds[kind] + seats[seat] + tiles[laid] + ends[end] + ages[min(age, len(ages) - 1)]


def read_by_gru(encoder: Any, events: Any) -> Any:
    """What one history comes to, in NumPy alone."""
    state = np.zeros(SIZE)
    for number, event in enumerate(events):
        given = sum_of_rows(encoder, event, len(events) - 1 - number, encoder.inputs)
        given = given + encoder.input_biases
        own = state @ encoder.state_weights + encoder.state_biases
        reset, update = (sigmoid(given + own)[start : start + SIZE] for start in (0, SIZE))
        new = np.tanh(given[2 * SIZE :] + reset * own[2 * SIZE :])
        state = (1 - update) * new + update * state
    return state @ encoder.joined


def read_by_attention(encoder: Any, events: Any, seen: Any) -> Any:
    """The same where it is asked by the observation."""
    vectors = [
        sum_of_rows(encoder, event, len(events) - 1 - number, encoder.events)
        for number, event in enumerate(events)
    ]
    known, means = np.maximum(np.reshape(vectors, (-1, SIZE)), 0), []
    for query in np.split(seen @ encoder.queries + encoder.query_biases, HEADS):
        shares = np.exp(known @ query)
        means.append(shares @ known / (shares.sum() or 1))
    return np.concatenate(means) @ encoder.joined


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["five_up", "blind"])
def test_a_history_adds_to_the_first_layer(kind: str, game: str) -> None:
    policy, batch = some_reader(kind, game), begun(game, 9, steps=6)
    encoder: Any = policy.history
    events, lengths = batch.histories()
    joined = [
        read_by_gru(encoder, each)
        if kind == "recurrent"
        else read_by_attention(encoder, each, batch.observation[lane])
        for lane, each in enumerate(np.split(events, np.cumsum(lengths)[:-1]))
    ]
    (first, bias), *others = policy.layers
    values = np.repeat(batch.observation @ first + joined, batch.num_legal, axis=0)
    values = values + batch.move_features() @ policy.move_weights + bias
    for weights, biases in others:
        values = np.maximum(values, 0) @ weights + biases
    found = policy.logits(batch, np.arange(9))
    assert found == pytest.approx(values[:, 0], abs=1e-4)
    silent = replace(policy, history=None).logits(batch, np.arange(9))
    assert np.abs(found - silent).max() > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_in_which_nothing_has_happened_adds_nothing(kind: str) -> None:
    policy, batch = some_reader(kind), begun("block_draw", 2, steps=0)
    none = Histories(np.zeros((0, 5), np.uint8), np.zeros(2, np.int64))
    assert policy.history is not None
    assert not policy.history.encode(none, batch.observation).any()


@pytest.mark.parametrize("kind", KINDS)
def test_its_scores_do_not_depend_on_the_other_lanes(kind: str) -> None:
    policy, batch = some_reader(kind, "all_fives"), begun("all_fives", 30)
    logits = policy.logits(batch, np.arange(30))
    apart = [policy.logits(batch, np.array([lane])) for lane in range(30)]
    assert np.array_equal(logits, np.concatenate(apart))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["block_draw", "bendomino", "blind"])
def test_it_chooses_the_same_in_all_worlds_that_look_the_same(kind: str, game: str) -> None:
    policy, batch = some_reader(kind, game), domino_env.batch(game, 1, seed=3, autoreset=False)
    batch.reset()
    for step in range(12):
        if batch.seat[0] < 0:
            break
        world = belief.sample(batch, 0, int(batch.seat[0]), seed=step)
        alone = np.zeros(1, np.int64)
        assert (policy.logits(batch, alone) == policy.logits(world, alone)).all()
        batch.step(batch.sample())


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_game_has_a_vocabulary_that_suffices(variant: str) -> None:
    for players in domino_env.rules(variant).players:
        batch = domino_env.batch(variant, 16, players, seed=2)
        batch.reset()
        vocabulary = vocabulary_of(batch)
        starts = np.cumsum([0, *vocabulary])
        for _ in range(25):
            indices = vocabulary.indices(batch.histories())
            assert (indices >= starts[:-1]).all()
            assert (indices < starts[1:]).all()
            batch.step(batch.sample())


def test_histories_that_are_none_are_refused() -> None:
    policy, batch = some_reader("recurrent"), begun("block_draw", 4)
    seen, moves, counts = batch.observation, batch.move_features(), batch.num_legal.astype(np.int64)
    events, lengths = batch.histories()
    whole: Any = events.astype(np.int64)
    for wrong in (
        Histories(whole, lengths),
        Histories(events[:-1], lengths),
        Histories(events, -lengths),
        Histories(np.full_like(events, 255), lengths),
    ):
        with pytest.raises(BadOption, match="histor"):
            policy.scorer_logits(seen, moves, counts, histories=wrong)
    with pytest.raises(BadOption, match="histories are for policies that read them"):
        policy.scorer_logits(seen, moves, counts)
    with pytest.raises(BadOption, match="histories are for policies that read them"):
        some_scorer().scorer_logits(seen, moves, counts, histories=batch.histories())


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_comes_back_from_its_file(kind: str, tmp_path: Path) -> None:
    policy, batch = some_reader(kind), begun("block_draw", 20)
    found, lanes = read_policy(kept(tmp_path, policy)), np.arange(20)
    assert found.logits(batch, lanes) == pytest.approx(policy.logits(batch, lanes), abs=0.05)
    assert found.to_bytes() == policy.to_bytes()
    assert b"domino policy 4" in read_about(policy)
    for agent in (Net, Ppo):
        chosen = agent(file=tmp_path / "scorer.npz").act(batch, lanes)
        assert batch.mask[lanes, chosen].all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_whose_parts_do_not_fit_is_refused(kind: str, tmp_path: Path) -> None:
    policy = some_reader(kind)
    assert policy.history is not None
    content, file = policy.to_bytes(), tmp_path / "wrong.npz"
    for name, array in policy.history.arrays().items():
        for wrong in (None, array[:-1], array[..., :-1], array[None], np.full_like(array, np.inf)):
            file.write_bytes(rewritten(content, f"history_{name}", wrong))
            with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
                read_policy(file)


@pytest.mark.parametrize(
    "changed",
    [
        *({"kind": "other"}, {"vocabulary": [1, 2]}, {"vocabulary": [-1] * 5}, {"vocabulary": 5}),
        *({"vocabulary": [2**40] * 5}, {"vocabulary": [1.5] * 5}, {"kind": None}),
    ],
)
def test_a_file_that_says_something_odd_is_refused(changed: dict[str, Any], tmp_path: Path) -> None:
    policy = some_reader("recurrent")
    about = json.loads(read_about(policy))
    about["history"] |= changed
    told = np.frombuffer(json.dumps(about).encode(), np.uint8)
    file = tmp_path / "wrong.npz"
    file.write_bytes(rewritten(policy.to_bytes(), "about", told))
    with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
        read_policy(file)


# Where it fits ------------------------------------------------------------------------------------


def test_histories_of_another_game_are_refused() -> None:
    policy, batch = some_reader("attention"), begun("block_draw", 1)
    assert policy.history is not None
    fewer = policy.history.vocabulary._replace(ends=2)
    features, width = policy.layers[0][0].shape
    other = replace(policy, history=some_encoder("attention", fewer, features, width))
    with pytest.raises(BadOption, match="it reads histories of"):
        agents.make("net", policy=other).act(batch, np.zeros(1, np.int64))


def test_search_says_that_it_knows_none(tmp_path: Path) -> None:
    policy = some_reader("recurrent")
    given: Any
    for given in ({"policy": policy}, {"file": kept(tmp_path, policy)}):
        with pytest.raises(BadOption, match="search knows no policy that reads histories"):
            agents.make("search", **given)
    with pytest.raises(BadOption, match="plays cannot be known"):
        agents.make("search", opponents=Net(policy=policy))
    assert not can_be_known(Net(policy=policy))
    assert can_be_known(Net(policy=some_scorer()))


def test_they_play_whole_rounds_at_one_table() -> None:
    batch = Batch("block_draw", 20, 4, seed=0, autoreset=False)
    batch.reset()
    players = [Net(policy=some_reader(kind, players=4)) for kind in (*KINDS, *KINDS)]
    assert np.isfinite(play_episodes(batch, players)).all()
