"""Mechanisms of the world's games as house rules of others: who leads later rounds, scores that are
wiped out or too small, bonuses, tiles left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.errors import BadDeal

Before = dict[str, Any]


def rounds(game: str, steps: int = 600, lanes: int = 32, **changes: Any) -> Iterator[Any]:
    """The records of matches as a round begins, beside what they were when the one before was
    decided by its last move."""
    rules = domino_env.rules(game, **changes)
    match = Batch(rules, lanes, seed=3, episode="match", autoreset=False)
    single = Batch(rules, 1, match.num_players, episode="round", autoreset=False)
    match.reset()
    single.reset()
    for _ in range(steps):
        actions, before, logs = match.sample(), match.games.copy(), match.events.copy()
        match.step(actions)
        for lane in range(lanes):
            if match.games["round_number"][lane] > before["round_number"][lane]:
                single._games[0], single._logs[0] = before[lane], logs[lane]
                single._show(0)
                single.step([actions[lane]])  # the round's end, before the next is dealt
                yield single.games[0].copy(), match.games[lane].copy()


@pytest.mark.parametrize("game", ["block_draw", "five_up", "bendomino", "fundomino"])
def test_the_winner_leads_with_any_tile(game: str) -> None:
    """After a round that nobody has won the next seat does."""
    led = drawn = 0
    opening = {"later": "winner", "after_draw": "next_seat"}
    for ended, begun in rounds(game, opening=opening, target=10_000, exact=False):
        if ended["round_winner"] >= 0:
            assert begun["starter"] == ended["round_winner"]
            led += 1
        else:
            assert begun["starter"] == (ended["starter"] + 1) % 2
            drawn += 1
        assert begun["to_move"] == begun["starter"]
        assert begun["opener"] < 0
    assert led > 20
    assert drawn or game in ("fundomino", "five_up")


@pytest.mark.parametrize(("later", "steps"), [("next_seat", 1), ("same_seat", 0)])
def test_the_lead_goes_on_or_stays(later: str, steps: int) -> None:
    opening = {"later": later, "after_draw": later}
    for ended, begun in rounds("block_draw", opening=opening, players=(3,), target=10_000):
        assert begun["starter"] == (ended["starter"] + steps) % 3


def test_a_drawn_round_is_followed_by_one_that_begins_as_the_first() -> None:
    found = [
        begun
        for ended, begun in rounds("jamaican_partner", steps=1500)
        if ended["round_winner"] < 0
    ]
    assert found
    for begun in found:
        six = domino_env.rules("jamaican_partner").tile_set.number(6, 6)
        assert begun["opener"] == six


def test_scores_are_wiped_out_and_rewards_are_not() -> None:
    rules = domino_env.rules("jamaican_partner")
    batch = Batch(rules, 64, seed=1, episode="match", reward="points", autoreset=False)
    batch.reset()
    wiped = 0
    for _ in range(800):
        scores = batch.games["scores"][:, :4].copy()
        batch.step(batch.sample())
        now = batch.games["scores"][:, :4]
        assert (batch.reward >= 0).all()
        gone = (now < scores).any(1)
        wiped += int(gone.sum())
        assert (now[gone] == 0).all()
        assert ((batch.reward[gone] > 0).sum(1) == 2).all()
        assert not ((now[:, 0] > 0) & (now[:, 1] > 0)).any()
    assert wiped > 50


def test_a_match_that_is_cut_off_is_drawn() -> None:
    tally = {"wiped": "by_a_win", "cut_off": 3}
    rules = domino_env.rules("block_draw", target=100_000, tally=tally)
    batch = Batch(rules, 16, seed=1, episode="match", reward="win", autoreset=False)
    batch.reset()
    earned = np.zeros_like(batch.reward)
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
        earned += batch.reward
    assert (batch.games["round_number"] == 3).all()
    assert not earned.any()


def test_a_small_first_score_is_lost_though_the_round_is_won() -> None:
    lost = 0
    opening = {"later": "winner"}
    for ended, begun in rounds("block_draw", opening=opening, tally={"least_first": 9}, target=500):
        nothing = ended["round_winner"] >= 0 and begun["banked"][ended["round_winner"]] == 0
        lost += bool(nothing)  # a single round pays it: KZ4 is of matches
        positive = begun["scores"][:2][begun["scores"][:2] > 0]
        assert (positive >= 9).all()
    assert lost > 5


def test_a_pass_and_the_last_tile_can_earn_in_any_game() -> None:
    bonuses = {"round_pass": 7, "fits_both_ends": 3}
    usual = Batch("block_draw", 500, 4, seed=2, reward="points", autoreset=False)
    house = domino_env.rules("block_draw", bonuses=bonuses)
    paid = Batch(house, 500, 4, seed=2, reward="points", autoreset=False)
    more = np.zeros(500)
    for batch, sign in ((usual, -1), (paid, 1)):
        batch.reset()
        while (batch.seat >= 0).any():
            batch.step(batch.sample())
            more += sign * batch.reward.sum(1)
    assert {*more.tolist()} >= {0.0, 3.0, 7.0}
    assert (more >= 0).all()


def test_a_tile_that_is_left_out_is_in_no_hand_and_in_no_deal() -> None:
    house: Any = domino_env.rules("block_draw", left_out=((2, "6|6"), (3, "0|0")))
    for players, tile in ((2, (6, 6)), (3, (0, 0))):
        batch = Batch(house, 50, players, seed=1, autoreset=False)
        batch.reset()
        while (batch.seat >= 0).any():
            batch.step(batch.sample())
        for lane in range(50):
            position = batch.position(lane)
            held = [each for hand in position.hands for each in hand]
            dealt = [*held, *position.boneyard, *(each for each, _ in position.played)]
            assert len(dealt) == 27
            assert tile not in dealt
    batch = Batch(house, 1, 2)
    order = [tile for tile in house.tile_set.faces if tile != (6, 6)]
    batch.reset(options={"deal": order})
    with pytest.raises(BadDeal, match="left out with 2 players"):
        batch.reset(options={"deal": [(6, 6), *order[:-1]]})


def test_one_spinner_in_a_game_of_fives() -> None:
    house = domino_env.rules("all_fives", layout={"doubles": "first_spinner"})
    batch = Batch(house, 64, seed=1, autoreset=False)
    batch.reset()
    most = 0
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
        most = max(most, int(batch.games["num_ends"].max()))
    assert most == 4


def test_a_starter_that_is_named_leads_freely_where_later_rounds_are_led() -> None:
    rules: Any = domino_env.rules("dominican")
    tiles = list(rules.tile_set.faces)
    hands = [tiles[seat * 7 : seat * 7 + 7] for seat in range(4)]
    batch = Batch(rules, 1)
    batch.reset(options={"deal": {"hands": hands, "starter": 2}})
    assert (batch.seat[0], batch.num_legal[0]) == (2, 7)
    with pytest.raises(BadDeal, match="leave 'starter' out"):
        Batch("bendomino_teams", 1).reset(options={"deal": {"hands": hands, "starter": 2}})
