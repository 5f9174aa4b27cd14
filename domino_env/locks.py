"""One run in a folder: two would tear each other's files.

The lock is the operating system's, on a file in the folder, and is gone with the process that has
it, however that ends. The file says which process that is.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from typing import IO

from domino_env.errors import BadOption

LOCK = ".lock"
LEFT = re.compile(r".+\.\d+-\d+\.new")  # files that `files` did not come to put in their place
_BYTE = 1 << 30  # that is locked where files are locked by bytes: far behind what is written


@contextmanager
def locked(folder: Path | str) -> Iterator[None]:
    """Keeps others from running in a folder, which is there; refused if somebody runs there."""
    folder = Path(folder)
    file = _opened(folder)
    try:
        for left in folder.iterdir():  # of a run that was killed while it wrote
            if LEFT.fullmatch(left.name):
                left.unlink(missing_ok=True)
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
    finally:
        with suppress(OSError):  # some systems let nobody remove a file that is open
            (folder / LOCK).unlink(missing_ok=True)
        file.close()


@contextmanager
def waited_for(path: Path, whom: str) -> Iterator[None]:
    """Holds the lock of a file; while another process has it, waits, and after a second says for
    whom. Where files cannot be locked or written to, everybody goes on."""
    file = None
    with suppress(OSError):
        file = open(path, "a+")  # noqa: SIM115
    try:
        waited = 0
        while file and not _take(file):
            time.sleep(0.05)
            waited += 1
            if waited == 20:
                print(f"domino_env: waiting for {whom} ...", file=sys.stderr, flush=True)
        yield
    finally:
        if file:
            file.close()


def _opened(folder: Path) -> IO[str]:
    """The file, locked. Whoever had it before may have removed it since it was opened."""
    path = folder / LOCK
    while True:
        try:
            file = open(path, "a+", encoding="utf-8", errors="replace")  # noqa: SIM115
        except OSError as error:
            raise BadOption(f"{path} cannot be written: {error.strerror or error}") from error
        if not _take(file):
            with file:
                file.seek(0)
                holder = file.read(20).strip()
            who = f"process {holder}" if holder.isdecimal() else "another process"
            raise BadOption(
                f"{folder} is in use by a run of {who}: wait until it is over or stop it, or give "
                "another --out"
            )
        with suppress(OSError):
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        file.close()


def _take(file: IO[str]) -> bool:
    """Locks an open file; False if somebody has. Where there are no locks everybody may."""
    try:
        _lock(file)
    except OSError as error:
        return error.errno not in (EACCES, EAGAIN, EDEADLK)
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        file.seek(_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
