"""Tournaments and data sets on a cluster of two nodes, one of which is killed

The results must be those of one machine, byte for byte, whichever workers die during the run.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from domino_env import agents
from domino_env.agents.ppo import SHIPPED
from domino_env.cli.main import main
from domino_env.data.generate import DatasetSettings, Keep
from domino_env.data.writer import write_dataset
from domino_env.errors import BadOption
from domino_env.evaluate import report
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.journal import Journal
from domino_env.evaluate.results import Results
from domino_env.evaluate.tournament import StoppedEarly, TournamentSettings, play_tournament
from domino_env.execution import ray_executor as ray_execution
from domino_env.execution.ray_executor import ray_executor
from domino_env.record import Record
from tests.clients.conftest import Record as Figures


def texts(results: Results) -> tuple[str, list[str]]:
    """All that is written of a tournament, but for the time."""
    records: list[Record] = results.records
    return json.dumps(report.as_json(results, 0.0)), [record.line() for record in records]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def killing(nodes: Cluster, after: int) -> Callable[..., None]:
    """Watches, adds a node, and kills the one that has begun everything."""
    first, seen = next(iter(nodes.worker_nodes)), [0]

    def watch(*_: Any) -> None:
        seen[0] += 1
        if seen[0] == after:
            nodes.add_node(num_cpus=1)
            nodes.remove_node(first, allow_graceful=False)

    return watch


def test_a_tournament_is_the_same_though_a_node_is_killed(
    nodes: Cluster, tmp_path: Path, record_figure: Figures
) -> None:
    policy = tmp_path / "mine.npz"
    policy.write_bytes((SHIPPED / "block_draw.npz").read_bytes())
    mine = {"agent": "ppo", "name": "mine", "file": str(policy), "temperature": 1.0}
    settings = TournamentSettings(
        rules={"hand_size": 7},
        agents=("random", "heuristic", mine),
        deals=1200,
        chunk_size=100,
        target_half_width=2.0,
        records=110,
    )
    alone = play_tournament(settings)
    assert texts(play_tournament(settings, killing(nodes, 3), ray_executor())) == texts(alone)
    record_figure("chunks", sum(-(-standing.deals // 100) for standing in alone.standings))


STRANGER = """
class Stranger:
    def choose(self, position):
        if len(position.legal) > 4:
            raise RuntimeError("so many")
        return position.legal[-1]

class Sound:
    def choose(self, position):
        return position.legal[-1]
