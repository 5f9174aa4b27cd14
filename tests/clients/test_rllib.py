"""PPO with shared weights in both seats of Matador

RLlib's own masked module and environment runner; every reward that a seat earns must be in RLlib's
episodes, wherever it cuts them.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import domino_env
from domino_env.adapters.rllib import RLlibEnv
from domino_env.errors import BadAction, BadOption, GameOver, IllegalMove, NotReset
from tests.clients.examples import examples, run
from tests.clients.measure import margin_against_random

SEED = int(os.environ.get("DOMINO_SEED", "0"))  # to see that other seeds learn too

TABLES = [("matador", 2), ("one_arm_joe", 4), ("bergen", 4), ("all_fives", 3), ("five_up", 4)]
ALONE = ["elimination", "solitaire", "knock_out"]


class Counting(RLlibEnv):
    """Keeps what every seat has earned in each game, and who moved in it."""

    ended: list[Any] = []  # noqa: RUF012, of all the games of a runner

    def reset(self, **options: Any) -> Any:
        self.earned = np.zeros(self.batch.num_players)
        return super().reset(**options)

    def step(self, action_dict: Any) -> Any:
        told = super().step(action_dict)
        self.earned += self.batch.reward[0]
        if told[2]["__all__"] or told[3]["__all__"]:
            self.ended.append((self.earned.tolist(), self._moved.tolist()))
        return told


def config(env: Any, fragment: int = 64, games: int = 4, **env_config: Any) -> Any:
    """PPO in which every seat has the same masked policy."""
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule)
    return (
        PPOConfig()
        .environment(env, env_config=env_config)
        .env_runners(
            num_env_runners=0, num_envs_per_env_runner=games, rollout_fragment_length=fragment
        )
        .multi_agent(policies={"everyone"}, policy_mapping_fn=lambda *_, **__: "everyone")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"everyone": module}))
    )


def first_legal(env: RLlibEnv, seen: Any) -> dict[str, int]:
    """A move for the agent that has an observation."""
    ((agent, observation),) = seen.items()
    return {agent: int(observation["action_mask"].argmax())}


@pytest.mark.parametrize("reward", ["margin", "points"])
@pytest.mark.parametrize(("game", "players"), [*TABLES, *((game, 1) for game in ALONE)])
def test_no_reward_is_lost_wherever_a_sample_is_cut(game: str, players: int, reward: str) -> None:
    options = {"game": game, "num_players": players, "reward": reward}
    runner = MultiAgentEnvRunner(config=config(Counting, 13, **options), worker_index=0)
    Counting.ended.clear()
    recorded: Any = defaultdict(Counter)
    ended = []
    for _ in range(120):
        for episode in runner.sample():
            for agent in episode.agent_episodes.values():
                recorded[episode.id_][agent.agent_id] += agent.get_return()
            if episode.is_done:
                ended.append(episode.id_)
    assert len(ended) == len(Counting.ended) > 5
    for name, (earned, moved) in zip(ended, Counting.ended, strict=True):
        for seat in np.flatnonzero(moved):
            assert recorded[name][f"player_{seat}"] == pytest.approx(earned[seat], abs=1e-3)


@pytest.mark.parametrize("game", ["bergen", "five_up"])
def test_a_seat_is_paid_at_once_but_for_what_came_before_its_first_move(game: str) -> None:
    env = RLlibEnv({"game": game, "num_players": 4})
    for seed in range(10):
        seen, _ = env.reset(seed=seed)
        waiting, moved = np.zeros(4), np.zeros(4, bool)
        while not env.batch.done[0]:
            moved[env.batch.seat[0]] = True
            seen, rewards, *_ = env.step(first_legal(env, seen))
            waiting += env.batch.reward[0]
            paid = moved | env.batch.done[0]
            assert [*rewards] == [f"player_{seat}" for seat in np.flatnonzero(paid)]
            assert [*rewards.values()] == pytest.approx(waiting[paid])
            waiting[paid] = 0


@pytest.mark.parametrize("game", domino_env.variants())
def test_rllibs_check_finds_nothing_wrong(game: str) -> None:
    for players in domino_env.rules(game).players:
        check_multiagent_environments(RLlibEnv({"game": game, "num_players": players}))


@pytest.mark.parametrize("game", domino_env.variants())
def test_only_who_is_to_move_is_asked_and_in_the_end_all_see(game: str) -> None:
    env = RLlibEnv({"game": game})
    seen, _ = env.reset(seed=3)
    over = False
    while not over:
        assert [*seen] == [f"player_{env.batch.seat[0]}"]
        for agent, observation in seen.items():
            assert env.observation_spaces[agent].contains(observation)
            assert np.array_equal(observation["observations"], env.batch.observation[0])
            assert np.array_equal(observation["action_mask"], env.batch.mask[0])
        seen, _, terminated, truncated, _ = env.step(first_legal(env, seen))
        over = terminated["__all__"] or truncated["__all__"]
    assert [*seen] == env.possible_agents
    assert not any(observation["action_mask"].any() for observation in seen.values())
    with pytest.raises(GameOver, match="reset"):
        env.step({"player_0": 0})


def test_a_game_that_is_cut_off_is_truncated_in_rllib() -> None:
    runner = MultiAgentEnvRunner(config=config(RLlibEnv, 64, game="solitaire"), worker_index=0)
    ended = [each for _ in range(40) for each in runner.sample() if each.is_done]
    cut_off = [each for each in ended if each.is_truncated]
    assert cut_off
    assert not any(each.is_terminated for each in cut_off)
    assert all(len(each.agent_episodes["player_0"]) <= 200 for each in cut_off)


def test_a_seed_is_that_of_a_batch_and_workers_play_games_of_their_own() -> None:
    for worker, seed in ((0, 7), (2, 2_000_007)):
        env = RLlibEnv(EnvContext({"game": "bergen"}, worker_index=worker))
        env.reset(seed=7)
        batch = domino_env.batch("bergen", 1, seed=seed)
        batch.reset()
        assert env.batch.position(0).hands == batch.position(0).hands


def test_after_the_check_with_one_seed_every_game_has_its_own_luck() -> None:
    runner = MultiAgentEnvRunner(config=config(RLlibEnv, 1, game="bergen"), worker_index=0)
    runner.sample()
    deals = [str(env.unwrapped.batch.position(0).deal) for env in runner.env.envs]
    assert len({*deals}) == 4


def test_the_game_after_a_finished_one_follows_from_its_seed() -> None:
    twins = [RLlibEnv({"game": "bergen"}) for _ in range(2)]
    for env in twins:
        seen, _ = env.reset(seed=1)
        while not env.batch.done[0]:
            seen, *_ = env.step(first_legal(env, seen))
        env.reset()
    hands = [env.batch.position(0).hands for env in twins]
    assert hands[0] == hands[1]


def test_an_illegal_move_ends_the_game_or_raises() -> None:
    for illegal in ("terminate", "raise"):
        env = RLlibEnv({"game": "block_draw", "illegal": illegal})
        seen, _ = env.reset(seed=0)
        ((agent, observation),) = seen.items()
        move = {agent: int(observation["action_mask"].argmin())}
        if illegal == "raise":
            with pytest.raises(IllegalMove, match="legal:"):
                env.step(move)
            continue
        _, rewards, terminated, _, _ = env.step(move)
        assert terminated["__all__"]
        assert rewards == {**dict.fromkeys(env.possible_agents, 0.0), agent: -1.0}


def test_what_cannot_be_is_refused_with_what_can() -> None:
    with pytest.raises(BadOption, match="'game'"):
        RLlibEnv({})
    with pytest.raises(BadOption, match="rais"):
        RLlibEnv({"game": "bergen", "illegal": "rais"})
    env = RLlibEnv({"game": "bergen"})
    with pytest.raises(NotReset, match="reset"):
        env.step({"player_0": 0})
    env.reset(seed=0)
    with pytest.raises(BadAction, match="move"):
        env.step({})


def test_every_agent_has_the_same_spaces_throughout() -> None:
    env = RLlibEnv({"game": "fours"})
    assert env.possible_agents == env.agents == [f"player_{seat}" for seat in range(4)]
    assert isinstance(env.observation_spaces["player_0"], spaces.Dict)
    assert {*env.observation_spaces["player_0"]} == {"action_mask", "observations"}


@pytest.fixture
def one_core() -> Any:
    torch.set_num_threads(1)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=2**28)
    yield
    ray.shutdown()


def test_ppo_learns_to_beat_random_play(one_core: Any, record_figure: Any) -> None:
    """Random play earns nothing on average. An illegal move would raise."""
    learner = config(RLlibEnv, 64, 64, game="matador", num_players=2, illegal="raise")
    learner.environment(disable_env_checking=True).debugging(seed=SEED)
    learner.training(
        train_batch_size_per_learner=4096,
        minibatch_size=512,
        num_epochs=4,
        lr=2e-3,
        entropy_coeff=0.05,
        vf_clip_param=1e5,  # RLlib's own 10 is less than what a round is worth
        use_kl_loss=False,
        grad_clip=0.5,
    )
    algorithm = learner.build_algo()
    for _ in range(10):
        told = algorithm.train()
    module = algorithm.get_module("everyone")
    rng = torch.Generator().manual_seed(SEED)

    def policy(observations: Any, masks: Any) -> Any:
        seen = {"observations": torch.tensor(observations), "action_mask": torch.tensor(masks)}
        with torch.no_grad():
            logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        return torch.multinomial(logits.softmax(-1), 1, generator=rng)[:, 0].numpy()

    margin = margin_against_random(policy, "matador")
    record_figure("decisions", told["env_runners"]["num_env_steps_sampled_lifetime"])
    record_figure("margin against random", str(margin))
    algorithm.stop()
    assert margin.mean > 6
    assert margin.mean > 5 * margin.error


@pytest.mark.parametrize("code", examples("rllib"))
def test_the_examples_in_the_docs_run(one_core: Any, code: str) -> None:
    run(code)["algorithm"].stop()
