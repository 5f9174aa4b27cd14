"""Files that are written whole or not at all, in folders that were looked at before the work."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path

from domino_env.errors import BadOption

_written = count()


def write_whole(path: Path | str, content: bytes | str, *, synced: bool = True) -> None:
    """Writes a file beside its place and puts it there when it is complete: whoever reads it finds
    the old one or the new one, never half of it. Unsynced, it does not wait for the disk: that is
    quicker, and holds when the program is killed, but not when the power fails."""
    write_together({Path(path): content}, synced=synced)


def write_together(contents: Mapping[Path, bytes | str], *, synced: bool = True) -> None:
    """Writes files that belong together: all are complete before the first is put in its place."""
    # Named by the process, and by the time: others may be writing the same.
    fresh = {path: _beside(path) for path in contents}
    path = Path()
    try:
        for path, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            _write(fresh[path], data, synced)
        for path in contents:
            os.replace(fresh[path], path)
    except (OSError, ValueError) as error:  # the latter of a name that no file can have
        told = getattr(error, "strerror", None) or error
        raise BadOption(f"{path} cannot be written: {told}") from error
    finally:
        for left in fresh.values():  # nothing of what is complete
            with suppress(OSError, ValueError):
                left.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getpid()}-{next(_written)}.new")


def must_be_writable(folder: Path | str) -> None:
    """Makes a folder if it is not there, and tries to write in it: rather now than after hours."""
    folder = Path(folder)
    trial = folder / f".trial-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(trial, b"can this be written?\n")
        trial.unlink()
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            trial.unlink(missing_ok=True)
        told = getattr(error, "strerror", None) or error
        raise BadOption(f"cannot write in {folder}: {told}") from error


def _write(path: Path, data: bytes, synced: bool = True) -> None:
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        if synced:
            os.fsync(file.fileno())
