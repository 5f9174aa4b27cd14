"""What somebody finds who brings a trainer and sets no options: the checkers are content, trainers
without masks run, and whoever is to blame for an error is named in it."""

from __future__ import annotations

import subprocess
import sys
import typing
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from stable_baselines3 import DQN, PPO
from stable_baselines3.common import env_checker
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import domino_env
from domino_env.adapters.aec import WrappedAEC
from domino_env.adapters.common import warn_once
from domino_env.adapters.learner_seat import new_table
from domino_env.adapters.sb3 import SB3VecEnv
from domino_env.adapters.single import SingleEnv, SingleVectorEnv
from domino_env.errors import BadAction, BadOption, GameOver, IllegalMove
from domino_env.games import AnyRules
from tests.games import AT_A_TABLE
from tests.refusals import refused
from tests.test_single_vector import check_same, pair

WITH_CHOICES = [game for game in domino_env.variants() if game != "elimination"]
FOUR = "block_draw"
every_variant = pytest.mark.parametrize("variant", domino_env.variants())
with_choices = pytest.mark.parametrize("variant", WITH_CHOICES)


def illegal_in(mask: Any) -> int:
    return int(np.argmin(mask))


# Without any options ------------------------------------------------------------------------------


@every_variant
def test_the_checkers_find_nothing_wrong(variant: str) -> None:
    """Both try actions blindly. Warnings are errors here."""
    env = gymnasium.make(f"domino/{variant}-v0")
    check_env(env.unwrapped)
    env_checker.check_env(env)
    env_checker.check_env(env.unwrapped)


@pytest.mark.parametrize("where", ["domino/five_up-v0", SB3VecEnv, make_vec_env])
def test_plain_ppo_runs(where: Any) -> None:
    torch.set_num_threads(1)
    env = where
    if where is not env or not isinstance(where, str):
        env = where("five_up" if where is SB3VecEnv else "domino/five_up-v0", 4)
    model = PPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, seed=0)
    model.learn(300)
    told = [episode["r"] for episode in model.ep_info_buffer]
    assert len(told) > 20
    assert np.mean([reward == -1 for reward in told]) > 0.5  # it has not learned much yet


@pytest.mark.parametrize("variant", ["knock_out", "fundomino"])
def test_other_trainers_and_their_evaluation_run(variant: str) -> None:
    torch.set_num_threads(1)
    model = DQN("MlpPolicy", SB3VecEnv(variant, 4, seed=0), learning_starts=8, buffer_size=200)
    model.learn(40)
    mean, _ = evaluate_policy(model, SB3VecEnv(variant, 4, seed=1), n_eval_episodes=20)
    assert np.isfinite(mean)


