"""One-player games as environments of Gymnasium, one at a time, and of PettingZoo with one agent:
the libraries' own checkers, and what they do not look at."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import domino_env
from domino_env.actions import tile_number
from domino_env.adapters.single import SingleEnv
from domino_env.errors import BadAction, BadDeal, BadOption, GameOver, IllegalMove, NotReset
from tests.games import ALONE
from tests.refusals import refused
from tests.single_games import SOON_CUT_OFF, as_text, every_variant, first, one, with_choices
from tests.test_aec import EXPECTED_WARNINGS
from tests.test_golden import FOLDER, load
from tests.test_solo_golden import flat


def play(env: Any, seed: int) -> Iterator[tuple[Any, ...]]:
    """A game of random play: each action with what the step gave."""
    generator = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        action = int(generator.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        yield action, observation.tobytes(), reward, terminated, truncated


def golden(name: str) -> dict[str, Any]:
    return load(FOLDER / f"{name}.json")


# One game ----------------------------------------------------------------------------------------


@every_variant
def test_gymnasium_finds_nothing_wrong(variant: str) -> None:
    """Warnings are errors here. Its checker does not look at masks."""
    check_env(one(variant).unwrapped)


@every_variant
def test_gymnasium_finds_nothing_wrong_in_a_whole_game(variant: str) -> None:
    env = one(variant)
    assert isinstance(env.unwrapped, SingleEnv)
    assert "PassiveEnvChecker" in str(env)
    for seed in range(3):
        for _, seen, *_ in play(env, seed):
            observation = np.frombuffer(seen, np.float32)
            assert env.observation_space.contains(observation)


@every_variant
def test_every_game_is_registered_on_import(variant: str) -> None:
    assert gymnasium.spec(f"domino/{variant}-v0").kwargs == {"game": variant}
    assert one(variant).unwrapped.batch.rules.id == variant


@every_variant
def test_the_mask_is_the_legal_moves(variant: str) -> None:
    env = SingleEnv(variant)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            legal = env.batch.position().legal_actions
            assert info["action_mask"].dtype == np.int8
            assert info["action_mask"].shape == (env.action_space.n,)
            assert np.flatnonzero(info["action_mask"]).tolist() == legal
            assert env.action_masks().dtype == np.bool_
            assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
            action = env.action_space.sample(info["action_mask"])
            assert action in legal
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        assert not info["action_mask"].any()


@every_variant
def test_a_seed_gives_the_same_game(variant: str) -> None:
    env, other = one(variant), one(variant)
    told = [*play(env, 3)]
    assert [*play(other, 3)] == told == [*play(env, 3)]
    assert [*play(other, 4)] != told


@every_variant
def test_a_reset_without_a_seed_is_another_game_and_the_same_for_the_same_seed(
    variant: str,
) -> None:
    env, other = one(variant), one(variant)
    for each in (env, other):
        each.reset(seed=1)
    seen = [env.reset()[0].tobytes() for _ in range(3)]
    assert len({*seen}) == 3
    assert [other.reset()[0].tobytes() for _ in range(3)] == seen
    assert one(variant).reset()[0].tobytes() != one(variant).reset()[0].tobytes()


@every_variant
def test_the_game_is_that_of_a_batch_of_one(variant: str) -> None:
    env = one(variant, reward="win")
    batch = domino_env.batch(variant, 1, seed=9, reward="win", autoreset=False)
    batch.reset()
    for action, seen, reward, terminated, truncated in play(env, 9):
        batch.step([action])
        assert seen == batch.observation[0].tobytes()
        assert reward == batch.reward[0, 0]
        assert terminated == (batch.done[0] and not batch.truncated[0])
        assert truncated == batch.truncated[0]
    assert batch.done[0]


@every_variant
def test_what_is_returned_stays_as_it_was(variant: str) -> None:
    env = one(variant)
    observation, info = env.reset(seed=2)
    kept = observation.copy(), info["action_mask"].copy()
    env.step(first(info["action_mask"]))
    assert np.array_equal(observation, kept[0])
    assert np.array_equal(info["action_mask"], kept[1])
    observation[:], info["action_mask"][:] = 0, 0
    assert env.unwrapped.batch.observation.any()


@every_variant
def test_the_points_add_up_to_the_score(variant: str) -> None:
    env = one(variant)
    for seed in range(5):
        rewards = [reward for _, _, reward, *_ in play(env, seed)]
        assert {*map(type, rewards)} == {float}
        assert sum(rewards) == env.unwrapped.batch.position().scores[0]


@every_variant
def test_rewards_and_flags_are_plain_values(variant: str) -> None:
    for _, _, reward, terminated, truncated in play(one(variant), 0):
        assert [type(value) for value in (reward, terminated, truncated)] == [float, bool, bool]


def test_a_game_that_is_cut_off_is_truncated_and_not_terminated() -> None:
    """And one that is lost by its last move is terminated and not truncated."""
    for name, end in (("cut_off", (False, True)), ("lost", (True, False))):
        game = golden(f"solitaire/{name}_by_the_last_move")
        env = one(domino_env.rules("solitaire", **game["options"]))
        _, info = env.reset(options={"deal": flat(game["deal"])})
        told = []
        for _ in game["steps"]:  # any move will do
            *_, terminated, truncated, info = env.step(first(info["action_mask"]))
            told.append((terminated, truncated))
        assert told == [(False, False)] * (len(told) - 1) + [end]


def test_a_game_of_columns_is_cut_off_after_two_hundred_moves() -> None:
    ends = []
    for seed in range(8):
        steps = [*play(one("solitaire"), seed)]
        ends.append((len(steps), *steps[-1][-2:]))
        assert not any(terminated or truncated for *_, terminated, truncated in steps[:-1])
    assert (200, False, True) in ends
    assert all(truncated == (length == 200) for length, _, truncated in ends)


def test_a_given_deal_is_played() -> None:
    game = golden("solitaire/one_column_and_the_whole_bonus")
    env = one("solitaire", render_mode="ansi")
    _, info = env.reset(options={"deal": flat(game["deal"])})
    earned = []
    for step in game["steps"]:
        position = env.unwrapped.batch.position()
        names = dict(zip(map(str, position.legal), position.legal_actions, strict=True))
        assert sorted(np.flatnonzero(info["action_mask"])) == sorted(names.values())
        _, reward, terminated, truncated, info = env.step(names[step["move"]])
        earned.append(reward)
    assert earned == [step["points"] for step in game["steps"]]
    assert (terminated, truncated) == (True, False)
    assert env.render().splitlines()[:2] == ["Domino Solitaire", "won, 27 points"]


@every_variant
def test_the_game_is_rendered_as_text_if_asked_for(variant: str) -> None:
    env = one(variant, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == as_text(env.unwrapped.batch.position())
    silent = one(variant).unwrapped
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode='human' or 'ansi' or 'rgb_array'"):
        assert silent.render() is None


@with_choices
def test_an_illegal_move_raises_and_changes_nothing(variant: str) -> None:
    env = SingleEnv(variant, illegal="raise")
    env.reset(seed=0)
    illegal = int(np.argmin(env.action_masks()))
    with refused(IllegalMove, f"action {illegal}", "legal: ", batch=env.batch):
        env.step(illegal)


@with_choices
def test_an_illegal_move_usually_ends_the_game(variant: str) -> None:
    env = one(variant)
    observation, info = env.reset(seed=0)
    seen, reward, terminated, truncated, _ = env.step(int(np.argmin(info["action_mask"])))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert np.array_equal(seen, observation)
    assert [*play(env, 0)] == [*play(one(variant), 0)]


@pytest.mark.parametrize("illegal", ["raise", "terminate"])
@pytest.mark.parametrize("action", [-1, 10**6, 0.0, "0", None, True, [0], [[0]]])
@every_variant
def test_what_is_no_action_is_refused(variant: str, action: Any, illegal: str) -> None:
    env = SingleEnv(variant, illegal=illegal)
    env.reset(seed=0)
    with refused(BadAction, "action", batch=env.batch):
        env.step(action)


@every_variant
def test_an_action_may_be_any_whole_number(variant: str) -> None:
    for kind in (int, np.int64, np.int32, np.uint8, np.array):
        env = SingleEnv(variant)
        _, info = env.reset(seed=0)
        env.step(kind(first(info["action_mask"])))
        assert env.batch.observation.any()


@every_variant
def test_stepping_at_the_wrong_time_says_so(variant: str) -> None:
    env = SingleEnv(variant, render_mode="ansi")
    with pytest.raises(NotReset, match="reset"):
        env.step(0)
    with pytest.raises(NotReset, match="reset"):
        env.render()
    assert [*play(env, 0)]
    with pytest.raises(GameOver, match="reset"):
        env.step(0)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"reward": "pips"}, ["reward", "'pips'", "points"]),
        ({"illegal": "rais"}, ["illegal", "'rais'", "raise"]),
        ({"render_mode": "rgb"}, ["render_mode", "'rgb'", "ansi"]),
    ],
)
@every_variant
def test_a_wrong_option_is_named_with_what_is_allowed(
    variant: str, option: dict[str, Any], words: list[str]
) -> None:
    with refused(BadOption, *words):
        SingleEnv(variant, **option)


@every_variant
def test_a_deal_or_option_that_is_none_is_refused(variant: str) -> None:
    env = SingleEnv(variant)
    env.reset(seed=0)
    with refused(BadDeal, "27", batch=env.batch):
        env.reset(options={"deal": env.batch.position().deal[1:]})
    with refused(BadOption, "'del'", "'deal'", batch=env.batch):
        env.reset(options={"del": env.batch.position().deal})


@every_variant
def test_an_environment_can_be_pickled_in_the_middle_of_a_game(variant: str) -> None:
    env = SingleEnv(variant)
    _, info = env.reset(seed=6)
    env.step(first(info["action_mask"]))
    twin = pickle.loads(pickle.dumps(env))
    while not env.batch.done[0]:
        action = first(env.action_masks())
        assert twin.step(action)[1:4] == env.step(action)[1:4]
        assert twin.batch.save(0) == env.batch.save(0)


# For PettingZoo -----------------------------------------------------------------------------------


def aec_play(env: Any, seed: int) -> Iterator[tuple[Any, ...]]:
    """An episode of random play: each action with what the agent was then told."""
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    action = None
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if action is not None:
            yield action, observation["observation"].tobytes(), reward, terminated, truncated
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        assert agent == "player_0"
        legal = np.flatnonzero(info["action_mask"])
        action = None if terminated or truncated else int(generator.choice(legal))
        env.step(action)


@every_variant
def test_pettingzoo_finds_nothing_wrong(variant: str, capsys: Any) -> None:
    env = domino_env.aec(variant)
    with warnings.catch_warnings():
        for expected in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message=expected)
        api_test(env, num_cycles=500)
    seed_test(lambda: domino_env.aec(variant), num_cycles=50)


@pytest.mark.parametrize("variant", [*ALONE, SOON_CUT_OFF], ids=[*ALONE, "soon_cut_off"])
@pytest.mark.parametrize("reward", ["margin", "points", "win"])
def test_the_one_agent_sees_and_earns_what_the_single_environment_gives(
    variant: Any, reward: str
) -> None:
    for seed in range(3):
        theirs = [*aec_play(domino_env.aec(variant, reward=reward), seed)]
        assert theirs == [*play(one(variant, reward=reward), seed)]


def test_the_one_agent_is_truncated_after_two_hundred_moves() -> None:
    env = domino_env.aec("solitaire")
    ends = {}
    for seed in range(8):
        steps = [*aec_play(env, seed)]
        ends[len(steps)] = steps[-1][-2:]
        assert env.agents == []
    assert ends[200] == (False, True)
    assert {*ends.values()} <= {(False, True), (True, False)}


def test_who_is_cut_off_is_truncated_and_not_terminated() -> None:
    env = domino_env.raw_aec(domino_env.rules("solitaire", moves=1))
    game = golden("solitaire/cut_off_by_the_last_move")
    env.reset(options={"deal": flat(game["deal"])})
    env.step(first(env.infos["player_0"]["action_mask"]))
    assert env.truncations == {"player_0": True}
    assert env.terminations == {"player_0": False}
    env.step(None)
    assert env.agents == []


@every_variant
def test_the_one_agent_is_dead_once_it_is_over(variant: str) -> None:
    env = domino_env.raw_aec(variant)
    with pytest.raises(NotReset, match="reset"):
        env.step(0)
    assert [*aec_play(env, 0)]
    with pytest.raises(GameOver, match="reset"):
        env.step(0)
    seen = env.observe("player_0")
    assert env.observation_space("player_0").contains(seen)
    assert not seen["action_mask"].any()


@with_choices
def test_an_illegal_move_of_the_one_agent_raises_or_ends_the_game(variant: str) -> None:
    env = domino_env.raw_aec(variant)
    env.reset(seed=0)
    illegal = int(np.argmin(env.infos["player_0"]["action_mask"]))
    with refused(IllegalMove, f"action {illegal}", "legal: ", batch=env.batch):
        env.step(illegal)
    env = domino_env.aec(variant, illegal="terminate")
    env.reset(seed=0)
    env.step(illegal)
    assert env.last()[1:4] == (-1, True, False)


@every_variant
def test_the_state_is_what_the_one_agent_sees_and_the_deal(variant: str) -> None:
    env = domino_env.raw_aec(variant)
    env.reset(seed=4)
    env.step(first(env.infos["player_0"]["action_mask"]))
    state = env.state()
    assert env.state_space.contains(state)
    seen = env.observe("player_0")["observation"]
    assert np.array_equal(state[:-28], seen)
    for place, tile in enumerate(env.batch.position().deal, 1):
        told = state[-28:][tile_number(env.batch.rules, tile)] * 28
        assert told == pytest.approx(-place if tile[0] > tile[1] else place)


@every_variant
def test_histories_are_of_games_at_a_table_and_refused_here(variant: str) -> None:
    with refused(BadOption, "histories", variant, "features"):
        domino_env.aec(variant, observation="history")


@every_variant
def test_pettingzoo_makes_the_game_by_its_name(variant: str) -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    env = pettingzoo.make("aec", f"domino/{variant}-v0")
    assert str(env) == f"{variant}_v0"
    assert env.possible_agents == ["player_0"]
    assert [*aec_play(env, 1)]


@every_variant
def test_the_one_agent_has_no_matches_and_no_calls(variant: str) -> None:
    for option in ({"episode": "match"}, {"calls": "explicit"}, {"num_players": 2}):
        with refused(BadOption, variant):
            domino_env.aec(variant, **option)


@every_variant
def test_the_one_agents_game_is_rendered_as_text_and_may_have_a_given_deal(variant: str) -> None:
    env = domino_env.raw_aec(variant, render_mode="ansi")
    env.reset(seed=0)
    other = domino_env.raw_aec(variant, render_mode="ansi")
    other.reset(seed=99, options={"deal": env.batch.position().deal})
    assert other.render() == env.render() == as_text(env.batch.position())
