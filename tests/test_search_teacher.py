"""The teacher that searches: mean gains over worlds, from what the seat can know."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.config.loader import load
from domino_env.errors import TooUncertain
from domino_env.train import search_teacher
from domino_env.train.backend import RunContext
from domino_env.train.oracle_teacher import oracle_gains
from domino_env.train.search_teacher import SearchTeacher
from domino_env.train.settings import TrainSettings
from tests.test_observations import permute_hidden

GAMES = ("block_draw", "five_up", "bendomino_teams")


def decisions(game: str, games: int = 30, steps: int = 6) -> tuple[Batch, Any]:
    """Games in the middle, and the lanes in which there is something to choose."""
    batch = domino_env.batch(game, games, seed=3, autoreset=False)
    batch.reset()
    for _ in range(steps):
        live = np.flatnonzero(batch.num_legal)
        batch.step(batch.sample_some(live), live)
    lanes = np.flatnonzero(batch.num_legal > 1)
    assert len(lanes) > 5
    return batch, lanes


@pytest.mark.parametrize("game", [*GAMES, "blind"])
def test_gains_are_those_that_pimc_finds_in_the_same_worlds(game: str) -> None:
    batch, lanes = decisions(game, games=90)
    for lane in lanes[:5]:
        found = SearchTeacher(60, seed=7).gains(batch, lanes[lanes == lane])[0]
        weighed = dict(agents.make("pimc", worlds=60, seed=7).weigh(batch, int(lane)))
        mean = sum(weighed.values()) / len(weighed)
        for action, value in weighed.items():
            assert found[action] == pytest.approx(value - mean, abs=1e-3)
        assert not found[batch.mask[lane] == 0].any()


def test_with_more_worlds_they_come_closer() -> None:
    batch, lanes = decisions("block_draw")
    wanted = SearchTeacher(4000, seed=1).gains(batch, lanes)
    far = [spread(SearchTeacher(n, seed=2).gains(batch, lanes) - wanted) for n in (4, 64, 1024)]
    assert far[0] > 2 * far[1] > 4 * far[2]
    assert spread(oracle_gains(batch, lanes) - wanted) > far[0]


def spread(numbers: Any) -> float:
    return float(np.sqrt((numbers**2).mean()))


@pytest.mark.parametrize("game", GAMES)
def test_they_do_not_depend_on_hidden_tiles(game: str) -> None:
    batch, lanes = decisions(game)
    chance, moved = random.Random(game), 0
    for lane in lanes:
        alone = lanes[lanes == lane]
        before = SearchTeacher(8, seed=5).gains(batch, alone)
        kept = batch._games[lane : lane + 1].copy()
        moved += permute_hidden(batch, int(lane), int(batch.seat[lane]), chance)
        after = SearchTeacher(8, seed=5).gains(batch, alone)
        batch._games[lane : lane + 1] = kept
        assert np.array_equal(before, after)
    assert moved > 20


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_however_lanes_are_put_together(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, lanes = decisions(game)
    together = SearchTeacher(6, seed=5).gains(batch, lanes)
    assert np.array_equal(SearchTeacher(6, seed=5).gains(batch, lanes), together)
    assert not np.array_equal(SearchTeacher(6, seed=6).gains(batch, lanes), together)
    monkeypatch.setattr(search_teacher, "AT_ONCE", 14)
    teacher = SearchTeacher(6, seed=5)
    assert np.array_equal(teacher.gains(batch, lanes), together)
    assert not np.array_equal(teacher.gains(batch, lanes), together), "its seed goes on"
    alone = SearchTeacher(6, seed=5)
    apart = [alone.gains(batch, lanes[row : row + 1]) for row in range(len(lanes))]
    assert np.array_equal(np.concatenate(apart), together)


def test_asking_changes_nothing_and_it_goes_from_batch_to_batch() -> None:
    batch, lanes = decisions("block_draw")
    other, theirs = decisions("five_up")
    states = batch.state().tobytes(), other.state().tobytes()
    teacher = SearchTeacher(6, seed=5)
    first = teacher.gains(batch, lanes)
    assert np.array_equal(teacher.gains(other, theirs), SearchTeacher(6, 5).gains(other, theirs))
    assert np.array_equal(teacher.gains(batch, lanes), first)
    assert (batch.state().tobytes(), other.state().tobytes()) == states


def test_where_no_worlds_can_be_drawn_the_actual_deal_has_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In that lane alone."""
    batch, lanes = decisions("block_draw")
    fill, uncertain = Belief._fill, int(lanes[2])

    def fill_most(self: Belief, worlds: Any, some: Any, seats: Any) -> None:
        if uncertain in some:
            raise TooUncertain("hardly any deal agrees")
        fill(self, worlds, some, seats)

    monkeypatch.setattr(Belief, "_fill", fill_most)
    gains, actual = SearchTeacher(30, seed=5).gains(batch, lanes), oracle_gains(batch, lanes)
    assert np.array_equal(gains[2], actual[2])
    same = [row for row in range(len(lanes)) if np.array_equal(gains[row], actual[row])]
    assert len(same) < len(lanes) / 2


def test_the_distill_phase_has_it_for_a_teacher() -> None:
    batch, lanes = decisions("block_draw")
    settings = load(TrainSettings, None, ["distill_worlds=5"])
    context = RunContext(settings, batch.rules, 2, 4.0, None)
    teacher = context.teacher("distill", 70)
    assert teacher is not None
    wanted = SearchTeacher(5, seed=70).gains(batch, lanes) / np.float32(4)
    assert np.array_equal(teacher(batch, lanes), wanted)
    assert context.teacher("ppo", 70) is None
