"""A linear policy in both seats of Matador, in NumPy

Over PettingZoo's whole loop, whose checkers have nothing to say of any game.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

import domino_env
from tests.clients.measure import margin_against_random, scored
from tests.clients.softmax import Softmax

SEED = int(os.environ.get("DOMINO_SEED", "0"))  # to see that other seeds learn too
ROUNDS = 250


@pytest.mark.parametrize("where", ["both", "info"])
@pytest.mark.parametrize("game", domino_env.variants())
def test_pettingzoos_checkers_find_nothing_wrong(game: str, where: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of dict observations, and of negative numbers
        api_test(pettingzoo.make("aec", f"domino/{game}-v0", action_mask=where), num_cycles=50)
    seed_test(lambda: domino_env.aec(game, action_mask=where), num_cycles=20)


def played(env: Any, policy: Softmax) -> tuple[list[Any], dict[str, float]]:
    """A round: for each decision the observation, the mask, the action and what came of it; and
    what every agent was paid."""
    env.reset()
    told: dict[str, list[Any]] = {agent: [] for agent in env.possible_agents}
    paid = dict.fromkeys(told, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        paid[agent] += reward
        if terminated:
            env.step(None)
            continue
        observation, mask = seen["observation"], seen["action_mask"]
        action = int(policy(observation[None], mask[None])[0])
        told[agent].append((observation, mask, action))
        env.step(action)  # raises if illegal
    decisions = [(*each, paid[agent]) for agent, moves in told.items() for each in moves]
    return decisions, paid


def test_what_a_seat_is_paid_is_what_it_has_scored() -> None:
    env = domino_env.aec("all_fives", num_players=3)
    space = env.observation_space("player_0")["observation"]
    policy = Softmax(space.shape[0], env.action_space("player_0").n, SEED, 0.0)
    env.reset(seed=SEED)
    for _ in range(50):
        _, paid = played(env, policy)
        expected = [scored(env.unwrapped.batch, 0, seat) for seat in range(3)]
        assert [*paid.values()] == pytest.approx(expected, abs=1e-3)


def test_a_policy_learns_to_beat_random_play(record_figure: Any) -> None:
    """Random play earns nothing on average."""
    env = pettingzoo.make("aec", "domino/matador-v0", num_players=2)
    features = env.observation_space("player_0")["observation"].shape[0]
    policy = Softmax(features, env.action_space("player_0").n, SEED, 3.0)
    env.reset(seed=SEED)
    decisions = 0
    for _ in range(40):
        told = [each for _ in range(ROUNDS) for each in played(env, policy)[0]]
        observations, masks, actions, returns = map(np.array, zip(*told, strict=True))
        policy.learn(observations, masks, actions, returns)
        decisions += len(told)
    margin = margin_against_random(policy, "matador")
    record_figure("decisions", decisions)
    record_figure("margin against random", str(margin))
    assert margin.mean > 6
    assert margin.mean > 5 * margin.error
