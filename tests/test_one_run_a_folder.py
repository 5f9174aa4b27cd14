"""Two runs do not tear each other's files, and SIGTERM ends a run as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from domino_env.cli.main import main
from domino_env.errors import BadOption
from domino_env.files import write_together, write_whole
from domino_env.locks import LOCK, locked
from tests.test_training import ROOT, SHORT

HOLD = """
import sys, time
from domino_env.locks import locked
with locked(sys.argv[1]):
    print("locked", flush=True)
    time.sleep(600)
"""
TOURNAMENT = ["tournament", "--set", "agents=[random, greedy_pip]", "--set", "games=[block_draw]"]
DATASET = ["dataset", "--set", "games=8", "--set", "agents=[random]"]
TRAIN = ["train", *(word for change in SHORT for word in ("--set", change))]


@pytest.mark.parametrize("command", [TRAIN, TOURNAMENT, DATASET], ids=lambda words: words[0])
def test_a_second_run_in_a_folder_is_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with locked(tmp_path):
        assert main([*command, "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert f"{tmp_path} is in use by a run of process {os.getpid()}: wait until" in error
    assert list(tmp_path.iterdir()) == []


def test_a_lock_dies_with_its_process(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(BadOption, match=f"process {holder.pid}"), locked(tmp_path):
            pass
        holder.kill()
        holder.wait()
    (tmp_path / "policy.npz.4711-3.new").write_bytes(b"half of a fi")
    (tmp_path / "mine.new").write_bytes(b"")
    with locked(tmp_path):
        left = {path.name for path in tmp_path.iterdir()}
    assert left == {LOCK, "mine.new"}
    assert {path.name for path in tmp_path.iterdir()} == {"mine.new"}


def test_a_lock_is_given_back(tmp_path: Path) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), locked(tmp_path):
            _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


def test_who_writes_at_the_same_time_writes_beside(tmp_path: Path) -> None:
    """A file that another process has begun under the same name is left alone."""
    (tmp_path / "x.new").write_bytes(b"of another")
    write_whole(tmp_path / "x", b"whole")
    assert (tmp_path / "x.new").read_bytes() == b"of another"
    assert (tmp_path / "x").read_bytes() == b"whole"
    with pytest.raises(BadOption, match="cannot be written"):
        write_together({tmp_path / "a": b"1", tmp_path / "no" / "b": b"2"})
    assert {path.name for path in tmp_path.iterdir()} == {"x", "x.new"}
    with pytest.raises(BadOption, match="cannot be written"):
        write_whole("a\0b", b"")


def started(words: list[str], folder: Path, sign: str) -> subprocess.Popen[str]:
    """A command that has come as far as a file of its."""
    process = subprocess.Popen(
        [sys.executable, "-m", "domino_env.cli.main", *words, "--out", str(folder)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 120
    while not (folder / sign).exists() and time.monotonic() < end and process.poll() is None:
        time.sleep(0.01)
    return process


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "sign", "said"),
    [
        ([*TRAIN, "--set", "ppo.iterations=100000"], "checkpoint.pt", "--resume continues from it"),
        (
            [*DATASET, "--set", "games=1000000", "--set", "rows=300"],
            "games-000001.parquet",
            "run the same command again",
        ),
        (
            [
                *TOURNAMENT,
                "--set",
                "deals=1000000",
                "--set",
                "chunk_size=100",
                "--set",
                "records=0",
            ],
            "unfinished.jsonl",
            "",
        ),
        (["play", "--no-browser"], "", ""),
    ],
    ids=["train", "dataset", "tournament", "play"],
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_stops_a_run(
    words: list[str], sign: str, said: str, number: signal.Signals, tmp_path: Path
) -> None:
    process = started(words, tmp_path / "out", sign)
    try:
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    stopped = {signal.SIGTERM: (143,), signal.SIGINT: (130,)}[number]
    if words[0] == "play" and number == signal.SIGINT:
        stopped = (130, 0)  # Ctrl-C is how playing ends, once it has begun
    assert process.returncode in stopped, error
    assert said in error
    assert "Traceback" not in error
    if words[0] != "play":
        assert "domino: stopped" in error
    assert not (tmp_path / "out" / LOCK).exists()
