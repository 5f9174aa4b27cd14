"""The peers of `domino bench`: how they are asked, what the ratios are, and what is said of those
who are missing, die or fall silent. None of it needs the network."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domino_env.bench import speed, tables
from domino_env.bench.benchmark import OPENSPIEL, TRIPLETRIAD, Benchmark
from domino_env.bench.one_core import on_one_core, processor
from domino_env.bench.peers import catalogue, lineup, tripletriad, worker
from domino_env.bench.peers.catalogue import PEERS, SIZES, Peer
from domino_env.bench.peers.environments import CONSTRAINTS, ENVIRONMENTS, Environment
from domino_env.bench.peers.lineup import NOT_HERE, Lineup
from domino_env.bench.peers.rates import Rates, best_of, compared
from domino_env.bench.peers.setting_up import CannotMake
from domino_env.bench.peers.worker import Lost, Worker
from domino_env.bench.speed import Settings, peers_of
from domino_env.bench.suite import benchmarks
from domino_env.cli.main import main

SERVE = Path(worker.__file__).parent / "workers" / "serve.py"
GAME = """
import time
PACKAGES = ("numpy",)

def prepare(game, games):
    print("what a library prints is no answer")
    def play():
        began = time.process_time()
        while time.process_time() - began < 0.005:
            pass
        return games * {"once": 1, "twice": 2}[game]
    return play
"""
HELLO = "import json, sys, time\nprint(json.dumps({}), flush=True)\n"
DIES = (
    HELLO
    + """
for number, line in enumerate(sys.stdin):
    if number == 2:
        sys.exit("the game is out of order")
    print("100 0.1", flush=True)
