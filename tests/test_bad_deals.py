"""Bad deals and bad saves: each has its own error, and nothing has changed by it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import actions
from domino_env.actions import Tile
from domino_env.batches import Batch
from domino_env.errors import (
    BadDeal,
    BadSave,
    NotReset,
)
from domino_env.ruleset import Draw
from tests.refusals import LANES, TWISTED, a_deal, picture, playing, refused


@pytest.fixture
def batch() -> Batch:
    return playing()


def twice(deal: dict[str, Any]) -> None:
    deal["boneyard"][0] = deal["hands"][0][0]


def one_more(deal: dict[str, Any]) -> None:
    deal["hands"][1].append(deal["boneyard"].pop())


def one_fewer(deal: dict[str, Any]) -> None:
    deal["boneyard"].append(deal["hands"][1].pop())


def missing(deal: dict[str, Any]) -> None:
    deal["boneyard"].pop()


def too_many_hands(deal: dict[str, Any]) -> None:
    deal["hands"].append([deal["boneyard"].pop() for _ in range(5)])


def too_few_hands(deal: dict[str, Any]) -> None:
    deal["boneyard"] += deal["hands"].pop()


def no_hands(deal: dict[str, Any]) -> None:
    del deal["hands"]


def starter(deal: dict[str, Any]) -> None:
    deal["starter"] = 0


def unknown_key(deal: dict[str, Any]) -> None:
    deal["hand"] = deal["hands"]


def put(name: str, value: Any, deal: dict[str, Any]) -> None:
    deal[name] = value


def put_tile(tile: Any, deal: dict[str, Any]) -> None:
    deal["boneyard"][3] = tile


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (twice, ["twice", "Tile("]),
        (one_more, ["5 tiles", "seat 1 has 6"]),
        (one_fewer, ["5 tiles", "seat 1 has 4"]),
        (missing, ["28 tiles", "names 27"]),
        (too_many_hands, ["2 players", "3"]),
        (too_few_hands, ["2 players", "1"]),
        (no_hands, ["needs 'hands'"]),
        (starter, ["block_draw", "leave 'starter' out"]),
        (unknown_key, ["'hand'", "did you mean 'hands'"]),
        *((partial(put, "hands", value), ["hands"]) for value in (None, 5, [None, None], [1, 2])),
        *((partial(put, "boneyard", value), ["boneyard"]) for value in (None, 5, 1.5)),
        *(
            (partial(put_tile, tile), [repr(tile)])
            for tile in (None, "", "7|7", "0|7", "3", "a|b", (7, 7), (0, -1), (1,), (1, 2, 3), 28)
        ),
        *(
            (partial(put_tile, tile), [repr(tile)])
            for tile in (-1, 1.0, True, (3.5, 5), (True, 1), (None, 1), (1, "x"), {}, b"1|2")
        ),
        *(
            (partial(put_tile, tile), ["tile"])
            for tile in ((float("inf"), 1), (float("nan"), 1), "9" * 5000 + "|1", 10**30)
        ),
    ],
)
def test_a_malformed_deal_is_a_bad_deal(
    batch: Batch, spoil: Callable[[dict[str, Any]], None], words: list[str]
) -> None:
    deal = a_deal(batch)
    spoil(deal)
    with refused(BadDeal, *words, batch=batch):
        batch.reset(options={"deal": deal})
    right = a_deal(batch)
    with refused(BadDeal, *words, batch=batch):
        batch.reset(seed=5, options={"deals": [right, deal, right]})


SYMBOLS = [(">6", 1), (">5", 2), ("+3", 6), ("*", 3), (2, 5)]
WAYS_TO_WRITE: list[Callable[[Any, Any], Any]] = [
    lambda first, second: (first, second),
    lambda first, second: [second, first],
    lambda first, second: Tile(first, second),
    lambda first, second: f"{first}|{second}",
    lambda first, second: f"{second}|{first}",
    lambda first, second: f" [{first} | {second}] ",
    lambda first, second: f"{first}-{second}",
    lambda first, second: actions.tile_number(TWISTED, (first, second)),
]


@pytest.mark.parametrize("write", WAYS_TO_WRITE)
def test_a_tile_with_a_symbol_may_be_written_in_many_ways(write: Callable[[Any, Any], Any]) -> None:
    batch = playing(TWISTED)
    deal = a_deal(batch)
    batch.reset(options={"deal": deal})
    before = batch.position()
    for pile in (*deal["hands"], deal["boneyard"]):
        pile[:] = [write(*tile) if tile in SYMBOLS else tile for tile in pile]
    batch.reset(options={"deal": deal})
    assert batch.position() == before


@pytest.mark.parametrize(
    "tile",
    [
        *(">7|1", ">6|2", ">6", ">6|", "|>6", "6>|1", ">|6", ">>6|1", "x6|1", "*|1", "*|*", "**|3"),
        *("*3|3", "+|3", "-3|6", ">6|1|1", "> 6|1", "0|1", "7|1"),
        *((">7", 1), (">6", "1"), ("6>", 1), ("*", 1), ("*",), ("*", 3, 3), (None, "*"), (1, 7)),
        *((True, ">6"), (1.0, ">6"), (b">6", 1), {">6", 1}, b">6|1", 32, -1),
    ],
)
def test_a_tile_that_is_not_listed_is_a_bad_deal(tile: Any) -> None:
    batch = playing(TWISTED)
    deal = a_deal(batch)
    put_tile(tile, deal)
    with refused(BadDeal, repr(tile), batch=batch):
        batch.reset(options={"deal": deal})


def test_a_deal_that_names_a_symbol_twice_is_a_bad_deal() -> None:
    batch = playing(TWISTED)
    deal = a_deal(batch)
    deal["boneyard"][:2] = ["*|3", (3, "*")]
    with refused(BadDeal, "twice", batch=batch):
        batch.reset(options={"deal": deal})


def test_a_tile_of_another_set_is_a_bad_deal() -> None:
    batch = playing("bendomino")
    deal = a_deal(batch)
    put_tile(">6|1", deal)
    with refused(BadDeal, "double_6", "'>6|1'", batch=batch):
        batch.reset(options={"deal": deal})


@pytest.mark.parametrize("variant", ["bendomino_all_five", "fundomino"])
def test_the_tiles_say_who_starts_a_curved_game(variant: str) -> None:
    batch = playing(variant)
    with refused(BadDeal, variant, "leave 'starter' out", batch=batch):
        batch.reset(options={"deal": {**a_deal(batch), "starter": 0}})


@pytest.mark.parametrize(
    "deal",
    [None, 5, "0|1", {}, [], [5], range(27), range(29), [0] * 28, np.arange(27), np.array(3)],
)
def test_what_is_no_deal_is_a_bad_deal(batch: Batch, deal: Any) -> None:
    with refused(BadDeal, batch=batch):
        batch.reset(options={"deal": deal})


@pytest.mark.parametrize("deals", [None, 5, [], [range(28)] * 2, [range(28)] * 4, "abc", {}])
def test_there_must_be_a_deal_for_each_lane(batch: Batch, deals: Any) -> None:
    with refused(BadDeal, "deal", batch=batch):
        batch.reset(options={"deals": deals})


@pytest.mark.parametrize("seat", [-1, 2, "0", True, 1.0, [0]])
def test_a_starter_who_does_not_sit_there_is_a_bad_deal(seat: Any) -> None:
    batch = playing("five_up", num_players=2)
    with refused(BadDeal, "starter", repr(seat), batch=batch):
        batch.reset(options={"deal": {**a_deal(batch), "starter": seat}})


NO_DOUBLE = sorted(
    domino_env.rules("block_draw").tile_set.faces, key=lambda tile: tile[0] == tile[1]
)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_deal_without_the_opening_double_is_a_bad_deal(threads: int) -> None:
    batch = playing(threads=threads)
    with refused(BadDeal, "block_draw", "again", "G3", batch=batch):
        batch.reset(options={"deal": NO_DOUBLE})
    right = a_deal(batch)
    for deals in ([NO_DOUBLE, right, right], [right, right, NO_DOUBLE], [right, NO_DOUBLE, right]):
        with refused(BadDeal, "block_draw", "again", batch=batch):
            batch.reset(seed=9, options={"deals": deals})


def nobody_can_follow() -> list[tuple[int, int]]:
    """Two hands in which nothing follows the 6|6, and a boneyard that is left alone."""
    tiles = domino_env.rules("block_draw").tile_set.faces
    without = [tile for tile in tiles if 6 not in tile]
    hands = [(6, 6), *without[:9]]
    return hands + [tile for tile in tiles if tile not in hands]


def test_a_deal_that_leaves_nobody_a_decision_is_a_bad_deal() -> None:
    rules = domino_env.rules("block_draw", draw=Draw(forced="none"))
    batch = domino_env.batch(rules, LANES, seed=0)
    batch.reset()
    batch.step(batch.sample())
    with refused(BadDeal, "block_draw", "again", "G5", batch=batch):
        batch.reset(options={"deal": nobody_can_follow()})


def test_a_refused_deal_is_no_first_reset() -> None:
    batch = domino_env.batch("block_draw", LANES, seed=0)
    with refused(BadDeal, batch=batch):
        batch.reset(options={"deals": [range(28), NO_DOUBLE, range(28)]})
    with refused(NotReset, batch=batch):
        batch.sample()
    fresh = domino_env.batch("block_draw", LANES, seed=0)
    batch.reset()
    fresh.reset()
    assert picture(batch) == picture(fresh)


# Saves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("saved", [None, "", "abc", 5, 1.5, [1, 2], True, np.arange(3), object()])
def test_what_is_no_bytes_is_a_bad_save(batch: Batch, saved: Any) -> None:
    with refused(BadSave, "bytes", type(saved).__name__, batch=batch):
        batch.restore(0, saved)


def test_a_save_that_has_been_cut_or_lengthened_is_a_bad_save(batch: Batch) -> None:
    saved = batch.save(0)
    for wrong in (b"", saved[:1], saved[:-1], saved[: len(saved) // 2], saved[4:], saved + b"\0"):
        with refused(BadSave, batch=batch):
            batch.restore(0, wrong)


def test_zeros_and_noise_of_the_right_length_are_bad_saves(batch: Batch) -> None:
    length, chance = len(batch.save(0)), random.Random(1)
    record = batch.state().dtype.itemsize
    for wrong in (bytes(length), bytes(record), chance.randbytes(length), chance.randbytes(record)):
        with refused(BadSave, batch=batch):
            batch.restore(0, wrong)


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("all_fives", {"num_players": 2}),
        ("bergen", {"num_players": 2}),
        ("fours", {"num_players": 4}),
        ("block_draw", {"num_players": 3}),
        ("block_draw", {"num_players": 4}),
    ],
)
def test_the_save_of_another_game_is_a_bad_save(
    batch: Batch, variant: str, options: dict[str, Any]
) -> None:
    other = playing(variant, **options)
    with refused(BadSave, batch=batch):
        batch.restore(0, other.save(0))


def test_the_save_of_a_house_rule_is_a_bad_save(batch: Batch) -> None:
    for changes in ({"hand_size": 6}, {"target": 50}):
        house = domino_env.batch(domino_env.rules("block_draw", **changes), LANES, seed=3)
        house.reset()
        with refused(BadSave, batch=batch):
            batch.restore(0, house.save(0))


def test_a_save_with_calls_is_a_bad_save_where_there_are_none() -> None:
    automatic, explicit = playing("all_fives"), playing("all_fives", calls="explicit")
    with refused(BadSave, batch=automatic):
        automatic.restore(0, explicit.save(0))


@pytest.mark.parametrize(
    "change", [{"calls": "explicit"}, {"game": "fundomino"}, {"num_players": 3}]
)
def test_a_save_of_other_twists_calls_or_seats_is_a_bad_save(change: dict[str, Any]) -> None:
    batch = playing(TWISTED)
    options: dict[str, Any] = {"game": TWISTED, **change}
    other = playing(options.pop("game"), **options)
    with refused(BadSave, batch=batch):
        batch.restore(0, other.save(0))


@pytest.mark.parametrize("place", [0, 7, -1])
def test_a_save_with_a_byte_changed_is_a_bad_save(batch: Batch, place: int) -> None:
    wrong = bytearray(batch.save(0))
    wrong[place] ^= 1
    with refused(BadSave, batch=batch):
        batch.restore(0, bytes(wrong))


def test_a_deal_of_a_later_round_says_which() -> None:
    """Where each round has a double that is dealt, two rounds can have the same deal."""
    rules = domino_env.rules("mexican_train", middle_is_dealt=True, set="double_12")
    batch = domino_env.batch(rules, 1, 4, seed=3, episode="match")
    batch.reset()
    while batch.round_number(0) < 3:
        batch.step(batch.sample())
    dealt = batch.position()
    assert dealt.deal["round"] == 3
    again = domino_env.batch(rules, 1, 4, seed=1, episode="match")
    again.reset(options={"deal": dealt.deal})
    assert again.position().deal == dealt.deal
    assert again.round_number(0) == 3
    for number in (0, 14, True, "2"):
        with pytest.raises(BadDeal, match="from 1 to 13"):
            again.reset(options={"deal": {**dealt.deal, "round": number}})
    other = playing()
    with pytest.raises(BadDeal, match="leave 'round' out"):
        other.reset(options={"deal": {**other.position().deal, "round": 1}})
