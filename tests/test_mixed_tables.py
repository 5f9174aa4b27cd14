"""Mixed tables: different agents at one table, each from every seat, and ratings by openskill."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openskill.models import PlackettLuce

import domino_env
from domino_env import extras
from domino_env.batches import Batch
from domino_env.cli.main import main
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate import report
from domino_env.evaluate.entrants import as_entrants
from domino_env.evaluate.forfeits import Forfeit
from domino_env.evaluate.journal import JOURNAL, Journal
from domino_env.evaluate.mixed_tables import MixedTables
from domino_env.evaluate.table_ratings import after, table_ratings
from domino_env.evaluate.tournament import StoppedEarly, TournamentSettings, play_tournament

THREE = ("random", "greedy_pip", "heuristic")
FOUR = (*THREE, {"agent": "random", "name": "another"})


class Lowest:
    """Takes the lowest action."""

    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.mask[lanes].argmax(1)


class Raises:
    """Never moves."""

    def act(self, batch: Any, lanes: Any) -> Any:
        raise RuntimeError("no heart")


def tables(game: str, players: int, agents: Any = THREE, deals: int = 0, seed: int = 0) -> Any:
    found = MixedTables(domino_env.rules(game), players, as_entrants(agents), seed)
    if deals:
        found.add(found.play_deals(0, deals))
    return found


# Who sits where -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("agents", "players"), [(2, 3), (3, 3), (3, 4), (5, 3), (3, 8)])
def test_as_many_different_agents_sit_down_as_can_and_equally_often(
    agents: int, players: int
) -> None:
    entrants = [{"agent": "random", "name": f"number {number}"} for number in range(agents)]
    at = MixedTables(domino_env.rules("chickenfoot"), players, as_entrants(entrants))
    seats = np.zeros((agents, players), int)
    for deal in range(3000):
        lineup = at.lineup(deal)
        counts = Counter(lineup.tolist())
        assert len(counts) == min(agents, players)
        assert max(counts.values()) - min(counts.values()) <= 1
        seats[lineup, np.arange(players)] += 1
    expected = 3000 / agents
    assert np.abs(seats - expected).max() < 5 * expected**0.5
    assert at.lineup(7).tolist() == at.lineup(7).tolist()


def points_of(game: str, seated: list[str], seed: int) -> list[float]:
    """A game alone, the slow way: `lowest` takes the lowest action, all others the highest."""
    batch = domino_env.batch(game, 1, len(seated), seed=seed, autoreset=False, reward="points")
    batch.reset()
    while batch.seat[0] >= 0:
        legal = batch.position(0).legal_actions
        batch.step([min(legal) if seated[int(batch.seat[0])] == "lowest" else max(legal)])
    return [float(each) for each in batch.position(0).scores]


class Highest:
    """Takes the highest action."""

    def act(self, batch: Any, lanes: Any) -> Any:
        return batch.num_actions - 1 - batch.mask[lanes, ::-1].argmax(1)


@pytest.mark.parametrize(
    ("game", "players"), [("five_up", 3), ("block_draw", 4), ("bendomino_teams", 4)]
)
def test_margins_are_what_single_games_add_up_to(game: str, players: int) -> None:
    names = ["lowest", "highest", "too"]
    found = tables(game, players, (Lowest, Highest, {"agent": Highest, "name": "too"}), 3, seed=5)
    teams = bool(domino_env.rules(game).teams)
    for deal in range(3):
        around = [names[number] for number in found.lineups[deal]]
        expected = np.zeros(players)
        for turn in range(players):
            seated = [around[(seat - turn) % players] for seat in range(players)]
            points = points_of(game, seated, 5 + deal)
            for place in range(players):
                seat = (place + turn) % players
                own = [each for each in range(players) if teams and each % 2 == seat % 2] or [seat]
                others = [each for each in range(players) if each not in own]
                expected[place] += np.mean([points[s] for s in own])
                expected[place] -= np.mean([points[s] for s in others])
        assert found.margins[deal] == pytest.approx(expected / players)


def test_margins_at_a_table_add_up_to_nothing() -> None:
    found = tables("blind", 3, deals=20)
    assert np.abs(found.margins.sum(1)).max() < 1e-6
    assert np.abs(found.margins).max() > 0


# Ratings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players", "deals"),
    [
        ("fundomino", 3, 400),
        ("mexican_train", 3, 300),
        ("mexican_train", 4, 300),
        ("chickenfoot", 4, 500),
        ("partnership_block", 4, 800),
    ],
)
def test_ratings_are_in_the_order_of_strength(game: str, players: int, deals: int) -> None:
    order = ["heuristic", "greedy_pip", "random"]
    for agents in (THREE, FOUR):
        rated = table_ratings([tables(game, players, agents, deals)])
        ours = [each for each in rated if each.name in order]
        assert [each.name for each in ours] == order
        margins = [each.margin for each in ours]
        assert margins == sorted(margins, reverse=True)
        assert ours[0].margin - ours[0].within > 0 > ours[2].margin + ours[2].within
        assert ours[0].mu - ours[0].sigma > ours[2].mu + ours[2].sigma


def test_equal_agents_are_rated_equal() -> None:
    same = [{"agent": "greedy_pip", "name": name} for name in "abcd"]
    found = tables("block_draw", 4, same, 60)
    assert not found.margins.any()  # a deal that all play from every seat
    assert {round(each.mu, 6) for each in table_ratings([found])} == {25.0}


def test_openskill_is_told_who_came_before_whom() -> None:
    model = PlackettLuce(tau=0.0)
    skills = {"a": (25.0, 8.0), "b": (27.0, 3.0), "c": (20.0, 5.0)}
    found = after(model, skills, [["a"], ["b"], ["c"]], [3.0, -1.0, 3.0])
    rated = [[model.rating(*skills[name])] for name in "abc"]
    expected = model.rate(rated, ranks=[1, 3, 1])
    for name, (rating,) in zip("abc", expected, strict=True):
        assert found[name] == pytest.approx((rating.mu, rating.sigma))
    assert found["a"][0] > 25
    assert found["b"][0] < 27


def test_partners_are_rated_as_a_team() -> None:
    model = PlackettLuce(tau=0.0)
    skills = dict.fromkeys("abcd", (25.0, 8.0))
    found = after(model, skills, [["a", "c"], ["b", "d"]], [-5.0, 5.0])
    assert found["a"] == found["c"]
    assert found["b"] == found["d"]
    assert found["a"][0] < 25 < found["b"][0]


def test_who_sits_at_a_table_twice_learns_from_both_places() -> None:
    model = PlackettLuce(tau=0.0)
    skills = {"a": (26.0, 6.0), "b": (25.0, 8.0)}
    found = after(model, skills, [["a"], ["b"], ["a"]], [5.0, 0.0, -5.0])
    at_table = [[model.rating(*skills[name])] for name in "aba"]
    first, middle, last = (each for (each,) in model.rate(at_table, ranks=[1, 2, 3]))
    assert found["b"] == pytest.approx((middle.mu, middle.sigma))
    assert found["a"][0] == pytest.approx(first.mu + last.mu - 26)
    assert found["a"][1] == pytest.approx(6 * (first.sigma / 6) * (last.sigma / 6))


def test_the_order_of_deals_does_not_make_a_rating() -> None:
    at = tables("fundomino", 3, deals=200)
    forward = table_ratings([at])
    at.margins, at.lineups = at.margins[::-1], at.lineups[::-1]
    for one, other in zip(forward, table_ratings([at]), strict=True):
        assert one.name == other.name
        assert one.mu == pytest.approx(other.mu, abs=0.5 * one.sigma)


def test_without_openskill_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "openskill" else name)
    words = ["--set", "mixed_deals=4", "--set", "num_players=3"]
    assert main(["tournament", *words]) == 2
    assert "openskill is missing: pip install 'domino-env[ratings]'" in capsys.readouterr().err
    with pytest.raises(DominoError, match="openskill is missing"):
        table_ratings([tables("blind", 3, deals=2)])
    TournamentSettings(num_players=3)  # nobody needs it for anything else


# In a tournament ----------------------------------------------------------------------------------


def settings(**changes: Any) -> TournamentSettings:
    usual = {"games": ("five_up",), "num_players": 3, "deals": 6, "mixed_deals": 12, "records": 1}
    return TournamentSettings(**{**usual, **changes})


def told(results: Any) -> str:
    return json.dumps(report.as_json(results, 0.0)["games"])


def test_results_have_ratings_beside_margins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["games=[five_up, block_draw]", "num_players=3", "deals=6", "mixed_deals=12"]
    out = ["--out", str(tmp_path)]
    assert main(["tournament", *(f"--set={word}" for word in words), *out]) == 0
    shown = capsys.readouterr().out
    assert "Five Up, mixed tables: points a game over the opponents" in shown
    assert "at all mixed tables, by openskill:" in shown
    page = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert page.count("| at mixed tables | openskill | over the others | deals |") == 2
    figures = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert figures["versions"]["openskill"]
    assert len(figures["mixed_tables"]) == 3
    for each in figures["games"].values():
        assert sum(row["margin"] * row["deals"] for row in each["mixed_tables"]) == pytest.approx(
            0, abs=1e-6
        )
        assert [row["deals"] for row in each["mixed_tables"]] == [12, 12, 12]
    assert [row["deals"] for row in figures["mixed_tables"]] == [24, 24, 24]


def test_a_tournament_without_them_is_what_it_was() -> None:
    results = play_tournament(settings(mixed_deals=0))
    assert results.table_ratings() == []
    assert "mixed" not in told(results)
    assert results.standings == play_tournament(settings()).standings


def test_they_do_not_depend_on_chunks_or_threads() -> None:
    agents = ("greedy_pip", "heuristic", {"agent": "heuristic", "weights": {"pips": 1.0}})
    whole = told(play_tournament(settings(agents=agents)))
    assert told(play_tournament(settings(agents=agents, chunk_size=5))) == whole
    assert told(play_tournament(settings(agents=agents, chunk_size=5, threads=3))) == whole


def test_one_that_is_stopped_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = settings(chunk_size=4)
    whole = told(play_tournament(wanted))
    real, played = MixedTables.play_deals, []

    def play_deals(self: MixedTables, start: int, deals: int) -> Any:
        played.append(start)
        if played == [0, 4]:
            raise KeyboardInterrupt
        return real(self, start, deals)

    monkeypatch.setattr(MixedTables, "play_deals", play_deals)
    journal = Journal(tmp_path, wanted, resumed=False)
    with pytest.raises(StoppedEarly) as stop, closing(journal):
        play_tournament(wanted, journal=journal)
    assert stop.value.results.mixed_tables[0].deals == 4
    assert "22 of up to 30 deals played" in report.stopped_early(stop.value.results)
    with closing(Journal(tmp_path, wanted, resumed=True)) as journal:
        assert told(play_tournament(wanted, journal=journal)) == whole
    assert played == [0, 4, 4, 8]
    assert len((tmp_path / JOURNAL).read_text(encoding="utf-8").splitlines()) == 1 + 6 + 3


def test_who_forfeits_loses_and_is_named() -> None:
    agents = ("greedy_pip", "heuristic", {"agent": Raises, "name": "fails"})
    results = play_tournament(settings(agents=agents, forfeit_cost=30.0))
    (at,) = results.mixed_tables
    assert len(at.forfeits) == 36
    assert at.forfeits[0] == Forfeit(0, 0, 2, at.forfeits[0].why)
    assert sorted(set(at.margins.ravel().tolist())) == [-30.0, 15.0]
    (count,) = results.forfeits
    assert (count.agent, count.forfeited, count.games) == ("fails", 36 + 2 * 36, 36 + 2 * 36)
    assert results.table_ratings()[-1].name == "fails"


def test_partners_share_a_forfeit() -> None:
    agents = ("greedy_pip", "heuristic", "random", {"agent": Raises, "name": "fails"})
    at = MixedTables(domino_env.rules("bendomino_teams"), 4, as_entrants(agents), forfeit_cost=10)
    at.add(at.play_deals(0, 3))
    for lineup, margins in zip(at.lineups, at.margins, strict=True):
        guilty = [*lineup].index(3) % 2
        assert margins.tolist() == [-10.0 if place % 2 == guilty else 10.0 for place in range(4)]


def test_tables_of_two_are_no_mixed_tables() -> None:
    with pytest.raises(BadOption, match="mixed tables have three seats or more"):
        TournamentSettings(mixed_deals=10)
    both = TournamentSettings(games=("block_draw", "kozel"), mixed_deals=10)
    assert [game.id for game in both.games_at_mixed_tables] == ["kozel"]
    assert replace(both, mixed_deals=0).games_at_mixed_tables
    assert Batch(both.games_at_mixed_tables[0], 1).num_players == 4
