"""Runs that are killed, stopped, damaged or without room: what is left of them."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from domino_env.cli.main import main
from domino_env.data import writer
from domino_env.data.generate import DatasetSettings
from domino_env.errors import BadOption
from domino_env.evaluate import scoresheet
from domino_env.evaluate.journal import JOURNAL, Journal
from domino_env.evaluate.pairing import ChunkResult
from domino_env.evaluate.tournament import TournamentSettings
from domino_env.train.runner import run
from domino_env.train.training import Training
from tests.test_training import ROOT, SHORT, short
from tools import pretrained

pytestmark = pytest.mark.slow


def test_a_run_that_was_killed_goes_on_where_its_last_checkpoint_was(tmp_path: Path) -> None:
    changes = [*SHORT, "ppo.iterations=6"]
    words = [word for change in changes for word in ("--set", change)]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(["train", *words, "--out", str(whole)]) == 0
    command = [sys.executable, "-m", "domino_env.cli.main", "train", *words]
    process = subprocess.Popen(
        [*command, "--out", str(killed), "--set", "ppo.iterations=6"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while not (killed / "checkpoint.pt").exists() and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = torch.load(killed / "checkpoint.pt", weights_only=True)["state"]["iteration"]
    assert 1 <= done < 8, "it was killed too late to say anything"
    assert main(["train", *words, "--out", str(killed), "--resume"]) == 0
    for name in ("policy.npz", "curve.json"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()


def begun(tmp_path: Path) -> list[str]:
    """A command that goes on with a run that was begun."""
    run(short(), tmp_path)
    words = [word for change in SHORT for word in ("--set", change)]
    return ["train", *words, "--out", str(tmp_path), "--resume"]


def test_checkpoints_that_do_not_fit_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = begun(tmp_path)
    assert main(command[:-1]) == 2
    assert "there is a run in" in capsys.readouterr().err
    assert main([*command, "--set", "game=matador"]) == 2
    assert 'is of a run with game: "block_draw", not "matador"' in capsys.readouterr().err
    assert main([*command, "--set", "clip_range=0.3"]) == 2
    assert "is of a run with clip_range: 0.2, not 0.3" in capsys.readouterr().err
    assert main([*command, "--out", str(tmp_path / "nothing")]) == 2
    assert "there is no run in" in capsys.readouterr().err
    assert not (tmp_path / "nothing").exists()


def test_checkpoints_of_before_a_setting_was_renamed_are_gone_on_with(tmp_path: Path) -> None:
    command = begun(tmp_path)
    file = tmp_path / "checkpoint.pt"
    kept = torch.load(file, weights_only=True)
    torch.save({**kept, "settings": kept["settings"].replace('"num_players"', '"players"')}, file)
    assert '"players": null' in torch.load(file, weights_only=True)["settings"]
    assert main(command) == 0


def test_journals_of_before_a_setting_was_renamed_are_gone_on_with(tmp_path: Path) -> None:
    settings = TournamentSettings(num_players=3, agents=("random", "greedy_pip"), deals=20)
    journal = Journal(tmp_path, settings, resumed=False)
    journal.append(0, 0, ChunkResult(np.ones((2, 3)), []))
    journal.close()
    file = tmp_path / JOURNAL
    first, *others = file.read_text(encoding="utf-8").splitlines(keepends=True)
    told = first[9:].rstrip("\n").replace('"num_players"', '"players"')
    assert '"players": 3' in told
    file.write_text("".join([f"{zlib.crc32(told.encode()):08x} {told}\n", *others]), "utf-8")
    with pytest.raises(BadOption, match="unfinished"):
        Journal(tmp_path, settings, resumed=False)
    resumed = Journal(tmp_path, settings, resumed=True)
    resumed.close()
    assert [*resumed.known] == [(0, 0)]
    with pytest.raises(BadOption, match="other settings"):
        Journal(tmp_path, replace(settings, num_players=4), resumed=True)


def test_data_sets_of_before_a_setting_was_renamed_are_gone_on_with(tmp_path: Path) -> None:
    settings = DatasetSettings(num_players=3, games=12, rows=60, agents=("random",))
    manifest = writer.write_dataset(settings, tmp_path)
    whole = {file.name: file.read_bytes() for file in tmp_path.glob("*.parquet")}
    assert len(whole) > 1
    text = manifest.read_text(encoding="utf-8")
    assert '"num_players": 3' in text
    manifest.write_text(text.replace('"num_players"', '"players"'), "utf-8")
    next(tmp_path.glob("*.parquet")).unlink()
    writer.write_dataset(settings, tmp_path)
    assert {file.name: file.read_bytes() for file in tmp_path.glob("*.parquet")} == whole


@pytest.mark.parametrize("damage", ["half", "bit", "garbage", "empty", "pickle"])
def test_damaged_checkpoints_are_refused(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, file = begun(tmp_path), tmp_path / "checkpoint.pt"
    if damage == "half":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif damage == "bit":  # of a weight: PyTorch would read another number, and go on
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 16
        file.write_bytes(content)
    elif damage == "pickle":
        torch.save({"settings": Path("/"), "state": None}, file)
    else:
        file.write_bytes(b"nothing that was ever saved" if damage == "garbage" else b"")
    assert main(command) == 2
    assert "is damaged, or is not a checkpoint" in capsys.readouterr().err


def test_a_full_disk_leaves_the_last_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = begun(tmp_path)
    before = (tmp_path / "checkpoint.pt").read_bytes()
    words = [word for change in SHORT for word in ("--set", change)]

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert main(command) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert main(["train", *words, "--out", str(tmp_path / "new")]) == 2
    assert not [*(tmp_path / "new").glob("*")]
    assert (tmp_path / "checkpoint.pt").read_bytes() == before


def test_a_disk_that_fills_up_while_something_is_logged_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tensorboard.compat.tensorflow_stub.io.gfile import GFile

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(GFile, "write", full)
    words = [word for change in SHORT for word in ("--set", change)]
    assert main(["train", *words, "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "tensorboard cannot be written: No space left on device; --resume goes on" in error
    assert "Traceback" not in error


def test_a_run_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = begun(tmp_path)

    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "__init__", stopped)
    assert main(command) == 130
    assert (
        f"the last checkpoint is in {tmp_path}: --resume continues from it"
        in capsys.readouterr().err
    )
    assert main([*command[:-1], "--out", str(tmp_path / "new")]) == 130
    assert "--resume" not in capsys.readouterr().err, "there is nothing to go on from"


def test_shipping_policies_fails_if_one_cannot_be_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("CONFIGS", "RUNS", "WEIGHTS"):
        monkeypatch.setattr(pretrained, place, tmp_path / place)
    (tmp_path / "CONFIGS").mkdir()
    (tmp_path / "CONFIGS" / "wrong.yaml").write_text("game: blok_draw")
    assert pretrained.main([]) == 1
    assert "1/1 wrong: domino: " in capsys.readouterr().out
    assert not (tmp_path / "WEIGHTS").exists()


# Tournaments --------------------------------------------------------------------------------------

PLAYED = (
    *("agents=[random, greedy_pip, heuristic]", "deals=300", "chunk_size=50", "records=60"),
    *("rules.hand_size=7", "target_half_width=1.8"),
)
CHUNKS = ["tournament", *(word for change in PLAYED for word in ("--set", change))]


def results_in(folder: Path) -> dict[str, bytes]:
    """All that a tournament has written, but for the time."""
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    figures = json.loads(found.pop("results.json"))
    assert figures.pop("seconds") >= 0
    return {**found, "figures": json.dumps(figures).encode()}


def unfinished(folder: Path, monkeypatch: pytest.MonkeyPatch, chunks: int = 7) -> Path:
    """A tournament whose machine has died after some chunks; its journal."""
    usual, played = scoresheet.play_chunk, []

    def dying(pairings: Any, chunk: Any) -> Any:
        if len(played) == chunks:
            raise MemoryError("the machine is gone")
        played.append(chunk)
        return usual(pairings, chunk)

    with monkeypatch.context() as patched:
        patched.setattr("domino_env.evaluate.tournament.play_chunk", dying)
        with pytest.raises(MemoryError):
            main([*CHUNKS, "--out", str(folder)])
    return folder / JOURNAL


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("damage", ["none", "cut", "bit", "tail"])
def test_a_tournament_goes_on_and_ends_as_if_it_had_not_been_left(
    damage: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with a journal that was not written to its end, or was damaged since."""
    assert main([*CHUNKS, "--out", str(tmp_path / "whole")]) == 0
    left = unfinished(tmp_path / "left", monkeypatch)
    content = left.read_bytes()
    if damage == "cut":
        left.write_bytes(content[: 2 * len(content) // 3])
    if damage == "bit":
        middle = len(content) // 2
        left.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    if damage == "tail":
        left.write_bytes(content + b"\0\0\0\0")
    usual, played = scoresheet.play_chunk, []

    def counting(pairings: Any, chunk: Any) -> Any:
        played.append(chunk)
        return usual(pairings, chunk)

    monkeypatch.setattr("domino_env.evaluate.tournament.play_chunk", counting)
    words = [*CHUNKS, "--set", f"threads={threads}", "--out", str(tmp_path / "left"), "--resume"]
    assert main(words) == 0
    whole = results_in(tmp_path / "whole")
    assert results_in(tmp_path / "left") == whole | {
        name: text.replace(b'"threads": 1', f'"threads": {threads}'.encode())
        for name, text in whole.items()
        if name == "figures"
    }
    if damage in ("none", "tail") and threads == 1:
        again = [chunk for chunk in played if (chunk.pairing, chunk.number) in known_in(content)]
        assert not again, "what was known has been played again"


def known_in(content: bytes) -> set[tuple[int, int]]:
    """The chunks in a journal."""
    rows = [json.loads(line.partition(b" ")[2]) for line in content.splitlines()[1:]]
    return {(pairing, number) for pairing, number, *_ in rows}


def test_a_tournament_killed_at_once_goes_on(tmp_path: Path) -> None:
    """By -9, in a process of its own."""
    assert main([*CHUNKS, "--out", str(tmp_path / "whole")]) == 0
    command = [sys.executable, "-m", "domino_env.cli.main", *CHUNKS]
    process = subprocess.Popen(
        [*command, "--out", str(tmp_path / "left")], cwd=ROOT, stderr=subprocess.DEVNULL
    )
    journal, end = tmp_path / "left" / JOURNAL, time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        if journal.exists() and journal.read_bytes().count(b"\n") > 1:
            break
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert journal.exists(), "it was killed too late to say anything"
    assert main([*CHUNKS, "--out", str(tmp_path / "left"), "--resume"]) == 0
    assert results_in(tmp_path / "left") == results_in(tmp_path / "whole")


def test_journals_that_do_not_fit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*CHUNKS, "--out", str(tmp_path)]
    assert main([*words, "--resume"]) == 2
    assert "nothing is unfinished in" in capsys.readouterr().err
    journal = unfinished(tmp_path, monkeypatch)
    assert main(words) == 2
    assert "this tournament is unfinished in" in capsys.readouterr().err
    assert main([*words, "--set", "seed=1", "--resume"]) == 2
    assert "is of a tournament with other settings" in capsys.readouterr().err
    journal.write_bytes(b"x" + journal.read_bytes())
    assert main([*words, "--resume"]) == 2
    assert "is damaged: leave --resume out" in capsys.readouterr().err
    assert main([*words, "--set", "deals=4", "--set", "target_half_width=null"]) == 0
    assert not journal.exists()


def test_a_journal_that_cannot_be_written_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, full = tmp_path / "whole", tmp_path / "full"
    assert main([*CHUNKS, "--out", str(whole)]) == 0
    usual = Path.open

    def no_room(path: Path, *options: Any, **more: Any) -> Any:
        return usual(Path("/dev/full") if path.name == JOURNAL else path, *options, **more)

    monkeypatch.setattr(Path, "open", no_room)
    assert main([*CHUNKS, "--out", str(full)]) == 0
    assert "playing goes on, but could not be resumed" in capsys.readouterr().err
    assert results_in(full) == results_in(whole)
