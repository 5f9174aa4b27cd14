"""MaskablePPO in Matador against random play

tests/test_sb3.py says more of the `VecEnv`.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from domino_env.adapters.sb3 import SB3VecEnv
from tests.clients.measure import margin_against_random, scored

SEED = int(os.environ.get("DOMINO_SEED", "0"))  # to see that other seeds learn too


class WatchedVecEnv(SB3VecEnv):
    """Keeps what the learner has scored in each game that has ended, by its lane."""

    def _ended(self, over: Any) -> Any:
        for lane in over.tolist():
            self.scored[lane].append(scored(self.batch, lane, int(self.table.learner[lane])))
        return super()._ended(over)


def test_what_it_learns_from_is_what_the_learner_has_scored() -> None:
    env = WatchedVecEnv("all_fives", 16, num_players=3, seed=SEED)
    env.scored = [[] for _ in range(16)]
    model = MaskablePPO("MlpPolicy", env, n_steps=100, batch_size=1600, n_epochs=1, seed=SEED)
    model.learn(1600)
    rewards, starts = model.rollout_buffer.rewards, model.rollout_buffer.episode_starts
    assert sum(map(len, env.scored)) > 50
    for lane, expected in enumerate(env.scored):
        rounds = np.split(rewards[:, lane], np.flatnonzero(starts[:, lane])[1:])
        recorded = [float(each.sum()) for each in rounds]
        assert recorded[: len(expected)] == pytest.approx(expected, abs=1e-3)


def test_ppo_learns_to_beat_random_play(record_figure: Any) -> None:
    """Random play earns nothing on average. An illegal move would raise."""
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        SB3VecEnv("matador", 128, seed=SEED, illegal="raise"),
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        learning_rate=2e-3,
        ent_coef=0.05,
        seed=SEED,
    )
    model.learn(160_000)

    def policy(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks)[0]

    margin = margin_against_random(policy, "matador")
    record_figure("decisions", model.num_timesteps)
    record_figure("margin against random", str(margin))
    assert margin.mean > 6
    assert margin.mean > 5 * margin.error
