"""A short run of `make fuzz`: every game, all doors. And what the fuzzer is there to notice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from tests.fuzz import doors
from tests.fuzz.__main__ import brief, main, watch
from tests.fuzz.fuzz_session import Session

pytestmark = pytest.mark.slow

CALLS = 5_000  # each game twice, and what stands on it: some fifteen seconds


def test_bad_calls_neither_kill_nor_change_anything() -> None:
    found = watch(seed=1, sessions=range(CALLS // 100))
    assert not found["failures"], "\n".join(brief(found["failures"]))
    assert found["calls"] >= CALLS
    assert found["refused"] > CALLS // 5


def test_every_public_function_is_a_door() -> None:
    batch = domino_env.batch("block_draw", 3, seed=0)
    names = {door.name for door in [*doors.of_modules(), *doors.of_object("batch", batch)]}
    functions = [name for name in dir(domino_env.Batch) if not name.startswith("_")]
    public = {name for name in functions if callable(getattr(batch, name))}
    assert {f"batch.{name}" for name in public} <= names
    assert {"belief.sample", "belief.Belief", "actions.encode", "record.parse"} <= names
    assert {"render.compose.compose", "agents.make", "domino_env.raw_aec"} <= names


def failures_with(monkeypatch: pytest.MonkeyPatch, mistake: Any) -> str:
    """What a session says of a batch whose `sample_some` is replaced."""
    mistake.__module__ = "domino_env"
    monkeypatch.setattr(domino_env.Batch, "sample_some", mistake)
    sessions = [Session(5, number) for number in range(6)]
    for session in sessions:
        session.run(lambda said: None)
    return "\n".join(failure for session in sessions for failure in session.failures)


def test_an_error_that_is_not_ours_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def sample_some(self: Any, lanes: Any) -> Any:
        return [0, 1][len(lanes) + 2]

    assert "IndexError" in failures_with(monkeypatch, sample_some)


def test_a_refused_call_that_changes_something_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def sample_some(self: Any, lanes: Any) -> Any:
        self._samplers[0] += np.uint64(1)
        raise domino_env.errors.BadOption("no")

    assert "it changed something" in failures_with(monkeypatch, sample_some)


def test_an_illegal_move_that_goes_through_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domino_env.Batch, "step", lambda self, actions, lanes=None: None)
    session = Session(5, 0)
    session.run(lambda said: None)
    assert any("is illegal, and was taken" in failure for failure in session.failures)


DIES = """
import os
from domino_env.batches import Batch
Batch.boneyard_order = lambda self, lane: os.abort()
Batch.boneyard_order.__module__ = "domino_env"
"""


def test_a_process_that_dies_is_noticed_and_another_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sitecustomize.py").write_text(DIES, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    monkeypatch.setenv("PYTHONPATH", path)
    assert main(["--calls", "300", "--seed", "2"]) == 1
    told = capsys.readouterr().out
    assert "batch.boneyard_order(" in told
    assert "it died" in told
    assert "python -m tests.fuzz --seed 2 --session" in told
