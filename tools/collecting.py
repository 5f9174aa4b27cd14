"""Files of positions are made seed by seed, and every now and then written: a run that is stopped
goes on at the seed that comes next."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.progress import Progress

from domino_env.batches import Batch
from domino_env.errors import did_you_mean
from domino_env.files import write_whole

SECONDS = 60.0  # for each file
SAVED_EVERY = 10.0  # seconds


class Collected(Protocol):
    """The positions of a file: a dataclass."""

    tried: int
    entries: list[Any]

    @property
    def name(self) -> str:
        """Of the file."""
        ...

    def packed(self) -> bytes:
        """Its content."""
        ...


class Maker(Protocol):
    """Adds positions to a file."""

    made: Any

    def try_seed(self, seed: int) -> None:
        """Adds the position that a seed gives, if that is worth it."""
        ...


def decisions_of(batch: Batch, choose: Callable[[], int]) -> list[tuple[int, ...]]:
    """Plays the game of a batch on to its end; what had been done before each decision in it."""
    done: list[int] = []
    decisions = []
    while batch.seat[0] >= 0:
        if batch.num_legal[0] > 1:
            decisions.append(tuple(done))
        done.append(choose())
        batch.step_one(done[-1])
    return decisions


def kept(empty: Any, path: Path, unpacked: Callable[[bytes], Any]) -> Any:
    """What a file has already; nothing, if that was made in another way."""
    found = unpacked(path.read_bytes()) if path.exists() else empty
    same = replace(found, tried=0, entries=[]) == empty
    return found if same else empty


def make(maker: Maker, path: Path, most: int, seconds: float, console: Console) -> None:
    """Makes what is missing of a file, and writes it every now and then."""
    made: Collected = maker.made
    saved, began, before = time.monotonic(), time.process_time(), len(made.entries)
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(made.name, total=most, completed=before)
        while len(made.entries) < most and time.process_time() < began + seconds:
            maker.try_seed(made.tried)
            made.tried += 1
            progress.update(bar, completed=len(made.entries))
            if time.monotonic() - saved > SAVED_EVERY:
                _write(made, path)
                saved = time.monotonic()
    _write(made, path)
    spent = time.process_time() - began
    console.print(
        f"{made.name}: {len(made.entries)} positions of {made.tried} deals; "
        f"{len(made.entries) - before} of them now, in {spent:.0f} s",
        highlight=False,
    )


def _write(made: Collected, path: Path) -> None:
    if made.entries:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, made.packed())


def asked_for(
    description: str, known: Mapping[str, Any], usual: int, arguments: list[str] | None
) -> argparse.Namespace:
    """What the command line asks for: `names`, how many `positions` and how many `seconds`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help="files of positions; all by default")
    parser.add_argument("--positions", type=int, default=usual, help=f"of each ({usual})")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of the processor, for each (60)"
    )
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in known:
            parser.error(f"unknown positions {name!r}{did_you_mean(name, known)}")
    options.names = options.names or [*known]
    return options
