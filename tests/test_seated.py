"""A learner in one seat against opponents, as a Gymnasium environment and as a vector."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import domino_env
from domino_env import agents
from domino_env.adapters.single import SingleEnv, SingleVectorEnv
from domino_env.errors import BadOption, IllegalMove
from tests.games import AT_A_TABLE
from tests.refusals import refused

every_variant = pytest.mark.parametrize("variant", AT_A_TABLE)
FOUR = "block_draw"


def one(variant: Any, **options: Any) -> Any:
    name = variant if isinstance(variant, str) else variant.id
    return gymnasium.make(f"domino/{name}-v0", **{"game": variant, **options})


def play(env: Any, seed: int) -> list[tuple[Any, ...]]:
    """An episode of random play: each action with what the step gave."""
    chance = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    told: list[tuple[Any, ...]] = []
    while not told or not told[-1][3]:
        action = int(chance.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        told.append((action, observation.tobytes(), reward, terminated))
    return told


# One game ----------------------------------------------------------------------------------------


@every_variant
def test_gymnasium_finds_nothing_wrong(variant: str) -> None:
    check_env(one(variant).unwrapped)


@every_variant
def test_it_is_always_the_learners_decision(variant: str) -> None:
    for players in domino_env.rules(variant).players:
        env = one(variant, num_players=players, episode="match").unwrapped
        _, info = env.reset(seed=players)
        for _ in range(60):
            assert env.batch.seat[0] == info["seat"] == env.table.learner[0]
            legal = env.batch.position().legal_actions
            assert np.flatnonzero(info["action_mask"]).tolist() == legal
            *_, terminated, _, info = env.step(legal[0])
            if terminated:
                assert not info["action_mask"].any()
                _, info = env.reset()


@pytest.mark.parametrize("reward", ["points", "margin"])
@every_variant
def test_every_reward_reaches_the_learner(variant: str, reward: str) -> None:
    """Also what comes while others move, before its first decision, and with the last move."""
    for players in domino_env.rules(variant).players:
        env = one(variant, num_players=players, reward=reward)
        for seed in range(12):
            earned = sum(reward for _, _, reward, _ in play(env, seed))
            table = env.unwrapped.table
            scores = np.array(env.unwrapped.batch.position().scores, float)
            mine = int(table.learner[0])
            teams = getattr(table.batch.rules, "teams", False)
            others = [s for s in range(players) if s != mine and not (teams and s == mine ^ 2)]
            expected = scores[mine] - (scores[others].mean() if reward == "margin" else 0)
            assert earned == pytest.approx(expected, abs=1e-4)


@every_variant
def test_a_win_pays_one_and_a_loss_minus_one_at_the_end(variant: str) -> None:
    env, ends = one(variant, reward="win"), set()
    for seed in range(40):
        rewards = [reward for _, _, reward, _ in play(env, seed)]
        assert not any(rewards[:-1])
        winners = env.unwrapped.batch.position().winners
        mine = int(env.unwrapped.table.learner[0])
        assert rewards[-1] == (0 if not winners else 1 if mine in winners else -1)
        ends.add(rewards[-1])
    assert {1.0, -1.0} <= ends


@every_variant
def test_a_seed_gives_the_same_game_against_the_same_opponents(variant: str) -> None:
    for opponents in ("random", "greedy_pip"):
        env, other = one(variant, opponents=opponents), one(variant, opponents=opponents)
        told = play(env, 3)
        assert play(other, 3) == told == play(env, 3)
        assert play(other, 4) != told


def test_a_seat_is_fixed_drawn_or_taken_in_turn() -> None:
    for seat in (0, 3, "random"):
        env = one(FOUR, num_players=4, seat=seat)
        sat = [env.reset(seed=seed)[1]["seat"] for seed in range(60)]
        assert {*sat} == ({seat} if seat != "random" else {0, 1, 2, 3})
    env = one(FOUR, num_players=4, seat="in_turn")
    sat = [env.reset()[1]["seat"] for _ in range(8)]
    assert sat == [0, 1, 2, 3, 0, 1, 2, 3]
    assert env.reset(seed=1)[1]["seat"] == 0


class Noted:
    """A random opponent that notes where it sat, seen from the learner."""

    name = "noted"

    def __init__(self, env: Any = None) -> None:
        self.env, self.seen = env, set()

    def act(self, batch: Any, lanes: Any) -> Any:
        seats = batch.seat[lanes] - self.env.table.learner[lanes]
        self.seen |= {*(seats % batch.num_players).tolist()}
        return batch.sample_some(lanes)


def test_opponents_sit_clockwise_from_the_learners_left() -> None:
    mine = [Noted(), Noted(), Noted()]
    env = SingleEnv("fundomino_team_play", opponents=mine, seat="random")
    for each in mine:
        each.env = env
    for seed in range(10):
        play(env, seed)
    assert [each.seen for each in mine] == [{1}, {2}, {3}]
    both = Noted()
    env = SingleEnv(FOUR, num_players=3, opponents=[both, both])
    both.env = env
    play(env, 0)
    assert both.seen == {1, 2}


def test_opponents_may_be_given_by_name_by_settings_or_as_they_are() -> None:
    given = ["greedy_pip", {"agent": "greedy_pip"}, agents.make("greedy_pip")]
    told = [play(one("matador", opponents=each), 5) for each in given]
    assert told[0] == told[1] == told[2]
    assert play(one("matador", opponents={"agent": "random", "seed": 1}), 5) != told[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opponents": "greedypip"}, ["greedypip", "greedy_pip"]),
        ({"opponents": "optimal"}, ["optimal does not play block_draw"]),
        ({"opponents": ["random", "random"]}, ["list of 1", "2 of them"]),
        ({"opponents": 5}, ["agent", "class or an object", "5"]),
        ({"opponents": {"seed": 1}}, ["'agent'"]),
        ({"seat": 2}, ["seat", "0 to 1", "2"]),
        ({"seat": "left"}, ["seat", "'left'", "random"]),
        ({"num_players": 7}, ["2 or 3 or 4", "7"]),
        ({"calls": "yes"}, ["calls", "'yes'"]),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], words: list[str]) -> None:
    for make in (SingleEnv, SingleVectorEnv):
        with refused(BadOption, *words):
            make(FOUR, **options)


def test_an_illegal_move_raises_or_ends_the_game() -> None:
    env = SingleEnv(FOUR, illegal="raise")
    env.reset(seed=0)
    illegal = int(np.argmin(env.action_masks()))
    with refused(IllegalMove, f"action {illegal}", batch=env.batch):
        env.step(illegal)
    env = SingleEnv(FOUR)
    observation, _ = env.reset(seed=0)
    seen, reward, terminated, _, _ = env.step(illegal)
    assert (reward, terminated) == (-1.0, True)
    assert np.array_equal(seen, observation)


def test_greedy_opponents_are_harder_than_random_ones() -> None:
    means = {}
    for opponents in ("random", "greedy_pip"):
        env = SingleVectorEnv("matador", 512, opponents=opponents)
        _, infos = env.reset(seed=1)
        total = np.zeros(512)
        for _ in range(60):
            masks = infos["action_mask"] * np.random.default_rng(1).random(
                infos["action_mask"].shape
            )
            _, rewards, *_, infos = env.step(np.argmax(masks, 1))
            total += rewards
        means[opponents] = total.mean()
    assert means["random"] > means["greedy_pip"] + 5


# Against itself ----------------------------------------------------------------------------------


@every_variant
def test_against_itself_every_step_is_the_decision_of_who_is_to_move(variant: str) -> None:
    for players in domino_env.rules(variant).players:
        env = one(variant, opponents="self", num_players=players, reward="points")
        batch = domino_env.batch(variant, 1, players, reward="points", autoreset=False)
        for seed in range(3):
            observation, info = env.reset(seed=seed)
            batch.reset(seed)
            terminated = False
            while not terminated:
                assert info["seat"] == batch.seat[0]
                assert np.array_equal(observation, batch.observation[0])
                assert np.array_equal(info["action_mask"], batch.mask[0])
                mover, action = info["seat"], int(np.argmax(info["action_mask"]))
                observation, reward, terminated, _, info = env.step(action)
                batch.step([action])
                assert np.array_equal(info["rewards"], batch.reward[0])
                assert reward == batch.reward[0, mover]
            assert batch.done[0]
            assert np.array_equal(observation, batch.observe(0, mover))


def test_against_itself_a_vector_shows_every_seat() -> None:
    vector = gymnasium.make_vec("domino/fours-v0", 16, opponents="self")
    observations, infos = vector.reset(seed=0)
    seats = set()
    for _ in range(50):
        assert vector.observation_space.contains(observations)
        seats |= {*infos["seat"].tolist()}
        mover = infos["seat"]
        observations, rewards, *_, infos = vector.step(np.argmax(infos["action_mask"], 1))
        assert infos["rewards"].shape == (16, 4)
        assert np.allclose(rewards, infos["rewards"][np.arange(16), mover])
        assert np.allclose(infos["rewards"].sum(1), 0, atol=1e-3)
    assert seats == {0, 1, 2, 3}
    with refused(BadOption, "seat"):
        SingleEnv("fours", opponents="self", seat=1)


# Many games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", "greedy_pip"])
@every_variant
def test_a_game_of_a_vector_is_that_of_the_single_environment(variant: str, opponents: str) -> None:
    vector = gymnasium.make_vec(f"domino/{variant}-v0", 3, opponents=opponents)
    assert isinstance(vector, SingleVectorEnv)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs = [one(variant, opponents=opponents) for _ in range(3)]
    observations, infos = vector.reset(seed=20)
    own = [env.reset(seed=20 + lane) for lane, env in enumerate(envs)]
    ended = 0
    for _ in range(60):
        for lane in range(3):
            assert np.array_equal(observations[lane], own[lane][0])
            assert np.array_equal(infos["action_mask"][lane], own[lane][-1]["action_mask"])
            assert infos["seat"][lane] == own[lane][-1]["seat"]
        over = [len(found) == 5 and found[2] for found in own]
        actions = np.argmax(infos["action_mask"], 1)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for lane, env in enumerate(envs):
            own[lane] = env.reset() if over[lane] else env.step(actions[lane])
            expected = (0.0, False) if over[lane] else own[lane][1:3]
            assert (rewards[lane], terminated[lane]) == expected
            ended += terminated[lane]
        assert not truncated.any()
    assert ended


def test_a_vector_of_table_games_gives_masks_to_trainers() -> None:
    vector = SingleVectorEnv("five_up", 8)
    _, infos = vector.reset(seed=0)
    assert vector.action_masks().dtype == np.bool_
    assert np.array_equal(vector.action_masks(), infos["action_mask"] == 1)
