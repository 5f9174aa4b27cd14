"""`domino train --seeds 5`: the same run with several seeds, and what they come to together.

One run says little: the next seed may end a point higher or lower. Each seed is a run in a folder
of its own; what they come to is the interquartile mean over the seeds with its bootstrap interval
(`evaluate.statistics.aggregate`), at each point of the learning curve.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from domino_env.errors import BadOption
from domino_env.evaluate import markdown
from domino_env.evaluate.policy_files import SEEDED, folder_of_seed
from domino_env.evaluate.statistics import Aggregate, aggregate
from domino_env.files import must_be_writable, write_together
from domino_env.locks import locked
from domino_env.train.backend import Backend, RunContext
from domino_env.train.checkpoints import CHECKPOINT
from domino_env.train.learning_curve import Band, draw
from domino_env.train.local_backend import LocalBackend
from domino_env.train.runner import run
from domino_env.train.settings import TrainSettings
from domino_env.train.training import Point

FIGURES, TABLE, PICTURE = "seeds.json", "seeds.md", "seeds.png"
ALL = "all of them"
Curve = Sequence[Point]


def begun(folder: Path) -> bool:
    """Has a run of any seed been begun here?"""
    return any(folder.glob(f"{SEEDED}*/{CHECKPOINT}"))


def run_seeds(
    settings: TrainSettings,
    number: int,
    folder: Path,
    backend: Callable[[RunContext], Backend] = LocalBackend,
    *,
    resumed: bool = False,
) -> list[Curve]:
    """Trains with the seed of the settings and those that follow it; returns their curves.

    Args:
        settings: of every run, but for the seed.
        number: of seeds, 2 or more.
        folder: has a folder for each seed, and the figures and the picture of all.
        backend: as of `runner.run`.
        resumed: go on with the runs that are there, and begin those that are not.
    """
    if number < 2:
        raise BadOption(f"--seeds must be 2 or more, not {number}: for one, set seed")
    each = [replace(settings, seed=settings.seed + place) for place in range(number)]
    _must_be_begun_or_not(folder, resumed)
    must_be_writable(folder)
    with locked(folder):
        _must_be_begun_or_not(folder, resumed)
        curves = []
        for place, own in enumerate(each, 1):
            print(f"seed {own.seed}, {place} of {number}", flush=True)
            curves.append(_curve_of(own, folder, backend))
        _finish(settings, curves, folder)
    return curves


def _must_be_begun_or_not(folder: Path, resumed: bool) -> None:
    if begun(folder) and not resumed:
        raise BadOption(
            f"there are runs in {folder} already: go on with --resume, or give another --out"
        )
    if resumed and not begun(folder):
        raise BadOption(f"there are no runs of seeds in {folder} to resume: leave --resume out")


def _curve_of(
    settings: TrainSettings, folder: Path, backend: Callable[[RunContext], Backend]
) -> Curve:
    """Trains with one seed, or goes on where it stopped."""
    own = folder_of_seed(folder, settings.seed)
    return run(settings, own, backend, resumed=(own / CHECKPOINT).exists()).curve


# What they come to -------------------------------------------------------------------------------


def aggregates(curves: Sequence[Curve], against: Sequence[str]) -> list[dict[str, Aggregate]]:
    """At each point of the curves what the seeds come to, over each opponent and over all."""
    if any(_iterations(curve) != _iterations(curves[0]) for curve in curves):
        raise BadOption("the seeds were not evaluated after the same iterations")
    found = []
    for points in zip(*curves, strict=True):
        scores = {name: _scores(points, [name]) for name in against}
        if len(against) > 1:
            scores[ALL] = _scores(points, against)
        found.append({name: aggregate(each) for name, each in scores.items()})
    return found


def _iterations(curve: Curve) -> list[int]:
    return [point.iteration for point in curve]


def _scores(points: Sequence[Point], against: Sequence[str]) -> npt.NDArray[np.float64]:
    """The margins over some opponents, float[opponents, seeds]."""
    return np.array([[point.margins[name][0] for point in points] for name in against])


def _finish(settings: TrainSettings, curves: Sequence[Curve], folder: Path) -> None:
    """Writes the figures, the table and the picture, and prints the table."""
    against = settings.evaluation.against
    found = aggregates(curves, against)
    seeds = range(settings.seed, settings.seed + len(curves))
    figures = {
        "seeds": {
            seed: [asdict(point) for point in curve]
            for seed, curve in zip(seeds, curves, strict=True)
        },
        "interquartile_means": [
            {"iteration": point.iteration, **{name: each._asdict() for name, each in row.items()}}
            for point, row in zip(curves[0], found, strict=True)
        ],
    }
    told = table(curves, against, seeds, found[-1])
    contents: dict[Path, bytes | str] = {
        folder / FIGURES: json.dumps(figures, indent=1) + "\n",
        folder / TABLE: told,
        folder / PICTURE: _picture(settings, curves, found),
    }
    write_together(contents)
    print(f"\n{told}\nwritten into {folder}: {TABLE}, {FIGURES}, {PICTURE}, and a folder a seed")


def table(
    curves: Sequence[Curve],
    against: Sequence[str],
    seeds: Sequence[int],
    last: dict[str, Aggregate],
) -> str:
    """What each seed came to in the end, and all of them together, as Markdown."""
    heads = ["points a round over", *(f"seed {seed}" for seed in seeds), "interquartile mean"]
    rows = []
    for name, each in last.items():
        margins = [curve[-1].margins[name][0] for curve in curves] if name in against else []
        cells = [f"{margin:+.2f}" for margin in margins] or [""] * len(curves)
        rows.append([name, *cells, f"{each.mean:+.2f} ({each.low:+.2f} to {each.high:+.2f})"])
    return markdown.table(heads, rows)


def _picture(
    settings: TrainSettings, curves: Sequence[Curve], found: Sequence[dict[str, Aggregate]]
) -> bytes:
    iterations = _iterations(curves[0])
    bands = {}
    for name in settings.evaluation.against:
        means, lows, highs = zip(*(row[name] for row in found), strict=True)
        bands[f"over {name}"] = Band(iterations, means, lows, highs)
    return draw(settings, bands, f": interquartile mean of {len(curves)} seeds")
