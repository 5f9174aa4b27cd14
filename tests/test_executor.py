"""Tournaments as tasks: the same comes out whoever plays them, in any order, as often as they like;
and what is kept of one that is stopped by hand."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from domino_env.agents.ppo import SHIPPED
from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.evaluate import report
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing, Standing
from domino_env.evaluate.results import Results
from domino_env.evaluate.scoresheet import Scoresheet, chunks
from domino_env.evaluate.tournament import (
    StoppedEarly,
    TournamentSettings,
    pairings,
    play_tournament,
)
from domino_env.execution.executor import (
    Executor,
    ExecutorFactory,
    InOrder,
    TaskFunction,
    run_tasks,
    thread_executor,
)

COINS = ("random", "greedy_pip", {"agent": "random", "name": "other"})


class Careless:
    """Takes many tasks at once, does them in any order, some of them twice, and what is cancelled
    too."""

    def __init__(self, function: TaskFunction, seed: int, free_slots: int) -> None:
        self._function, self._free_slots, self._chance = function, free_slots, random.Random(seed)
        self._running: list[Any] = []
        self.cancelled: list[Any] = []

    @property
    def free_slots(self) -> int:
        return self._free_slots - len(self._running)

    def submit(self, task: Any) -> None:
        self._running.append(task)

    def completed(self) -> list[tuple[Any, Any]]:
        self._chance.shuffle(self._running)
        task = self._running[-1]
        if self._chance.random() < 0.8:
            self._running.pop()
        return [(task, self._function(task))]

    def cancel(self, task: Any) -> None:
        self.cancelled.append(task)


def careless(seed: int, free_slots: int, seen: list[Careless] | None = None) -> ExecutorFactory:
    @contextmanager
    def make(function: TaskFunction) -> Iterator[Executor]:
        executor = Careless(function, seed, free_slots)
        if seen is not None:
            seen.append(executor)
        yield executor

    return make


def texts(results: Results) -> tuple[str, list[str]]:
    """All that is written of a tournament, but for the time."""
    figures = json.dumps(report.as_json(results, 0.0))
    return figures, [record.line() for record in results.records]


@pytest.mark.parametrize(("seed", "free_slots"), [(0, 1), (1, 4), (2, 50)])
def test_results_do_not_depend_on_who_plays_when_and_how_often(seed: int, free_slots: int) -> None:
    settings = TournamentSettings(
        games=("block_draw", "bergen"), agents=COINS, deals=45, chunk_size=10, records=13
    )
    alone = play_tournament(settings)
    assert texts(play_tournament(settings, executor=careless(seed, free_slots))) == texts(alone)


@pytest.mark.slow
def test_a_pairing_stops_where_it_would_have_if_others_played_ahead() -> None:
    settings = TournamentSettings(
        agents=COINS[:2], deals=2000, chunk_size=50, target_half_width=4, records=300
    )
    alone, seen = play_tournament(settings), list[Careless]()
    assert 200 <= alone.standings[0].deals < 1000
    assert texts(play_tournament(settings, executor=careless(3, 30, seen))) == texts(alone)
    assert seen[0].cancelled, "it played beyond the stop, and was told so"
    assert texts(play_tournament(settings, executor=thread_executor(3))) == texts(alone)


def test_who_watches_sees_the_same_however_far_others_are_ahead() -> None:
    settings = TournamentSettings(agents=COINS[:2], deals=40, chunk_size=10)
    seen: list[Standing] = []
    play_tournament(settings, seen.append, careless(4, 9))
    assert [each.deals for each in seen] == [10, 20, 30, 40]


def test_nobody_plays_ahead_while_something_surer_is_to_be_done() -> None:
    settings = TournamentSettings(agents=COINS, deals=40, chunk_size=10)
    scoresheet = Scoresheet(settings, pairings(settings), lambda standing: None)
    begun = [scoresheet.next_task() for _ in range(6)]
    told = [(chunk.pairing, chunk.number) for chunk in begun if chunk is not None]
    assert told == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize(("deals", "chunk"), [(2, 1), (3, 1), (11, 10), (500, 500), (7, 3)])
def test_chunks_are_all_deals_each_once_and_none_alone_at_the_end(deals: int, chunk: int) -> None:
    parts = [*chunks(TournamentSettings(deals=deals, chunk_size=chunk, records=4), 5)]
    played = [deal for part in parts for deal in range(part.first, part.first + part.deals)]
    assert played == [*range(deals)]
    assert parts[-1].deals > 1
    assert [part.number for part in parts] == [*range(len(parts))]
    recorded = sum(min(part.recorded, part.deals) for part in parts)
    assert recorded == min(4, deals)


def test_a_task_that_fails_ends_a_tournament_with_its_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: Any) -> Any:
        raise BadOption("no more tiles")

    monkeypatch.setattr(Pairing, "play_deals", failing)
    for executor in (thread_executor(2), careless(0, 3)):
        with pytest.raises(BadOption, match="no more tiles"):
            play_tournament(TournamentSettings(agents=COINS), executor=executor)


def test_a_source_without_tasks_is_done() -> None:
    with thread_executor(1)(len) as executor:
        run_tasks(Scoresheet(TournamentSettings(), [], lambda standing: None), executor)


# Policies ----------------------------------------------------------------------------------------


def test_a_policy_is_read_once_and_goes_along_with_its_task(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    file.write_bytes((SHIPPED / "block_draw.npz").read_bytes())
    entrant = Entrant("ppo", "", {"file": str(file), "temperature": 1.0})
    packed = entrant.packed
    file.unlink()
    assert packed.name == entrant.name
    assert packed.options["temperature"] == 1.0
    settings = TournamentSettings(agents=(packed, "random"), deals=4)
    assert play_tournament(settings).standings[0].deals == 4


def test_a_policy_from_a_file_plays_as_the_shipped_one(tmp_path: Path) -> None:
    named = {"agent": "ppo", "name": "ppo", "file": str(SHIPPED / "block_draw.npz")}
    plain: dict[str, Any] = {"rules": {"hand_size": 7}, "deals": 6, "chunk_size": 2}
    from_file = play_tournament(TournamentSettings(agents=(named, "random"), **plain))
    assert (
        from_file.standings
        == play_tournament(TournamentSettings(agents=("ppo", "random"), **plain)).standings
    )
    assert report.as_json(from_file, 0.0)["settings"]["agents"][0] == named


# Stopped by hand ---------------------------------------------------------------------------------


def stopping(after: int) -> Any:
    """Ctrl-C, after so many chunks."""
    seen: list[Standing] = []

    def watch(standing: Standing) -> None:
        seen.append(standing)
        if len(seen) == after:
            raise KeyboardInterrupt

    return watch


def test_what_was_played_of_a_stopped_tournament_is_kept() -> None:
    settings = TournamentSettings(agents=COINS, deals=40, chunk_size=10, records=1)
    with pytest.raises(StoppedEarly) as stop:
        play_tournament(settings, stopping(6))
    results = stop.value.results
    assert results.stopped
    assert [standing.deals for standing in results.standings] == [40, 20]
    assert results.standings[0] == play_tournament(settings).standings[0]
    assert len(results.records) == 4
    page = report.markdown(results)
    assert "Stopped early, by hand: 2 of 3 pairings were begun, and 60 of up to 120 deals" in page
    assert report.as_json(results, 0.0)["stopped_early"] is True


def test_a_tournament_that_was_stopped_before_anything_is_known_has_nothing_to_keep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Pairing, "play_deals", stopped)
    with pytest.raises(KeyboardInterrupt) as stop:
        play_tournament(TournamentSettings(agents=COINS))
    assert not isinstance(stop.value, StoppedEarly)


def test_the_command_shows_and_writes_what_was_played_before_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domino_env.evaluate.console._Bars.show", lambda *_: stop(None))
    stop = stopping(3)
    words = ["deals=40", "chunk_size=10", "agents=[random, greedy_pip, heuristic]"]
    changes = [part for word in words for part in ("--set", word)]
    assert main(["tournament", *changes, "--out", str(tmp_path)]) == 130
    shown = capsys.readouterr()
    assert "Stopped early, by hand: 1 of 3 pairings were begun" in shown.out
    assert "Stopped early, by hand" in (tmp_path / "results.md").read_text(encoding="utf-8")
    figures = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert figures["stopped_early"] is True
    assert (tmp_path / "crosstable.png").exists()


# The command -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [("tournament", "--address", "auto"), ("train", "--workers", "2")], ids=" ".join
)
def test_what_is_of_a_cluster_needs_the_engine_that_has_one(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert f"{words[1]} is for a Ray cluster: it needs --engine ray" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("command", "extra"), [("tournament", "ray"), ("train", "train,rllib")])
def test_without_ray_the_extra_is_named(
    command: str,
    extra: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("domino_env.extras.find_spec", lambda name: name != "ray" or None)
    assert main([command, "--engine", "ray", "--out", str(tmp_path / "out")]) == 2
    assert f"pip install 'domino-env[{extra}]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_clocks_are_warned_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["deals=2", "agents=[random, {agent: pimc, seconds: 0.001, name: quick}]"]
    changes = [part for word in words for part in ("--set", word)]
    assert main(["tournament", *changes, "--out", str(tmp_path)]) == 0
    assert "domino: quick: what is played in so many seconds" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(5))
def test_tasks_that_are_all_needed_are_counted_once_and_in_order(seed: int) -> None:
    counted: list[tuple[int, int]] = []
    source = InOrder(range(20), lambda task, outcome: counted.append((task, outcome)))
    with careless(seed, 4)(lambda task: task * task) as executor:
        run_tasks(source, executor)
    assert counted == [(task, task * task) for task in range(20)]


def test_no_tasks_are_soon_done() -> None:
    assert InOrder([], lambda task, outcome: pytest.fail("there is none")).done


def test_mixed_tables_are_the_same_with_a_careless_executor() -> None:
    settings = TournamentSettings(
        games=("five_up",), num_players=3, agents=COINS, deals=6, mixed_deals=12, chunk_size=3
    )
    whole = play_tournament(settings)
    for seed in range(3):
        found = play_tournament(settings, executor=careless(seed, 3))
        assert found.table_ratings() == whole.table_ratings()