def test_a_trainer_without_masks_is_told_once_a_process_and_not_by_a_warning() -> None:
    code = (
        "import gymnasium, domino_env\n"
        "for game in ('fours', 'solitaire'):\n"
        "    env = gymnasium.make_vec(f'domino/{game}-v0', num_envs=32)\n"
        "    env.reset(seed=0)\n"
        "    print(sum(env.step(env.action_space.sample())[2].sum() for _ in range(20)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert all(int(ended) > 100 for ended in done.stdout.split())
    told = [line for line in done.stderr.splitlines() if "illegal action" in line]
    assert len(told) == 1
    for word in ("action_mask", "MaskablePPO", "illegal='raise'"):
        assert word in told[0]


def test_legal_play_is_told_nothing(caplog: Any) -> None:
    warn_once.cache_clear()
    env = SingleVectorEnv("fours", 8)
    _, infos = env.reset(seed=0)
    for _ in range(40):
        *_, infos = env.step(infos["action_mask"].argmax(1))
        assert not infos["illegal_action"].any()
    assert not caplog.records
    env.step(env.table.masks().argmin(1))
    assert [record.name for record in caplog.records] == ["domino_env"]


# What an illegal action does ----------------------------------------------------------------------


def noting_what_is_paid(batch: Any) -> Any:
    """What every seat has been paid in the game that is played, whoever moved."""
    paid, step, restart = np.zeros(batch.num_players), batch.step, batch._restart_some

    def paying(actions: Any, lanes: Any) -> None:
        step(actions, lanes)
        paid[:] += batch.reward[0]

    def again(lanes: Any) -> None:
        paid[:] = 0 if len(lanes) else paid
        restart(lanes)

    batch.step, batch._restart_some = paying, again
    return paid


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_an_illegal_action_costs_one_point_and_no_other_reward(variant: str) -> None:
    """Also what others' moves have brought before the learner's first decision is paid."""
    for players in domino_env.rules(variant).players:
        env = SingleEnv(variant, num_players=players, opponents="greedy_pip")
        paid, stopped = noting_what_is_paid(env.batch), 0
        for seed in range(8):
            chance = np.random.default_rng(seed)
            paid[:] = 0
            _, info = env.reset(seed=seed)
            earned, terminated, left = 0.0, False, seed // 2
            while not terminated:
                mask = info["action_mask"]
                action = int(chance.choice(np.flatnonzero(mask)))
                if left == 0 and not mask.all():
                    action = illegal_in(mask)
                left -= 1
                _, reward, terminated, truncated, info = env.step(action)
                assert not truncated
                earned += reward
            stopped += info["illegal_action"]
            assert earned == pytest.approx(paid[info["seat"]] - info["illegal_action"], abs=1e-4)
        assert stopped > 2


@with_choices
def test_the_game_stands_as_it_stood_and_a_new_one_can_begin(variant: str) -> None:
    env = SingleEnv(variant)
    observation, info = env.reset(seed=5)
    saved = env.batch.save(0)
    seen, _, terminated, truncated, after = env.step(illegal_in(info["action_mask"]))
    assert (terminated, truncated, after["illegal_action"]) == (True, False, True)
    assert np.array_equal(seen, observation)
    assert env.batch.save(0) == saved
    assert not after["action_mask"].any()
    assert not env.action_masks().any()
    with refused(GameOver, "illegal action", "reset()"):
        env.step(0)
    _, info = env.reset()
    assert info["action_mask"].any()
    assert not info["illegal_action"]
    assert not env.step(int(np.argmax(info["action_mask"])))[-1]["illegal_action"]


def tried(masks: Any, chance: Any) -> Any:
    """An action for each game, mostly legal."""
    blind = chance.integers(0, masks.shape[1], len(masks))
    return np.where(
        chance.random(len(masks)) < 0.7, (masks * chance.random(masks.shape)).argmax(1), blind
    )


@pytest.mark.parametrize("opponents", ["random", "greedy_pip"])
@with_choices
def test_a_vector_does_what_gymnasiums_own_does(variant: str, opponents: str) -> None:
    """At illegal actions too: what the step returns, and the next, which begins anew."""
    if not domino_env.rules(variant).has_opponents and opponents != "random":
        pytest.skip("nobody sits there")
    vector, own = pair(variant, 5, opponents=opponents)
    chance, stopped = np.random.default_rng(0), 0
    check_same(vector.reset(seed=8), own.reset(seed=8))
    for _ in range(60):
        actions = tried(vector.action_masks(), chance)
        found = vector.step(actions)
        check_same(found, own.step(actions))
        stopped += found[-1]["illegal_action"].sum()
    assert stopped > 5


@with_choices
def test_the_vec_env_does_what_the_single_environment_does(variant: str) -> None:
    env, single = SB3VecEnv(variant, 3, seed=5), [SingleEnv(variant) for _ in range(3)]
    seen = env.reset()
    own = [each.reset(seed=5 + lane)[0] for lane, each in enumerate(single)]
    chance, earned, stopped = np.random.default_rng(1), np.zeros(3), 0
    for _ in range(60):
        assert np.array_equal(seen, own)
        actions = tried(env.action_masks(), chance)
        seen, rewards, dones, infos = env.step(actions)
        for lane, each in enumerate(single):
            own[lane], reward, terminated, truncated, info = each.step(actions[lane])
            earned[lane] += reward
            assert rewards[lane] == np.float32(reward)
            assert dones[lane] == (terminated or truncated)
            if dones[lane]:
                told = infos[lane]
                assert told["illegal_action"] == info["illegal_action"]
                assert told["TimeLimit.truncated"] == truncated
                assert told["episode"]["r"] == pytest.approx(earned[lane])
                assert np.array_equal(told["terminal_observation"], own[lane])
                stopped += info["illegal_action"]
                earned[lane], (own[lane], _) = 0, each.reset()
    assert stopped > 5


def test_statistics_of_a_vector_count_the_penalty() -> None:
    env = RecordEpisodeStatistics(gymnasium.make_vec("domino/matador-v0", num_envs=4))
    env.reset(seed=0)
    for _ in range(10):
        env.step(env.unwrapped.table.masks().argmin(1))
    assert {*env.return_queue} == {-1.0}
    assert {*env.length_queue} == {1}


@pytest.mark.parametrize("variant", ["fours", "five_up", "bendomino_teams"])
def test_against_itself_only_who_moved_pays(variant: str) -> None:
    env = SingleVectorEnv(variant, 6, opponents="self")
    _, infos = env.reset(seed=0)
    for _ in range(7):
        *_, infos = env.step(infos["action_mask"].argmax(1))
    mover, actions = infos["seat"], infos["action_mask"].argmax(1)
    actions[[1, 4]] = infos["action_mask"].argmin(1)[[1, 4]]
    _, rewards, terminated, _, infos = env.step(actions)
    assert infos["illegal_action"].tolist() == [lane in (1, 4) for lane in range(6)]
    assert terminated[[1, 4]].all()
    for lane in (1, 4):
        expected = np.zeros(env.batch.num_players)
        expected[mover[lane]] = rewards[lane] = -1
        assert infos["rewards"][lane].tolist() == expected.tolist()


def test_what_is_no_action_is_refused_beside_an_illegal_one() -> None:
    env = SingleVectorEnv("five_up", 3)
    _, infos = env.reset(seed=0)
    actions = infos["action_mask"].argmin(1)
    for wrong in (-1, 10**6):
        with refused(BadAction, str(wrong), batch=env.batch):
            env.step(np.array([actions[0], actions[1], wrong]))
    assert not env.table.stopped.any()
    assert np.array_equal(env.action_masks(), infos["action_mask"] == 1)


def test_other_trainers_find_the_stopped_games_among_those_that_are_over() -> None:
    """What TorchRL's, Tianshou's and PufferLib's environments look at."""
    table = new_table("five_up", 4, "random", "random", seed=0, illegal="terminate")
    table.reset()
    actions = table.masks().argmax(1)
    actions[2] = table.masks()[2].argmin()
    table.step(actions, table.every)
    assert table.over[2]
    assert table.choices()[2].all()
    assert not table.masks()[2].any()
    assert table.earned[2] == -1
    with refused(GameOver, "lane 2", "reset()"):
        table.step(np.zeros(1, np.int64), np.array([2]))
    table.restart(np.array([2]))
    assert not table.over[2]
    assert 0 < table.masks()[2].sum() < len(table.masks()[2])


def test_the_aec_environment_says_of_what_the_game_has_ended() -> None:
    env = domino_env.aec("fours", illegal="terminate")
    env.reset(seed=0)
    mover = env.agent_selection
    env.step(illegal_in(env.infos[mover]["action_mask"]))
    assert env.rewards == {agent: -float(agent == mover) for agent in env.possible_agents}
    assert [agent for agent in env.agents if env.infos[agent].get("illegal_action")] == [mover]


def test_where_it_raises_the_error_names_masks_and_who_reads_them() -> None:
    words = ("is not legal", "legal: ", "action_mask", "MaskablePPO", "illegal='terminate'")
    env = SingleEnv("fours", illegal="raise")
    _, info = env.reset(seed=0)
    with refused(IllegalMove, *words, batch=env.batch):
        env.step(illegal_in(info["action_mask"]))
    for make in (SingleVectorEnv, SB3VecEnv):
        many = make("fours", 3, illegal="raise")
        many.reset()
        with refused(IllegalMove, "lane 0", *words, batch=many.batch):
            many.step(many.table.masks().argmin(1))
    aec = domino_env.aec("fours")
    aec.reset(seed=0)
    with refused(IllegalMove, *words, batch=aec.unwrapped.batch):
        aec.step(illegal_in(aec.infos[aec.agent_selection]["action_mask"]))
    for make in (SingleEnv, SingleVectorEnv, SB3VecEnv):
        with refused(BadOption, "illegal", "'rais'", "raise"):
            make("fours", illegal="rais")


# What an opponent does wrong ----------------------------------------------------------------------


@dataclass  # which has no hash
class Wrong:
    """Plays the first legal move, but for the third decision on."""

    answer: Any
    name: str = "wrong_one"
    asked: int = 0

    def act(self, batch: Any, lanes: Any) -> Any:
        self.asked += 1
        legal = batch.mask[lanes].argmax(1)
        return legal if self.asked < 3 else self.answer(batch, lanes, legal)


def illegal_last(batch: Any, lanes: Any, legal: Any) -> Any:
    return np.append(legal[:-1], batch.mask[lanes[-1]].argmin())


def played(env: Any) -> None:
    _, infos = env.reset(seed=0)
    for _ in range(20):
        _, _, terminated, _, infos = env.step(infos["action_mask"].argmax(-1))
        if terminated is True:  # of a vector it is an array, and each game begins anew by itself
            _, infos = env.reset()


@pytest.mark.parametrize("place", [0, 1, None])
@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (illegal_last, IllegalMove, ["is not legal for seat", "lane ", "(action ", "legal: "]),
        (lambda b, lanes, legal: legal * 0 + b.num_actions, BadAction, ["actions are 0 to"]),
        (lambda b, lanes, legal: legal * 0 - 1, BadAction, ["actions are 0 to"]),
        (lambda b, lanes, legal: 0, BadAction, ["whole number for each of", "it gave 0"]),
        (lambda b, lanes, legal: [*legal, 0], BadAction, ["whole number for each of"]),
        (lambda b, lanes, legal: [[1], [2, 3]], BadAction, ["whole number for each of"]),
        (lambda b, lanes, legal: legal.astype(float), BadAction, ["whole number for each of"]),
        (lambda b, lanes, legal: None, BadAction, ["whole number for each of", "None"]),
    ],
)
def test_an_opponents_mistake_is_told_of_the_opponent(
    answer: Any, error: Any, words: list[str], place: int | None
) -> None:
    for many in (False, True):
        wrong = Wrong(answer)
        table: Any = wrong if place is None else ["greedy_pip", "random"]
        if place is not None:
            table[place] = wrong
        options = {"num_players": 3, "opponents": table, "seat": 1}
        env = SingleVectorEnv(FOUR, 6, **options) if many else SingleEnv(FOUR, **options)
        with refused(error, "opponent 'wrong_one'", *words):
            played(env)
        with refused(GameOver, "opponent", "wrong_one", "reset()"):
            env.step(env.table.masks().argmax(1) if many else 0)
        wrong.answer = lambda batch, lanes, legal: legal
        played(env)


