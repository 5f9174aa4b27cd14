"""Trained policies: their files, what they fit, and those that come with the package."""

from __future__ import annotations

import io
import os
import pickle
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.features.heuristic_features import NUM_FEATURES, weight_of
from domino_env.agents.heuristic import Heuristic, as_row, weights_of
from domino_env.agents.networks.heuristic_prior import FLOOR, HeuristicPrior, heuristic_prior
from domino_env.agents.networks.layers import through_layer
from domino_env.agents.networks.player import shipped, shipped_for
from domino_env.agents.networks.policy import Policy, read_policy
from domino_env.agents.ppo import SHIPPED, Ppo
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.evaluate.tournament import margins_by_deal
from domino_env.games import mark_of
from tests.games import AT_A_TABLE

OTHER_WEIGHTS = {"pips": -2.0, "points": 31.0, "next_stuck": 1.5, "yes": -1.0, "draw": 2.0}


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


def policy_with_prior(game: str = "block_draw", players: int = 2) -> Policy:
    """One with other weights in its prior than those of `heuristic`."""
    return replace(some_policy(game, players), prior=HeuristicPrior(OTHER_WEIGHTS, 0.7))


def in_order_of_legal(batch: Batch, dense: Any) -> Any:
    """Of numbers for all actions those of the legal ones, lane after lane."""
    return np.concatenate(
        [row[legal[:n]] for row, legal, n in zip(dense, batch.legal, batch.num_legal, strict=True)]
    )


def kept(tmp_path: Path, policy: Policy) -> Path:
    file = tmp_path / "policy.npz"
    file.write_bytes(policy.to_bytes())
    return file


def test_a_policy_comes_back_from_its_file(tmp_path: Path) -> None:
    policy = some_policy(hand_size=7)
    found = read_policy(kept(tmp_path, policy))
    assert (found.game, found.changes, found.num_players) == ("block_draw", {"hand_size": 7}, 2)
    assert found.notes == {"seed": 1}
    seen = np.random.default_rng(1).random((5, policy.layers[0][0].shape[0]), np.float32)
    assert found.network_logits(seen) == pytest.approx(policy.network_logits(seen), abs=0.05)


def test_scores_are_those_of_the_network() -> None:
    policy = some_policy()
    (w0, b0), (w1, b1) = policy.layers
    seen = np.random.default_rng(1).random((3, len(w0)), np.float32)
    expected = np.maximum(seen @ w0 + b0, 0) @ w1 + b1
    assert policy.network_logits(seen) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("game", ["block_draw", "five_up", "bendomino_all_five", "fours"])
def test_a_network_without_output_leaves_the_prior(game: str) -> None:
    batch = domino_env.batch(game, 200, seed=5)
    policy = policy_with_prior(game, batch.num_players)
    silent = [(weights * 0, biases * 0) for weights, biases in policy.layers]
    ours, lanes = Ppo(policy=replace(policy, layers=silent)), np.arange(200)
    batch.reset()
    others = 0
    for _ in range(25):
        chosen = ours.act(batch, lanes)
        best = Heuristic(OTHER_WEIGHTS).act(batch, lanes)
        for lane in np.flatnonzero(chosen != best):
            assert weighs(batch, lane, chosen[lane]) == weighs(batch, lane, best[lane])
        others += (chosen != Heuristic().act(batch, lanes)).sum()
        batch.step(chosen)
    assert others > 0


def weighs(batch: Any, lane: int, action: int) -> float:
    """What an action weighs, by the other weights."""
    row, table, features = (
        as_row(OTHER_WEIGHTS),
        np.zeros_like(batch.games[:1]),
        np.zeros(NUM_FEATURES),
    )
    game = batch.games[np.uint64(lane)]
    found = weight_of(batch.rule_table[0], game, int(action), row, table, features)
    return float(round(found, 4))


