"""alpha-rank: who is played in the long run where what earns more displaces what earns less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from domino_env.evaluate import TournamentSettings, play_tournament
from domino_env.evaluate.alpha_rank import RARE, alpha_rank, masses
from domino_env.evaluate.pairing import Standing

CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)


def meeting(first: str, second: str, margin: float, within: float = 0.01) -> Standing:
    return Standing("a", "A", 2, first, second, 100, 200, margin, within, 50, 0, 50, None)


def test_one_that_beats_everybody_is_played_and_a_circle_shares() -> None:
    order = np.sign(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    assert masses(order) == pytest.approx([0, 0, 0, 1], abs=10 * RARE)
    assert masses(CIRCLE) == pytest.approx([1 / 3] * 3)
    assert masses(np.zeros((2, 2))) == pytest.approx([0.5, 0.5])
    assert masses(np.zeros((1, 1))) == pytest.approx([1])


def test_who_loses_to_a_whole_circle_has_no_mass() -> None:
    margins = np.zeros((4, 4))
    margins[:3, :3] = 5 * CIRCLE
    margins[:3, 3], margins[3, :3] = 0.1, -0.1
    assert masses(margins) == pytest.approx([1 / 3] * 3 + [0], abs=10 * RARE)


def test_it_is_where_a_random_walk_by_the_same_rules_spends_its_time() -> None:
    rng = np.random.default_rng(0)
    half = np.triu(rng.standard_normal((4, 4)), 1)
    margins, now, spent = half - half.T, 0, np.zeros(4)
    for _ in range(40_000):
        other = int(rng.integers(3))
        other += other >= now
        if margins[other, now] > 0:
            now = other
        spent[now] += 1
    assert masses(margins) == pytest.approx(spent / spent.sum(), abs=0.02)


def test_what_is_not_clear_is_shared() -> None:
    names = ["x", "y"]
    clear = alpha_rank(names, [meeting("y", "x", 1.0)])
    assert [(each.name, round(each.mass, 3)) for each in clear] == [("y", 1.0), ("x", 0.0)]
    even = alpha_rank(names, [meeting("y", "x", 0.1, within=10.0)])
    assert even[0].mass == pytest.approx(0.5, abs=0.06)
    assert sum(each.mass for each in even) == pytest.approx(1)


def test_games_count_alike_whatever_their_points() -> None:
    small = meeting("x", "y", 0.01, 0.0)
    large = replace(meeting("x", "y", -3.0, 0.0), game="b")
    (one, other) = alpha_rank(["x", "y"], [small, large])
    assert one.mass == pytest.approx(other.mass)


def test_a_tournament_tells_it() -> None:
    settings = TournamentSettings(agents=("random", "heuristic"), deals=300, records=0)
    results = play_tournament(settings)
    assert results.alpha_rank()[0].name == "heuristic"
    assert results.alpha_rank("block_draw")[0].mass > 0.9
