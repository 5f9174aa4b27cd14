"""`Batch` does what its manual says: small games, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Move, Tile, encode
from domino_env.batches import Batch
from domino_env.errors import BadAction, BadOption, IllegalMove
from domino_env.ruleset import TWISTS, Draw, Layout, Rules
from tests.picks import Picks

SMALL = domino_env.rules("block_draw", hand_size=2)
"""Block & Draw with two tiles each: a round of two or three moves."""

SIX_OPENS = [["6|6", "0|6"], ["1|6", "5|5"]]
"""Seat 0 opens with the 6|6. Seat 1 plays the 1|6, seat 0 the 0|6, and is out: 10 points."""


def deal(hands: list[list[Any]], starter: int | None = None, highest: int = 6) -> dict[str, Any]:
    """A deal of these hands; all other tiles are the boneyard, in the order of their numbers."""
    held = {tuple(map(int, tile.split("|"))) for hand in hands for tile in hand}
    tiles = [(low, high) for low in range(highest + 1) for high in range(low, highest + 1)]
    found: dict[str, Any] = {"hands": hands, "boneyard": [t for t in tiles if t not in held]}
    return found if starter is None else {**found, "starter": starter}


def action(batch: Batch, tile: str, end: int) -> int:
    """The legal action that plays a tile on an end of lane 0."""
    low, high = map(int, tile.split("|"))
    found = [
        number
        for number, move in zip(batch.position().legal_actions, batch.position().legal, strict=True)
        if move.tile == (low, high) and move.end == end
    ]
    assert len(found) == 1, f"{tile} on end {end} is {len(found)} moves\n{batch.position()}"
    return found[0]


def play(batch: Batch, *moves: tuple[str, int]) -> None:
    """Plays tiles on ends in lane 0, in turn; in a batch of one."""
    for tile, end in moves:
        batch.step([action(batch, tile, end)])


def extra(batch: Batch, kind: str) -> int:
    """The action that is not the play of a tile."""
    return encode(batch.rules, Move(kind), batch.calls)


def small(hands: list[list[Any]] = SIX_OPENS, rules: Rules = SMALL, **options: Any) -> Batch:
    """A batch of one with a deal, its opening laid."""
    batch = Batch(rules, 1, len(hands), **{"seed": 0, **options})
    batch.reset(options={"deal": deal(hands)})
    return batch


def openings(batch: Batch) -> list[str]:
    """The positions of all lanes as text, for comparing."""
    return [str(batch.position(lane)) for lane in range(batch.num_games)]


# Arrays ------------------------------------------------------------------------------------------


def test_arrays_have_the_shapes_and_types_of_the_manual() -> None:
    batch = domino_env.batch("block_draw", 5, 3, seed=0)
    assert batch.num_actions == 28 * 2 * 2
    assert (batch.observation.shape, batch.observation.dtype) == ((5, batch.num_features), "f4")
    assert (batch.mask.shape, batch.mask.dtype) == ((5, 112), np.int8)
    assert (batch.seat.shape, batch.seat.dtype) == ((5,), np.int16)
    assert (batch.reward.shape, batch.reward.dtype) == ((5, 3), np.float32)
    assert (batch.done.shape, batch.done.dtype) == ((5,), np.bool_)
    assert (batch.legal.shape[0], batch.legal.dtype) == (5, np.int16)
    assert batch.legal.shape[1] >= 112
    assert (batch.num_legal.shape, batch.num_legal.dtype) == ((5,), np.int32)
    assert (batch.num_games, batch.num_players) == (5, 3)
    assert batch.sample.__self__ is batch


def test_arrays_are_written_in_place() -> None:
    batch = domino_env.batch("block_draw", 4, seed=0)
    names = ("observation", "mask", "legal", "num_legal", "seat", "reward", "done")
    held = [getattr(batch, name) for name in names]
    batch.reset()
    first = batch.mask.copy()
    for _ in range(50):
        batch.step(batch.sample())
    batch.restore(1, batch.save(0))
    batch.reset()
    for name, array in zip(names, held, strict=True):
        assert getattr(batch, name) is array
    assert not np.array_equal(held[1], first)
    assert held[4].min() >= 0


def test_before_the_first_reset_nobody_is_to_move() -> None:
    batch = domino_env.batch("block_draw", 2, seed=0)
    assert batch.seat.tolist() == [-1, -1]
    assert not batch.mask.any()
    assert not batch.done.any()


def test_the_usual_number_of_players_is_the_first() -> None:
    assert domino_env.batch("block_draw", 1).num_players == 2
    assert domino_env.batch("fours", 1).num_players == 4


def test_a_batch_introduces_itself() -> None:
    batch = domino_env.batch("bergen", 4, 3)
    assert repr(batch) == (
        f"<Batch of 4 games of bergen, 3 players, 112 actions, {batch.num_features} features>"
    )


def test_mask_and_list_name_the_legal_moves() -> None:
    batch = small()
    expected = sorted([action(batch, "1|6", 0)])
    assert batch.seat.tolist() == [1]
    assert batch.mask[0].nonzero()[0].tolist() == expected
    assert batch.num_legal.tolist() == [1]
    assert batch.legal[0, :1].tolist() == expected
    assert expected == [encode(SMALL, Move("play", Tile(1, 6), 0, 1))]


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


# Sampling ----------------------------------------------------------------------------------------


def test_each_legal_move_is_as_likely() -> None:
    batch = Batch(domino_env.rules("block_draw", hand_size=4), 3000, 2, seed=1)
    hands = [["6|6", "0|0", "0|1", "0|2"], ["1|6", "2|6", "3|6", "1|1"]]
    batch.reset(options={"deal": deal(hands)})
    counts = np.unique(batch.sample(), return_counts=True)[1]
    assert len(counts) == 3
    assert abs(counts - 1000).max() < 5 * np.sqrt(3000 * 1 / 3 * 2 / 3)  # five deviations


def test_sampling_leaves_the_games_alone() -> None:
    one, two = (domino_env.batch("bergen", 3, seed=8) for _ in range(2))
    one.reset()
    two.reset()
    samples = [one.sample().tolist() for _ in range(20)]
    assert len({*map(tuple, samples)}) > 1
    one.reset()
    two.reset()
    assert openings(one) == openings(two)


def test_a_finished_lane_samples_minus_one() -> None:
    batch = small(autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.sample().tolist() == [-1]


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


# The end of a round ------------------------------------------------------------------------------


def test_a_round_ends_when_somebody_is_out() -> None:
    batch = small(autoreset=False, reward="points")
    play(batch, ("1|6", 0))
    assert batch.done.tolist() == [False]
    assert batch.reward.tolist() == [[0, 0]]
    play(batch, ("0|6", 1))
    position = batch.position()
    assert batch.done.tolist() == [True]
    assert batch.reward.tolist() == [[10, 0]]
    assert position.over
    assert (position.to_move, position.winners, position.scores) == (None, [0], [10, 0])
    assert position.hands == [[], [(5, 5)]]
    assert position.legal == []
    assert batch.seat.tolist() == [-1]
    assert not batch.mask.any()
    assert batch.num_legal.tolist() == [0]


def test_a_finished_game_is_shown_to_the_seat_that_finished_it() -> None:
    batch = small(autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.observation[0].tobytes() == batch.observe(0, 0).tobytes()


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("margin", [13 - 0, -6.5, -6.5]), ("points", [13, 0, 0]), ("win", [1, -1, -1])],
)
def test_rewards_are_margins_points_or_the_win(reward: str, expected: list[float]) -> None:
    hands = [["6|6", "0|6"], ["1|6", "5|5"], ["1|2", "0|3"]]
    batch = small(hands, reward=reward)
    play(batch, ("1|6", 0), ("1|2", 0))
    assert batch.reward.tolist() == [[0, 0, 0]]
    play(batch, ("0|6", 1))  # 10 in one hand and 3 in the other
    assert batch.reward.tolist() == [expected]


def test_a_blocked_round_goes_to_the_lowest_hand_less_its_own() -> None:
    rules = replace(SMALL, draw=Draw(forced="none"))
    batch = small([["6|6", "0|3"], ["1|6", "2|2"]], rules, reward="points", autoreset=False)
    play(batch, ("1|6", 0))
    assert batch.reward.tolist() == [[1, 0]]  # 4 less 3
    assert batch.position().winners == [0]


@pytest.mark.parametrize("reward", ["margin", "points", "win"])
def test_nobody_scores_a_blocked_round_whose_lowest_hand_is_shared(reward: str) -> None:
    rules = replace(SMALL, draw=Draw(forced="none"))
    batch = small([["6|6", "0|4"], ["1|6", "2|2"]], rules, reward=reward, autoreset=False)
    play(batch, ("1|6", 0))
    assert batch.done.tolist() == [True]
    assert batch.reward.tolist() == [[0, 0]]
    assert batch.position().winners == []


# Autoreset ---------------------------------------------------------------------------------------


def two_lanes(**options: Any) -> Batch:
    """A batch whose lane 0 ends with its second move; lane 1 goes on."""
    batch = Batch(SMALL, 2, 2, **{"seed": 0, **options})
    longer = [["6|6", "0|0"], ["1|6", "5|5"]]
    batch.reset(options={"deals": [deal(SIX_OPENS), deal(longer)]})
    batch.step([action(batch, "1|6", 0)] * 2)
    other = int(batch.sample()[1])
    batch.step([action(batch, "0|6", 1), other])
    return batch


def test_with_autoreset_a_finished_lane_shows_its_next_game() -> None:
    batch = two_lanes()
    position = batch.position(0)
    assert batch.done.tolist() == [True, False]
    assert batch.reward.tolist() == [[10, -10], [0, 0]]
    assert batch.seat[0] >= 0
    assert batch.mask[0].any()
    assert not position.over
    assert (position.round, position.scores) == (1, [0, 0])
    batch.step(batch.sample())
    assert not batch.done[0] or batch.position(0).deal != position.deal


def test_the_next_game_of_a_lane_is_of_its_own_chances() -> None:
    alone = small()
    play(alone, ("1|6", 0), ("0|6", 1))
    assert str(two_lanes().position(0)) == str(alone.position())


def test_without_autoreset_a_finished_lane_takes_minus_one_and_stays() -> None:
    batch = two_lanes(autoreset=False)
    assert batch.done.tolist() == [True, False]
    assert batch.reward.tolist() == [[10, -10], [0, 0]]
    assert batch.seat[0] == -1
    before = batch.save(0)
    assert batch.sample()[0] == -1
    batch.step(batch.sample())
    assert batch.save(0) == before
    assert batch.reward[0].tolist() == [0, 0]
    assert batch.seat[0] == -1
    assert not batch.mask[0].any()


def test_a_reset_begins_every_lane_anew() -> None:
    batch = two_lanes(autoreset=False)
    batch.reset()
    assert not batch.done.any()
    assert not batch.reward.any()
    assert (batch.seat >= 0).all()


# Matches -----------------------------------------------------------------------------------------


def test_a_match_goes_on_with_its_scores_until_the_target() -> None:
    rules = replace(SMALL, target=11)
    batch = small(rules=rules, episode="match", reward="points")
    play(batch, ("1|6", 0), ("0|6", 1))
    position = batch.position()
    assert batch.done.tolist() == [False]
    assert batch.reward.tolist() == [[10, 0]]
    assert (position.round, position.scores, position.over) == (2, [10, 0], False)
    assert position.deal != small().position().deal
    names = [field.name for field in batch.fields for _ in range(field.size)]
    mine = batch.observe(0, 0)
    assert mine[names.index("own.score")] == pytest.approx(10 / 11)
    assert mine[names.index("seat+1.score")] == 0
    assert mine[names.index("round")] == pytest.approx(1 / 10)


@pytest.mark.parametrize(("reward", "last"), [("points", [10, 0]), ("win", [1, -1])])
def test_a_match_ends_at_the_target(reward: str, last: list[float]) -> None:
    rules = replace(SMALL, target=10)
    batch = small(rules=rules, episode="match", reward=reward, autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.done.tolist() == [True]
    assert batch.reward.tolist() == [last]
    assert batch.position().winners == [0]


def test_a_round_won_is_no_win_of_the_match() -> None:
    batch = small(rules=replace(SMALL, target=11), episode="match", reward="win")
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.reward.tolist() == [[0, 0]]


def test_a_match_of_rounds_ends_after_the_last() -> None:
    batch = small(rules=replace(SMALL, target=None, rounds=1), episode="match", autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.done.tolist() == [True]
    assert batch.position().winners == [0]


def test_the_first_turn_of_a_match_goes_round() -> None:
    batch = domino_env.batch("yourturnmyturn", 1, seed=2, episode="match")
    batch.reset()
    starters = {}
    while not batch.done[0]:
        position = batch.position()
        starters[position.round] = position.deal["starter"]
        batch.step(batch.sample())
    assert starters == {1: 0, 2: 1, 3: 0, 4: 1}


def test_penalties_count_negative() -> None:
    batch = domino_env.batch("yourturnmyturn", 64, seed=0, reward="points", autoreset=False)
    batch.reset()
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    for lane in range(64):
        position = batch.position(lane)
        left = [sum(tile.pips for tile in hand) for hand in position.hands]
        out = [seat for seat, hand in enumerate(position.hands) if not hand]
        bonus = [5 if out and seat not in out else 0 for seat in (0, 1)]
        assert position.scores == [-pips - more for pips, more in zip(left, bonus, strict=True)]


# Draws, stops and calls --------------------------------------------------------------------------


def test_a_player_of_matador_may_draw_first_as_long_as_there_are_tiles() -> None:
    batch = domino_env.batch("matador", 1, seed=0)
    hands = [
        ["6|6", "0|0", "0|1", "0|2", "0|3", "0|4", "0|5"],
        ["1|6", "1|1", "1|2", "1|3", "1|4", "1|5", "2|2"],
    ]
    batch.reset(options={"deal": deal(hands)})
    draw, boneyard = extra(batch, "draw"), batch.position().boneyard
    assert batch.seat.tolist() == [1]
    for drawn in range(14):
        assert batch.mask[0, draw]
        batch.step([draw])
        position = batch.position()
        assert position.to_move == 1
        assert position.events[-1].tile == boneyard[drawn]
        assert boneyard[drawn] in position.hands[1]
        assert batch.reward.tolist() == [[0, 0]]
    assert batch.position().boneyard == []
    assert not batch.mask[0, draw]


def test_a_forced_draw_is_no_decision() -> None:
    hands = [["6|6", "0|1"], ["5|5", "4|4"]]
    batch = small(hands)  # seat 1 cannot follow the 6|6, and draws from 0|0, 0|2, 0|3 ...
    position = batch.position()
    assert position.to_move == 1
    drawn = [event.tile for event in position.events if event.kind == "draw"]
    assert drawn == [(0, 0), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6)]
    assert [str(move) for move in position.legal] == ["[0|6] by 6 → end 0"]


def test_a_turn_that_can_go_on_may_be_ended() -> None:
    batch = domino_env.batch("one_arm_joe", 1, 2, seed=0)
    batch.reset(options={"deal": deal([["6|6", "0|6", "0|0"], ["1|6", "5|5", "1|1"]])})
    assert batch.seat.tolist() == [0]  # the opening double gives its owner another tile
    batch.step([extra(batch, "end_turn")])
    assert batch.seat.tolist() == [1]
    assert not batch.mask[0, extra(batch, "end_turn")]
    assert str(batch.position().events[-1]) == "seat 0 ends the turn"


FIVE_OPENS = [["5|5", "0|1"], ["1|5", "0|0"], ["2|5", "3|3"]]
"""The opening of All Fives with a 5|5 makes ten."""


def calling(hands: list[list[Any]] = FIVE_OPENS, **options: Any) -> Batch:
    """All Fives with two tiles each."""
    return small(hands, domino_env.rules("all_fives", hand_size=2), **options)


def test_points_of_an_opening_come_with_the_first_step() -> None:
    batch = calling(reward="points")
    assert batch.position().scores == [10, 0, 0]
    assert batch.reward.tolist() == [[0, 0, 0]]
    assert batch.seat.tolist() == [1]
    play(batch, ("1|5", 0))  # a 1 and the double five: eleven
    assert batch.reward.tolist() == [[10, 0, 0]]


def test_an_opening_that_scores_is_called_by_its_owner_first() -> None:
    batch = calling(calls="explicit", reward="points")
    call, silent = extra(batch, "call"), extra(batch, "silent")
    position = batch.position()
    assert batch.seat.tolist() == [0]
    assert (position.claim, position.turn, position.scores) == (10, 0, [0, 0, 0])
    assert batch.mask[0].nonzero()[0].tolist() == [call, silent]
    batch.step([call])
    assert batch.reward.tolist() == [[10, 0, 0]]
    assert batch.seat.tolist() == [1]
    assert batch.position().claim == 0
    assert not batch.mask[0, [call, silent]].any()


def test_if_the_mover_is_silent_each_other_seat_may_call() -> None:
    batch = calling(calls="explicit")
    call, silent = extra(batch, "call"), extra(batch, "silent")
    batch.step([silent])
    assert batch.seat.tolist() == [1]
    batch.step([silent])
    assert batch.seat.tolist() == [2]
    assert batch.position().turn == 0
    batch.step([call])
    assert batch.reward.tolist() == [[-5, -5, 10]]
    assert batch.seat.tolist() == [1]
    kinds = [(event.kind, event.seat) for event in batch.position().events]
    assert kinds == [("play", 0), ("silent", 0), ("silent", 1), ("call", 2)]


def test_points_that_nobody_calls_are_lost() -> None:
    batch = calling(calls="explicit")
    for _ in range(3):
        batch.step([extra(batch, "silent")])
    assert batch.reward.tolist() == [[0, 0, 0]]
    assert batch.position().scores == [0, 0, 0]
    assert batch.seat.tolist() == [1]


def test_nothing_can_be_called_where_nothing_scores() -> None:
    batch = calling([["6|6", "0|1"], ["1|6", "0|0"]], calls="explicit")
    assert batch.seat.tolist() == [1]  # twelve is no multiple of five
    assert not batch.mask[0, extra(batch, "call")]
    play(batch, ("1|6", 0))  # thirteen
    assert batch.position().claim == 0


def test_only_a_batch_with_calls_has_the_actions() -> None:
    assert calling(calls="explicit").num_actions == calling().num_actions + 2


# Curved tiles, symbols, teams --------------------------------------------------------------------


def listed(
    hands: list[list[str]], boneyard: tuple[str, ...] = (), options: Any = None, **changes: Any
) -> Batch:
    """A batch of one game of Fundomino with these tiles and no others, its opening laid."""
    tiles = [*(tile for hand in hands for tile in hand), *boneyard]
    rules = domino_env.rules(
        "fundomino", tiles=tiles, players=(len(hands),), hand_size=len(hands[0]), **changes
    )
    batch = Batch(
        rules, 1, **{"seed": 0, "autoreset": False, "reward": "points", **(options or {})}
    )
    batch.reset(options={"deal": {"hands": hands, "boneyard": boneyard}})
    return batch


def put(batch: Batch, tile: str, end: int) -> None:
    """Plays a tile, written as in the list, on an end of lane 0 that it joins in one way."""
    moves = zip(batch.position().legal_actions, batch.position().legal, strict=True)
    found = [number for number, move in moves if str(move.tile) == tile and move.end == end]
    assert len(found) == 1, f"{tile} on end {end} is {len(found)} moves\n{batch.position()}"
    batch.step(found)


def answer(batch: Batch, word: str) -> None:
    """Answers a question in lane 0."""
    batch.step([extra(batch, word)])


TAKES = [["6|6", "1|2", "4|5"], ["+1|6", "2|2", "3|3"]]
"""Seat 0 opens with the 6|6. Seat 1 plays the +1|6, and as there is no boneyard seat 0 takes one of
its other two tiles."""


def test_the_tile_that_is_taken_is_picked_by_the_games_own_generator() -> None:
    taken = set()
    for seed in range(40):
        batch = listed(TAKES, options={"seed": seed})
        picks = Picks(int(batch.games["rng"][0]), [(2, 2), (3, 3)])
        put(batch, "+1|6", 0)
        event = batch.position().events[-1]
        assert (event.kind, event.seat, event.giver) == ("take", 0, 1)
        assert event.tile == picks(1, 0, [(2, 2), (3, 3)])
        assert event.tile in batch.position().hands[0]
        assert [len(hand) for hand in batch.position().hands] == [3, 1]
        taken.add(event.tile)
    assert taken == {(2, 2), (3, 3)}


def test_a_seed_takes_the_same_tile_again() -> None:
    batch = listed(TAKES)
    deal, taken = batch.position().deal, []
    for _ in range(2):
        for seed in range(20):
            batch.reset(seed=seed, options={"deal": deal})
            put(batch, "+1|6", 0)
            taken.append(batch.position().events[-1].tile)
    assert taken[:20] == taken[20:]
    assert len({*taken}) == 2


def test_a_saved_game_takes_the_same_tile_in_any_lane() -> None:
    batch = listed(TAKES)
    other = Batch(batch.rules, 3, seed=99, autoreset=False)
    other.reset()
    other.restore(2, batch.save(0))
    plus = int(batch.position().legal_actions[0])
    batch.step([plus])
    other.step([*other.sample()[:2], plus])
    assert other.position(2).events == batch.position().events
    assert batch.position().events[-1].kind == "take"


def test_a_player_whose_last_tile_is_taken_is_out() -> None:
    batch = listed([["6|6", "1|2"], ["+1|6", "3|3"]])
    put(batch, "+1|6", 0)
    position = batch.position()
    assert position.events[-1].tile == (3, 3)
    assert (position.over, position.finished, position.winners) == (True, [1], [1])
    assert batch.reward.tolist() == [[0, 40]]


def test_a_plus_draws_from_the_boneyard_as_long_as_there_is_one() -> None:
    batch = listed(TAKES, boneyard=("5|5", "3|4"))
    put(batch, "+1|6", 0)
    position = batch.position()
    assert [(e.kind, e.seat, e.tile) for e in position.events[1:]] == [
        ("play", 1, ("+1", 6)),
        ("draw", 0, (5, 5)),
    ]
    assert position.to_move == 0


def test_a_symbol_that_is_no_open_end_does_nothing() -> None:
    """The third tile closes a ring, and its arrow lies against the first one: no PLAY AGAIN (FN4).
    Nobody can play any more, and it is the next player who draws."""
    hands = [["6|6", ">6|5", "1|1"], ["5|6", "2|2", "3|3"]]
    batch = listed(hands, ("4|4", "1|2"), layout=Layout(tiles="curved"))
    put(batch, "5|6", 0)
    put(batch, ">6|5", 0)
    position = batch.position()
    assert position.ends == []
    assert [str(event) for event in position.events[3:]] == [
        "seat 1 draws [4|4]",
        "seat 1 draws [1|2]",
    ]
    assert position.over


QUESTIONED: dict[str, Any] = {"calls": "explicit", "episode": "match", "autoreset": True}


def test_a_game_can_be_saved_in_the_middle_of_any_question() -> None:
    rules = domino_env.rules("fundomino", **dict.fromkeys(TWISTS, True))
    batch = domino_env.batch(rules, 64, 4, seed=2, **QUESTIONED)
    other = domino_env.batch(rules, 64, 4, seed=3, **QUESTIONED)
    batch.reset()
    other.reset()
    met: set[str | None] = set()
    for _ in range(150):
        met |= {batch.position(lane).question for lane in range(64)}
        for lane in range(64):
            other.restore(63 - lane, batch.save(lane))
        assert other.seat.tolist() == batch.seat.tolist()[::-1]
        assert other.mask.tobytes() == batch.mask[::-1].tobytes()
        assert other.observation.tobytes() == batch.observation[::-1].tobytes()
        actions = batch.sample()
        batch.step(actions)
        other.step(actions[::-1])
        assert other.reward.tobytes() == batch.reward[::-1].tobytes()
    assert met == {None, "points", "domino", "direction", "reverse", "raise", "accept"}


TEAM_OUT = [["6|6", "0|6"], ["1|6", "5|5"], ["4|4", "3|4"], ["2|2", "3|3"]]
"""Seat 0 opens; seat 1 plays the 1|6; 2 and 3 pass; seat 0 is out. Its opponents hold 20."""


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("margin", [20, -20, 20, -20]), ("points", [20, 0, 20, 0]), ("win", [1, -1, 1, -1])],
)
def test_both_members_of_a_team_are_rewarded_alike(reward: str, expected: list[float]) -> None:
    rules = domino_env.rules("bendomino_teams", hand_size=2)
    batch = small(TEAM_OUT, rules, reward=reward, autoreset=False)
    play(batch, ("1|6", 0))
    assert batch.reward.tolist() == [[0, 0, 0, 0]]
    assert batch.seat.tolist() == [0]
    play(batch, ("0|6", 1))
    assert batch.reward.tolist() == [expected]
    assert (batch.position().winners, batch.position().scores) == ([0, 2], [20, 0, 20, 0])


@pytest.mark.parametrize(
    ("reward", "expected"), [("margin", [0, 0]), ("points", [40, 40]), ("win", [1, 1])]
)
def test_who_shares_the_first_place_has_won(reward: str, expected: list[float]) -> None:
    """Nothing joins a 6 or a 5 any more, there is no boneyard, and both hold three pips."""
    batch = listed([["6|6", "1|2"], ["5|6", "0|3"]], options={"reward": reward})
    put(batch, "5|6", 0)
    assert batch.reward.tolist() == [expected]
    assert batch.position().winners == [0, 1]


@pytest.mark.parametrize(
    ("reward", "expected"), [("margin", [0] * 4), ("points", [30] * 4), ("win", [0] * 4)]
)
def test_teams_whose_places_are_worth_the_same_draw(reward: str, expected: list[float]) -> None:
    """Blocked, with 1 and 15 pips in one team, and 2 and 6 in the other: 30 and 0, 20 and 10."""
    hands = [["6|6", "0|1"], ["5|6", "0|2"], ["4|4", "3|4"], ["1|1", "1|3"]]
    batch = listed(
        hands,
        options={"reward": reward},
        teams=True,
        scoring=domino_env.rules("fundomino_team_play").scoring,
    )
    answer(batch, "clockwise")
    put(batch, "5|6", 0)
    assert batch.reward.tolist() == [expected]
    assert batch.position().winners == []


RAISING = [["2|2", "1|2"], ["2|5", "1|1"]]
"""Seat 0 opens with the double 2, and may raise the stakes."""


def test_raised_stakes_that_are_accepted_count_the_round_twice() -> None:
    batch = listed(RAISING, double_stakes=True)
    assert (batch.position().question, batch.seat.tolist()) == ("raise", [0])
    answer(batch, "raise")
    assert (batch.position().question, batch.seat.tolist()) == ("accept", [1])
    assert batch.position().stakes == 1
    answer(batch, "accept")
    assert batch.position().stakes == 2
    put(batch, "2|5", 0)
    put(batch, "1|2", 1)
    assert batch.reward.tolist() == [[80, 0]]


def test_refused_stakes_end_the_round_at_single_stakes() -> None:
    batch = listed(RAISING, double_stakes=True)
    answer(batch, "raise")
    answer(batch, "refuse")
    assert batch.done.tolist() == [True]
    assert batch.reward.tolist() == [[40, 0]]  # 3 pips are fewer than 9
    assert (batch.position().stakes, batch.position().winners) == (1, [0])


def test_a_perfect_ten_of_an_opening_is_paid_with_the_first_step() -> None:
    batch = listed([["5|5", "3|1"], ["3|5", "1|1"]], perfect_ten=True)
    assert batch.position().scores == [10, 0]
    put(batch, "3|5", 0)
    assert batch.reward.tolist() == [[10, 0]]
    assert batch.done.tolist() == [False]


def test_a_perfect_ten_can_be_called_by_another_seat() -> None:
    batch = listed(
        [["5|5", "3|1"], ["3|5", "1|1"]], perfect_ten=True, options={"calls": "explicit"}
    )
    assert (batch.position().question, batch.position().claim) == ("points", 10)
    answer(batch, "silent")
    assert batch.seat.tolist() == [1]
    answer(batch, "call")
    assert batch.reward.tolist() == [[0, 10]]
    assert (batch.position().question, batch.seat.tolist()) == ("domino", [0])


def test_who_forgets_to_say_domino_draws_if_another_notices() -> None:
    hands = [["6|6", "1|2", "1|1"], ["5|6", "5|5", "3|3"]]
    batch = listed([hand[:2] for hand in hands], ("4|4", "1|1", "3|3"), {"calls": "explicit"})
    assert batch.position().question == "domino"  # an opening is a play of its owner, too
    answer(batch, "silent")
    assert batch.seat.tolist() == [1]
    answer(batch, "call")
    position = batch.position()
    assert [str(event) for event in position.events[1:]] == [
        "seat 0 keeps silent",
        "seat 1 calls",
        "seat 0 draws [4|4]",
    ]
    assert (position.to_move, position.hands[0]) == (1, [(1, 2), (4, 4)])


# Copies ------------------------------------------------------------------------------------------


def test_a_clone_goes_its_own_way() -> None:
    batch = small()
    twin = batch.clone()
    play(twin, ("1|6", 0))
    assert batch.position().played == [((6, 6), 0)]
    assert str(batch.position()) == str(small().position())
    play(batch, ("1|6", 0))
    assert twin.save(0) == batch.save(0)
    assert twin.observation.tobytes() == batch.observation.tobytes()


def test_a_clone_before_the_first_reset_is_a_batch_of_the_same_seed() -> None:
    batch = domino_env.batch("bergen", 2, seed=8)
    twin = batch.clone()
    batch.reset()
    twin.reset()
    assert openings(batch) == openings(twin)


def test_a_clone_keeps_all_options() -> None:
    batch = domino_env.batch(
        "all_fives", 2, 3, 5, 2, episode="match", reward="win", calls="explicit", autoreset=False
    )
    twin = batch.clone()
    assert (twin.setup, twin.num_games, twin.threads) == (batch.setup, 2, 2)
    assert twin.autoreset is False


def test_a_save_takes_a_game_back() -> None:
    batch = small()
    saved, seen = batch.save(0), batch.observation.copy()
    play(batch, ("1|6", 0), ("0|6", 1))
    batch.restore(0, saved)
    assert batch.save(0) == saved
    assert batch.observation.tobytes() == seen.tobytes()
    assert batch.done.tolist() == [False]
    assert batch.reward.tolist() == [[0, 0]]
    play(batch, ("1|6", 0), ("0|6", 1))
    assert batch.reward.tolist() == [[10, -10]]


def test_a_save_of_a_finished_game_is_a_finished_game() -> None:
    batch = small(autoreset=False)
    play(batch, ("1|6", 0), ("0|6", 1))
    saved = batch.save(0)
    batch.reset()
    batch.restore(0, saved)
    assert batch.seat.tolist() == [-1]
    assert batch.done.tolist() == [True]
    assert batch.position().winners == [0]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_save_goes_into_any_batch_of_the_same_rules_and_seats(kind: type[Any]) -> None:
    batch, other = small(), Batch(SMALL, 3, 2, seed=7, reward="win", threads=2)
    other.reset()
    other.restore(2, kind(batch.save(0)))
    assert str(other.position(2)) == str(batch.position())
    assert other.save(2) == batch.save(0)


def test_copies_of_the_state_are_equal_to_the_last_byte() -> None:
    """Also where the record has gaps: what lay in memory before must not show."""
    batch = domino_env.batch("block_draw", 3, seed=0)
    batch.reset()
    copies = []
    for filling in (90, 17):
        litter = np.full(batch.state().nbytes, filling, np.uint8)
        del litter
        copies.append(batch.state().tobytes())
    assert copies[0] == copies[1]


def test_a_copy_of_the_state_is_nobodys_state() -> None:
    batch = small()
    copy = batch.state()
    copy["hands"] = 0
    assert batch.position().hands == small().position().hands


# Looking -----------------------------------------------------------------------------------------


def test_a_position_is_a_snapshot() -> None:
    batch = small()
    position = batch.position()
    text = str(position)
    play(batch, ("1|6", 0))
    assert str(position) == text
    assert position.events != batch.position().events


def test_a_position_reads_as_a_table() -> None:
    batch = small()
    lines = str(batch.position()).splitlines()
    assert lines[0] == "Block & Draw, round 1"
    assert lines[2].split() == ["→", "seat", "1", "0", "points", "[1|6]", "[5|5]"]
    assert lines[-1].split("legal")[1].strip() == "[1|6] by 6 → end 0"


def test_any_seat_can_look_at_any_time() -> None:
    batch = small()
    start = next(
        sum(field.size for field in batch.fields[:number])
        for number, field in enumerate(batch.fields)
        if field.name == "hand"
    )
    for seat, hand in enumerate(batch.position().hands):
        held = batch.observe(0, seat)[start : start + 28].nonzero()[0].tolist()
        assert [tile for tile, _ in zip(held, hand, strict=True)] == [
            low * 7 - low * (low - 1) // 2 + high - low for low, high in hand
        ]
    assert batch.observe(0, 1).tobytes() == batch.observation[0].tobytes()


def test_what_is_observed_is_a_copy() -> None:
    batch = small()
    batch.observe(0, 1)[:] = 7
    assert batch.observation.max() <= 1


# Some lanes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["five_up", "fundomino", "solitaire"])
def test_a_step_of_some_lanes_leaves_the_others_as_they_are(variant: str) -> None:
    batch, alone = (domino_env.batch(variant, 8, seed=4) for _ in range(2))
    batch.reset()
    alone.reset()
    some = np.array([6, 1, 3])
    others = np.setdiff1d(np.arange(8), some)
    kept = [batch.save(lane) for lane in others]
    for _ in range(30):
        actions = batch.sample_some(some)
        batch.step(actions, some)
        taken = alone.sample()
        taken[some] = actions
        alone.step(taken)
        for lane in some:
            assert batch.save(lane) == alone.save(lane)
            assert np.array_equal(batch.observation[lane], alone.observation[lane])
            assert np.array_equal(batch.reward[lane], alone.reward[lane])
        assert [batch.save(lane) for lane in others] == kept
        assert not batch.reward[others].any()


def test_some_lanes_that_are_none_are_refused_and_nothing_has_changed() -> None:
    batch = domino_env.batch("block_draw", 4, seed=0)
    batch.reset()
    before = batch.state().tobytes()
    legal = batch.legal[:, 0].astype(np.int64)
    for lanes in ([4], [-1], ["a"], [0.5], [[0]]):
        with pytest.raises(BadOption, match="lanes are"):
            batch.step(legal[:1], lanes)  # type: ignore[arg-type]
    for actions in (legal, legal[:1], [0.5, 0.5], [-2, -2]):
        with pytest.raises(BadAction):
            batch.step(actions, np.array([1, 2]))
    with pytest.raises(BadAction):
        batch.step([-2] * 4)  # holding is not an action
    with pytest.raises(IllegalMove, match="lane 2"):
        batch.step([legal[1], int(np.argmin(batch.mask[2]))], np.array([1, 2]))
    assert batch.state().tobytes() == before


def test_lanes_can_be_restarted_and_observed_together() -> None:
    batch, twin = (domino_env.batch("matador", 6, seed=3, autoreset=False) for _ in range(2))
    batch.reset()
    twin.reset()
    lanes, seats = np.array([5, 0, 2]), np.array([0, 1, 1])
    seen = batch.observe_some(lanes, seats)
    for place in range(3):
        assert np.array_equal(seen[place], batch.observe(int(lanes[place]), int(seats[place])))
    batch.restart(lanes)
    for lane in lanes.tolist():
        twin.restart(lane)
    assert batch.state().tobytes() == twin.state().tobytes()
    batch.restart(np.array([], np.int64))
    assert batch.state().tobytes() == twin.state().tobytes()


def test_a_deal_given_in_the_middle_of_a_match_begins_with_nothing_banked() -> None:
    """The bonus of a round goes to who scored most in it (BN6), whatever was played before."""
    fresh, used = (
        domino_env.batch("bendomino_all_five", 1, 2, seed=0, episode="match", autoreset=False)
        for _ in range(2)
    )
    used.reset()
    while used.position(0).round < 4:
        used.step(used.sample())
    deal = np.random.default_rng(1).permutation(28).tolist()
    for batch in (fresh, used):
        batch.reset(options={"deal": deal})
    assert used.games["banked"][0].tolist() == fresh.games["banked"][0].tolist()
    while not fresh.done[0] and fresh.position(0).round == 1:
        assert str(used.position(0)) == str(fresh.position(0))
        action = int(fresh.legal[0, 0])
        for batch in (fresh, used):
            batch.step([action])
        assert used.reward.tolist() == fresh.reward.tolist()