def test_prior_logits_are_added_to_those_of_the_network() -> None:
    policy, batch = policy_with_prior("all_fives"), domino_env.batch("all_fives", 100, seed=5)
    batch.reset()
    lanes, prior = np.arange(100), policy.prior
    assert prior is not None
    added = prior.logits(batch, lanes)
    legal = batch.mask == 1
    assert (added[~legal] == 0).all()
    assert added.max(1, where=legal, initial=FLOOR) == pytest.approx(0, abs=1e-5)
    assert added.min() == FLOOR < np.median(added[legal]) < 0
    expected = in_order_of_legal(batch, policy.network_logits(batch.observation) + added)
    assert policy.logits(batch, lanes) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("game", AT_A_TABLE)
def test_scores_are_the_same_in_all_worlds_that_look_the_same(game: str) -> None:
    batch = domino_env.batch(game, 1, seed=3, autoreset=False)
    policy, alone = policy_with_prior(game, batch.num_players), np.zeros(1, np.int64)
    batch.reset()
    for step in range(12):
        if batch.seat[0] < 0:
            break
        world = belief.sample(batch, 0, int(batch.seat[0]), seed=step)
        assert (policy.logits(batch, alone) == policy.logits(world, alone)).all()
        batch.step(batch.sample())


@pytest.mark.parametrize("game", ["block_draw", "bendomino_all_five"])
def test_a_prior_has_the_same_scale_in_every_game(game: str) -> None:
    """Whatever the weights are: they count by how far apart they usually are."""
    one, ten = (heuristic_prior(game, 2, factor * weights_of(game), 2.0, 0) for factor in (1, 10))
    assert one.scale == pytest.approx(10 * ten.scale)
    batch = domino_env.batch(game, 1000, 2, seed=9)
    batch.reset()
    for _ in range(6):
        batch.step(batch.sample())
    free = np.flatnonzero(batch.num_legal > 1)
    spread = one.logits(batch, free).std(1, where=batch.mask[free] == 1).mean()
    assert 1 < spread < 3


def test_a_prior_is_in_the_file_of_its_policy(tmp_path: Path) -> None:
    policy, batch = policy_with_prior(), domino_env.batch("block_draw", 20, 2, seed=0)
    found = read_policy(kept(tmp_path, policy))
    assert found.prior == policy.prior
    assert read_policy(kept(tmp_path, some_policy())).prior is None
    batch.reset()
    lanes = np.arange(20)
    assert found.logits(batch, lanes) == pytest.approx(policy.logits(batch, lanes), abs=0.05)


@pytest.mark.parametrize("width", [7, 8])
def test_a_row_scores_the_same_in_any_company(width: int) -> None:
    chance = np.random.default_rng(2)
    rows, weights, biases = (
        chance.normal(size=size).astype(np.float32) for size in ((11, width), (width, 5), 5)
    )
    alone = np.concatenate([through_layer(rows[k : k + 1], weights, biases) for k in range(11)])
    assert alone == pytest.approx(rows @ weights + biases, abs=1e-5)
    for many in range(2, 12):
        assert (through_layer(rows[:many], weights, biases) == alone[:many]).all()


def test_it_plays_the_legal_action_with_the_highest_score() -> None:
    policy, batch = some_policy(), domino_env.batch("block_draw", 50, seed=0)
    batch.reset()
    for _ in range(20):
        chosen = Ppo(policy=policy).act(batch, np.arange(50))
        scores = np.where(batch.mask == 1, policy.network_logits(batch.observation), -np.inf)
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
    likes = np.exp(policy.network_logits(batch.observation)[0, legal] / 20)
    shares = [(many == action).mean() for action in legal]
    assert shares == pytest.approx(likes / likes.sum(), abs=0.05)


class Trap:
    """What a pickle would do when it is read."""

    def __reduce__(self) -> Any:
        return os.system, ("touch trapped",)


