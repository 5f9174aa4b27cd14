"""The ladder of docs/ladder.md: what is played there, how it is kept, and what many tests say."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import solve
from domino_env.agents.net import Net
from domino_env.batches import Batch
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.statistics import holm, mean_of, p_value
from domino_env.games import DEFAULT_GAME, variants
from tools import tables_of_ladder
from tools.claims import claimed
from tools.ladder import face_up, figures, playing
from tools.ladder.__main__ import AGENTS, chosen_meetings, main, named
from tools.ladder.figures import Figures, kept
from tools.ladder.pairings import ALL_PAIRS, FAST_DEALS, Meeting, meetings
from tools.ladder.playing import Plan, claim_of, is_stale, measure, row_of
from tools.ladder.rungs import FORMER, NEWEST, rungs

SEVEN = f"{DEFAULT_GAME}, 7 tiles"
FAST = ("greedy_pip", "random")
QUICK = "bergen"  # its rounds are solved in a millisecond


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the project is changed."""
    monkeypatch.setattr(figures, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(figures, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(playing, "RUNS", tmp_path / "runs")
    return tmp_path / "kept"


def meeting(first: str = FAST[0], second: str = FAST[1], rung: str = DEFAULT_GAME) -> Meeting:
    return Meeting(rungs()[rung], first, second)


# Statistics --------------------------------------------------------------------------------------


def test_holm_steps_down_from_the_smallest() -> None:
    # By hand: .01 x 4, .02 x 3, .03 x 2 = .06, and no later one is below an earlier one.
    assert holm([0.01, 0.04, 0.03, 0.02]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.005, 0.011, 0.02, 0.04, 0.13]) == pytest.approx([0.025, 0.044, 0.06, 0.08, 0.13])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_one_false_alarm_in_a_family_is_as_rare_as_it_should_be() -> None:
    rng = np.random.default_rng(0)
    alarms = alone = 0
    for _ in range(1000):
        values = [p_value(float(mean), 1.96) for mean in rng.normal(size=34)]
        alone += min(values) < 0.05
        alarms += min(holm(values)) < 0.05
    assert alone > 700, "without a correction nearly every family has one"
    assert 25 <= alarms <= 75


def test_a_p_value_is_below_a_twentieth_where_the_interval_is_clear_of_nothing() -> None:
    assert p_value(1.0, 1.0) == pytest.approx(0.05, abs=1e-4)
    assert p_value(-1.0, 1.0) == p_value(1.0, 1.0)
    assert p_value(2.576, 1.96) == pytest.approx(0.01, abs=1e-4)
    assert p_value(0.0, 0.0) == 1.0, "an agent against itself"
    assert p_value(0.5, 0.0) == 0.0


def test_means_of_two_parts_are_those_of_the_whole() -> None:
    values = np.random.default_rng(1).normal(3, 5, size=701)
    whole, parts = mean_of(values), mean_of(values[:2]).and_then(mean_of(values[2:]))
    assert parts == pytest.approx(whole)


# Who plays ---------------------------------------------------------------------------------------


def test_every_game_with_opponents_is_a_rung_and_so_is_every_policy() -> None:
    from domino_env.agents.networks.player import shipped

    assert {*variants()} - {*variants(1)} <= {*rungs()}
    known = {(rung.rules.id, rung.num_players) for rung in rungs().values()}
    assert {(policy.game, policy.num_players) for policy in shipped(NEWEST, FORMER)} <= known
    assert rungs()[SEVEN].rules == domino_env.rules(DEFAULT_GAME, hand_size=7)
    assert len({rung.stem for rung in rungs().values()}) == len(rungs())


def test_a_policy_of_other_seats_is_not_at_home() -> None:
    for rung in rungs().values():
        if rung.has(NEWEST):
            assert Net().policy_for(rung.batch).knows(rung.batch)
            assert not replace(rung, rules=replace(rung.rules, hand_size=2)).has(NEWEST)


def test_a_policy_meets_its_former_version_only_where_there_is_another() -> None:
    for rung in rungs().values():
        found = [(each.first, each.second) for each in meetings(rung)]
        assert len(set(found)) == len(found)
        assert set(found) <= {*ALL_PAIRS}
        if (NEWEST, FORMER) in found:
            weights = Meeting(rung, NEWEST, FORMER).weights()
            assert weights[NEWEST] != weights[FORMER]


def test_pairings_are_chosen_by_their_agents_and_the_fast_ones_come_first() -> None:
    found = chosen_meetings(named([DEFAULT_GAME, SEVEN]), ["heuristic"])
    assert all("heuristic" in (each.first, each.second) for each in found)
    searches = [each.searches for each in found]
    assert searches == sorted(searches)
    assert True in searches
    both = chosen_meetings(named([DEFAULT_GAME]), ["heuristic", "search"])
    assert [(each.first, each.second) for each in both] == [("search", "heuristic")]


# What is kept ------------------------------------------------------------------------------------


def test_a_pairing_goes_on_where_it_stopped_and_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tools.ladder import pairings

    monkeypatch.setattr(pairings, "CHUNK", 50)
    measure(meeting(), Plan(100))
    at_first = row_of(meeting())
    assert at_first is not None
    assert at_first.deals == 100
    measure(meeting(), Plan(200))
    resumed = row_of(meeting())
    rung = meeting().rung
    whole = Pairing(rung.rules, rung.num_players, *meeting().sides, rung.seed, None)
    for _ in range(4):
        whole.play(50)
    assert resumed is not None
    assert resumed.mean == pytest.approx(
        (whole.standing.margin, whole.standing.within, whole.standing.deals)
    )
    assert (resumed.won, resumed.tied, resumed.lost) == (
        whole.standing.won,
        whole.standing.tied,
        whole.standing.lost,
    )
    assert resumed.cpu_seconds > at_first.cpu_seconds


def test_a_budget_ends_a_pairing_which_says_on_how_many_deals() -> None:
    measure(meeting("pimc", "heuristic"), Plan(budget=0.001))
    row = row_of(meeting("pimc", "heuristic"))
    assert row is not None
    assert row.deals == 50
    assert row.cpu_seconds >= 0.001
    measure(meeting("pimc", "heuristic"), Plan(budget=0.001))
    assert row_of(meeting("pimc", "heuristic")) == row, "that is spent"


def test_a_pairing_is_stale_when_somebody_has_other_weights_now(capsys: Any) -> None:
    weights = meeting("heuristic", "random").weights()
    assert weights != Meeting(rungs()[SEVEN], "pimc", "heuristic").weights()
    assert main([DEFAULT_GAME, "--only", "random", "--deals", "50"]) == 0
    assert not is_stale(meeting())
    row = row_of(meeting())
    assert row is not None
    old = replace(row, margin=77.0, weights={**row.weights, "random": "other"})
    playing.keep(meeting(), old)
    assert is_stale(meeting())
    main([DEFAULT_GAME, "--only", "random", "--list"])
    assert "stale" in capsys.readouterr().out
    assert main([DEFAULT_GAME, "--only", "random", "--stale", "--deals", "20"]) == 0
    again = row_of(meeting())
    assert again is not None
    assert (again.deals, again.margin) != (50, 77.0)
    assert again.deals == 20, "from its first deal"
    assert main([DEFAULT_GAME, "--only", "random", "--stale", "--deals", "40"]) == 0
    assert row_of(meeting()) == again, "it is short, and not stale"


def test_pairings_for_the_ratings_alone_are_as_long_as_those_of_searches() -> None:
    plan, rung = Plan(), rungs()[DEFAULT_GAME]
    assert plan.deals(meeting("heuristic", "random")) == rung.deals
    assert plan.deals(meeting("pimc", "heuristic")) == rung.deals
    assert plan.deals(meeting(NEWEST, "heuristic")) == FAST_DEALS
    assert Plan(search_deals=7).deals(meeting("heuristic", "random")) == 7


def test_what_another_process_is_at_is_left_to_it(capsys: Any) -> None:
    with claimed(claim_of(meeting())):
        assert main([DEFAULT_GAME, "--only", "random", "--deals", "20"]) == 0
    assert row_of(meeting()) is None
    assert "another process is at it" in capsys.readouterr().err
    assert main([DEFAULT_GAME, "--only", "random", "--deals", "20"]) == 0
    assert row_of(meeting()) is not None


def test_what_others_have_kept_meanwhile_stays(elsewhere: Path) -> None:
    measure(meeting(), Plan(20))
    measure(meeting("heuristic", "greedy_pip"), Plan(20))
    rows = kept(DEFAULT_GAME).pairings
    assert {*rows} == {FAST, ("heuristic", "greedy_pip")}
    text = (elsewhere / f"{DEFAULT_GAME}.json").read_text()
    assert len(json.loads(text)["pairings"]) == 2
    assert sum(line.startswith("  {") for line in text.splitlines()) == 2, "a line each"


def test_writers_at_the_same_time_lose_nothing() -> None:
    rows = [figures_with(first, second, 1.0) for first, second in ALL_PAIRS]
    rungs()  # found once, by one of them
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(put, DEFAULT_GAME, row) for row in rows]:
            done.result()
    assert {*kept(DEFAULT_GAME).pairings} == {*ALL_PAIRS}


