"""The command, and the process that watches another one do what may kill it."""

from __future__ import annotations

import argparse
import faulthandler
import json
import mmap
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WORDS = 2_000  # the longest line that is kept of a call
SECONDS = 300  # that a call may take; some compile, on machines that are busy
TO_COMPILE = 1_200  # seconds that a session may take to be made: the first compiles it all
MEMORY = 6 << 30  # bytes that the process may have


def main(arguments: list[str] | None = None) -> int:
    """Makes the calls, and prints a line for each that failed."""
    parser = argparse.ArgumentParser(description="Bad calls over every public function.")
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--session", type=int, help="this one alone")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        first, stop, log = options.child
        return work(options.seed, int(first), int(stop), Path(log))
    sessions = range(-(-options.calls // 100))
    if options.session is not None:
        sessions = range(options.session, options.session + 1)
    began = time.perf_counter()
    found = watch(options.seed, sessions, options.jobs)
    for line in brief(found["failures"]) if options.session is None else found["failures"]:
        print(line)
    print(
        f"{found['calls']:,} calls in {len(sessions)} sessions, {found['refused']:,} refused, "
        f"{len(found['failures'])} failed, {time.perf_counter() - began:.0f} s"
    )
    return 1 if found["failures"] else 0


def watch(seed: int, sessions: range, jobs: int = 1) -> dict[str, Any]:
    """Lets processes hold the sessions; where one dies, another goes on with the next session."""
    step = -(-len(sessions) // jobs)
    parts = [sessions[at : at + step] for at in range(0, len(sessions), step)]
    found: dict[str, Any] = {"calls": 0, "refused": 0, "failures": []}
    with tempfile.TemporaryDirectory() as folder:
        workers = [Worker(seed, part, Path(folder) / str(at)) for at, part in enumerate(parts)]
        while workers:
            for worker in list(workers):
                if worker.process.wait() == 0 or not worker.begin_again():
                    workers.remove(worker)
                    worker.add_to(found)
    return found


class Worker:
    """A process that holds some sessions, and what is known of it when it is gone."""

    def __init__(self, seed: int, sessions: range, log: Path) -> None:
        self.seed, self.sessions, self.log = seed, sessions, log
        self.deaths: list[str] = []
        log.with_suffix(".now").write_bytes(b"\0" * WORDS)
        log.with_suffix(".done").write_text("")
        self._begin(sessions.start)

    def _begin(self, first: int) -> None:
        errors = self.log.with_suffix(".err").open("w")
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.fuzz", "--seed", str(self.seed)),
                *("--child", str(first), str(self.sessions.stop), str(self.log)),
            ],
            stdin=subprocess.DEVNULL,
            stderr=errors,
        )
        errors.close()

    def begin_again(self) -> bool:
        """Notes what the process has died of; is there a session left after it?"""
        said = self.log.with_suffix(".now").read_bytes().rstrip(b"\0").decode(errors="replace")
        number = int(said.split(" ")[0] or self.sessions.start)
        errors = self.log.with_suffix(".err").read_text(errors="replace").strip()[-1500:]
        self.deaths.append(
            failed(
                self.seed, number, f"{said}\n      it died ({self.process.returncode})\n{errors}"
            )
        )
        if number + 1 < self.sessions.stop:
            self._begin(number + 1)
            return True
        return False

    def add_to(self, found: dict[str, Any]) -> None:
        for line in self.log.with_suffix(".done").read_text().splitlines():
            done = json.loads(line)
            found["calls"] += done["calls"]
            found["refused"] += done["refused"]
            found["failures"] += [failed(self.seed, done["session"], f) for f in done["failures"]]
        found["failures"] += self.deaths


def brief(failures: list[str]) -> list[str]:
    """One failure of each kind, with how many more there were, and without where it happened."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for failure in failures:
        command, call, what, *_ = [*failure.splitlines(), "", ""]
        door = call.split(">: ")[-1].split("(")[0].split(" = ")[0]
        kinds.setdefault((door, what.split(":")[0]), []).append(f"{command}\n{call[:400]}\n{what}")
    return [f"{min(found, key=len)}\n      {len(found)} of this kind" for found in kinds.values()]


def failed(seed: int, session: int, what: str) -> str:
    """A failure, with the command that shows it again."""
    return f"python -m tests.fuzz --seed {seed} --session {session}\n   call {what}"


def work(seed: int, first: int, stop: int, log: Path) -> int:
    """Holds some sessions, in a process that nobody would miss."""
    import resource

    from tests.fuzz.fuzz_session import Session

    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    faulthandler.enable()
    with log.with_suffix(".now").open("r+b") as file, log.with_suffix(".done").open("a") as done:
        now = mmap.mmap(file.fileno(), WORDS)
        for number in range(first, stop):

            def tell(said: str, seconds: int = SECONDS, number: int = number) -> None:
                now[:] = f"{number} {said}".encode()[:WORDS].ljust(WORDS, b"\0")
                faulthandler.dump_traceback_later(seconds, exit=True)

            tell("it is made", TO_COMPILE)
            session = Session(seed, number)
            session.run(tell)
            told = {"session": number, "calls": session.calls, "refused": session.refused}
            done.write(json.dumps({**told, "failures": session.failures}) + "\n")
            done.flush()
    faulthandler.cancel_dump_traceback_later()
    return 0


if __name__ == "__main__":
    sys.exit(main())