"""
)
SILENT = HELLO + "time.sleep(600)\n"
ALONE = Peer("alone", "here", "a", "one game")
TOGETHER = Peer("together", "here", "b", "many", SIZES)


@pytest.fixture
def started(tmp_path: Path) -> Any:
    """Starts workers of programs in Python, and ends them."""
    workers = []

    def start(source: str, *words: str) -> Worker:
        script = tmp_path / f"program{len(workers)}.py"
        script.write_text(source)
        command = [str(SERVE), str(script), *words] if words else [str(script)]
        workers.append(Worker([sys.executable, *command], tmp_path / "log"))
        return workers[-1]

    yield start
    for each in workers:
        each.close()


# The protocol -------------------------------------------------------------------------------------


def test_a_worker_says_its_versions_and_answers_with_decisions_and_cpu_seconds(
    started: Any,
) -> None:
    found = started(GAME, "twice")
    assert {*found.versions} == {"numpy", "python"}
    for games in (8, 1, 8):
        # Two decisions a game in each call, which takes 5 ms of CPU time, or a little more.
        assert 0.5 * 400 * games < found.measure(games, 0.05) <= 400 * games


def test_the_protocol_is_two_numbers_a_line_until_the_input_ends(tmp_path: Path) -> None:
    script = tmp_path / "game.py"
    script.write_text(GAME)
    command = [sys.executable, str(SERVE), str(script), "once"]
    done = subprocess.run(
        command, input="10 0.02\n3 0.001\n", capture_output=True, text=True, check=True
    )
    hello, *answers = done.stdout.splitlines()
    assert json.loads(hello)["python"].startswith("3.")
    (many, spent), (few, least) = (map(float, line.split()) for line in answers)
    assert many % 10 == 0
    assert 0.02 <= spent < 0.2
    assert few == 3
    assert least >= 0.005
    assert "no answer" in done.stderr


def test_a_worker_stays_on_one_core_and_we_do_not(started: Any) -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("this system keeps nobody on a core")
    before = os.sched_getaffinity(0)
    cores = 'import os\nprint(\'{"cores": "%s"}\' % len(os.sched_getaffinity(0)))\n'
    assert started(cores).versions == {"cores": "1"}
    with on_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (DIES, "the game is out of order"),
        (HELLO + "for line in sys.stdin: print('ready', flush=True)", "it answered 'ready'"),
        (HELLO + "for line in sys.stdin: print('5 0', flush=True)", "it answered '5 0'"),
        (HELLO + "sys.exit(3)", "it ended with status 3"),
    ],
)
def test_a_worker_that_fails_is_lost_for_the_reason_that_it_gave(
    source: str, why: str, started: Any
) -> None:
    found = started(source)
    with pytest.raises(Lost, match=why):
        [found.measure(1, 0.01) for _ in range(3)]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("print('hello')", "it began with 'hello'"),
    ],
)
def test_a_worker_that_cannot_start_is_lost_at_once(source: str, why: str, started: Any) -> None:
    with pytest.raises(Lost, match=why):
        started(source)


def test_a_program_that_is_gone_is_lost(tmp_path: Path) -> None:
    with pytest.raises(Lost, match="No such file"):
        Worker([str(tmp_path / "gone")], tmp_path / "log")


def test_a_silent_worker_is_given_up_and_ended(
    started: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = started(SILENT)
    monkeypatch.setattr(worker, "PATIENCE", 0.2)
    with pytest.raises(Lost, match="it was silent"):
        found.measure(1, 0.1)
    assert found._process.poll() is not None


# Ratios -------------------------------------------------------------------------------------------


def rates_of(peer: Peer, **by_size: list[float]) -> Rates:
    return Rates(peer, {}, {int(size[1:]): rates for size, rates in by_size.items()})


def measured(size: int | None, unit: str, *rates: float) -> Benchmark:
    return Benchmark("any", lambda _: 0.0, 1, 2, unit, size=size, rates=[*rates])


def test_the_best_peer_is_the_one_with_the_highest_median_at_that_size() -> None:
    slow = rates_of(ALONE, n1=[50, 50, 50])
    fast = rates_of(TOGETHER, n1=[10, 10, 10], n64=[90, 100, 990])
    assert best_of([slow, fast], 1) is slow
    assert best_of([slow, fast], 64) is fast
    assert best_of([slow], 64) is slow, "without batches it plays one game after another"
    assert best_of([fast], 1024) is None


def test_ratios_are_formed_in_each_repetition_and_their_median_counts() -> None:
    fast = rates_of(TOGETHER, n64=[100, 50, 200])
    assert compared([200, 200, 200], 64, fast).ratios == [2, 4, 1]
    assert compared([200, 200, 200], 64, fast).ratio == 2


def test_a_benchmark_is_held_against_the_peer_of_its_unit_and_compared_with_the_best() -> None:
    peers = {peer.name: peer for peer in PEERS}
    found = [
        rates_of(peers[catalogue.OPENSPIEL], n1=[10.0, 20.0]),
        rates_of(peers[catalogue.TRIPLETRIAD], n64=[50.0, 50.0]),
        rates_of(peers["pgx kuhn_poker"], n1=[30.0, 30.0], n64=[100.0, 100.0]),
    ]
    batch = measured(64, TRIPLETRIAD, 75, 75)
    batch.compare(found)
    assert batch.best
    assert (batch.figure, batch.best.peer, batch.best.ratio) == (1.5, "pgx kuhn_poker", 0.75)
    assert batch.verdict == "acceptable"
    single = measured(None, OPENSPIEL, 20, 60)
    single.compare(found)
    assert (single.ratios, single.best) == ([2, 3], None)
    plain = measured(None, "pictures/s", 5, 7)
    plain.compare(found)
    assert (plain.ratios, plain.best) == ([5, 7], None)


def test_without_its_peer_a_benchmark_is_not_compared() -> None:
    batch = measured(64, TRIPLETRIAD, 75, 75)
    batch.compare([])
    assert (batch.figure, batch.best, batch.verdict) == (None, None, "not compared")
    figures = {"rows": [batch.plain], "peers": [], "left_out": {}, "game": "ours"}
    assert tables.targets(figures)[1][1:3] == ["–", TRIPLETRIAD]
    assert tables.speed(figures)[1] == ["any", "–", "75 decisions/s"]


def test_every_unit_names_a_peer_that_plays_in_that_size() -> None:
    for each in benchmarks():
        assert not each.unit.startswith(("× Open", "× Puffer")) or each.peer
        if each.peer and each.peer.has_batches:
            assert each.size in each.peer.sizes


# The table ----------------------------------------------------------------------------------------


def test_the_ratios_to_the_best_lead_the_table() -> None:
    slow, fast = rates_of(ALONE, n1=[2e4]), rates_of(TOGETHER, n1=[1e4], n64=[4e6])
    rows = [measured(1, OPENSPIEL, 1e4), measured(64, TRIPLETRIAD, 6e6)]
    for row in rows:
        row.leads = True
        row.compare([slow, fast])
    figures = {
        "game": "ours",
        "rows": [row.plain for row in rows],
        "peers": [slow.plain, fast.plain],
    }
    assert tables.lead(json.loads(json.dumps(figures)))[1:] == [
        ["× the best of them", "0.5", "1.5"],
        ["ours", "10 k", "6 M"],
        ["together", "10 k", "4 M"],
        ["alone", "20 k", "–"],
    ]


def test_only_those_peers_and_sizes_are_played_that_somebody_is_compared_with() -> None:
    every = {each.name: each for each in benchmarks()}
    assert peers_of([every["pictures, SVG"]]) == {}
    (openspiel,) = peers_of([every["raw AEC, whole loop"]]).items()
    assert (openspiel[0].name, openspiel[1]) == (catalogue.OPENSPIEL, [1])
    sizes = {peer.name: sizes for peer, sizes in peers_of([every["five_up"]]).items()}
    assert sizes == {peer.name: [4096] if peer.has_batches else [1] for peer in PEERS}
    assert peers_of([*every.values()]) == {peer: [*peer.sizes] for peer in PEERS}


# Who is missing, or lost on the way ---------------------------------------------------------------


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts programs in the place of the packages of peers."""

    class Scripted(Environment):
        def command(self, folder: Path, game: str) -> list[str] | None:
            return [sys.executable, str(tmp_path / f"{self.name}.py")] if self.installs else None

    def put(**sources: str) -> None:
        for name, source in sources.items():
            (tmp_path / f"{name}.py").write_text(source)
            found = Scripted(name, ("something",) if source else ())
            monkeypatch.setitem(ENVIRONMENTS, name, found)

    return put