def test_an_opponents_own_error_is_left_as_it_is_with_the_opponents_name() -> None:
    def broken(batch: Any, lanes: Any, legal: Any) -> Any:
        raise ZeroDivisionError("its own")

    env = SingleEnv(FOUR, opponents=Wrong(broken), num_players=3)
    with pytest.raises(ZeroDivisionError, match="its own") as raised:
        played(env)
    assert "opponent 'wrong_one'" in raised.value.__notes__[0]
    with refused(GameOver, "opponent", "its own", "reset()"):
        env.step(0)


# Names --------------------------------------------------------------------------------------------


def test_what_agents_and_beliefs_need_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, domino_env\n"
        "assert {'agents', 'belief'} <= {*dir(domino_env)}\n"
        "assert not {'domino_env.agents', 'domino_env.belief'} & {*sys.modules}\n"
        "print(domino_env.agents.names('knock_out'), domino_env.belief.Belief.__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "optimal" in done.stdout
    assert "Belief" in done.stdout
    with pytest.raises(AttributeError, match="no attribute 'agent'"):
        domino_env.agent  # noqa: B018


def test_types_say_what_comes_back() -> None:
    assert typing.get_type_hints(domino_env.aec)["return"] is WrappedAEC
    assert typing.get_type_hints(domino_env.rules)["return"] == AnyRules
    env = domino_env.aec("fours")
    assert isinstance(env, WrappedAEC)
    assert env.unwrapped.batch.rules.id == "fours"
    assert str(env) == str(env.unwrapped) == "fours_v0"


def test_games_are_listed_by_their_number_of_players() -> None:
    assert domino_env.variants(num_players=1) == ["elimination", "solitaire", "knock_out"]
    assert (
        domino_env.variants(num_players=5)
        == domino_env.variants(5)
        == [*("blind", "mexican_train", "chickenfoot")]
    )


def test_a_batch_is_as_long_as_it_has_games() -> None:
    batch = domino_env.batch("fours", 5)
    assert len(batch) == 5
    assert repr(batch).startswith("<Batch of 5 games of fours, 4 players")
