"""Environments that show observations as bytes."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from stable_baselines3.common import env_checker

import domino_env
from domino_env.adapters.rlcard import RLCardEnv
from domino_env.adapters.sb3 import SB3VecEnv
from domino_env.adapters.single import SingleEnv, SingleVectorEnv
from domino_env.errors import BadOption
from tests.refusals import refused
from tests.test_aec import EXPECTED_WARNINGS
from tests.test_bytes import BYTES, every_variant


def check_space(space: Any, size: int) -> None:
    assert space == gymnasium.spaces.Box(0, 255, (size,), np.uint8)


@every_variant
def test_the_checkers_find_nothing_wrong_with_bytes(variant: str) -> None:
    env = gymnasium.make(f"domino/{variant}-v0", **BYTES)
    check_env(env.unwrapped)
    env_checker.check_env(env)
    check_space(env.observation_space, env.unwrapped.batch.num_features)  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("action_mask", ["both", "info"])
@every_variant
def test_pettingzoo_finds_nothing_wrong_with_bytes(
    variant: str, action_mask: str, capsys: Any
) -> None:
    for players in domino_env.rules(variant).players:
        env = domino_env.aec(variant, num_players=players, action_mask=action_mask, **BYTES)
        with warnings.catch_warnings():
            for expected in EXPECTED_WARNINGS:
                warnings.filterwarnings("ignore", message=expected)
            api_test(env, num_cycles=60)


def test_the_aec_environment_shows_bytes_and_its_state_floats() -> None:
    both = [domino_env.raw_aec("all_fives"), domino_env.raw_aec("all_fives", **BYTES)]
    for env in both:
        env.reset(seed=4)
    floats, as_bytes = both
    space = as_bytes.observation_space("player_0")
    check_space(space["observation"], as_bytes.batch.num_features)
    while floats.batch.seat[0] >= 0:
        for agent in floats.agents:
            seen = as_bytes.observe(agent)
            assert space.contains(seen)
            scaled = as_bytes.batch.as_floats(seen["observation"])
            assert np.array_equal(scaled, floats.observe(agent)["observation"])
        assert as_bytes.state_space.contains(as_bytes.state())
        assert np.array_equal(as_bytes.state(), floats.state())
        action = int(floats.batch.sample()[0])
        floats.step(action)
        as_bytes.step(action)


def test_histories_have_a_dtype_of_their_own() -> None:
    with refused(BadOption, "histories are int16: leave observation_dtype out"):
        domino_env.aec("block_draw", observation="history", **BYTES)


@pytest.mark.parametrize("opponents", ["random", "greedy_pip", "self"])
@pytest.mark.parametrize("make", [SingleVectorEnv, SB3VecEnv])
def test_vectors_of_a_learner_show_bytes(make: Any, opponents: str) -> None:
    plain, as_bytes = (make("block_draw", 8, opponents=opponents, **given) for given in ({}, BYTES))
    batch = as_bytes.batch
    seen = []
    for env in (plain, as_bytes):
        if make is SB3VecEnv:
            env.seed(2)
            seen.append(env.reset())
        else:
            seen.append(env.reset(seed=2)[0])
    for _ in range(40):
        assert seen[1].dtype == np.uint8
        assert np.array_equal(batch.as_floats(seen[1]), seen[0])
        actions = (plain.action_masks()).argmax(1)
        seen = [env.step(actions)[0] for env in (plain, as_bytes)]
    space = as_bytes.observation_space if make is SB3VecEnv else as_bytes.single_observation_space
    check_space(space, batch.num_features)


def test_a_single_environment_and_rlcard_show_bytes() -> None:
    env = SingleEnv("bergen", **BYTES)
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    card = RLCardEnv("bergen", seed=0, **BYTES)
    state, _ = card.reset()
    assert state["obs"].dtype == np.uint8
    assert state["raw_obs"]["hand"].dtype == np.uint8
