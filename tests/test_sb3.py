"""The `VecEnv` for Stable-Baselines3, proven by MaskablePPO itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecEnv

import domino_env
from domino_env.adapters.sb3 import SB3VecEnv
from domino_env.adapters.single import SingleEnv
from domino_env.errors import BadOption


def first(env: SB3VecEnv) -> Any:
    """The first legal action of every game."""
    return np.argmax(env.action_masks(), 1)


@pytest.mark.parametrize("variant", domino_env.variants())
def test_a_game_is_that_of_the_single_environment(variant: str) -> None:
    """Every reward, every mask, every last observation; and it begins anew in the same step."""
    env = SB3VecEnv(variant, 3, seed=5)
    assert isinstance(env, VecEnv)
    single = [SingleEnv(variant) for _ in range(3)]
    seen = env.reset()
    own = [each.reset(seed=5 + lane)[0] for lane, each in enumerate(single)]
    earned, steps, ended = np.zeros(3), np.zeros(3, int), 0
    for _ in range(450 if variant in ("elimination", "solitaire") else 60):
        assert np.array_equal(seen, own)
        assert np.array_equal(env.action_masks(), [each.action_masks() for each in single])
        actions = first(env)
        seen, rewards, dones, infos = env.step(actions)
        for lane, each in enumerate(single):
            own[lane], reward, terminated, truncated, _ = each.step(actions[lane])
            assert rewards[lane] == np.float32(reward)
            assert dones[lane] == (terminated or truncated)
            earned[lane] += reward
            steps[lane] += 1
            assert ("episode" in infos[lane]) == dones[lane]
            if dones[lane]:
                assert np.array_equal(infos[lane]["terminal_observation"], own[lane])
                assert infos[lane]["TimeLimit.truncated"] == truncated
                assert infos[lane]["episode"]["r"] == pytest.approx(earned[lane])
                assert infos[lane]["episode"]["l"] == steps[lane]
                own[lane], _ = each.reset()
                earned[lane], steps[lane] = 0, 0
                ended += 1
    assert ended


def test_trainers_with_masks_find_them() -> None:
    env = SB3VecEnv("five_up", 4, seed=0)
    env.reset()
    assert is_masking_supported(env)
    assert np.array_equal(get_action_masks(env), env.batch.mask == 1)
    assert env.has_attr("action_masks")
    assert not env.has_attr("nothing_of_this_name")
    assert len(env.env_method("action_masks", indices=[1, 3])) == 2
    assert env.env_is_wrapped(object) == [False] * 4
    with pytest.raises(BadOption, match="'reset'"):
        env.env_method("reset")
    with pytest.raises(BadOption, match="opponents"):
        env.set_attr("opponents", "random")
    env.close()


def test_a_seed_gives_the_same_games() -> None:
    env, other = SB3VecEnv("bergen", 4, seed=9), SB3VecEnv("bergen", 4)
    assert other.seed(9) == [9, 10, 11, 12]
    seen = env.reset()
    assert np.array_equal(seen, other.reset())
    assert not np.array_equal(seen, env.reset())
    env.seed(9)
    assert np.array_equal(seen, env.reset())


def test_maskable_ppo_learns_what_needs_masks_and_all_rewards() -> None:
    """Random play earns nothing on average. In Matador points come with the end of the round, which
    in half of the rounds the opponent brings about."""
    torch.set_num_threads(1)
    env = SB3VecEnv("matador", 128, seed=0, illegal="raise")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        learning_rate=2e-3,
        ent_coef=0.05,
        seed=0,
    )
    model.learn(80_000)
    seen, margins = env.reset(), []
    while len(margins) < 1500:
        actions, _ = model.predict(seen, action_masks=env.action_masks())
        seen, _, _, infos = env.step(actions)
        margins += [info["episode"]["r"] for info in infos if "episode" in info]
    assert np.mean(margins) > 6


def test_what_is_written_into_infos_stays_where_it_was_written() -> None:
    """Infos of games that go on are the same empty dicts again, but for those that were used."""
    env = SB3VecEnv("block_draw", 6, seed=0)
    env.reset()
    infos = env.step(first(env))[3]
    going = [lane for lane, info in enumerate(infos) if not info]
    assert len(going) > 2
    infos[going[0]]["mine"] = 1
    later = [env.step(first(env))[3] for _ in range(3)]
    assert all("mine" not in info for each in later for info in each)
    assert infos[going[0]] == {"mine": 1}


def test_infos_of_ended_games_are_their_own() -> None:
    env = SB3VecEnv("block_draw", 6, seed=0)
    env.reset()
    ended = []
    for _ in range(40):
        ended += [info for info in env.step(first(env))[3] if info]
    assert len(ended) > 10
    assert len({id(info) for info in ended}) == len(ended)
    assert all([*info["episode"]] == ["r", "l", "t"] for info in ended)
