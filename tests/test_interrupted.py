"""Runs that are killed, stopped, damaged or without room: what is left of them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from domino_env.train import pretrained
from domino_env.train.command import main
from domino_env.train.running import run
from domino_env.train.training import Training
from tests.test_training import ROOT, SHORT, short


def test_a_run_that_was_killed_goes_on_where_its_last_checkpoint_was(tmp_path: Path) -> None:
    changes = [*SHORT, "reinforce.iterations=6"]
    words = [word for change in changes for word in ("--set", change)]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(["train", *words, "--out", str(whole)]) == 0
    command = [sys.executable, "-m", "domino_env.train.command", "train", *words]
    process = subprocess.Popen(
        [*command, "--out", str(killed), "--set", "reinforce.iterations=6"],
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
    assert main([*command, "--set", "clip=0.3"]) == 2
    assert "is of a run with clip: 0.2, not 0.3" in capsys.readouterr().err
    assert main([*command, "--out", str(tmp_path / "nothing")]) == 2
    assert "there is no run in" in capsys.readouterr().err
    assert not (tmp_path / "nothing").exists()


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
    assert f"the last checkpoint is in {tmp_path}: go on with --resume" in capsys.readouterr().err
    assert main([*command[:-1], "--out", str(tmp_path / "new")]) == 130
    assert "--resume" not in capsys.readouterr().err, "there is nothing to go on from"


def test_shipping_policies_fails_if_one_cannot_be_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("CONFIGS", "RUNS", "SHIPPED"):
        monkeypatch.setattr(pretrained, place, tmp_path / place)
    (tmp_path / "CONFIGS").mkdir()
    (tmp_path / "CONFIGS" / "wrong.yaml").write_text("game: blok_draw")
    assert pretrained.main([]) == 1
    assert "1/1 wrong: domino: " in capsys.readouterr().out
    assert not [*(tmp_path / "SHIPPED").iterdir()]
