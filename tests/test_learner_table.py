"""Games with one learner each: what it sees at their end, and games that begin meanwhile."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.adapters.learner_seat import LearnerTable, new_table
from domino_env.batches import Batch

LANES = 24


class Quiet:
    """Uniform from the lanes' own generators, but not known as such."""

    name = "quiet"

    def act(self, batch: Batch, lanes: Any) -> Any:
        return batch.sample_some(lanes)


def table(variant: str, opponents: Any = "random", **options: Any) -> LearnerTable:
    found = new_table(variant, LANES, opponents, "random", seed=2, **options)
    found.reset()
    return found


def first_legal(table: LearnerTable, lanes: Any) -> Any:
    return table.batch.mask[lanes].argmax(1)


def assert_seen_by_the_learner(table: LearnerTable) -> None:
    seen = table.seen()
    for lane in range(LANES):
        assert np.array_equal(seen[lane], table.batch.observe(lane, int(table.learner[lane])))


@pytest.mark.parametrize("variant", domino_env.variants())
def test_the_learner_sees_the_end_of_every_game(variant: str) -> None:
    """Whoever has ended it, and without a second look."""
    games = table(variant)
    for _ in range(30):
        going = np.flatnonzero(games.batch.seat >= 0)
        if len(going) == 0:
            break
        games.step(first_legal(games, going), going)
        assert_seen_by_the_learner(games)
        over = np.flatnonzero(games.over)
        assert np.array_equal(games.seen_in(over), games.seen()[over])


@pytest.mark.parametrize("seats", [3, 4])
def test_the_learner_sees_the_end_of_matches_too(seats: int) -> None:
    games = table("five_up", num_players=seats, episode="match")
    for _ in range(60):
        going = np.flatnonzero(games.batch.seat >= 0)
        games.step(first_legal(games, going), going)
    assert (games.batch.seat < 0).any()
    assert_seen_by_the_learner(games)


@pytest.mark.parametrize("variant", ["block_draw", "mexican_train", "solitaire"])
@pytest.mark.parametrize("seat", ["random", "in_turn"])
def test_games_that_begin_in_a_step_are_those_that_begin_after_it(variant: str, seat: str) -> None:
    together, apart = (new_table(variant, LANES, "random", seat, seed=4) for _ in range(2))
    begun = 0
    for games in (together, apart):
        games.reset()
    for _ in range(60):
        going, over = np.flatnonzero(~together.over), np.flatnonzero(together.over)
        actions = first_legal(together, going)
        together.step(actions, going, over)
        apart.step(actions, going)
        paid = apart.earned.copy()
        if len(over):
            apart.restart(over)
        begun += len(over)
        assert np.array_equal(together.earned, paid)
        assert np.array_equal(together.learner, apart.learner)
        assert np.array_equal(together.seen(), apart.seen())
        assert together.batch.state().tobytes() == apart.batch.state().tobytes()
    assert begun or variant == "solitaire"


def test_agents_that_draw_alike_play_the_same_games() -> None:
    """Those that play inside the kernel, and those that are asked."""
    inside, asked = table("all_fives"), table("all_fives", Quiet())
    for _ in range(40):
        going, over = np.flatnonzero(~inside.over), np.flatnonzero(inside.over)
        for games in (inside, asked):
            games.step(first_legal(games, going), going, over)
        assert np.array_equal(inside.earned, asked.earned)
        assert np.array_equal(inside.seen(), asked.seen())
        assert inside.batch.state().tobytes() == asked.batch.state().tobytes()


def test_a_second_set_of_arrays_is_not_taken_for_the_first() -> None:
    batch = domino_env.batch("block_draw", LANES, seed=1, autoreset=False)
    batch.reset()
    owed = np.zeros(LANES)
    batch._play_others(np.zeros(LANES, np.int64), owed)
    assert (batch.seat <= 0).all()
    batch._play_others(np.ones(LANES, np.int64), owed)
    assert ((batch.seat == 1) | (batch.seat < 0)).all()


def test_a_copy_shows_where_its_own_learner_sits_and_what_it_earned() -> None:
    first = table("all_fives")
    copy = pickle.loads(pickle.dumps(first))
    for _ in range(60):
        going, over = np.flatnonzero(~copy.over), np.flatnonzero(copy.over)
        copy.step(first_legal(copy, going), going, over)
    assert np.array_equal(copy.learner, copy._learner)
    assert np.array_equal(copy.earned, copy._earned)
    assert not np.array_equal(first.batch.state(), copy.batch.state())
