"""The domino benchmark: what is fixed stays so, and equal play has equal scores everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_env import agents
from domino_env.cli.main import main
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate import benchmark as bench
from domino_env.evaluate import benchmark_report as report
from domino_env.evaluate import benchmark_run
from domino_env.evaluate.benchmark_run import run_benchmark
from domino_env.evaluate.pairing import Pairing
from domino_env.games import DEFAULT_GAME, mark_of

CHOSEN = bench.benchmark()
FAST = (DEFAULT_GAME, "five_up")
FILES = sorted((Path(__file__).parent.parent / "docs" / "leaderboard").glob("*.json"))
SHA256 = {1: "7b24152b26edea92d73e97179f06502ae3b3f04d4ba93428390ad6b55c5694fa"}


@pytest.fixture(autouse=True)
def fewer_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form of the short form; the hash of deals is that of as many as before."""
    monkeypatch.setattr(benchmark_run, "check_installed", lambda chosen: None)
    few = replace(CHOSEN, quick_deals=40)
    monkeypatch.setattr(benchmark_run, "benchmark", lambda version=1: few)


@pytest.mark.parametrize("version", SHA256)
def test_what_is_published_stays_as_it_is(version: int) -> None:
    file = bench.FOLDER / f"v{version}.json"
    assert sha256(file.read_bytes()).hexdigest() == SHA256[version]


@pytest.mark.parametrize("game", CHOSEN.games, ids=lambda game: game.name)
def test_rules_deals_and_opponents_are_what_they_were(game: bench.BenchmarkGame) -> None:
    rules = game.rules
    assert mark_of(rules) == game.rules_hash
    assert bench.hash_of_deals(rules, game.num_players, CHOSEN.deals) == game.deals_hash
    for name in game.opponents:
        assert bench.hash_of_plays(rules, game.num_players, name) == game.plays_hash[name]
    assert game.at_random < game.reference
    assert (game.score(game.at_random), game.score(game.reference)) == pytest.approx((0, 100))


def test_what_has_been_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    game = CHOSEN.games[0]
    other = replace(game, plays_hash={**game.plays_hash, "greedy_pip": "0" * 16})
    with pytest.raises(DominoError, match=f"the moves of greedy_pip in {game.name} are not those"):
        bench.check_installed(replace(CHOSEN, games=(other,)))
    bench.check_installed(replace(CHOSEN, games=(game,)))


def test_random_moves_are_about_0_and_who_plays_well_is_above() -> None:
    random = run_benchmark("random", quick=True, only=FAST)
    good = run_benchmark("heuristic", quick=True, only=FAST)
    assert abs(random.score) <= 2.5 * random.within
    assert good.score - random.score > 2 * (good.within + random.within)
    assert [each.name for each in good.games] == [*FAST]
    assert all(each.played for each in good.games)


def test_it_is_the_same_on_any_number_of_threads_and_when_it_is_played_again() -> None:
    def told(threads: int) -> Any:
        score = run_benchmark("heuristic", quick=True, only=FAST, threads=threads)
        return json.dumps(report.plain(score))

    assert told(1) == told(2) == told(1)


def test_a_score_is_the_margin_over_all_opponents() -> None:
    (game,) = (each for each in CHOSEN.games if each.name == DEFAULT_GAME)
    (found,) = run_benchmark("heuristic", quick=True, only=(game.name,)).games
    margins = [standing.margin for standing in found.standings]
    assert found.margin == pytest.approx(np.mean(margins))
    assert [standing.second for standing in found.standings] == [*game.opponents]
    assert found.score == pytest.approx(
        100 * (found.margin - game.at_random) / (game.reference - game.at_random)
    )
    assert found.within == pytest.approx(game.per_point * found.margin_within)


# The short form, by the clock ---------------------------------------------------------------------


