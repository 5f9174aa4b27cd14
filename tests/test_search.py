"""Searches: rounds played on, worlds weighed by their likelihood, moves compared."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.agents.features.heuristic_features import weight_of
from domino_env.agents.heuristic import weights_of
from domino_env.agents.pimc import try_worlds
from domino_env.agents.searching.likelihood import INVERSE_TEMPERATURE, RANDOM_SHARE, log_likelihood
from domino_env.agents.searching.move_stats import (
    effective_sample_size,
    find_temper,
    new_stats,
    prune,
    weigh_worlds,
)
from domino_env.agents.searching.playout import Scratch, new_scratch
from domino_env.batches import Batch
from domino_env.evaluate.rollout import play_episodes
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.ruleset import Rules
from tests.games import AT_A_TABLE

pytestmark = pytest.mark.slow

SEVEN = domino_env.rules("block_draw", hand_size=7)


def look_back(batch: Batch, lane: int, viewer: int, scratch: Scratch) -> float:
    """How likely the others are to have done what they did, in a lane as it is."""
    row = weights_of(batch.rules.id)
    game, events = batch.games[lane], batch.events[lane]
    return float(log_likelihood(batch.rule_table[0], game, events, viewer, row, scratch))


def ways_to_play(rules: Rules) -> list[dict[str, Any]]:
    """All numbers of players, rounds and matches, calls of both kinds."""
    calls = ["automatic", "explicit"] if rules.has_calls else ["automatic"]
    return [
        {"num_players": players, "episode": episode, "calls": call}
        for players in rules.players
        for episode in ("round", "match")
        for call in calls
    ]


# Likelihood ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_the_likelihood_follows_the_round_to_where_it_is(variant: str) -> None:
    """In every world: the replay ends with the hands, points and question that are there now."""
    for number, way in enumerate(ways_to_play(domino_env.rules(variant))):
        batch = domino_env.batch(variant, 4, seed=number, **way)
        batch.reset()
        scratch = new_scratch(batch)
        for step in range(60):
            batch.step(batch.sample())
            lane = step % 4
            worlds = belief.sample(batch, lane, int(batch.seat[lane]), 2, seed=step)
            for world in range(2):
                assert look_back(worlds, world, int(batch.seat[lane]), scratch) <= 0
                if not batch.rules.rows:
                    assert arrived(scratch, worlds, world)


def arrived(scratch: Scratch, batch: Batch, lane: int) -> bool:
    """Is the replayed game the one in the lane, but for what nobody can see?"""
    same = ("to_move", "turn", "stage", "hands", "played", "scores", "next", "lacks", "log_size")
    return all(np.array_equal(scratch.games[0][name], batch.games[lane][name]) for name in same)


def test_the_likelihood_is_the_chance_of_all_that_others_chose() -> None:
    batch = domino_env.batch("matador", 1, 3, seed=4)
    batch.reset()
    scratch, row = new_scratch(batch), weights_of("matador")
    expected = [0.0, 0.0, 0.0]
    for _ in range(12):
        legal, taken = batch.legal[0, : batch.num_legal[0]], int(batch.sample()[0])
        weigh = {
            int(action): weight_of(
                batch.rule_table[0],
                batch.games[0],
                int(action),
                row,
                scratch.after,
                scratch.features,
            )
            for action in legal
        }
        others = sum(
            exp(INVERSE_TEMPERATURE * (weight - weigh[taken])) for weight in weigh.values()
        )
        if len(legal) > 1:
            chance = (1 - RANDOM_SHARE) / others + RANDOM_SHARE / len(legal)
            for viewer in range(3):
                expected[viewer] += log(chance) if batch.seat[0] != viewer else 0.0
        batch.step([taken])
    assert batch.games["round_number"][0] == 1
    found = [look_back(batch, 0, viewer, scratch) for viewer in range(3)]
    assert np.allclose(found, expected)
    assert len({round(chance, 6) for chance in found}) == 3


def test_the_real_game_is_likelier_than_others_that_look_the_same() -> None:
    batch = domino_env.batch(SEVEN, 200, seed=5, autoreset=False)
    batch.reset()
    heuristic, scratch = agents.make("heuristic"), new_scratch(batch)
    for _ in range(8):
        live = np.flatnonzero(batch.seat >= 0)
        batch.step(heuristic.act(batch, live), live)
    ahead = []
    for lane in np.flatnonzero(batch.seat >= 0):
        viewer = int(batch.seat[lane])
        world = belief.sample(batch, int(lane), viewer, seed=1)
        ahead.append(look_back(batch, lane, viewer, scratch) - look_back(world, 0, viewer, scratch))
    found = np.array(ahead)
    assert found.mean() > 2 * ci95_half_width(found)


# Comparing moves ---------------------------------------------------------------------------------


def test_moves_that_are_clearly_behind_or_just_alike_are_left_out() -> None:
    stats = new_stats(4)
    stats.gained[:] = 100, 100, 80, 60
    for move, squares in ((1, 0), (2, 100), (3, 10)):
        stats.squares[move, 0] = squares
    prune(stats)
    assert stats.tried.tolist() == [True, False, True, False]


def test_the_likelihood_is_trusted_as_far_as_it_leaves_many_worlds() -> None:
    alike, steep = np.array([-3.0, -3.1, -2.9, -3.0]), np.arange(64.0)
    assert find_temper(alike, 4, 0.5) == 1
    assert np.isclose(effective_sample_size(alike, 4, 0.0), 4)
    assert np.isclose(effective_sample_size(np.array([0.0, -100.0]), 2, 1.0), 1)
    assert effective_sample_size(steep, 64, 1.0) < 4
    temper = find_temper(steep, 64, 0.5)
    assert 0.02 < temper < 0.1
    assert 32 <= effective_sample_size(steep, 64, temper) < 40


def test_worlds_count_by_how_likely_they_are_whenever_they_are_drawn() -> None:
    stats = new_stats(2)
    stats.likelihood_temper[0] = 1
    likely = np.log([0.01, 0.03])
    assert np.isclose(weigh_worlds(2, likely, stats), 2 / 3)
    assert np.allclose(likely, [1 / 3, 1])
    stats.gained[:] = 6, 9
    stats.squares[1, 0] = 9
    likely = np.log([0.09, 0.03])
    weigh_worlds(2, likely, stats)
    assert np.allclose(likely, [1, 1 / 3])
    assert np.allclose(stats.gained, [2, 3])
    assert np.isclose(stats.squares[1, 0], 1)


def test_what_moves_gain_is_what_they_gain_when_played_out() -> None:
    """At the very first decision: nobody has chosen anything, and all worlds count alike."""
    batch = domino_env.batch(SEVEN, 1, seed=9)
    batch.reset()
    moves = batch.legal[0, : batch.num_legal[0]]
    worlds = belief.sample(batch, 0, int(batch.seat[0]), 20, seed=2)
    scratch, stats = new_scratch(batch), new_stats(len(moves))
    row, seat = weights_of("block_draw"), int(batch.seat[0])
    args = (batch.rule_table, worlds.games, worlds.events, seat, moves, row, scratch, np.zeros(20))
    try_worlds(*args, stats)
    for move, action in enumerate(moves):
        expected = played_out(worlds, int(action), seat).sum()
        assert np.isclose(stats.gained[move], expected) or not stats.tried[move]


def played_out(games: Batch, action: int, seat: int) -> Any:
    """What a seat earns in each lane if it does this, and then all play as `heuristic` does."""
    trial = games.clone()
    trial.step(np.full(trial.num_games, action))
    first = trial.reward[:, seat].copy()
    return first + play_episodes(trial, [agents.make("heuristic")] * trial.num_players)[:, seat]


# Clairvoyance ------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["all_fives", "bendomino_teams", "fundomino", "blind"])
def test_clairvoyant_takes_what_gains_most_in_the_game_as_it_is(variant: str) -> None:
    batch = domino_env.batch(variant, 12, seed=6, autoreset=False)
    batch.reset()
    clairvoyant = agents.make("clairvoyant")
    for _ in range(6):
        batch.step(np.where(batch.seat >= 0, batch.sample(), -1))
    for lane in np.flatnonzero(batch.seat >= 0):
        one = domino_env.batch(variant, 1, seed=0, autoreset=False)
        one.reset()
        one.restore(0, batch.save(int(lane)))
        legal, seat = one.legal[0, : one.num_legal[0]], int(one.seat[0])
        gains = [float(played_out(one, int(action), seat)[0]) for action in legal]
        assert clairvoyant.act(batch, np.array([lane])) == legal[int(np.argmax(gains))]


def test_who_cheats_says_so_and_gains_by_it() -> None:
    assert [name for name in agents.names() if agents.cheats(name)] == ["clairvoyant"]
    batch = domino_env.batch(SEVEN, 1000, seed=7, autoreset=False)
    batch.reset()
    seats = [agents.make("clairvoyant"), agents.make("heuristic")]
    margins = play_episodes(batch, seats)[:, 0]
    assert margins.mean() - ci95_half_width(margins) > 15


def test_what_moves_are_worth_is_told_of_all_of_them_and_the_best_is_the_one_it_makes() -> None:
    batch = domino_env.batch("block_draw", 30, seed=4, autoreset=False)
    batch.reset()
    for _ in range(3):
        batch.step(batch.sample())
    asked = [int(lane) for lane in np.flatnonzero((batch.num_legal > 1) & (batch.seat >= 0))]
    assert asked
    pimc, saved = agents.make("pimc", worlds=512, seed=1), batch.state()
    agreed = 0
    for lane in asked:
        worths = pimc.weigh(batch, lane)  # type: ignore[attr-defined]
        legal = batch.legal[lane, : batch.num_legal[lane]].tolist()
        assert sorted(action for action, _ in worths) == sorted(legal)
        points = [gain for _, gain in worths]
        assert points == sorted(points, reverse=True)
        assert max(map(abs, points)) < 168, "no more than all the pips of the set"
        chosen = int(pimc.act(batch, np.array([lane]))[0])
        agreed += points[0] - dict(worths)[chosen] < 1.0  # other worlds, but hardly another move
    assert agreed >= 0.8 * len(asked)
    assert (batch.state() == saved).all(), "it is only asked"


def test_the_worth_of_moves_is_the_same_for_the_same_seed_and_within_what_there_is() -> None:
    rules = domino_env.rules("block_draw", set="double_2", hand_size=2, players=(2,))
    batch = domino_env.batch(rules, 1, seed=3, autoreset=False)
    batch.reset()
    while batch.num_legal[0] < 2:  # the seed says how often
        batch.restart(0)
    pimc = agents.make("pimc", worlds=4096, seed=0)
    one, other = (dict(pimc.weigh(batch, 0)) for _ in range(2))  # type: ignore[attr-defined]
    assert one == other, "the same seed, the same worlds"
    assert max(map(abs, one.values())) <= 12, "no more than all the pips of the set"
