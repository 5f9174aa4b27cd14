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
from domino_env.games import DEFAULT_GAME, mark_of

CHOSEN = bench.benchmark()
FAST = (DEFAULT_GAME, "five_up")
FILES = sorted((Path(__file__).parent.parent / "docs" / "leaderboard").glob("*.json"))
SHA256 = {1: "7b24152b26edea92d73e97179f06502ae3b3f04d4ba93428390ad6b55c5694fa"}


@pytest.fixture(autouse=True)
def fewer_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form of the short form; the hash of deals is that of as many as before."""
    monkeypatch.setattr(bench, "check_installed", lambda chosen: None)
    monkeypatch.setattr(bench, "benchmark", lambda version=1: replace(CHOSEN, quick_deals=40))


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
    random = bench.run_benchmark("random", quick=True, only=FAST)
    good = bench.run_benchmark("heuristic", quick=True, only=FAST)
    assert abs(random.score) <= 2.5 * random.within
    assert good.score - random.score > 2 * (good.within + random.within)
    assert [each.name for each in good.games] == [*FAST]
    assert all(each.played for each in good.games)


def test_it_is_the_same_on_any_number_of_threads_and_when_it_is_played_again() -> None:
    def told(threads: int) -> Any:
        score = bench.run_benchmark("heuristic", quick=True, only=FAST, threads=threads)
        return json.dumps(report.plain(score))

    assert told(1) == told(2) == told(1)


def test_a_score_is_the_margin_over_all_opponents() -> None:
    (game,) = (each for each in CHOSEN.games if each.name == DEFAULT_GAME)
    (found,) = bench.run_benchmark("heuristic", quick=True, only=(game.name,)).games
    margins = [standing.margin for standing in found.standings]
    assert found.margin == pytest.approx(np.mean(margins))
    assert [standing.second for standing in found.standings] == [*game.opponents]
    assert found.score == pytest.approx(
        100 * (found.margin - game.at_random) / (game.reference - game.at_random)
    )
    assert found.within == pytest.approx(game.per_point * found.margin_within)


def test_an_opponent_can_be_measured_itself() -> None:
    (found,) = bench.run_benchmark("greedy_pip", quick=True, only=(DEFAULT_GAME,)).games
    assert next(s for s in found.standings if s.second == "greedy_pip").margin == 0


def test_a_game_that_is_not_played_counts_0() -> None:
    score = bench.run_benchmark("net", quick=True, only=(DEFAULT_GAME, "matador"))
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
