"""`domino train`: a run with its progress in the terminal and its files in a folder."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

from domino_env.errors import BadOption
from domino_env.evaluate.policy_files import POLICY
from domino_env.files import must_be_writable, write_whole
from domino_env.locks import locked
from domino_env.train.backend import Backend, RunContext
from domino_env.train.checkpoints import CHECKPOINT, resume, save
from domino_env.train.learning_curve import picture
from domino_env.train.local_backend import LocalBackend
from domino_env.train.settings import TrainSettings
from domino_env.train.training import Point, Training

CURVE, PICTURE, LOGS = "curve.json", "curve.png", "tensorboard"


def run(
    settings: TrainSettings,
    folder: Path,
    backend: Callable[[RunContext], Backend] = LocalBackend,
    *,
    resumed: bool = False,
) -> Training:
    """Trains, and keeps everything in a folder."""
    _must_be_begun_or_not(folder, resumed)
    must_be_writable(folder)
    with locked(folder):
        return _run(settings, folder, backend, resumed)


def _run(
    settings: TrainSettings, folder: Path, backend: Callable[[RunContext], Backend], resumed: bool
) -> Training:
    _must_be_begun_or_not(folder, resumed)  # again: somebody may have trained here meanwhile
    with closing(_prepared(settings, folder, backend, resumed)) as training:
        try:
            with _logged_in_silence():
                training.backend.log_to(str(folder / LOGS))
                seconds = _train(training, folder)
        except OSError as error:
            told = f"{folder / LOGS} cannot be written: {error.strerror or error}"
            raise BadOption(f"{told}; --resume goes on from the last checkpoint") from error
        _finish(training, folder, seconds)
    return training


def _prepared(
    settings: TrainSettings, folder: Path, backend: Callable[[RunContext], Backend], resumed: bool
) -> Training:
    training = Training(settings, backend)
    if resumed:
        try:
            resume(training, folder)
        except BaseException:
            training.close()
            raise
    return training


@contextmanager
def _logged_in_silence() -> Iterator[None]:
    """TensorBoard writes on a thread of its own. When the disk is full that thread tells us, and
    shows its traceback besides: what it tells us is enough."""

    def told(failure: threading.ExceptHookArgs) -> None:
        if not isinstance(failure.exc_value, OSError):
            usual(failure)

    before = {*threading.enumerate()}
    usual, threading.excepthook = threading.excepthook, told
    try:
        yield
    except OSError:
        for thread in {*threading.enumerate()} - before:
            thread.join(1.0)  # it may be about to show it
        raise
    finally:
        threading.excepthook = usual


def _must_be_begun_or_not(folder: Path, resumed: bool) -> None:
    begun = (folder / CHECKPOINT).exists()
    if begun and not resumed:
        raise BadOption(
            f"there is a run in {folder} already: go on with --resume, or give another --out"
        )
    if resumed and not begun:
        raise BadOption(f"there is no run in {folder} to resume: leave --resume out")


def _train(training: Training, folder: Path) -> float:
    """Runs the remaining iterations; returns the seconds they took."""
    settings, began = training.settings, time.perf_counter()
    with _Display(training) as display:
        while not training.over:
            training.iterate()
            if training.iterations_done % settings.evaluation.every == 0 or training.over:
                display.told(training.evaluate())
            if training.iterations_done % settings.checkpoint == 0 or training.over:
                _keep(training, folder)
            display.moved()
    return time.perf_counter() - began


def _keep(training: Training, folder: Path) -> None:
    write_whole(folder / POLICY, training.policy().to_bytes())
    curve = [asdict(point) for point in training.curve]
    write_whole(folder / CURVE, json.dumps(curve, indent=1) + "\n")
    save(training, folder)


def _finish(training: Training, folder: Path, seconds: float) -> None:
    """Draws the learning curve and prints a summary."""
    write_whole(folder / PICTURE, picture(training))
    if seconds > 0 and training.decisions:
        print(f"{training.decisions:,} decisions; {training.backend.time_summary(seconds)}")
    if training.curve:
        print(f"points a round on duplicate deals: {margins(training.curve[-1])}")
    print(f"written into {folder}: {POLICY}, {PICTURE}, {CURVE}, {CHECKPOINT}, {LOGS}/")
    print(f"play against it: agents.make('ppo', file='{folder / POLICY}')")


def margins(point: Point) -> str:
    """Margins as text."""
    return ", ".join(
        f"{mean:+.2f} ± {half:.2f} over {name}" for name, (mean, half) in point.margins.items()
    )


class _Display:
    """A progress bar; without a terminal, a line for each evaluation."""

    def __init__(self, training: Training) -> None:
        self._training = training
        self._console = Console(stderr=True)
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._task = self._progress.add_task(
            training.phase,
            total=training.settings.iterations,
            completed=training.iterations_done,
            speed="",
        )
        self._told = ""
        self._seen = (time.perf_counter(), training.decisions)
        self._began, self._first = time.perf_counter(), training.iterations_done

    def __enter__(self) -> _Display:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def told(self, point: Point) -> None:
        """Prints an evaluation."""
        self._told = margins(point)
        if not self._console.is_terminal:
            spent = time.perf_counter() - self._began
            self._console.print(
                f"{point.iteration}/{self._training.settings.iterations} {point.phase} "
                f"{spent:.0f} s: {self._told}",
                highlight=False,
                soft_wrap=True,
            )

    def moved(self) -> None:
        """Advances the progress bar by an iteration."""
        training, now = self._training, time.perf_counter()
        before, decisions = self._seen
        speed = (training.decisions - decisions) / max(now - before, 1e-9)
        self._seen = now, training.decisions
        self._progress.update(
            self._task,
            completed=training.iterations_done,
            description=f"{training.phase}  {self._told}",
            speed=f"{speed:,.0f} decisions/s",
        )