BENCH = ["bench", "--only", "one_arm_joe", "--repeats", "2", "--seconds", "0.02", "--deals", "0"]
ANSWERS = HELLO + "for line in sys.stdin: print('300 0.1', flush=True)"


def test_a_peer_that_dies_is_left_out_with_all_it_did_and_the_others_go_on(
    scripts: Any, tmp_path: Path
) -> None:
    scripts(good=ANSWERS, bad=DIES, gone="")
    good, bad, gone = (Peer(f"the {name}", name, "g", "") for name in ("good", "bad", "gone"))
    with Lineup(tmp_path / "peers") as found:
        for peer in (good, bad, gone):
            found.start(peer, [1])
        assert [rates.peer for rates in found.found] == [good, bad]
        for _ in range(3):
            found.measure(1, 0.01)
    assert [rates.plain["rates"] for rates in found.found] == [{"1": [3000.0] * 3}]
    assert found.left_out == {"the bad": "the game is out of order", "the gone": NOT_HERE}
    told = tables.left_out({"left_out": found.left_out})
    assert "left out, the game is out of order: the bad\n" in told
    assert "`domino bench --get-peers`" in told


def test_bench_goes_on_without_peers_and_says_how_to_get_them(
    scripts: Any, tmp_path: Path, capsys: Any
) -> None:
    scripts(open_spiel=ANSWERS, dominoes="", pgx="", pufferlib="")
    file = tmp_path / "bench.json"
    assert main([*BENCH, "--peers", str(tmp_path / "peers"), "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "left out, not installed: dominoes; pgx kuhn_poker" in shown
    assert "domino bench --get-peers" in shown
    kept = json.loads(file.read_text())
    assert [peer["name"] for peer in kept["peers"]] == ["OpenSpiel"]
    assert kept["peers"][0]["rates"] == {"1": [3000.0, 3000.0]}
    assert kept["left_out"]["PufferLib tripletriad"] == NOT_HERE
    (row,) = kept["rows"]
    assert (row["size"], row["best"]["peer"], len(row["rates"])) == (4096, "OpenSpiel", 2)
    assert math.isclose(row["ratios"][0], row["rates"][0] / 3000)


def test_bench_goes_on_when_the_peer_it_is_held_against_dies(
    scripts: Any, tmp_path: Path, capsys: Any
) -> None:
    scripts(open_spiel=DIES, dominoes="", pgx="", pufferlib="")
    assert main([*BENCH, "--peers", str(tmp_path / "peers")]) == 0
    shown = capsys.readouterr().out
    assert "left out, the game is out of order: OpenSpiel" in shown
    assert "not compared" in shown


def test_every_repetition_measures_the_peers_right_before_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[Any] = []

    def noted(name: str, size: int | None) -> Benchmark:
        return Benchmark(name, lambda _: order.append(name) or 1.0, 1, 2, "x", size=size)  # type: ignore[func-returns-value]

    monkeypatch.setattr(Lineup, "measure", lambda self, size, seconds: order.append(size))
    chosen = [noted("large", 4096), noted("other", None), noted("small", 64)]
    with speed.Progress(disable=True) as progress, Lineup(tmp_path) as found:
        speed._measure(found, chosen, Settings(repeats=2), progress)
    assert order == [1, 64, "small", 4096, "large", "other"] * 2


# Their environments -------------------------------------------------------------------------------


def test_everything_that_is_installed_is_pinned() -> None:
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pinned = {line.partition("==")[0] for line in lines if "==" in line}
    installed = {name for each in ENVIRONMENTS.values() for name in each.installs}
    assert installed | {"pufferlib"} == pinned
    assert {peer.package for peer in PEERS} == {*ENVIRONMENTS}


def test_an_environment_is_made_once_and_again_when_something_else_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[str]] = []
    monkeypatch.setattr(
        "domino_env.bench.peers.environments.logged", lambda command, log: made.append(command)
    )
    old = Environment("mine", ("one",), "openspiel_game.py")
    assert old.command(tmp_path, "g") is None
    old.make(tmp_path)
    assert [command[2] for command in made] == ["venv", "pip"]
    old.make(tmp_path)
    assert len(made) == 2
    python, *rest = old.command(tmp_path, "g") or [""]
    assert Path(python).parent.parent == tmp_path / "mine"
    assert rest[-1] == "g"
    new = Environment("mine", ("one", "two"), "openspiel_game.py")
    assert new.command(tmp_path, "g") is None
    new.make(tmp_path)
    assert made[-1][-2:] == ["one", "two"]


def test_a_package_that_is_here_needs_no_environment(tmp_path: Path) -> None:
    found = Environment("mine", (), "openspiel_game.py", "json").command(tmp_path, "g")
    assert found
    assert found[0] == sys.executable
    assert Environment("mine", (), "openspiel_game.py", "no_such").command(tmp_path, "g") is None


@pytest.mark.slow
def test_what_cannot_be_installed_is_left_out_with_the_reason_and_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    folder = tmp_path / "peers"
    broken = Environment("dominoes", ("no-such-package-of-anybody",))
    monkeypatch.setattr(lineup, "ENVIRONMENTS", {"dominoes": broken})
    told: list[str] = []
    failed = lineup.set_up(folder, told.append)
    assert told == ["setting up dominoes"]
    assert [*failed] == ["dominoes"]
    with Lineup(folder) as found:
        found.left_out.update(failed)
        found.start(next(peer for peer in PEERS if peer.name == "dominoes"), [1])
    reason = found.left_out["dominoes"]
    assert "No matching distribution" in reason, "which says more than that it is not there"
    assert str(folder / "dominoes.log") in reason


def test_what_takes_no_compiler_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(CannotMake, match="there is no no-such-compiler"):
        tripletriad.compile_program(tmp_path, "1", tmp_path / "out", tmp_path / "log")


# The programs that play ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver in C, with a game that checks what it is given."""
    if not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("program")
    stand_in = Path(__file__).parent / "peers"
    tripletriad.compile_program(stand_in, "3.0", folder / "tripletriad", folder / "log")
    return folder / "tripletriad"


def played(program: Path, sampler: str) -> tuple[list[list[float]], dict[str, Any]]:
    done = subprocess.run(
        [str(program), sampler], input="64 0.02\n7 0.01\n64 0.02\n", capture_output=True, text=True
    )
    hello, *answers = done.stdout.splitlines()
    assert json.loads(hello)["pufferlib"] == "3.0"
    return [[*map(float, line.split())] for line in answers], json.loads(done.stderr)


def test_the_program_in_c_speaks_the_protocol(program: Path) -> None:
    answers, seen = played(program, "legal")
    for (decisions, spent), (games, seconds) in zip(
        answers, [(64, 0.02), (7, 0.01), (64, 0.02)], strict=True
    ):
        assert decisions > 0
        assert decisions % games == 0
        assert seconds <= spent < seconds + 1
    assert seen["games"] > 64 + 7
    assert Worker([str(program), "legal"], program.with_name("log2")).measure(64, 0.02) > 0
    assert subprocess.run([str(program), "none"], capture_output=True, check=False).returncode == 2


@pytest.mark.parametrize("sampler", ["legal", "own_mask"])
def test_it_samples_uniformly_what_its_mask_allows(sampler: str, program: Path) -> None:
    _, seen = played(program, sampler)
    assert (seen["ignored"] == 0) == (sampler == "legal")
    assert seen["masked"] == 0, "what the game masks is never played"
    for counts in (seen["cards"], seen["places"]):
        mean = sum(counts) / len(counts)
        assert mean > 10_000
        assert all(abs(count / mean - 1) < 0.05 for count in counts)


def test_openspiels_game_is_played_by_its_worker(tmp_path: Path) -> None:
    command = ENVIRONMENTS["open_spiel"].command(tmp_path, "python_block_dominoes")
    assert command
    found = Worker(command, tmp_path / "log")
    try:
        assert found.versions["open_spiel"]
        assert found.measure(1, 0.1) > 100
    finally:
        found.close()


def test_the_processor_has_a_name() -> None:
    assert processor().strip()