"""


def test_an_agent_plays_and_forfeits_on_nodes_that_do_not_have_its_file(
    nodes: Cluster, tmp_path: Path
) -> None:
    file = tmp_path / "stranger.py"
    file.write_text(STRANGER, encoding="utf-8")
    stranger, sound = (agents.source(f"{file}:{name}") for name in ("Stranger", "Sound"))
    file.unlink()
    settings = TournamentSettings(agents=("greedy_pip", stranger), deals=120, chunk_size=20)
    alone = play_tournament(settings)
    assert 0 < alone.standings[0].forfeits[1] < 240
    assert texts(play_tournament(settings, executor=ray_executor())) == texts(alone)
    data = DatasetSettings(games=60, agents=("random", sound), rows=200)
    write_dataset(data, tmp_path / "alone")
    write_dataset(data, tmp_path / "cluster", executor=ray_executor())
    assert files(tmp_path / "cluster") == files(tmp_path / "alone")


def test_engines_play_on_nodes_as_they_do_here(nodes: Cluster) -> None:
    engine = Path(__file__).parents[2] / "examples" / "engines" / "python" / "engine.py"
    command = [sys.executable, str(engine)]
    options = {"agent": "engine", "command": command, "seconds": 30.0, "name": "engine"}
    settings = TournamentSettings(
        agents=("greedy_pip", Entrant.from_plain(options)), deals=40, chunk_size=10
    )
    alone = play_tournament(settings)
    assert not alone.forfeits
    assert texts(play_tournament(settings, executor=ray_executor())) == texts(alone)


def test_a_tournament_goes_on_where_it_was_when_the_machine_that_asked_died(
    nodes: Cluster, tmp_path: Path
) -> None:
    """On a cluster, with what was played without one."""
    settings = TournamentSettings(
        agents=("random", "heuristic"), deals=600, chunk_size=100, records=50
    )

    def dying(standing: Any) -> None:
        if standing.deals == 300:
            raise MemoryError

    with (
        closing(Journal(tmp_path, settings, resumed=False)) as journal,
        pytest.raises(MemoryError),
    ):
        play_tournament(settings, dying, journal=journal)
    with closing(Journal(tmp_path, settings, resumed=True)) as journal:
        assert len(journal.known) == 3
        assert texts(play_tournament(settings, executor=ray_executor(), journal=journal)) == texts(
            play_tournament(settings)
        )


def test_a_data_set_has_the_same_bytes_though_a_node_is_killed(
    nodes: Cluster, tmp_path: Path, record_figure: Figures
) -> None:
    settings = DatasetSettings(games=800, rows=1000, agents=("random",), keep=Keep(hands=True))
    write_dataset(settings, tmp_path / "alone")
    write_dataset(settings, tmp_path / "ray", ray_executor(), killing(nodes, 4))
    assert files(tmp_path / "ray") == files(tmp_path / "alone")
    record_figure("files", len(files(tmp_path / "alone")) - 1)


def test_policies_need_not_be_on_the_nodes(nodes: Cluster, tmp_path: Path) -> None:
    """Their files are gone before the first chunk is played."""
    policy = tmp_path / "mine.npz"
    policy.write_bytes((SHIPPED / "block_draw.npz").read_bytes())
    mine = {"agent": "ppo", "name": "mine", "file": str(policy)}
    settings = TournamentSettings(rules={"hand_size": 7}, agents=("random", mine), deals=4)
    alone = play_tournament(settings)
    make = ray_executor()

    def without_file(work: Any) -> Any:
        policy.unlink()
        return make(work)

    assert play_tournament(settings, executor=without_file).standings == alone.standings


def one(work: Callable[[int], Any], task: int) -> Any:
    """What comes of one task. The work stands in a test: nodes do not have this file."""
    with ray_executor()(work) as executor:
        executor.submit(task)
        return executor.completed()


def test_errors_of_a_task_are_those_of_this_machine(nodes: Cluster) -> None:
    def divide(task: int) -> float:
        if task == 3:
            raise BadOption("three is refused")
        return 1 / task

    assert one(divide, 4) == [(4, 0.25)]
    with pytest.raises(BadOption, match="three is refused"):
        one(divide, 3)
    with pytest.raises(ZeroDivisionError):
        one(divide, 0)


def test_other_versions_on_a_node_are_refused() -> None:
    there = {**ray_execution.versions(), "domino-env": "9.9"}
    with pytest.raises(BadOption, match=r"domino-env is 9\.9 here and .* on the node"):
        ray_execution.run_task(there, abs, 2)


def test_a_stopped_tournament_keeps_what_was_played_and_leaves_nothing_running(
    nodes: Cluster,
) -> None:
    def stop(standing: Any) -> None:
        if standing.deals >= 200:
            raise KeyboardInterrupt

    settings = TournamentSettings(agents=("random", "heuristic"), deals=20_000, chunk_size=100)
    with pytest.raises(StoppedEarly) as stopped:
        play_tournament(settings, stop, ray_executor())
    assert stopped.value.results.standings[0].deals == 200
    end = time.monotonic() + 60
    while ray.available_resources().get("CPU", 0) < 1 and time.monotonic() < end:
        time.sleep(0.1)
    assert ray.available_resources()["CPU"] == 1


def test_a_task_that_kills_its_worker_is_given_up(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_execution, "MAX_RETRIES", 1)
    with pytest.raises(BadOption, match="died of the same task"):
        one(os._exit, 1)


def test_a_cluster_that_does_not_answer_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    words = ["tournament", "--engine", "ray", "--address", "127.0.0.1:1", "--out", str(tmp_path)]
    assert main(words) == 2
    assert "no Ray cluster answers at 127.0.0.1:1" in capsys.readouterr().err
    assert time.monotonic() - began < 60
    with pytest.raises(BadOption, match="no Ray cluster at nowhere:x"):
        ray_executor("nowhere:x")(abs).__enter__()


def test_the_command_goes_to_the_cluster_that_it_is_told(nodes: Cluster, tmp_path: Path) -> None:
    address = nodes.address
    ray.shutdown()  # as a shell of its own has it
    words = ["--set", "agents=[random, greedy_pip]", "--set", "deals=60", "--set", "chunk_size=20"]
    for name, more in (("here", []), ("there", ["--engine", "ray", "--address", address])):
        assert main(["tournament", *words, *more, "--out", str(tmp_path / name)]) == 0
    here, there = (files(tmp_path / name) for name in ("here", "there"))
    figures = [json.loads(each.pop("results.json")) for each in (here, there)]
    assert [each.pop("seconds") for each in figures]
    assert figures[0] == figures[1]
    assert here == there
    assert not ray.is_initialized()