@pytest.mark.parametrize("wrong", [["matadr"], ["--only", "heuristics"], ["--stale", "--again"]])
def test_what_is_not_there_is_refused(wrong: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(wrong)
    assert "error" in capsys.readouterr().err


# Face up -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["heuristic", NEWEST, "clairvoyant"])
def test_nobody_is_ahead_of_double_dummy_on_any_deal(opponent: str) -> None:
    played = meeting(face_up.NAME, opponent, QUICK)
    measure(played, Plan(search_deals=60))
    row = row_of(played)
    assert row is not None
    assert row.deals == 60
    assert row.lost == 0
    assert row.margin > row.within


def test_values_of_deals_go_on_where_they_stopped() -> None:
    rung = rungs()[QUICK]
    face_up.measure_values(rung, 40)
    face_up.measure_values(rung, 70)
    found = kept(rung.stem).facts[face_up.NAME]
    worth = face_up.values(rung.rules, rung.num_players, [rung.seed + k for k in range(70)])
    assert found["deals"] == 70
    assert found["leader"] == pytest.approx(mean_of(worth)[:2])
    assert found["size"] == pytest.approx(mean_of(np.abs(worth))[:2])
    face_up.measure_values(rung, 100, budget=0.0)
    assert kept(rung.stem).facts[face_up.NAME]["deals"] == 70


def test_the_value_is_that_of_who_leads() -> None:
    rung, seeds = rungs()[QUICK], list(range(20))
    batch = Batch(rung.rules, len(seeds), rung.num_players)
    batch.reset(seed=seeds)
    assert 0 < batch.seat.sum() < len(seeds), "each of them leads on some deals"
    best = [solve.double_dummy_moves(batch, lane)[0][1] for lane in seeds]
    assert face_up.values(rung.rules, rung.num_players, seeds) == pytest.approx(best)


def test_a_game_with_a_deal_that_is_too_large_is_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(face_up, "MOST_NODES", 10)
    asked = [QUICK, "--only", face_up.NAME, "--only", "heuristic", "--search-deals", "4"]
    assert main(asked) == 0
    assert main([*asked, "--list"]) == 0
    assert "given up" in capsys.readouterr().out
    assert row_of(meeting(face_up.NAME, "heuristic", QUICK)) is None
    put(QUICK, figures_with(*FAST, 1.0))
    assert f"`{QUICK}`" in tables_of_ladder.too_large()
    assert len(tables_of_ladder.face_up().splitlines()) == 2


def test_a_position_that_is_too_large_in_play_gives_the_game_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(face_up, "measure_values", lambda *given: None)
    monkeypatch.setattr(face_up, "MOST_NODES", 10)
    played = meeting(face_up.NAME, "heuristic", QUICK)
    measure(played, Plan(search_deals=4))
    assert row_of(played) is None, "a forfeit is no result"
    assert face_up.is_given_up(played.rung)
    playing.forget(played)
    assert not face_up.is_given_up(played.rung)


def test_sides_are_two_where_rounds_are_solved() -> None:
    for rung in rungs().values():
        found = any(each.is_face_up for each in meetings(rung))
        assert found == (rung.num_players == 2 or rung.rules.teams)


# The page ----------------------------------------------------------------------------------------


def figures_with(first: str, second: str, margin: float, deals: int = 20_000) -> Figures:
    return Figures(first, second, deals, margin, 1.0, 600, 100, 300, 1.0, {})


def put(rung: str, *rows: Figures) -> None:
    for row in rows:
        playing.keep(meeting(row.first, row.second, rung), row)


def test_the_tables_say_what_was_measured(elsewhere: Path) -> None:
    put(DEFAULT_GAME, figures_with("heuristic", "greedy_pip", 1.05), figures_with(*FAST, 5.0))
    put(SEVEN, figures_with("heuristic", "greedy_pip", -0.001, 400))
    cells = [line.split(" | ") for line in tables_of_ladder.margins().splitlines()]
    place = cells[0].index("`heuristic` over `greedy_pip`")
    assert [row[place] for row in cells[2:]] == ["+1.05 ± 1.00", "+0.00 ± 1.00 (400)"]
    ((_, games, *counts),) = [
        line.strip("| ").split(" | ")
        for line in tables_of_ladder.summary().splitlines()
        if "over `greedy_pip`" in line
    ]
    assert (games, counts) == ("2", ["1", "0", "0", "0"]), "one at 95 %, none of two by Holm"
    rated = tables_of_ladder.ratings()
    assert "random +0, greedy_pip +" in rated
    assert SEVEN not in rated, "no chain of pairings leads to random"


def test_fast_pairings_alone_can_be_asked_for(capsys: Any) -> None:
    assert main([DEFAULT_GAME, "--list", "--fast"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{DEFAULT_GAME}: clairvoyant over heuristic: missing" in lines
    assert not any("search" in line or "pimc" in line for line in lines)


def test_every_agent_of_the_pairings_can_be_named() -> None:
    assert {name for pair in ALL_PAIRS for name in pair} == {*AGENTS}


def test_a_rung_of_which_nothing_is_kept_has_no_row(elsewhere: Path) -> None:
    assert kept("nowhere").pairings == {}
    assert len(tables_of_ladder.margins().splitlines()) == 2
