"""A worker: a process that plays a peer's game, and says how fast it was whenever it is asked.

It begins with a line of JSON, the versions of what it plays with. To a line `GAMES SECONDS` it
answers `DECISIONS CPU_SECONDS`; the end of its input ends it. So a peer is timed next to us, again
and again, though it cannot live in our process.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from domino_env.bench.one_core import on_one_core
from domino_env.bench.peers.setting_up import last_line

PATIENCE = 180.0
"""Seconds without an answer after which a worker is given up; it may have to compile first."""

# The CPU time of all threads counts, and threads that wait for each other spend more of it: a peer
# is at its best with one.
_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
}


class Lost(Exception):
    """A worker that has ended, is silent or talks nonsense."""


class Worker:
    """A process that has been started. `Lost`, with a reason, if it does not answer."""

    def __init__(self, command: list[str], log: Path) -> None:
        self._log = log
        self._process = _started(command, log)
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.versions = self._versions(self._answer(PATIENCE))

    def measure(self, games: int, seconds: float) -> float:
        """Decisions a second of CPU time, with so many games at once."""
        with suppress(OSError):  # of one that has ended: no answer comes
            self._ask(f"{games} {seconds}\n")
        answer = self._answer(PATIENCE + seconds)
        try:
            decisions, spent = map(float, answer.split())
            return decisions / spent
        except (ValueError, ZeroDivisionError):
            raise self._lost(f"it answered {answer!r}") from None

    def close(self) -> None:
        """Ends it."""
        with suppress(OSError):
            assert self._process.stdin
            self._process.stdin.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    def _ask(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def _read(self) -> None:
        """Passes on what it says, "" being the end; in a thread of its own, as not every system can
        wait for a pipe."""
        assert self._process.stdout
        with suppress(ValueError):  # of a pipe that was closed here
            for line in self._process.stdout:
                self._lines.put(line)
        self._lines.put("")

    def _answer(self, patience: float) -> str:
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            raise self._lost(f"it was silent for {patience:,.0f} s") from None
        if not line:
            status = self._process.wait()
            raise self._lost(last_line(self._log) or f"it ended with status {status}")
        return line.strip()

    def _versions(self, line: str) -> dict[str, str]:
        try:
            found: dict[str, str] = json.loads(line)
        except ValueError:
            raise self._lost(f"it began with {line!r}") from None
        return found

    def _lost(self, why: str) -> Lost:
        self._process.kill()
        self.close()
        return Lost(why)


def _started(command: list[str], log: Path) -> subprocess.Popen[str]:
    with log.open("w", encoding="utf-8") as errors, on_one_core():  # which it inherits
        try:
            return subprocess.Popen(
                command,
                env={**os.environ, **_ONE_THREAD},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        except OSError as error:
            raise Lost(f"{command[0]}: {error.strerror}") from None
