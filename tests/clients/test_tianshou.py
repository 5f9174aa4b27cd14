"""DQN at Matador, in 64 games at once.

An illegal action would be refused by the engine with an error, so a test that ends has seen none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import domino_env
from domino_env.adapters.single import SingleEnv
from domino_env.adapters.tianshou import TianshouVecEnv
from domino_env.errors import BadOption, IllegalMove
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
SEED = 0


# The batched environment ---------------------------------------------------------------------


@pytest.mark.parametrize("variant", domino_env.variants())
def test_a_game_is_that_of_the_single_environment(variant: str) -> None:
    """Every reward, every mask, every last observation; and only what has ended begins anew."""
    env = TianshouVecEnv(variant, 3, seed=5)
    single = [SingleEnv(variant) for _ in range(3)]
    seen, infos = env.reset()
    own = [each.reset(seed=5 + lane)[0] for lane, each in enumerate(single)]
    ended = 0
    for _ in range(450 if variant in ("elimination", "solitaire") else 60):
        assert np.array_equal(seen.obs, own)
        assert np.array_equal(seen.mask, [each.action_masks() for each in single])
        assert [info["seat"] for info in infos] == [each.table.learner[0] for each in single]
        actions = seen.mask.argmax(1)
        seen, rewards, terminated, truncated, infos = env.step(actions)
        for lane, each in enumerate(single):
            own[lane], *told, _ = each.step(actions[lane])
            assert told == [rewards[lane], terminated[lane], truncated[lane]]
            assert np.array_equal(seen.obs[lane], own[lane])
            if terminated[lane] or truncated[lane]:
                assert seen.mask[lane].all()  # nothing to choose
                own[lane], _ = each.reset()
                seen[np.array([lane])], info = env.reset(np.array([lane]))
                infos[lane] = info[0]
                ended += 1
    assert ended


def test_it_is_what_tianshou_takes_for_a_vector_of_environments() -> None:
    env = TianshouVecEnv("five_up", 4, seed=9)
    assert len(env) == env.env_num == 4
    assert env.action_space == [env.get_env_attr("action_space")[0]] * 4
    assert env.action_space[0].n == env.batch.num_actions
    first, _ = env.reset()
    assert {"obs": first.obs[0], "mask": first.mask[0].astype(np.int8)} in env.observation_space[0]
    again, _ = env.reset()
    assert not np.array_equal(first.obs, again.obs)
    assert env.seed(9) == [9, 10, 11, 12]
    assert np.array_equal(env.reset()[0].obs, first.obs)
    assert np.array_equal(env.reset(seed=9)[0].obs, first.obs)
    some = env.step(first.mask[[1, 3]].argmax(1), [1, 3])
    assert [info["env_id"] for info in some[-1]] == [1, 3]
    assert len(env.render()) == 4
    with pytest.raises(BadOption, match="all games"):
        env.reset([1], seed=3)
    with pytest.raises(BadOption, match="opponents"):
        env.set_env_attr("opponents", "random")
    with pytest.raises(AttributeError, match="'table_cloth'"):
        env.get_env_attr("table_cloth")
    with pytest.raises(IllegalMove):
        env.step((~first.mask).argmax(1))
    env.close()


@pytest.mark.parametrize("opponents", ["greedy_pip", "self"])
def test_no_point_is_lost(opponents: str) -> None:
    """All that seats have been paid in a round are their points there."""
    env = TianshouVecEnv("all_fives", 32, opponents=opponents, reward="points", seed=1)
    seen, _ = env.reset()
    rng, paid, rounds = np.random.default_rng(0), np.zeros((32, 2)), 0
    while rounds < 200:
        actions = (rng.random(seen.mask.shape) * seen.mask).argmax(1)
        seen, rewards, over, _, infos = env.step(actions)
        for lane, info in enumerate(infos):
            paid[lane] += info.get("rewards", rewards[lane])
        for lane in np.flatnonzero(over):
            scores = env.batch.position(lane).scores
            seats = slice(None) if opponents == "self" else infos[lane]["seat"]
            assert np.array_equal(paid[lane, seats], np.array(scores)[seats])
            paid[lane], rounds = 0, rounds + 1
        if over.any():
            seen[over], _ = env.reset(np.flatnonzero(over))


# Training ------------------------------------------------------------------------------------


def dqn(actions: Any, features: int, horizon: int) -> DQN:
    net = Net(state_shape=(features,), action_shape=(actions.n,), hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.2)
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=horizon,
        target_update_freq=200,
    )


def train(algorithm: Any, collector: Collector, steps: int) -> None:
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=256,
            update_step_num_gradient_steps_per_sample=0.05,
            batch_size=256,
            verbose=False,
            show_progress=False,
        )
    )


def margins_of(policy: Any, game: str) -> Any:
    """What a policy earns in rounds against random play."""
    collector = Collector(policy, TianshouVecEnv(game, 64, seed=10_000))
    return collector.collect(n_episode=2000, reset_before_collect=True).returns


def report(record: Record, what: str, margins: Any) -> None:
    error = margins.std() / len(margins) ** 0.5
    record(f"{what}, margin", f"{margins.mean():+.1f} ± {error:.1f} in {len(margins)} rounds")


def begin() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    np.random.seed(SEED)  # noqa: NPY002, it is what Tianshou explores with


def test_dqn_learns_in_many_games_at_once(record_figure: Record) -> None:
    begin()
    env = TianshouVecEnv("matador", 64, seed=SEED)
    algorithm = dqn(env.action_space[0], env.batch.num_features, horizon=3)
    buffer = VectorReplayBuffer(100_000, 64)
    collector = Collector(algorithm, env, buffer, exploration_noise=True)
    collector.reset()
    train(algorithm, collector, 40_000)
    margins = margins_of(algorithm, "matador")
    report(record_figure, "DQN, 40k decisions", margins)
    assert margins.mean() > 8  # random play earns 0, with an error of 0.8


# Over the AEC environment --------------------------------------------------------------------


def over_the_table(game: str, **options: Any) -> PettingZooEnv:
    return PettingZooEnv(domino_env.aec(game, **options))


@pytest.mark.parametrize("variant", domino_env.variants())
def test_the_wrapper_of_tianshou_takes_the_aec_environment(variant: str) -> None:
    """Masks are where it looks for them, and every seat is paid all its points."""
    env, rng = over_the_table(variant, reward="points"), np.random.default_rng(0)
    seen, _ = env.reset(seed=0)
    paid, over = np.zeros(len(env.agents)), False
    while not over:
        assert seen["agent_id"] == env.env.unwrapped.agent_selection
        seen, rewards, terminated, truncated, _ = env.step(rng.choice(np.flatnonzero(seen["mask"])))
        paid += rewards
        over = terminated or truncated
    assert paid.tolist() == env.env.unwrapped.batch.position(0).scores


def test_dqn_learns_beside_a_random_player_over_the_wrapper(record_figure: Record) -> None:
    """Of a seat's rewards Tianshou looks at those of its own moves, and at those of the next moves
    of anybody, as far as the horizon goes: so it has to reach to the end of the round."""
    begin()
    env = over_the_table("matador", num_players=2)
    learner = dqn(env.action_space, env.observation_space["observation"].shape[0], horizon=40)
    other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)
    envs = DummyVectorEnv([lambda: over_the_table("matador", num_players=2)] * 8)
    collector = Collector(algorithm, envs, VectorReplayBuffer(50_000, 8), exploration_noise=True)
    collector.reset()
    train(algorithm, collector, 20_000)
    margins = margins_of(learner, "matador")
    report(record_figure, "DQN over the AEC, 20k moves", margins)
    assert margins.mean() > 5


@pytest.mark.parametrize("code", examples("tianshou"))
def test_the_examples_in_the_docs_run(code: str) -> None:
    run(code)
