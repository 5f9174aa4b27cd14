"""Commands that set up an environment: what they say goes into a log, what fails is named."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

MINUTES = 20


class CannotMake(Exception):
    """An environment cannot be made; says why, and where to read more."""


def logged(command: list[str], log: Path, **surroundings: str) -> None:
    """Runs a command into a log. It must succeed, and in time."""
    with log.open("a", encoding="utf-8") as out:
        try:
            done = subprocess.run(
                command,
                check=False,
                env={**os.environ, **surroundings},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=60 * MINUTES,
            )
        except FileNotFoundError:
            raise CannotMake(f"there is no {command[0]}") from None
        except subprocess.TimeoutExpired:
            raise CannotMake(f"it took more than {MINUTES} minutes: see {log}") from None
    if done.returncode:
        raise CannotMake(f"{last_line(log) or Path(command[0]).name}; see {log}")


def last_line(log: Path) -> str:
    """What was said last."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else ""


def python_of(home: Path) -> Path:
    """The Python of a virtual environment."""
    return home / "Scripts" / "python.exe" if os.name == "nt" else home / "bin" / "python"
