"""A linear policy in Matador that imitates `heuristic`, from its records

A data set is written, read again, and agrees with the environment that it says it is of.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.adapters.minari import episodes_of, to_dataset
from domino_env.adapters.single import SingleEnv
from domino_env.errors import BadOption
from domino_env.evaluate.rollout import play_episodes
from domino_env.record import Record, Recorder, replay
from tests.clients.measure import margin_against_random
from tests.clients.softmax import Softmax

SEED = int(os.environ.get("DOMINO_SEED", "0"))  # to see that other seeds learn too


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))


def recorded(game: Any, games: int, agent: str, **options: Any) -> list[Record]:
    """Games in which an agent sits in seat 0, and play at random in the others."""
    batch = domino_env.batch(game, games, seed=SEED, autoreset=False, **options)
    batch.reset()
    names = [agent, *["random"] * (batch.num_players - 1)]
    recorders = [Recorder(batch, lane, names) for lane in range(games)]

    def watch(actions: Any) -> None:
        for recorder, action in zip(recorders, actions, strict=True):
            if not recorder.over:
                recorder.note(int(action))

    players = [agents.make_seeded(name, SEED + seat) for seat, name in enumerate(names)]
    play_episodes(batch, players, on_actions=watch)
    return [recorder.record for recorder in recorders]


@pytest.mark.parametrize("game", ["five_up", "solitaire"])
def test_a_data_set_of_bytes_is_read_as_it_was_written(game: str) -> None:
    records, name = recorded(game, 2, "random"), f"domino/{game}/bytes-v0"
    to_dataset(records, name, observation_dtype="uint8")
    read = minari.load_dataset(name)
    env = read.recover_environment()
    assert env.observation_space == read.observation_space
    assert read.observation_space.dtype == np.uint8
    kept = [each for record in records for each in episodes_of(record, observation_dtype="uint8")]
    for one, other in zip(read.iterate_episodes(), kept, strict=True):
        assert one.observations.dtype == np.uint8
        assert np.array_equal(one.observations, other.observations)


@pytest.mark.parametrize("game", domino_env.variants())
def test_a_data_set_is_read_as_it_was_written(game: str) -> None:
    records = recorded(game, 4, "random")
    written = to_dataset(records, f"domino/{game}/random-v0", reward="points")
    read = minari.load_dataset(f"domino/{game}/random-v0")
    assert read.total_episodes == written.total_episodes
    kept = [each for record in records for each in episodes_of(record, reward="points")]
    for one, other in zip(read.iterate_episodes(), kept, strict=True):
        for name in ("observations", "actions", "rewards", "terminations", "truncations"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
        for name, each in one.infos.items():
            assert np.array_equal(each, other.infos[name]), name
    env = read.recover_environment()
    assert env.observation_space == read.observation_space
    assert env.action_space == read.action_space
    assert all(env.observation_space.contains(each) for each in read[0].observations)


@pytest.mark.parametrize("game", ["block_draw", "five_up", "yourturnmyturn", "solitaire"])
def test_an_episode_is_what_the_environment_gives(game: str) -> None:
    """A learner that does what was recorded, against opponents that do, too."""
    for number, record in enumerate(recorded(game, 8, "random")):
        for episode in episodes_of(record):
            infos: Any = episode.infos
            seat = int(infos["seat"][0])
            env = SingleEnv(game, seat=seat, opponents=Script(record))
            seen, info = env.reset(seed=SEED + number)
            for step, action in enumerate(episode.actions):
                assert np.array_equal(seen, episode.observations[step])  # type: ignore[index]
                assert np.array_equal(info["action_mask"], infos["action_mask"][step])
                seen, reward, terminated, truncated, info = env.step(action)
                assert reward == episode.rewards[step]
                assert terminated == episode.terminations[step]
                assert truncated == episode.truncations[step]
            assert np.array_equal(seen, episode.observations[-1])  # type: ignore[index]


class Script:
    """Does what a record says: no decision of these games looks like another."""

    name = "script"

    def __init__(self, record: Record) -> None:
        self._actions = {
            step.batch.observation[0].tobytes(): step.action
            for step in replay(record)
            if step.action is not None
        }
        assert len(self._actions) == record.moves

    def act(self, batch: Any, lanes: Any) -> Any:
        return np.array([self._actions[batch.observation[lane].tobytes()] for lane in lanes])


def test_rewards_of_an_episode_add_up_to_what_its_seat_has_scored() -> None:
    for game in ("all_fives", "fundomino_team_play", "blind", "knock_out"):
        for record in recorded(game, 8, "random"):
            for episode in episodes_of(record, reward="points"):
                seat = int(episode.infos["seat"][0])
                assert sum(episode.rewards) == record.result.scores[seat]


def test_records_of_other_games_make_no_data_set_together() -> None:
    two = [*recorded("fours", 1, "random"), *recorded("bergen", 1, "random")]
    with pytest.raises(BadOption, match="bergen with 2 players, fours with 4 players"):
        to_dataset(two, "domino/two-v0")
    with pytest.raises(BadOption, match="one record or more"):
        to_dataset([], "domino/none-v0")
    with pytest.raises(BadOption, match="no decision of nobody"):
        to_dataset(two[:1], "domino/nobody-v0", player="nobody")


def test_house_rules_make_a_data_set_without_an_environment() -> None:
    house = domino_env.rules("block_draw", set="double_9", hand_size=7)
    read = to_dataset(recorded(house, 3, "random"), "domino/house-v0")
    assert read.spec.env_spec is None
    assert read.spec.action_space.n == domino_env.batch(house, 1).num_actions


def test_a_policy_that_imitates_beats_random_play(record_figure: Any) -> None:
    records = recorded("matador", 2000, "heuristic")
    to_dataset(records, "domino/matador/heuristic-v0", player="heuristic")
    episodes = [*minari.load_dataset("domino/matador/heuristic-v0").iterate_episodes()]
    seen = np.concatenate([each.observations[:-1] for each in episodes])
    masks = np.concatenate([each.infos["action_mask"][:-1] for each in episodes])
    actions = np.concatenate([each.actions for each in episodes])
    policy = Softmax(seen.shape[1], masks.shape[1], SEED, 1.0)
    rng = np.random.default_rng(SEED)
    for _ in range(600):
        some = rng.integers(len(seen), size=512)
        pull = -policy.chances(seen[some], masks[some])
        pull[np.arange(512), actions[some]] += 1
        policy.weights += 2.0 * seen[some].T @ pull / 512
    margin = margin_against_random(policy, "matador")
    record_figure("decisions", len(seen))
    record_figure("margin against random", str(margin))
    assert margin.mean > 6
    assert margin.mean > 5 * margin.error
