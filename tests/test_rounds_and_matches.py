"""How rounds and matches go and end in a batch: points, draws, stops and calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.ruleset import Draw
from tests.small_deals import SMALL, deal, extra, play, small

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
