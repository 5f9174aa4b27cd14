"""Players of one-player games: the exact solver against a search of all orders of play, and the
planner of Solitaire, which may not look at what lies face down."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.agents.optimal import best_removal, best_removals
from domino_env.errors import BadOption
from domino_env.evaluate.rollout import play_episodes
from domino_env.evaluate.solo_scores import pairs, score

Row = tuple[tuple[int, int], ...]


@cache
def searched(row: Row) -> int:
    """The most that can be knocked out, by trying everything."""
    best = 0
    for at in range(len(row) - 1):
        if row[at][1] == row[at + 1][0]:
            best = max(best, 2 + searched(row[:at] + row[at + 2 :]))
    return best


# Knock-Out ---------------------------------------------------------------------------------------


def test_the_solver_is_right_about_every_row_of_up_to_five_tiles_with_two_numbers() -> None:
    kinds = [(0, 0), (0, 1), (1, 0), (1, 1)]
    for length in range(6):
        for row in product(kinds, repeat=length):
            assert best_removal(row) == searched(row)


@pytest.mark.parametrize("numbers", [2, 3, 4, 7])
def test_the_solver_is_right_about_longer_rows(numbers: int) -> None:
    chance = random.Random(numbers)
    removed = 0
    for _ in range(300):
        length = chance.randrange(6, 13)
        row = tuple((chance.randrange(numbers), chance.randrange(numbers)) for _ in range(length))
        assert best_removal(row) == searched(row)
        removed += best_removal(row)
    assert removed > 500


def test_the_solver_is_right_about_whole_deals_and_its_player_gets_as_much() -> None:
    batch = domino_env.batch("knock_out", 400, seed=3, autoreset=False)
    batch.reset()
    most = best_removals(batch)
    for lane in range(400):
        assert most[lane] == searched(tuple(batch.position(lane).row))
    points = play_episodes(batch, [agents.make("optimal")])[:, 0]
    assert np.array_equal(points, most)
    assert not best_removals(batch).any()  # what is left of each row has no pair
    assert len({*most.tolist()}) > 5


def test_nobody_gets_more_than_the_solver_and_a_random_player_gets_less() -> None:
    batch = domino_env.batch("knock_out", 2000, seed=4, autoreset=False)
    batch.reset()
    most = best_removals(batch)
    points = play_episodes(batch, [agents.make("random", seed=0)])[:, 0]
    assert (points <= most).all()
    assert (points < most).any()


def test_a_row_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadOption, match="28"):
        best_removal([(0, 0)] * 29)


# Solitaire ---------------------------------------------------------------------------------------


def with_other_hidden_tiles(batch: domino_env.Batch, lane: int, seed: int) -> bytes:
    """The game of a lane with its face-down tiles shuffled and turned at random, saved."""
    game = batch.games[lane].copy()
    hidden = [
        (column, place)
        for column in range(7)
        for place in range(game["height"][column] - game["face_up"][column])
    ]
    tiles = [int(game["column"][spot]) for spot in hidden]
    chance = random.Random(seed)
    chance.shuffle(tiles)
    for (column, place), tile in zip(hidden, tiles, strict=True):
        game["column"][column, place] = tile
        game["column_of"][tile], game["depth_of"][tile] = column, place
        if chance.random() < 0.5:
            first, second = int(game["first"][tile]), int(game["second"][tile])
            game["first"][tile], game["second"][tile] = second, first
    twin = batch.clone()
    twin._games[lane] = game
    return twin.save(lane)


@pytest.mark.parametrize("name", ["determinised", "turn_first"])
def test_a_player_of_solitaire_does_not_look_at_what_lies_face_down(name: str) -> None:
    batch = domino_env.batch("solitaire", 64, seed=2)
    batch.reset()
    lanes, other = np.arange(64), 0
    for step in range(0, 25, 2):
        chosen = agents.make(name, seed=step).act(batch, lanes)
        twin = batch.clone()
        for lane in range(64):
            twin.restore(lane, with_other_hidden_tiles(batch, lane, step))
        other += sum(twin.save(lane) != batch.save(lane) for lane in range(64))
        assert agents.make(name, seed=step).act(twin, lanes).tolist() == chosen.tolist()
        batch.step(chosen)
    assert other > 500


def test_a_move_that_turns_a_tile_is_made_by_turn_first() -> None:
    batch = domino_env.batch("solitaire", 200, seed=6)
    batch.reset()
    turned = 0
    for _ in range(30):
        before = batch.state()
        chosen = agents.make("turn_first", seed=1).act(batch, np.arange(200))
        can_turn = [may_turn(batch, lane) for lane in range(200)]
        batch.step(chosen)
        for lane in np.flatnonzero(can_turn):
            if not batch.done[lane]:
                down = (before[lane]["height"] - before[lane]["face_up"]).sum()
                now = (batch.games[lane]["height"] - batch.games[lane]["face_up"]).sum()
                assert now == down - 1
                turned += 1
    assert turned > 1000


def may_turn(batch: domino_env.Batch, lane: int) -> bool:
    """Is there a move that turns a tile up?"""
    position = batch.position(lane)
    bases = {
        tuple(sorted(column[-up]))
        for column, up in zip(position.columns, position.face_up, strict=True)
        if 0 < up < len(column)
    }
    return any(move.tile and tuple(sorted(move.tile)) in bases for move in position.legal)


def test_the_planner_empties_more_columns_than_who_stops_at_once() -> None:
    batch = domino_env.batch("solitaire", 300, seed=7, autoreset=False, reward="points")
    batch.reset()
    points = play_episodes(batch, [agents.make("determinised", worlds=1, seed=0)])[:, 0]
    won = batch.games["won"] > 0
    assert won.sum() > 60
    assert points[won].mean() > 22.5
    assert (points[~won] <= 21).all()


@pytest.mark.parametrize(
    "options", [{"worlds": 0}, {"depth": 1.5}, {"arrangements": "many"}, {"worlds": 10**6}]
)
def test_wrong_options_of_the_planner_are_named(options: dict[str, object]) -> None:
    (name,) = options
    with pytest.raises(BadOption, match=f"{name} must be"):
        agents.make("determinised", **options)


# Scores ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_search_is_ahead_of_greed_and_greed_of_chance() -> None:
    by_search, by_greed, by_chance = (
        score("solitaire", name, 800) for name in ("determinised", "turn_first", "random")
    )
    assert by_search.points > by_greed.points + 0.4
    assert by_greed.won > by_chance.won + by_greed.won_within + by_chance.won_within


def test_a_score_is_the_mean_of_its_deals_and_the_same_every_time() -> None:
    found = score("elimination", "random", 700, seed=5)
    assert found == score("elimination", "random", 700, seed=5)
    batch = domino_env.batch("elimination", 700, seed=5, autoreset=False, reward="points")
    batch.reset()
    points = play_episodes(batch, [agents.make("random")])[:, 0]
    assert found.points == pytest.approx(points.mean())
    assert found.points_within == pytest.approx(1.96 * points.std(ddof=1) / 700**0.5)
    assert found.won == pytest.approx((points == 28).mean())


def test_every_one_player_game_and_its_players_are_scored() -> None:
    assert ("knock_out", "optimal") in pairs()
    assert {game for game, _ in pairs()} == {*domino_env.variants(num_players=1)}
    assert pairs(["determ"]) == [("solitaire", "determinised")]


def test_the_solver_says_what_is_left_to_be_made_after_each_knock() -> None:
    batch = domino_env.batch("knock_out", 20, seed=8, autoreset=False)
    batch.reset()
    solver = agents.make("optimal")
    for lane in range(batch.num_games):
        worths = solver.weigh(batch, lane)  # type: ignore[attr-defined]
        legal = batch.legal[lane, : batch.num_legal[lane]].tolist()
        assert sorted(action for action, _ in worths) == sorted(legal)
        best = best_removals(batch)[lane]
        assert worths[0][1] == best
        chosen = int(solver.act(batch, np.array([lane]))[0])
        assert dict(worths)[chosen] == best
