"""What a batch deals: by seeds, by threads, and as it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Tile
from domino_env.batches import Batch
from tests.small_deals import SIX_OPENS, SMALL, deal, openings, play, small

# Seeds -------------------------------------------------------------------------------------------


def test_a_seed_is_a_game() -> None:
    one, two = domino_env.batch("bergen", 3, seed=8), domino_env.batch("bergen", 3)
    one.reset()
    two.reset(seed=8)
    assert openings(one) == openings(two)
    assert len({*openings(one)}) == 3
    two.reset(seed=9)
    assert openings(two)[:2] == openings(one)[1:]


def test_a_reset_without_a_seed_goes_on_with_the_chances_of_each_lane() -> None:
    one, two = domino_env.batch("bergen", 2, seed=8), domino_env.batch("bergen", 1, seed=9)
    for batch in (one, two):
        batch.reset()
    first = openings(one)
    for batch in (one, two):
        batch.reset()
    assert openings(one)[1:] == openings(two)
    assert not {*first} & {*openings(one)}


def test_each_lane_may_have_a_seed_of_its_own() -> None:
    batch, alone = domino_env.batch("bergen", 3), domino_env.batch("bergen", 1, seed=11)
    alone.reset()
    for seeds in ([11, 4, 11], (11, 4, 11), np.array([11, 4, 11]), np.array([11, 4, 11], np.uint8)):
        batch.reset(seed=seeds)
        assert openings(batch)[0] == openings(batch)[2] == openings(alone)[0]
        assert openings(batch)[1] != openings(alone)[0]


def test_seeds_go_round_after_the_largest_word() -> None:
    batch = domino_env.batch("bergen", 2)
    batch.reset(seed=2**64 - 1)
    last, first = openings(batch)
    batch.reset(seed=[2**64 - 1, 2**64])
    assert openings(batch) == [last, first]
    batch.reset(seed=0)
    assert openings(batch)[0] == first


def test_batches_without_a_seed_are_not_the_same() -> None:
    one, two = domino_env.batch("bergen", 4), domino_env.batch("bergen", 4)
    one.reset()
    two.reset()
    assert openings(one) != openings(two)


def test_numbers_of_numpy_will_do() -> None:
    batch = domino_env.batch("bergen", np.int64(2), np.int32(3), np.uint8(5), np.int64(1))
    batch.reset(seed=np.int64(5))
    lane, seat = np.int32(1), batch.seat[1]
    assert batch.position(lane).to_move == seat
    assert batch.observe(lane, seat).tobytes() == batch.observation[1].tobytes()
    batch.restore(np.uint8(0), batch.save(lane))
    assert openings(batch)[0] == openings(batch)[1]


@pytest.mark.parametrize("threads", [2, 3, 16])
@pytest.mark.parametrize("game", ["matador", "bendomino_all_five", "fundomino_caribbean"])
def test_threads_change_nothing(game: str, threads: int) -> None:
    one = domino_env.batch(game, 7, seed=4)
    many = domino_env.batch(game, 7, seed=4, threads=threads)
    one.reset()
    many.reset()
    for _ in range(200):
        actions = one.sample()
        assert many.sample().tolist() == actions.tolist()
        one.step(actions)
        many.step(actions)
    assert openings(one) == openings(many)
    assert one.observation.tobytes() == many.observation.tobytes()
    assert one.reward.tobytes() == many.reward.tobytes()


# Deals -------------------------------------------------------------------------------------------


def test_a_deal_is_dealt_as_it_is_given() -> None:
    position = small().position()
    assert position.hands == [[(0, 6)], [(1, 6), (5, 5)]]
    assert position.played == [((6, 6), 0)]
    assert position.boneyard[:3] == [(0, 0), (0, 1), (0, 2)]
    assert len(position.boneyard) == 24
    assert position.to_move == 1
    assert [end.offered for end in position.ends] == [True, False]


@pytest.mark.parametrize(
    "write",
    [
        lambda low, high: (low, high),
        lambda low, high: [low, high],
        lambda low, high: (high, low),
        lambda low, high: f"{low}|{high}",
        lambda low, high: f"[{high}|{low}]",
        lambda low, high: f" {low} - {high} ",
        lambda low, high: low * 7 - low * (low - 1) // 2 + high - low,
        lambda low, high: np.int64(low * 7 - low * (low - 1) // 2 + high - low),
        Tile,
    ],
)
def test_a_tile_of_a_deal_may_be_written_in_many_ways(write: Callable[[int, int], Any]) -> None:
    usual = small().position()
    hands = [[write(6, 6), write(0, 6)], [write(1, 6), write(5, 5)]]
    boneyard = [write(*tile) for tile in usual.boneyard]
    batch = Batch(SMALL, 1, 2, seed=0)
    batch.reset(options={"deal": {"hands": hands, "boneyard": boneyard}})
    assert batch.position() == usual


def test_a_deal_may_be_the_order_of_all_tiles() -> None:
    usual = small().position()
    order = [Tile(6, 6), Tile(0, 6), *usual.hands[1], *usual.boneyard]
    numbers = np.array([low * 7 - low * (low - 1) // 2 + high - low for low, high in order])
    batch = Batch(SMALL, 1, 2, seed=0)
    for written in (order, tuple(order), numbers, numbers.tolist(), np.array(order)):
        batch.reset(options={"deal": written})
        assert batch.position() == usual


def test_a_position_tells_its_deal() -> None:
    batch = domino_env.batch("five_up", 1, 3, seed=5)
    batch.reset()
    opening = str(batch.position())
    for _ in range(6):
        batch.step(batch.sample())
    told = batch.position().deal
    assert told["starter"] == batch.position().events[0].seat
    batch.reset(options={"deal": told})
    assert str(batch.position()) == opening


def test_one_deal_goes_to_all_lanes_and_deals_go_one_to_each() -> None:
    five_opens = [["5|5", "0|5"], ["1|5", "4|4"]]
    batch = Batch(SMALL, 2, 2, seed=0)
    batch.reset(options={"deal": deal(SIX_OPENS)})
    assert [batch.position(lane).played[0][0] for lane in (0, 1)] == [(6, 6), (6, 6)]
    batch.reset(options={"deals": [deal(five_opens), deal(SIX_OPENS)]})
    assert [batch.position(lane).played[0][0] for lane in (0, 1)] == [(5, 5), (6, 6)]


def test_a_deal_names_the_starter_where_lots_are_drawn() -> None:
    rules = domino_env.rules("five_up", hand_size=2)
    batch = Batch(rules, 1, 3, seed=0)
    hands = [["6|6", "0|6"], ["1|6", "5|5"], ["1|1", "2|2"]]
    for seat in range(3):
        batch.reset(options={"deal": deal(hands, starter=seat)})
        assert batch.seat.tolist() == [seat]
        assert batch.position().deal["starter"] == seat


def test_without_a_starter_in_the_deal_the_seed_draws_the_lot() -> None:
    rules = domino_env.rules("five_up", hand_size=2)
    one, two = Batch(rules, 40, 2, seed=0), Batch(rules, 40, 2, seed=9)
    for seed, batch in ((3, one), (3, two)):
        batch.reset(seed=seed, options={"deal": deal(SIX_OPENS)})
    assert one.seat.tolist() == two.seat.tolist()
    assert {*one.seat.tolist()} == {0, 1}


def test_after_a_given_deal_autoreset_shuffles() -> None:
    batch = small()
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.done.tolist() == [True]
    assert batch.position().deal != small().position().deal
