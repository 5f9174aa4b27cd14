"""Networks that score moves by their features, and the agent `net` that plays them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.net import Net
from domino_env.agents.networks.policy import Policy, read_policy
from domino_env.agents.ppo import Ppo
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.games import mark_of


def some_scorer(game: str = "block_draw", players: int = 2, **changes: Any) -> Policy:
    """A scorer with two hidden layers that has learned nothing."""
    batch = domino_env.batch(domino_env.rules(game, **changes), 1, players)
    return replace(scorer_for(batch), changes=changes)


def scorer_for(batch: Batch) -> Policy:
    """The same for the rules of a batch."""
    rules, chance = batch.rules, np.random.default_rng(0)
    layers = [
        (chance.normal(size=(a, b)).astype(np.float32) / 4, np.full(b, 0.1, np.float32))
        for a, b in pairwise((batch.num_features, 8, 6, 1))
    ]
    moves = chance.normal(size=(len(batch.move_fields), 8)).astype(np.float32)
    mark, players = mark_of(rules), batch.num_players
    return Policy(rules.id, {}, mark, players, layers, move_weights=moves)


def begun(game: str, num_games: int, steps: int = 4, **options: Any) -> Batch:
    batch = domino_env.batch(game, num_games, seed=5, **options)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def kept(tmp_path: Path, policy: Policy) -> Path:
    file = tmp_path / "scorer.npz"
    file.write_bytes(policy.to_bytes())
    return file


def test_a_scorer_scores_each_legal_action_by_the_observation_and_its_features() -> None:
    policy, batch = some_scorer("five_up"), begun("five_up", 9)
    assert policy.move_weights is not None
    (first, bias), *others = policy.layers
    seen = np.repeat(batch.observation, batch.num_legal, axis=0)
    values = seen @ first + batch.move_features() @ policy.move_weights + bias
    for weights, biases in others:
        values = np.maximum(values, 0) @ weights + biases
    assert policy.logits(batch, np.arange(9)) == pytest.approx(values[:, 0], abs=1e-4)


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    policy, batch = some_scorer(), begun("block_draw", 20)
    found, lanes = read_policy(kept(tmp_path, policy)), np.arange(20)
    assert found.logits(batch, lanes) == pytest.approx(policy.logits(batch, lanes), abs=0.05)
    assert b"domino policy 2" in read_about(policy)
    assert b"domino policy 1" in read_about(replace(policy, move_weights=None))


def read_about(policy: Policy) -> bytes:
    import io

    with np.load(io.BytesIO(policy.to_bytes())) as arrays:
        return bytes(arrays["about"])


@pytest.mark.parametrize("wrong", ["width", "outputs", "infinite", "missing"])
def test_a_file_whose_parts_do_not_fit_is_refused(wrong: str, tmp_path: Path) -> None:
    policy = some_scorer()
    assert policy.move_weights is not None
    moves, layers = policy.move_weights, list(policy.layers)
    if wrong == "width":
        moves = moves[:, :-1]
    elif wrong == "outputs":
        layers[-1] = (np.ones((6, 2), np.float32), np.ones(2, np.float32))
    content = replace(policy, move_weights=moves, layers=layers).to_bytes()
    if wrong == "infinite":
        content = rewritten(content, "moves", np.full(moves.shape, np.inf, np.float16))
    elif wrong == "missing":
        content = rewritten(content, "moves", None)
    file = tmp_path / "wrong.npz"
    file.write_bytes(content)
    with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
        read_policy(file)


def rewritten(content: bytes, name: str, array: Any) -> bytes:
    """A policy file with an array changed, or without it."""
    import io

    with np.load(io.BytesIO(content)) as kept_arrays:
        arrays = {**kept_arrays}
    arrays.pop(name)
    if array is not None:
        arrays[name] = array
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize("agent", [Net, Ppo])
def test_it_plays_the_legal_action_with_the_highest_score(agent: Any) -> None:
    policy, batch = some_scorer(), begun("block_draw", 40)
    chosen = agent(policy=policy).act(batch, np.arange(40))
    logits = np.split(policy.logits(batch, np.arange(40)), np.cumsum(batch.num_legal)[:-1])
    for lane, scores in enumerate(logits):
        assert chosen[lane] == batch.legal[lane, scores.argmax()]


def test_its_action_does_not_depend_on_the_other_lanes() -> None:
    policy, batch = some_scorer("all_fives"), begun("all_fives", 30)
    player = Net(policy=policy)
    together = player.act(batch, np.arange(30))
    alone = [player.act(batch, np.array([lane]))[0] for lane in range(30)]
    assert together.tolist() == alone
    logits = policy.logits(batch, np.arange(30))
    apart = [policy.logits(batch, np.array([lane])) for lane in range(30)]
    assert np.array_equal(logits, np.concatenate(apart))


@pytest.mark.parametrize("game", ["block_draw", "bendomino", "blind"])
def test_it_chooses_the_same_in_all_worlds_that_look_the_same(game: str) -> None:
    policy, batch = some_scorer(game), domino_env.batch(game, 1, seed=3, autoreset=False)
    batch.reset()
    for step in range(12):
        if batch.seat[0] < 0:
            break
        world = belief.sample(batch, 0, int(batch.seat[0]), seed=step)
        alone = np.zeros(1, np.int64)
        assert (policy.logits(batch, alone) == policy.logits(world, alone)).all()
        batch.step(batch.sample())


def test_bytes_are_scored_as_floats_are() -> None:
    policy, floats = some_scorer(), begun("block_draw", 20)
    as_bytes = begun("block_draw", 20, observation_dtype="uint8")
    assert policy.logits(as_bytes, np.arange(20)) == pytest.approx(
        policy.logits(floats, np.arange(20)), abs=1e-4
    )


def test_where_it_does_not_fit_it_is_refused() -> None:
    policy = some_scorer()
    for rules in (domino_env.rules("all_fives"), domino_env.rules("block_draw", set="double_9")):
        batch = domino_env.batch(rules, 1, 2, seed=0)
        batch.reset()
        with pytest.raises(BadOption, match="this policy was trained for block_draw"):
            agents.make("net", policy=policy).act(batch, np.zeros(1, np.int64))
    batch = begun("block_draw", 1)
    narrow = replace(policy, move_weights=np.zeros((3, 8), np.float32))
    with pytest.raises(BadOption, match="it scores moves of 3 numbers, but here they have 66"):
        agents.make("net", policy=narrow).act(batch, np.zeros(1, np.int64))
