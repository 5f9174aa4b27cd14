"""`domino train`: trains a policy, in this process or on a Ray cluster."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from domino_env.cli.arguments import (
    add_engine,
    add_settings,
    add_settings_file,
    extra_for,
    load_settings,
    results_folder,
    wants_cluster,
)
from domino_env.errors import DominoError
from domino_env.extras import must_have
from domino_env.games import DEFAULT_GAME

BASELINE = "sb3"  # the folder of its configs
ENGINE = (
    "where rollouts and updates run: in this process (default), or on a Ray cluster by RLlib; a "
    "run is the same on every cluster, but not the same as in this process"
)


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("train", help="train a policy")
    add_settings_file(command, DEFAULT_GAME)
    add_settings(command, "seed=1 or ppo.iterations=500")
    command.add_argument("--resume", action="store_true", help="resume from the last checkpoint")
    command.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="train with so many seeds, from `seed` on, each in a folder of its own, and tell what "
        "they come to together",
    )
    add_engine(command, ENGINE)
    command.add_argument(
        "--workers", type=int, metavar="N", help="cores of the Ray cluster to use (default: all)"
    )
    command.set_defaults(run=run, extra="train")


def run(options: argparse.Namespace) -> int:
    """Trains; says where the last checkpoint is if it is stopped."""
    must_have("matplotlib", "sb3_contrib", "tensorboard", "torch", extra=extra_for(options))
    if options.file and Path(options.file).parent.name == BASELINE:
        return _run_baseline(options)
    from domino_env.train import runner, seeds
    from domino_env.train.checkpoints import CHECKPOINT
    from domino_env.train.settings import TrainSettings

    settings = load_settings(options, TrainSettings, options.file, "train")
    if settings is None:
        return 0
    folder = results_folder(options, settings, f"train-{settings.game}")
    try:
        with _backend(options) as backend:
            if options.seeds is None:
                runner.run(settings, folder, backend, resumed=options.resume)
            else:
                seeds.run_seeds(settings, options.seeds, folder, backend, resumed=options.resume)
    except KeyboardInterrupt:
        if (folder / CHECKPOINT).exists() or seeds.begun(folder):
            print(
                f"\nthe last checkpoint is in {folder}: --resume continues from it", file=sys.stderr
            )
        raise
    return 0


def _run_baseline(options: argparse.Namespace) -> int:
    """Trains by sb3-contrib's MaskablePPO, which does not go on from checkpoints."""
    from domino_env.train.sb3_baseline import Sb3Settings, train_baseline

    if options.resume or options.seeds is not None or wants_cluster(options):
        raise DominoError(
            "the baseline is trained in one go in this process: no --resume, no --seeds, no ray"
        )
    settings = load_settings(options, Sb3Settings, options.file, "train")
    if settings is not None:
        named = options.out or settings.out
        train_baseline(settings, Path(named or f"runs/{BASELINE}-{Path(options.file).stem}"))
    return 0


@contextmanager
def _backend(options: argparse.Namespace) -> Iterator[Callable[[Any], Any]]:
    """The backend that `--engine` names."""
    if not wants_cluster(options):
        from domino_env.train.local_backend import LocalBackend

        yield LocalBackend
        return
    must_have("ray", "tree", extra=extra_for(options))  # the latter is RLlib's
    if options.workers is not None and options.workers < 1:
        raise DominoError(f"--workers must be 1 or more, not {options.workers}")
    from domino_env.execution.ray_executor import connected

    with connected(options.address):
        from domino_env.train.rllib.ray_backend import RayBackend

        yield partial(RayBackend, workers=options.workers)