class Clock:
    """Time goes by as games are played: so many seconds for each deal of each pairing."""

    def __init__(self, seconds: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, real = 0.0, Pairing.play_deals

        def play_deals(pairing: Pairing, start: int, deals: int, recorded: int = 0) -> Any:
            self.now += deals * seconds[pairing.rules.id]
            return real(pairing, start, deals, recorded)

        monkeypatch.setattr(Pairing, "play_deals", play_deals)
        monkeypatch.setattr(benchmark_run, "_now", lambda: self.now)


SLOW = {DEFAULT_GAME: 1.0, "five_up": 1.0}
PAIRINGS = sum(len(game.opponents) for game in CHOSEN.games if game.name in FAST)


def test_who_is_slow_plays_as_many_deals_as_there_is_time_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(SLOW, monkeypatch)
    score = run_benchmark("greedy_pip", quick=True, minutes=1.8, only=FAST)
    assert [each.deals for each in score.games] == [16, 16]  # 6 seconds for a deal of both
    assert clock.now == 16 * PAIRINGS
    assert score.cut_short
    page = report.markdown(score)
    assert "quick form, cut short by time: 16 of 40 duplicate deals" in page
    assert "| 16 |" in page


@pytest.mark.parametrize(
    ("minutes", "deals"), [(0.001, [2, 2]), (0.6, [8, 4]), (1.1, [8, 8]), (60, [40, 40])]
)
def test_games_get_deals_evenly_and_two_at_least(
    minutes: float, deals: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(SLOW, monkeypatch)
    score = run_benchmark("greedy_pip", quick=True, minutes=minutes, only=FAST)
    assert [each.deals for each in score.games] == deals
    assert (": 4 to 8 of 40 " in report.form(score)) == (deals == [8, 4])
    assert clock.now <= max(60 * minutes, 2 * PAIRINGS)


def test_a_dear_game_waits_while_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock({DEFAULT_GAME: 10.0, "five_up": 0.1}, monkeypatch)
    dear, cheap = run_benchmark("greedy_pip", quick=True, minutes=3, only=FAST).games
    assert (dear.deals, cheap.deals) == (4, 40)


def test_the_same_deals_give_the_same_figures_however_long_they_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told(minutes: float | None) -> Any:
        score = run_benchmark("heuristic", quick=True, minutes=minutes, only=FAST)
        return json.dumps(report.plain(score))

    fast = told(None)
    assert told(1000) == fast
    Clock(SLOW, monkeypatch)
    slow = told(1.8)
    monkeypatch.setattr(benchmark_run, "benchmark", lambda _=1: replace(CHOSEN, quick_deals=16))
    assert told(None) == slow != fast


def test_deals_of_the_short_form_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    short = run_benchmark("heuristic", quick=True, only=FAST)
    few = replace(CHOSEN, deals=40)
    monkeypatch.setattr(benchmark_run, "benchmark", lambda _=1: few)
    assert run_benchmark("heuristic", only=FAST).games == short.games


def test_an_opponent_can_be_measured_itself() -> None:
    (found,) = run_benchmark("greedy_pip", quick=True, only=(DEFAULT_GAME,)).games
    assert next(s for s in found.standings if s.second == "greedy_pip").margin == 0


def test_a_game_that_is_not_played_counts_0() -> None:
    score = run_benchmark("net", quick=True, only=(DEFAULT_GAME, "matador"))
    for each in score.games:
        assert each.played or each.score == each.within == 0
    assert score.score == pytest.approx(np.mean([each.score for each in score.games]))


def test_first_versions_of_agents_are_not_among_those_of_today() -> None:
    assert {"heuristic@1", "ppo@1"} <= {*agents.former_versions()}
    assert "heuristic@1" not in agents.names()


def test_the_command_writes_a_page_figures_and_how_it_is_cited(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out"
    words = ["--agent", "greedy_pip", "--quick", "--game", DEFAULT_GAME]
    assert main(["benchmark", *words, "--out", str(out), "--json", str(tmp_path / "a.json")]) == 0
    assert "Domino benchmark v1, quick form: greedy_pip" in capsys.readouterr().out
    page = (out / report.MARKDOWN).read_text(encoding="utf-8")
    assert "@misc{domino_benchmark_v1," in page
    assert CHOSEN.sha256 in page
    told = json.loads((out / report.FIGURES).read_text(encoding="utf-8"))
    assert told == json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert told["sha256"] == CHOSEN.sha256
    assert main(["benchmark", *words]) == 0
    assert "@misc{domino_benchmark_v1," in capsys.readouterr().out
    assert main(["benchmark", "--check", str(out / report.FIGURES)]) == 2
    assert "is no entry: it is of the quick form" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "name an agent"),
        (["--agent", "greedy_pip", "--game", "chess"], "'chess' is no game of the benchmark"),
        (["--agent", "nobody"], "nobody"),
        (["--check", "nothing.json"], "nothing.json"),
        (["--agent", "greedy_pip", "--minutes", "5"], "--minutes is for the short form"),
        (["--agent", "greedy_pip", "--quick", "--minutes", "0"], "minutes is a number above 0"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], why: str, capsys: Any) -> None:
    assert main(["benchmark", *words]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_entries_of_the_leaderboard_are_whole(file: Path) -> None:
    entry = report.read_entry(file)
    assert entry["games"]
    changed = {**entry, "score": entry["score"] + 1}
    with pytest.raises(ValueError, match="the score is not the mean"):
        report._must_be_whole(changed)
    first, *others = entry["games"]
    changed = {**entry, "games": [{**first, "margin": first["margin"] + 1}, *others]}
    with pytest.raises(ValueError, match="is not that of its margin"):
        report._must_be_whole(changed)


def test_a_version_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with pytest.raises(BadOption, match="no version 7 of the benchmark"):
        bench.benchmark(7)
