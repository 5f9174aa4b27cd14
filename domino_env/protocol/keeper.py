"""The keeper of an engine: a small process between the host and the engine, which starts it with no
more rights than it needs, watches its memory, and kills all its processes for certain.

It is run as a script by a Python without site packages, and imports the standard library alone. The
host holds the other end of its *lifeline*: when that is closed, and it is closed too when the host
is killed, the keeper kills whatever the engine has started, and ends. When the engine ends first it
writes how, as JSON, to its status pipe. It does not touch what engine and host say to each other.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

TICK = 0.05  # seconds between two looks at the memory of the engine
SLOW_TICK = 0.5  # ... and of all that it has started
TAIL = 2000  # bytes of its standard error that are kept
NOT_STARTED = 127
DATA_FACTOR = 4  # what may be reserved, in terms of what may be resident: a second net
SET_DEATH_SIGNAL, SET_NO_NEW_PRIVS, SET_SUBREAPER = 1, 38, 36  # of prctl


class Keeper:
    """Starts an engine and keeps it.

    Args:
        settings: `command`, the file descriptors `lifeline` and `status`, and what it may use:
            `memory` in bytes, and `processes`.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._lifeline, self._status = settings["lifeline"], settings["status"]
        self._tail = b""
        self._next_tick = self._next_slow_tick = 0.0

    def run(self) -> None:
        """Starts the engine, and stays until it has ended or is to be ended."""
        for number in (self._lifeline, self._status):
            os.set_inheritable(number, False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        prctl(SET_SUBREAPER, 1)
        self._errors, errors = os.pipe()
        failures, self._failed = os.pipe()
        self._engine = os.fork()
        if self._engine == 0:
            self._become_engine(errors)
        for number in (errors, self._failed):
            os.close(number)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        why = self._failure(failures) or self._watch()
        kill_all(self._engine)
        if why is not None:
            self._read_errors()
            self._report(why)

    def _become_engine(self, errors: int) -> NoReturn:
        """Turns this process into the engine."""
        try:
            os.setsid()
            prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
            prctl(SET_NO_NEW_PRIVS, 1)
            limit(resource.RLIMIT_CORE, 0)
            if sys.platform == "linux":
                limit(resource.RLIMIT_DATA, DATA_FACTOR * self._settings["memory"])
            for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)  # Python ignores some, and that is inherited
            os.dup2(errors, 2)
            command = self._settings["command"]
            os.execvp(command[0], command)
        except OSError as error:
            os.write(self._failed, (error.strerror or str(error)).encode())
        finally:
            os._exit(NOT_STARTED)

    def _failure(self, failures: int) -> dict[str, Any] | None:
        """Why the engine's program could not be run; it is closed without a word where it is."""
        said = os.read(failures, TAIL)
        os.close(failures)
        return {"not_started": said.decode(errors="replace")} if said else None

    def _watch(self) -> dict[str, Any] | None:
        """Waits until the engine has ended, or has taken too much; None: the host is done with
        it."""
        waiting = select.poll()
        waiting.register(self._lifeline, select.POLLIN)
        waiting.register(self._errors, select.POLLIN)
        with suppress(AttributeError, OSError):  # where there are such: it wakes us at once
            waiting.register(os.pidfd_open(self._engine), select.POLLIN)
        while True:
            ready = {number for number, _ in waiting.poll(TICK * 1000)}
            if self._lifeline in ready:
                return None
            if self._errors in ready and not self._read_errors():
                waiting.unregister(self._errors)
            ended, status = os.waitpid(self._engine, os.WNOHANG)
            if ended:
                return how_it_ended(status)
            if (taken := self._taken_too_much()) is not None:
                return taken

    def _read_errors(self) -> bool:
        """Keeps the end of what the engine has written to its standard error."""
        if not select.select([self._errors], [], [], 0)[0]:
            return True
        said = os.read(self._errors, 65536)
        self._tail = (self._tail + said)[-TAIL:]
        return bool(said)

    def _taken_too_much(self) -> dict[str, Any] | None:
        """Has the engine more memory, or more processes, than it may?"""
        now = monotonic()
        if now < self._next_tick:
            return None
        self._next_tick = now + TICK
        used, most = resident(self._engine), self._settings["memory"]
        if now >= self._next_slow_tick:
            self._next_slow_tick = now + SLOW_TICK
            others = descendants(self._engine)
            used += sum(map(resident, others))
            if len(others) >= self._settings["processes"]:
                return {"processes": len(others) + 1}
        return {"memory": used} if used > most else None

    def _report(self, why: dict[str, Any]) -> None:
        """Tells the host, if it still listens, how the engine has ended."""
        said = json.dumps({**why, "stderr": self._tail.decode(errors="replace")})
        with suppress(OSError):
            os.write(self._status, said.encode())


def how_it_ended(status: int) -> dict[str, Any]:
    """The status of a process as waitpid gives it."""
    code = os.waitstatus_to_exitcode(status)
    return {"exit": code} if code >= 0 else {"signal": -code}


def prctl(option: int, value: int) -> None:
    """An operation on this process, where the system is Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def limit(what: int, most: int) -> None:
    """Sets a limit of this process, unless it has a lower one already."""
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def resident(process: int) -> int:
    """The bytes of memory that a process has resident; 0 where that cannot be known."""
    try:
        pages = Path(f"/proc/{process}/statm").read_bytes().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * resource.getpagesize()


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    found: list[int] = []
    for each in children(process):
        found += [each, *descendants(each)]
    return found


def children(process: int) -> list[int]:
    """The processes that a process has started, by any of its threads."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError):
                said = Path(f"/proc/{process}/task/{thread}/children").read_bytes()
                found += map(int, said.split())
    return found


def kill_all(engine: int) -> None:
    """Kills the engine and all that it has started. What loses its parent comes to us (we are a
    subreaper), so none is left in the end."""
    with suppress(OSError):
        os.killpg(engine, signal.SIGKILL)
    while True:
        for process in descendants(os.getpid()):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


if __name__ == "__main__":
    Keeper(json.loads(sys.argv[1])).run()
