"""Trained policies: their files, what they fit, and those that come with the package."""

from __future__ import annotations

import io
import os
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.agents.policy import Policy, read_policy
from domino_env.agents.ppo import SHIPPED, Ppo, shipped, shipped_for
from domino_env.errors import BadOption
from domino_env.games import mark_of
from domino_env.train.tournament import margins_by_deal
from tests.games import AT_A_TABLE


def some_policy(game: str = "block_draw", players: int = 2, **changes: Any) -> Policy:
    """One that has learned nothing, with a layer between."""
    rules = domino_env.rules(game, **changes)
    batch = domino_env.batch(rules, 1, players)
    chance = np.random.default_rng(0)
    sizes = (batch.num_features, 8, batch.num_actions)
    layers = [
        (chance.normal(size=(a, b)).astype(np.float32), chance.normal(size=b).astype(np.float32))
        for a, b in pairwise(sizes)
    ]
    return Policy(game, changes, mark_of(rules), players, layers, {"seed": 1})


def kept(tmp_path: Path, policy: Policy) -> Path:
    file = tmp_path / "policy.npz"
    file.write_bytes(policy.to_bytes())
    return file


def test_a_policy_comes_back_from_its_file(tmp_path: Path) -> None:
    policy = some_policy(hand_size=7)
    found = read_policy(kept(tmp_path, policy))
    assert (found.game, found.changes, found.players) == ("block_draw", {"hand_size": 7}, 2)
    assert found.notes == {"seed": 1}
    seen = np.random.default_rng(1).random((5, policy.layers[0][0].shape[0]), np.float32)
    assert found.scores(seen) == pytest.approx(policy.scores(seen), abs=0.05)


def test_scores_are_those_of_the_network() -> None:
    policy = some_policy()
    (w0, b0), (w1, b1) = policy.layers
    seen = np.random.default_rng(1).random((3, len(w0)), np.float32)
    expected = np.maximum(seen @ w0 + b0, 0) @ w1 + b1
    assert policy.scores(seen) == pytest.approx(expected, abs=1e-4)


def test_it_plays_the_legal_action_with_the_highest_score() -> None:
    policy, batch = some_policy(), domino_env.batch("block_draw", 50, seed=0)
    batch.reset()
    for _ in range(20):
        chosen = Ppo(policy=policy).act(batch, np.arange(50))
        scores = np.where(batch.mask == 1, policy.scores(batch.observation), -np.inf)
        assert (chosen == scores.argmax(1)).all()
        batch.step(chosen)


def test_a_temperature_makes_it_play_each_as_often_as_it_likes_it() -> None:
    policy, batch = some_policy(), domino_env.batch("block_draw", 1, seed=8)
    batch.reset()
    while batch.num_legal[0] < 3:
        batch.step(batch.sample())
    player = Ppo(policy=policy, temperature=20.0, seed=0)
    many = np.concatenate([player.act(batch, np.zeros(1, np.int64)) for _ in range(4000)])
    legal = batch.legal[0, : batch.num_legal[0]]
    likes = np.exp(policy.scores(batch.observation)[0, legal] / 20)
    shares = [(many == action).mean() for action in legal]
    assert shares == pytest.approx(likes / likes.sum(), abs=0.05)


class Trap:
    """What a pickle would do when it is read."""

    def __reduce__(self) -> Any:
        return os.system, ("touch trapped",)


@pytest.mark.parametrize(
    "damage", ["half", "garbage", "empty", "pickle", "pickled", "sizes", "nan"]
)
def test_damaged_files_are_refused_and_run_no_code(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    policy, file = some_policy(), tmp_path / "policy.npz"
    content = policy.to_bytes()
    if damage == "half":
        content = content[: len(content) // 2]
    elif damage == "garbage":
        content = b"no archive at all"
    elif damage == "empty":
        content = b""
    elif damage == "pickle":
        content = pickle.dumps(Trap())
    elif damage == "pickled":
        archive = io.BytesIO()
        np.savez(archive, about=np.array([Trap()], object))
        content = archive.getvalue()
    else:
        weights, biases = policy.layers[0]
        wrong = weights[:, :-1] if damage == "sizes" else weights * np.nan
        layers = [(wrong, biases), *policy.layers[1:]]
        content = Policy("block_draw", {}, "", 2, layers).to_bytes()
    file.write_bytes(content)
    with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
        agents.make("ppo", file=file)
    assert not (tmp_path / "trapped").exists()


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="cannot be read: No such file"):
        agents.make("ppo", file=tmp_path / "nothing.npz")
    with pytest.raises(BadOption, match="temperature must be a number from 0 to 100"):
        agents.make("ppo", temperature=-1)
    player = agents.make("ppo", file=kept(tmp_path, some_policy()))
    refused(player, "matador", 2, "trained for block_draw with 2 players, not for matador with 2")
    refused(player, "block_draw", 3, "with 2 players, not for block_draw with 3")
    other = domino_env.rules("block_draw", set="double_9")
    refused(player, other, 2, "it takes 126 numbers and scores 112 actions, but here are")
    refused(agents.make("ppo"), "block_draw", 4, "no policy comes with block_draw for 4 players")
    refused(agents.make("ppo"), "solitaire", 1, "ppo does not play solitaire")


def refused(player: Any, game: Any, players: int, told: str) -> None:
    batch = domino_env.batch(game, 1, players, seed=0)
    batch.reset()
    with pytest.raises(BadOption, match=told):
        player.act(batch, np.zeros(1, np.int64))


# Those that come with the package ----------------------------------------------------------------


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_a_policy_comes_with_every_game_for_its_usual_seats(game: str) -> None:
    policy = shipped_for(domino_env.batch(game, 1))
    assert policy.knows(domino_env.batch(game, 1))


def test_house_rules_have_theirs_if_there_is_one() -> None:
    seven = shipped_for(domino_env.batch(domino_env.rules("block_draw", hand_size=7), 1))
    assert seven.changes == {"hand_size": 7}
    six = shipped_for(domino_env.batch(domino_env.rules("block_draw", hand_size=6), 1))
    assert six.game == "block_draw"


def test_policies_are_small_and_have_a_config() -> None:
    configs = Path(__file__).parent.parent / "configs" / "train"
    assert len(shipped()) == len([*SHIPPED.glob("*.npz")])
    for file in SHIPPED.glob("*.npz"):
        assert file.stat().st_size <= 1_000_000
        assert (configs / f"{file.stem}.yaml").exists()


def test_a_trained_policy_is_ahead_of_greedy_pip() -> None:
    rules = domino_env.rules("block_draw", hand_size=7)
    margins = margins_by_deal(rules, "ppo", "greedy_pip", 2000, seed=4)
    assert margins.mean() > 8