@pytest.mark.parametrize(
    "damage",
    [
        *("half", "garbage", "empty", "pickle", "pickled", "sizes", "nan", "bit", "packing"),
        *("scale", "feature"),
    ],
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
    elif damage in ("bit", "packing"):  # of a weight, or of how the parts are packed
        weight, packing = content.index(b"weights_1") + 200, content.rindex(b"PK\1\2") + 10
        at = weight if damage == "bit" else packing
        content = content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :]
    elif damage in ("scale", "feature"):
        prior: Any = HeuristicPrior({"points": 1.0}, 1.0)
        if damage == "scale":
            object.__setattr__(prior, "scale", float("nan"))
        else:
            object.__setattr__(prior, "weights", {"pionts": 1.0})
        content = replace(policy, prior=prior).to_bytes()
    else:
        arrays = dict(np.load(io.BytesIO(content)))
        weights = arrays["weights_0"]
        arrays["weights_0"] = weights[:, :-1] if damage == "sizes" else weights * np.nan
        archive = io.BytesIO()
        np.savez(archive, **arrays)
        content = archive.getvalue()
    file.write_bytes(content)
    with pytest.raises(BadOption, match="is damaged, or is not a policy file"):
        agents.make("ppo", file=file)
    assert not (tmp_path / "trapped").exists()


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e6])
def test_a_policy_that_has_diverged_is_not_written(number: float) -> None:
    weights, biases = some_policy().layers[0]
    layers = [(weights, np.full_like(biases, number))]
    with pytest.raises(BadOption, match="its training has diverged"):
        Policy("block_draw", {}, "", 2, layers).to_bytes()


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="cannot be read: No such file"):
        agents.make("ppo", file=tmp_path / "nothing.npz")
    with pytest.raises(BadOption, match="temperature must be a number from 0 to 100"):
        agents.make("ppo", temperature=-1)
    player = agents.make("ppo", file=kept(tmp_path, some_policy()))
    refused(player, "matador", 2, "trained for block_draw with 2 players, not for matador with 2")
    refused(player, "block_draw", 3, "with 2 players, not for block_draw with 3")
    other = domino_env.rules("block_draw", set="double_9")
    refused(player, other, 2, "it takes 126 features and scores 112 actions, but here are")
    refused(agents.make("ppo"), "block_draw", 4, "no policy comes with block_draw for 4 players")
    refused(agents.make("ppo"), "solitaire", 1, "ppo does not play solitaire")


def refused(player: Any, game: Any, players: int, told: str) -> None:
    batch = domino_env.batch(game, 1, players, seed=0)
    batch.reset()
    with pytest.raises(BadOption, match=told):
        player.act(batch, np.zeros(1, np.int64))


# Those that come with the package ----------------------------------------------------------------


@pytest.mark.parametrize("game", [game for game in AT_A_TABLE if "ppo" in agents.names(game)])
def test_a_policy_that_comes_with_a_game_is_for_its_usual_seats(game: str) -> None:
    policy = shipped_for(Ppo.folders, domino_env.batch(game, 1))
    assert policy.knows(domino_env.batch(game, 1))


def test_policies_come_with_the_games_of_the_rulebooks() -> None:
    assert len({policy.game for policy in shipped(*Ppo.folders)}) >= 21


def test_a_game_without_a_policy_is_played_with_one_of_ones_own() -> None:
    house = replace(domino_env.rules("block_draw"), id="house")
    batch = domino_env.batch(house, 1, seed=0)
    assert "ppo" not in agents.names(house)
    batch.reset()
    refused(agents.make("ppo"), house, 2, "ppo does not play house; these do: ")
    own = agents.make("ppo", policy=replace(some_policy(), game="house"))
    assert batch.mask[0, own.act(batch, np.zeros(1, np.int64))[0]]


def test_house_rules_have_theirs_if_there_is_one() -> None:
    seven = shipped_for(
        Ppo.folders, domino_env.batch(domino_env.rules("block_draw", hand_size=7), 1)
    )
    assert seven.changes == {"hand_size": 7}
    six = shipped_for(Ppo.folders, domino_env.batch(domino_env.rules("block_draw", hand_size=6), 1))
    assert six.game == "block_draw"


def test_policies_are_small_and_have_a_config() -> None:
    configs = Path(__file__).parent.parent / "configs" / "train"
    assert len(shipped("ppo@1")) == len([*SHIPPED.glob("*.npz")])
    for file in SHIPPED.glob("*.npz"):
        assert file.stat().st_size <= 1_000_000
        assert (configs / f"{file.stem}.yaml").exists()


def test_a_trained_policy_is_ahead_of_greedy_pip() -> None:
    rules = domino_env.rules("block_draw", hand_size=7)
    margins = margins_by_deal(rules, "ppo", "greedy_pip", 2000, seed=4)
    assert margins.mean() > 8
