"""What workers of a Ray cluster save, for the table in docs/beyond-one-machine.md.

    python -m tools.scaling                  # 1, 2 and 4 workers, some ten minutes
    python -m tools.scaling --workers 1 2    # these only

The cluster is on this machine alone: with more workers than it has cores, the table says what they
cost. Every row is the median of some runs, of which each does all rows in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from statistics import median
from typing import Any

import domino_env
from domino_env.data.generate import DatasetSettings, Keep
from domino_env.data.writer import write_dataset
from domino_env.errors import DominoError
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.execution.executor import ExecutorFactory
from domino_env.execution.ray_executor import import_ray, ray_executor
from domino_env.files import write_whole
from domino_env.train.backend import Backend, RunContext
from domino_env.train.local_backend import LocalBackend
from domino_env.train.settings import Phase, TrainSettings
from domino_env.train.training import Training

KEPT = Path(domino_env.__file__).parent.parent / "docs" / "scaling.json"
SEVEN = {"hand_size": 7}
PLAYED = TournamentSettings(
    rules=SEVEN,
    agents=(Entrant("greedy_pip"), Entrant("heuristic"), Entrant("pimc", options={"worlds": 64})),
    deals=1500,
    chunk_size=50,
    records=0,
)
WRITTEN = DatasetSettings(
    rules=SEVEN,
    agents=(Entrant("heuristic"), Entrant("ppo")),
    games=200_000,
    keep=Keep(hands=True),
)
TRAINED = TrainSettings(
    rules=SEVEN,
    distill=Phase(0),
    ppo=Phase(8, (3e-4, 3e-4), (0.05, 0.05), batch_size=4096, n_epochs=3),
)


def tournament(workers: int) -> dict[str, float]:
    """Seconds for all of it, with what workers need to start."""
    return {"tournament": _timed(lambda: play_tournament(PLAYED, executor=_executor(workers)))}


def dataset(workers: int) -> dict[str, float]:
    """Seconds for all of it, likewise."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            "data set": _timed(lambda: write_dataset(WRITTEN, Path(folder), _executor(workers)))
        }


def training(workers: int) -> dict[str, float]:
    """Seconds until the first iteration is done, and for each of the others."""
    began = time.perf_counter()
    with closing(Training(TRAINED, _backend(workers))) as run:
        run.iterate()
        ready = time.perf_counter() - began
        seconds = []
        while not run.over:
            seconds.append(_timed(run.iterate))
    return {"training, first iteration": ready, "training, an iteration": median(seconds)}


KINDS: Sequence[Callable[[int], dict[str, float]]] = (tournament, dataset, training)


def _executor(workers: int) -> ExecutorFactory | None:
    return ray_executor() if workers else None


def _backend(workers: int) -> Callable[[RunContext], Backend]:
    if not workers:
        return LocalBackend
    from domino_env.train.rllib.ray_backend import RayBackend

    return RayBackend


def _timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(workers: int) -> dict[str, float]:
    """Seconds of everything, with so many workers; with 0, in this process and without Ray."""
    with _ray(workers) if workers else nullcontext():
        return {name: value for kind in KINDS for name, value in kind(workers).items()}


@contextmanager
def _ray(workers: int) -> Iterator[None]:
    """A cluster of this machine, with so many workers."""
    ray = import_ray()
    ray.init(num_cpus=workers, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    try:
        yield
    finally:
        ray.shutdown()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, shows and keeps it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2, 4], metavar="N")
    parser.add_argument("--repeats", type=int, default=3, help="medians of so many (default 3)")
    options = parser.parse_args(arguments)
    found: dict[int, list[dict[str, float]]] = {}
    try:
        for turn in range(options.repeats):
            for workers in (0, *options.workers):
                found.setdefault(workers, []).append(measure(workers))
                told = ", ".join(
                    f"{name} {value:.2f} s" for name, value in found[workers][-1].items()
                )
                print(f"{turn + 1}/{options.repeats}, {workers} workers: {told}", flush=True)
    except DominoError as error:
        print(error, file=sys.stderr)
        return 2
    rows = {
        str(workers): {name: round(median(run[name] for run in runs), 2) for name in runs[0]}
        for workers, runs in found.items()
    }
    kept = {"cores": os.cpu_count(), "repeats": options.repeats, "workers": rows}
    write_whole(KEPT, json.dumps(kept, indent=1) + "\n")
    print(f"written: {KEPT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
