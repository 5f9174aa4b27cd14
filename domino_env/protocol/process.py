"""The process of an engine: lines written to it and read from it in time, and its certain end."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from domino_env.protocol.faults import EngineFault, StartFailed, ended

if sys.platform != "win32":
    import fcntl

KEEPER = Path(__file__).with_name("keeper.py")
PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR")  # of the environment
PIPE_BYTES = 1 << 20
SET_PIPE_SIZE = 1031  # of fcntl, on Linux
CHUNK = 1 << 16
QUIT_SECONDS = 1.0  # that an engine has to exit by itself
STATUS_SECONDS = 1.0  # that its keeper has to say how it ended
QUIT = b'{"type":"quit"}\n'


@dataclass(frozen=True)
class Limits:
    """What an engine may use."""

    memory: int = 1024
    """Megabytes, resident in all its processes together."""
    processes: int = 64


class EngineProcess:
    """A running engine.

    Args:
        command: the program and its arguments.
        limits: what it may use.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._input, self._output, self._lifeline, self._status, self._keeper = _start(
            command, limits
        )
        self._waiting = select.poll()
        self._waiting.register(self._output, select.POLLIN)
        self._rest = b""
        self.end = weakref.finalize(
            self, _end, self._keeper, self._input, self._output, self._lifeline, self._status
        )
        """Kills it; called by itself when nobody needs the process any more."""
        _running.add(self)

    def exchange(self, said: bytes, deadline: float | None, most: int) -> Iterator[bytes]:
        """Writes some lines, and gives the lines of the answer as they come; for as long as it is
        asked for more. Both ways at once, for an engine may answer before it has read all.

        Args:
            said: what is written.
            deadline: by the clock of `time.monotonic`, when that must be done and answered; None:
                there is no hurry.
            most: bytes of the answer.
        """
        left, read = memoryview(said), 0
        left = left[self._written(left) :]
        if left:
            self._waiting.register(self._input, select.POLLOUT)
        try:
            while True:
                while (end := self._rest.find(b"\n")) >= 0:
                    line, self._rest = self._rest[:end], self._rest[end + 1 :]
                    yield line
                self._wait(deadline)
                if left and not (left := left[self._written(left) :]):
                    self._waiting.unregister(self._input)
                came = self._came()
                read += len(came)
                if read > most:
                    raise EngineFault(f"wrote more than {most:,} bytes in answer to a request")
                self._rest += came
        finally:
            if left:
                self._waiting.unregister(self._input)

    def say(self, said: bytes, deadline: float) -> None:
        """Writes what is not answered."""
        left = memoryview(said)
        while left := left[self._written(left) :]:
            if not _ready(self._input, select.POLLOUT, deadline - monotonic()):
                raise EngineFault("did not read what was written to it")

    def _wait(self, deadline: float | None) -> None:
        if deadline is None:
            self._waiting.poll()
            return
        left = deadline - monotonic()
        if left <= 0 or not self._waiting.poll(left * 1000 + 1):
            raise TimeoutError

    def _written(self, left: memoryview) -> int:
        """How much of something could be written now."""
        try:
            return os.write(self._input, left)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(left)  # it reads no more; what it has written before may be an answer

    def _came(self) -> bytes:
        """What has been written by the engine; a fault if it writes no more."""
        try:
            came = os.read(self._output, CHUNK)
        except BlockingIOError:
            return b""
        if not came:
            raise ended(self._last_status(), self._limits.memory)
        return came

    def _last_status(self) -> dict[str, Any]:
        """How the engine has ended; nothing if it goes on without an output."""
        if not _ready(self._status, select.POLLIN, STATUS_SECONDS):
            return {}
        said = os.read(self._status, CHUNK)
        return dict(json.loads(said)) if said else {}

    def close_input(self) -> None:
        """Ends its input."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self._input)
        os.close(nothing)

    def exit_status(self, seconds: float) -> dict[str, Any] | None:
        """How it has ended, if it does within some seconds."""
        if not _ready(self._status, select.POLLIN, seconds):
            return None
        return self._last_status()

    def quit(self) -> None:
        """Asks it to exit, and kills it if it does not."""
        if self.end.alive:
            with suppress(OSError):
                self._written(memoryview(QUIT))
            _ready(self._status, select.POLLIN, QUIT_SECONDS)
            self.end()


def _ready(number: int, what: int, seconds: float) -> bool:
    """Waits until something can be read from a pipe, or written to it; not with `select`, which
    knows no more than 1024 files."""
    waiting = select.poll()
    waiting.register(number, what)
    return bool(waiting.poll(max(0.0, 1000 * seconds)))


def _start(
    command: Sequence[str], limits: Limits
) -> tuple[int, int, int, int, subprocess.Popen[bytes]]:
    """A keeper that starts the engine: the pipes to it, and itself."""
    if not hasattr(os, "fork"):
        raise StartFailed("could not be started: engines need a POSIX system, like Linux")
    held, lifeline = os.pipe()
    status, told = os.pipe()
    settings = {
        "command": [*command],
        "lifeline": held,
        "status": told,
        "memory": limits.memory << 20,
        "processes": limits.processes,
    }
    try:
        keeper = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), json.dumps(settings)],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            pass_fds=(held, told),
            start_new_session=True,
        )
    except OSError as error:
        for number in (held, lifeline, status, told):
            os.close(number)
        raise StartFailed(f"could not be started: {error.strerror or error}") from error
    os.close(held)
    os.close(told)
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    to_engine, from_engine = os.dup(keeper.stdin.fileno()), os.dup(keeper.stdout.fileno())
    keeper.stdin.close()
    keeper.stdout.close()
    for number in (to_engine, from_engine):
        os.set_blocking(number, False)
        with suppress(OSError, NameError):
            fcntl.fcntl(number, SET_PIPE_SIZE, PIPE_BYTES)
    return to_engine, from_engine, lifeline, status, keeper


def _end(keeper: subprocess.Popen[bytes], *numbers: int) -> None:
    """Lets go of the lifeline, on which the keeper kills whatever the engine has started."""
    for number in numbers:
        os.close(number)
    try:
        keeper.wait(10)
    except subprocess.TimeoutExpired:  # somebody has stopped it
        keeper.kill()
        keeper.wait()


_running: weakref.WeakSet[EngineProcess] = weakref.WeakSet()


def _forget_all() -> None:
    """In a process that was forked off, engines are the parent's: their pipes are closed here."""
    for process in [*_running]:
        if (found := process.end.detach()) is not None:
            for number in found[2][1:]:
                os.close(number)
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
