"""A linear policy in Matador against random play, in NumPy

Over the vector alone; and Gymnasium's own checker has nothing to say of any game.
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import domino_env
from tests.clients.measure import Watched, margin_against_random
from tests.clients.softmax import Softmax

SEED = int(os.environ.get("DOMINO_SEED", "0"))  # to see that other seeds learn too
GAMES = 256
STEPS = 64


@pytest.mark.parametrize("game", domino_env.variants())
def test_gymnasiums_checker_finds_nothing_wrong(game: str) -> None:
    env = gymnasium.make(f"domino/{game}-v0")
    check_env(env.unwrapped, skip_render_check=True)


def to_come(rewards: Any, over: Any) -> Any:
    """What each decision was followed by until the end of its round: [steps, games]."""
    returns, after = np.zeros_like(rewards), np.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        after = rewards[step] + np.where(over[step], 0, after)
        returns[step] = after
    return returns


def test_what_a_vector_pays_is_what_the_learner_has_scored() -> None:
    env = Watched("all_fives", 16, num_players=3)
    _, infos = env.reset(seed=SEED)
    earned, recorded = np.zeros(16), []
    for _ in range(100):
        _, rewards, terminated, truncated, infos = env.step(infos["action_mask"].argmax(1))
        earned += rewards
        for lane in np.flatnonzero(terminated | truncated):
            recorded.append(float(earned[lane]))
            earned[lane] = 0
    assert len(recorded) > 50
    assert recorded == pytest.approx(env.scored, abs=1e-3)


def test_a_policy_learns_to_beat_random_play(record_figure: Any) -> None:
    """Random play earns nothing on average. An illegal move would raise."""
    env: Any = gymnasium.make_vec("domino/matador-v0", num_envs=GAMES, illegal="raise")
    policy = Softmax(env.single_observation_space.shape[0], env.single_action_space.n, SEED, 3.0)
    seen, infos = env.reset(seed=SEED)
    for _ in range(40):
        told: Any = [[], [], [], [], []]
        for _ in range(STEPS):
            masks = infos["action_mask"]
            actions = policy(seen, masks)
            after, rewards, terminated, truncated, infos = env.step(actions)  # raises if illegal
            for kept, each in zip(
                told, (seen, masks, actions, rewards, terminated | truncated), strict=True
            ):
                kept.append(each)
            seen = after
        observations, masks, actions, rewards, over = map(np.array, told)
        decided = (masks.any(2)) & (over[::-1].cumsum(0)[::-1] > 0)  # of rounds that have ended
        returns = to_come(rewards, over)
        policy.learn(observations[decided], masks[decided], actions[decided], returns[decided])
    margin = margin_against_random(policy, "matador")
    record_figure("decisions", 40 * STEPS * GAMES)
    record_figure("margin against random", str(margin))
    assert margin.mean > 6
    assert margin.mean > 5 * margin.error
