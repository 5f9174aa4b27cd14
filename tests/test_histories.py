"""Histories on a batch: perfect recall of the round for any seat, and nothing beyond it."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.engine.events import END, TILE
from domino_env.engine.log import unpack
from domino_env.engine.recall import COLUMNS
from domino_env.engine.state import DREW, TOOK
from domino_env.errors import BadOption, NotReset
from tests.games import AT_A_TABLE
from tests.test_move_features import begun
from tests.test_observations import every_setting, random_states


def split(batch: Batch, *given: Any) -> list[Any]:
    """The histories of some lanes, each by itself."""
    found = batch.histories(*given)
    return np.split(found.events, np.cumsum(found.lengths)[:-1])


# Which rows -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_the_seat_to_move_is_who_is_asked(variant: str) -> None:
    batch = begun(variant)
    found = batch.histories()
    assert found.events.shape == (found.lengths.sum(), len(COLUMNS))
    assert found.events.dtype == np.uint8
    assert found.lengths.max() <= batch.longest_history
    lanes = np.arange(batch.num_games)
    named = batch.histories(lanes, batch.seat)
    assert np.array_equal(named.events, found.events)
    assert np.array_equal(named.lengths, found.lengths)


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_they_are_what_the_environment_shows(variant: str) -> None:
    """One at a time, as an observation of PettingZoo: tested there event by event."""
    env = domino_env.raw_aec(variant, observation="history")
    env.reset(seed=3)
    for _ in range(12):
        for seat, agent in enumerate(env.possible_agents):
            (rows,) = split(env.batch, [0], [seat])
            shown = env.observe(agent)["observation"][1:]
            assert np.array_equal(shown[: len(rows), : len(COLUMNS)], rows)
            assert not shown[len(rows) :].any()
        if env.terminations[env.agent_selection]:
            return
        env.step(int(env.batch.legal[0, 0]))


def test_some_lanes_have_the_rows_that_they_have_among_all() -> None:
    batch = begun("five_up")
    rows, some = split(batch), [7, 2, 11, 2]
    for one, lane in zip(split(batch, some), some, strict=True):
        assert np.array_equal(one, rows[lane])
    assert batch.histories([]).events.shape == (0, len(COLUMNS))


def test_a_lane_that_is_over_has_no_rows_unless_a_seat_is_named() -> None:
    batch = begun("block_draw", autoreset=False)
    while batch.num_legal.all():
        batch.step(batch.sample())
    over = np.flatnonzero(batch.num_legal == 0)
    assert not batch.histories(over).lengths.any()
    assert (batch.histories().lengths > 0).tolist() == (batch.num_legal > 0).tolist()
    assert (batch.histories(over, np.ones(len(over), int)).lengths > 7).all()


def test_rows_are_written_into_memory_that_is_given() -> None:
    batch = begun("all_fives")
    out = np.full((16 * batch.longest_history, len(COLUMNS)), 99, np.uint8)
    rows = batch.histories(out=out).events
    assert np.shares_memory(rows, out)
    assert np.array_equal(rows, batch.histories().events)
    assert (out[len(rows) :] == 99).all()


def test_threads_and_copies_see_the_same() -> None:
    batch, threaded = begun("bendomino"), begun("bendomino", threads=3)
    rows = batch.histories().events
    for other in (threaded, batch.clone(), pickle.loads(pickle.dumps(batch))):
        assert np.array_equal(other.histories().events, rows)


def test_wrong_calls_are_refused() -> None:
    batch = domino_env.batch("block_draw", 4)
    with pytest.raises(NotReset):
        batch.histories()
    batch.reset()
    for wrong in (np.zeros((90, 5)), np.zeros((2, 5), np.uint8), np.zeros((900, 4), np.uint8)):
        with pytest.raises(BadOption, match="uint8 array of 5 columns"):
            batch.histories(out=wrong)
    with pytest.raises(BadOption, match="lanes are 0 to 3"):
        batch.histories([4])
    with pytest.raises(BadOption, match="seats are one for each of 1 lanes, from 0 to 1"):
        batch.histories([0], [2])
    with pytest.raises(BadOption, match="seats are one for each of 4 lanes"):
        batch.histories(seats=[0])
    alone = domino_env.batch("solitaire", 2, seed=0)
    alone.reset()
    with pytest.raises(BadOption, match="solitaire is for one player"):
        alone.histories()


# What they say ------------------------------------------------------------------------------------


def permute_log(batch: Batch, lane: int, seat: int, chance: random.Random) -> int:
    """Shuffles the tiles of the log that a seat has not seen: those dealt to others, those that lie
    in the boneyard, and those that others drew. Tells how many other words there are now."""
    log, tiles = batch._logs[lane], batch.rules.num_tiles
    before = log.copy()
    size = batch.rules.hand_size_for(batch.num_players)
    own = range(0) if batch.rules.rows else range(seat * size, (seat + 1) * size)
    others = [place for place in range(tiles) if place not in own]
    mixed = chance.sample(others, len(others))
    log[others] = before[mixed]
    for at in range(tiles, int(batch._games["log_size"][lane])):
        word = unpack(before[at])
        unseen = word.kind == DREW or (word.kind == TOOK and word.end != seat)
        if unseen and word.seat != seat:
            tile = chance.randrange(tiles)
            log[at] = int(before[at]) & ~(255 << TILE) | tile << TILE
        if word.kind == DREW:  # why it was drawn is told by what is seen otherwise
            log[at] = int(log[at]) & ~(255 << END)
    return int((log != before).sum())


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_hidden_tiles_permuted_leave_a_history_alone(variant: str) -> None:
    chance, moved = random.Random(variant), 0
    for setting in every_setting(variant):
        for batch in random_states(setting, 4, looks=3, seed=chance.randrange(2**32)):
            for lane in range(batch.num_games):
                kept = batch._logs[lane].copy()
                for seat in range(batch.num_players):
                    before = batch.histories([lane], [seat]).events
                    moved += permute_log(batch, lane, seat, chance)
                    after = batch.histories([lane], [seat]).events
                    batch._logs[lane] = kept
                    assert np.array_equal(before, after), f"{setting}: seat {seat}"
    assert moved > 100


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_what_a_seat_has_seen_is_all_there(variant: str) -> None:
    """From a history the events can be told again, but for the tiles that were not seen."""
    batch = begun(variant, 8, steps=9)
    for lane in range(batch.num_games):
        log_size = int(batch.games["log_size"][lane])
        words = unpack(batch.events[lane, batch.rules.num_tiles : log_size])
        for seat in range(batch.num_players):
            (rows,) = split(batch, [lane], [seat])
            rows = rows[len(rows) - len(words.kind) :].astype(int)
            assert np.array_equal(rows[:, 0], words.kind)
            told = (rows[:, 1] - 1 + seat) % batch.num_players
            by_somebody = rows[:, 1] > 0
            assert np.array_equal(told[by_somebody], words.seat[by_somebody])
            seen = rows[:, 2] > 0
            assert np.array_equal(rows[seen, 2] - 1, words.tile[seen])
            hidden = (words.kind == DREW) & (words.seat != seat)
            assert not rows[hidden, 2].any()
