"""DQN (RLCard's own) at Matador, one game at a time, beside a random agent.

An illegal action would be refused by the engine with an error, so a test that ends has seen none.
"""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from rlcard.agents import DQNAgent, NFSPAgent, RandomAgent
from rlcard.utils import reorganize, tournament

import domino_env
from domino_env.adapters.rlcard import RLCardEnv
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
SEED = 0


def begin() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    np.random.seed(SEED)  # noqa: NPY002, it is what RLCard's agents draw from
    random.seed(SEED)


def at_random(game: str, **options: Any) -> RLCardEnv:
    """Random agents in all seats."""
    env = RLCardEnv(game, seed=SEED, **options)
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
    return env


@pytest.mark.parametrize("variant", domino_env.variants())
def test_agents_of_rlcard_play_every_game(variant: str) -> None:
    """And `reorganize` leaves each seat all its points, at the end of its last decision."""
    begin()
    env = at_random(variant, reward="points")
    for training in (False, True):
        trajectories, payoffs = env.run(is_training=training)
        assert payoffs.tolist() == env.batch.position(0).scores
        for decisions, payoff in zip(reorganize(trajectories, payoffs), payoffs, strict=True):
            assert [done for *_, done in decisions[:-1]] == [False] * (len(decisions) - 1)
            assert sum(reward for _, _, reward, _, _ in decisions) == (payoff if decisions else 0)


def test_a_tournament_counts_every_round() -> None:
    begin()
    env, told = at_random("five_up", num_players=3), []
    play = env.run
    env.run = lambda is_training=False: told.append(play(is_training)) or told[-1]  # type: ignore
    means = tournament(env, 50)
    assert len(told) == 50
    assert means == pytest.approx(np.mean([payoffs for _, payoffs in told], 0))
    assert sum(means) == pytest.approx(0)


def test_two_agents_that_learn_can_sit_at_one_table() -> None:
    """RLCard's NFSP in both seats, as its examples train it."""
    begin()
    rules = domino_env.rules("block_draw", set="double_3", hand_size=3, players=(2,))
    env = RLCardEnv(rules, seed=SEED)
    agents = [
        NFSPAgent(
            num_actions=env.num_actions,
            state_shape=env.state_shape[seat],
            hidden_layers_sizes=[32],
            q_mlp_layers=[32],
            device="cpu",
        )
        for seat in range(env.num_players)
    ]
    env.set_agents(agents)
    with contextlib.redirect_stdout(io.StringIO()):  # it prints every loss
        for _ in range(100):
            for agent in agents:
                agent.sample_episode_policy()
            trajectories, payoffs = env.run(is_training=True)
            for agent, decisions in zip(agents, reorganize(trajectories, payoffs), strict=True):
                for decision in decisions:
                    agent.feed(decision)
    assert all(agent._rl_agent.total_t > 100 for agent in agents)


def test_dqn_learns_beside_a_random_agent(record_figure: Record) -> None:
    begin()
    env = RLCardEnv("matador", seed=SEED)
    learner = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[64, 64],
        learning_rate=1e-3,
        discount_factor=1.0,
        batch_size=128,
        train_every=8,
        replay_memory_init_size=500,
        replay_memory_size=50_000,
        update_target_estimator_every=200,
        epsilon_decay_steps=10_000,
        device="cpu",
    )
    env.set_agents([learner, RandomAgent(env.num_actions)])
    with contextlib.redirect_stdout(io.StringIO()):  # it prints every loss
        for _ in range(4000):
            trajectories, payoffs = env.run(is_training=True)
            for decision in reorganize(trajectories, payoffs)[0]:
                learner.feed(decision)
    margins = np.array([env.run()[1][0] for _ in range(1500)])
    error = margins.std() / len(margins) ** 0.5
    record_figure("DQN, 4k rounds, margin", f"{margins.mean():+.1f} ± {error:.1f} in 1500 rounds")
    assert margins.mean() > 6  # random play earns 0, with an error of 0.9


@pytest.mark.parametrize("code", examples("rlcard"))
def test_the_examples_in_the_docs_run(code: str) -> None:
    run(code)
