"""Values of moves: means over worlds, exact where all worlds are listed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.optimal import Optimal
from domino_env.errors import BadOption
from domino_env.evaluate import play_episodes, values_of
from domino_env.evaluate.move_values import _Worlds
from domino_env.evaluate.paired_gains import PairedGains

MINI = {"set": "double_3", "players": (2,), "hand_size": 3}


def decision(game: Any, seed: int, moves: int = 2) -> Any:
    """A game at its first decision after some random moves."""
    batch = domino_env.batch(game, 1, seed=seed, autoreset=False)
    batch.reset()
    while moves > 0 or batch._num_legal[0] < 2:
        batch.step(batch.sample())
        moves -= 1
        if batch.seat[0] < 0:
            return decision(game, seed + 1000, 0)
    return batch


def by_playing(batch: Any, action: int, worlds: int) -> tuple[float, float]:
    """The mean margin after a move, and its standard error: by playing worlds on, as anybody may,
    with the agent `heuristic`."""
    seat = int(batch.seat[0])
    some = belief.sample(batch, 0, seat, worlds, seed=99)
    some.step(np.full(worlds, action))
    gained = some.reward[:, seat].copy()
    players = [agents.make("heuristic")] * batch.num_players
    gained += play_episodes(some, players)[:, seat]
    return float(gained.mean()), float(gained.std()) / worlds**0.5


@pytest.mark.parametrize("game", ["block_draw", "fives_and_threes", "kozel", "mexican_train"])
def test_a_value_is_the_mean_margin_of_worlds_that_are_played_on(game: str) -> None:
    batch = decision(game, 5, 4)
    found = values_of(batch, within=0.4)
    assert sorted(move.action for move in found) == sorted(batch._legal_of(0))
    assert found[0].error == 0.0
    assert found[1].error <= 0.4
    for move in found[:3]:
        mean, error = by_playing(batch, move.action, 4000)
        assert abs(mean - move.value) < 4.5 * (error**2 + 0.4**2 + move.error**2) ** 0.5


def test_with_a_mini_set_values_are_exact() -> None:
    compared = 0
    for seed in range(6):
        batch = decision(domino_env.rules("block_draw", **MINI), seed)
        found = values_of(batch, seed=1)
        assert found == values_of(batch, seed=2), "no luck is left"
        for move in found:
            assert move.error == 0.0
            mean, error = by_playing(batch, move.action, 3000)
            assert abs(mean - move.value) <= 4.5 * error + 1e-9
            compared += 1
    assert compared > 12


def deals(games: Any) -> list[str]:
    """Who holds what, and how the tiles of the deal lie."""
    return [f"{game['hands'].tolist()} {game['deck'].tolist()}" for game in games]


@pytest.mark.parametrize("game", ["block_draw", "all_fives", "blind"])
def test_all_worlds_are_listed_once_and_are_equally_likely(game: str) -> None:
    rules, tried = domino_env.rules(game, **MINI), 0
    for seed in range(40):
        batch = decision(rules, seed, 1 + seed % 6)
        worlds = _Worlds(batch, 0, 0)._listed()
        if worlds is None or len(worlds) < 4 or tried == 3:
            continue
        listed = deals(worlds)
        sampled = belief.sample(batch, 0, int(batch.seat[0]), 40_000, seed=4)
        counts = Counter(deals(sampled._games))
        assert sorted(counts) == sorted(listed)
        mean, free = 40_000 / len(listed), len(listed) - 1
        spread = sum((count - mean) ** 2 / mean for count in counts.values())
        assert abs(spread - free) < 5 * (2 * free) ** 0.5
        tried += 1
    assert tried == 3


def test_many_worlds_are_not_listed() -> None:
    assert _Worlds(decision("block_draw", 1), 0, 0)._listed() is None


def test_knock_out_is_solved() -> None:
    batch = decision("knock_out", 4)
    found = [(move.action, move.value) for move in values_of(batch)]
    assert found == Optimal().weigh(batch, 0)


def test_moves_of_columns_are_told_apart_by_playouts() -> None:
    batch = decision("solitaire", 2)
    before = batch.save(0)
    found = values_of(batch, within=0.3)
    assert batch.save(0) == before
    assert sorted(move.action for move in found) == sorted(batch._legal_of(0))
    assert found[1].error <= 0.3
    again = values_of(batch, within=0.3, seed=7)
    assert abs(found[0].value - again[0].value) < 1.0


def test_what_cannot_be_valued_is_said() -> None:
    batch = domino_env.batch("elimination", 1, seed=0)
    batch.reset()
    with pytest.raises(BadOption, match="no moves to choose from"):
        values_of(batch)
    assert values_of(decision("dominican", 1), within=0.001, most=2000) == []


def test_gains_are_compared_on_the_worlds_that_both_moves_were_tried_in() -> None:
    gains = PairedGains(3)
    stats = gains.new_stats()
    stats.gained[:] = [40, 20, -400]  # in four worlds: 10 each; 5 each; -100 each
    stats.squares[1, 0], stats.squares[2, 0], stats.squares[2, 1] = 120, 48_500, 44_200
    gains.add(stats, 4)
    gains.let_go()
    assert gains.left.tolist() == [True, True, False]
    assert gains.errors()[1] == pytest.approx(((120 / 4 - 25) / 3) ** 0.5)
    stats = gains.new_stats()
    stats.gained[:2], stats.squares[1, 0] = [0, 20], 100
    gains.add(stats, 4)
    assert gains.best == 0
    assert gains.values().tolist() == [5.0, 5.0, 5.0 - 110.0]
    assert gains.still_to_try(0.1) > 8
    assert gains.still_to_try(10.0) == 0
