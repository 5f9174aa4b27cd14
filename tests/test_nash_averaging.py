"""Nash averaging: what each agent earns over the equilibrium of the greatest entropy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from domino_env.evaluate import TournamentSettings, play_tournament, report
from domino_env.evaluate.nash_averaging import equilibria, nash_averaging
from domino_env.evaluate.pairing import Standing

Floats = npt.NDArray[np.float64]
CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)


def meeting(first: str, second: str, margin: float, within: float = 0.0) -> Standing:
    return Standing("a", "A", 2, first, second, 100, 200, margin, within, 50, 0, 50, None)


def solved(margins: Floats) -> tuple[Floats, Floats]:
    """The equilibrium, and what each earns against it."""
    mixture = equilibria(margins[None])[0]
    return mixture, margins @ mixture


def with_copy_of(margins: Floats, agent: int) -> Floats:
    """The same agents, and one of them a second time at the end."""
    order = [*range(len(margins)), agent]
    return margins[np.ix_(order, order)]


def test_a_circle_shares_and_everybody_earns_nothing() -> None:
    mixture, ratings = solved(7 * CIRCLE)
    assert mixture == pytest.approx([1 / 3] * 3)
    assert ratings == pytest.approx([0, 0, 0], abs=1e-9)


def test_an_uneven_circle_is_played_as_its_opposite_margins_say() -> None:
    margins = np.array([[0, 1, -2], [-1, 0, 3], [2, -3, 0]], float)
    assert solved(margins)[0] == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=1e-6)


def test_who_is_dominated_has_no_mass_and_is_rated_by_what_it_loses() -> None:
    margins = np.zeros((4, 4))
    margins[:3, :3] = CIRCLE
    margins[:3, 3], margins[3, :3] = [1, 2, 6], [-1, -2, -6]
    mixture, ratings = solved(margins)
    assert mixture == pytest.approx([1 / 3] * 3 + [0], abs=1e-6)
    assert ratings == pytest.approx([0, 0, 0, -3], abs=1e-6)


def test_one_that_beats_everybody_is_the_equilibrium() -> None:
    strengths = np.array([0.0, 1.0, 5.0])
    mixture, ratings = solved(np.subtract.outer(strengths, strengths))
    assert mixture == pytest.approx([0, 0, 1], abs=1e-6)
    assert ratings == pytest.approx([-5, -4, 0], abs=1e-6)


def test_a_copy_of_an_agent_changes_nobodys_rating() -> None:
    rng = np.random.default_rng(1)
    for agents in (2, 3, 5, 8):
        half = np.triu(rng.standard_normal((agents, agents)), 1)
        margins = half - half.T
        before, after = solved(margins), None
        for agent in range(agents):
            after = solved(with_copy_of(margins, agent))
            assert after[1][:-1] == pytest.approx(before[1], abs=1e-6)
            assert after[1][-1] == pytest.approx(before[1][agent], abs=1e-6)
            shared = after[0][agent] + after[0][-1]
            assert shared == pytest.approx(before[0][agent], abs=1e-6)
            assert after[0][agent] == pytest.approx(after[0][-1], abs=1e-9)


def test_nobody_gains_by_choosing_otherwise() -> None:
    half = np.triu(np.random.default_rng(2).standard_normal((50, 12, 12)), 1)
    margins = half - half.transpose(0, 2, 1)
    mixtures = equilibria(margins)
    assert mixtures.sum(1) == pytest.approx(np.ones(50))
    assert np.einsum("sij,sj->si", margins, mixtures).max() < 1e-6


def test_of_several_equilibria_it_is_the_one_of_the_greatest_entropy() -> None:
    assert solved(np.zeros((5, 5)))[0] == pytest.approx([0.2] * 5)
    mixture, _ = solved(with_copy_of(CIRCLE, 1))
    assert mixture == pytest.approx([1 / 3, 1 / 6, 1 / 3, 1 / 6], abs=1e-6)


def test_intervals_are_those_of_the_margins() -> None:
    found = nash_averaging(["x", "y"], [meeting("x", "y", 5.0, within=0.5)])
    assert [each.name for each in found] == ["x", "y"]
    assert (found[0].points, found[0].mass) == pytest.approx((0, 1), abs=1e-6)
    assert found[1].points == pytest.approx(-5.0)
    assert found[1].within == pytest.approx(0.5, rel=0.2)


def test_over_several_games_each_has_its_own_unit() -> None:
    small, large = meeting("x", "y", 0.01), replace(meeting("x", "y", 300.0), game="b")
    found = nash_averaging(["x", "y"], [small, large])
    assert found[1].points == pytest.approx(-1.0)


def test_a_tournament_tells_it() -> None:
    settings = TournamentSettings(agents=("random", "heuristic"), deals=300, records=0)
    results = play_tournament(settings)
    best, other = results.nash_averaging("block_draw")
    assert (best.name, best.mass) == ("heuristic", pytest.approx(1, abs=1e-6))
    assert other.points == pytest.approx(-results.standings[0].reversed.margin)
    told = report.as_json(results, 1.0)["games"]["block_draw"]["nash_averaging"]
    assert told[0]["name"] == "heuristic"
    assert f"heuristic +0.00 ± 0.00 (1.00), random {other.points:+.2f}" in report.markdown(results)
