"""The benchmarks of `domino bench`, and the run that measures them.

Machines are noisy, so nothing is compared across runs: in each repetition every benchmark is
measured once, OpenSpiel's domino game among them, and the medians of the ratios count.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from functools import cache
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import domino_env
from domino_env.bench import baselines, render, workloads
from domino_env.bench.benchmark import OPENSPIEL, Benchmark, table_of
from domino_env.bench.startup import startup_benchmarks
from domino_env.evaluate.rich_tables import scores_table, show
from domino_env.evaluate.solo_scores import Score, pairs, score
from domino_env.extras import must_have

LANES = 4096
MAIN = "block_draw"  # the game of most benchmarks


def run(repeats: int, seconds: float, only: list[str] | None, deals: int, file: str | None) -> int:
    """Measures, prints the tables and writes the figures; 1 if a benchmark misses its minimum."""
    chosen = [each for each in benchmarks() if not only or any(word in each.name for word in only)]
    must_have(*_needed(chosen), extra="bench")
    with Progress(console=Console(stderr=True), transient=True) as progress:
        openspiel = _measure(chosen, repeats, seconds, progress)
        task = progress.add_task("", total=None)
        if not only:
            progress.update(task, description="compiling with an empty cache")
            chosen += startup_benchmarks()
        scores = []
        for game, agent in pairs(only) if deals else []:
            progress.update(task, description=f"{agent} plays {game}")
            scores.append(score(game, agent, deals))
    show(table_of(chosen, openspiel, repeats))
    if scores:
        show(scores_table(scores))
    if file:
        _write(file, chosen, scores, openspiel, repeats)
    return 1 if any(each.verdict == "MISSED" for each in chosen) else 0


def _measure(
    chosen: list[Benchmark], repeats: int, seconds: float, progress: Progress
) -> float | None:
    """Measures all of them so often; gives the median rate of OpenSpiel, if it was needed."""
    compared, rates = _is_compared(chosen), list[float]()
    task = progress.add_task("measuring", total=repeats * (len(chosen) + compared))
    for _ in range(repeats):
        if compared:
            rates.append(baselines.openspiel_decisions(max(1.0, seconds)))
            progress.advance(task)
        for each in chosen:
            rate = each.measure(seconds)
            each.rates.append(rate)
            each.ratios.append(rate / rates[-1] if each.unit == OPENSPIEL else rate)
            progress.advance(task)
    return median(rates) if rates else None


def _needed(chosen: list[Benchmark]) -> list[str]:
    """The modules without which these benchmarks cannot be measured."""
    found = {name for each in chosen for name in each.needs}
    return sorted(found | ({"open_spiel", "pyspiel"} if _is_compared(chosen) else set()))


def _is_compared(chosen: list[Benchmark]) -> bool:
    return any(each.unit == OPENSPIEL for each in chosen)


# The benchmarks ----------------------------------------------------------------------------------


def benchmarks() -> list[Benchmark]:
    """All benchmarks but those of `startup`."""
    return [*_batches(), *_adapters(), *_others()]


def _batches() -> list[Benchmark]:
    play = workloads.batch_decisions
    fifteen = domino_env.rules("block_draw", set="double_15")
    found = [Benchmark(MAIN, _late(play, MAIN, LANES), 300, 600)]
    found += [
        Benchmark(variant, _late(play, variant, LANES), *_targets(variant))
        for variant in domino_env.variants()
        if variant != MAIN
    ]
    return [
        *found,
        Benchmark("block_draw, double fifteen", _late(play, fifteen, LANES), 50, 100),
        Benchmark("block_draw, a batch of one", _late(play, "block_draw", 1), 12, 20),
    ]


def _targets(variant: str) -> tuple[float, float]:
    """Minimum and target: curved tiles cost more, as they must also fit."""
    rules = domino_env.rules(variant)
    rates = {"straight": (120, 250), "curved": (60, 150), "row": (200, 400), "columns": (100, 200)}
    return rates[rules.layout_kind]


def _adapters() -> list[Benchmark]:
    raw = domino_env.raw_aec("block_draw")
    vector = _late(workloads.adapter_share, workloads.vector_steps)
    sb3 = _late(workloads.adapter_share, workloads.sb3_steps)
    bare, no_op, steps = "× the bare batch", "× a no-op environment", "thousand steps/s"
    return [
        Benchmark("raw AEC, whole loop", lambda s: workloads.aec_decisions(raw, s), 5, 8),
        Benchmark("wrapped AEC, whole loop", workloads.wrapped_share, 0.70, 0.85, no_op),
        Benchmark("Gymnasium, whole loop", workloads.gymnasium_steps, 25, 50, steps),
        Benchmark("Gymnasium vector, 1,024 games", vector, 0.5, 0.65, bare),
        Benchmark("SB3 VecEnv, 1,024 games", sb3, 0.5, 0.65, bare, ("stable_baselines3",)),
    ]


def _others() -> list[Benchmark]:
    one, many = _late(workloads.worlds_drawn, 1), _late(workloads.worlds_drawn, 64)
    worlds, pixels = "thousand worlds/s", "pictures, 600×400 pixels"
    return [
        Benchmark("beliefs, a world of each", one, 200, 400, worlds),
        Benchmark("beliefs, 64 worlds of a position", many, 200, 400, worlds),
        Benchmark(pixels, render.pixels, 200, 400, "pictures/s", ("PIL",)),
        Benchmark("pictures, SVG", render.drawings, 500, 1000, "pictures/s"),
        Benchmark("two threads, 16,384 games", workloads.thread_ratio, 1.7, 1.9, "× one thread"),
    ]


def _late(make: Callable[..., Callable[[float], float]], *given: Any) -> Callable[[float], float]:
    """A workload that is built when it is first measured, so that the benchmarks can be listed and
    chosen before anything is compiled."""
    made = cache(lambda: make(*given))
    return lambda seconds: made()(seconds)


# Output ------------------------------------------------------------------------------------------


def _write(
    file: str,
    chosen: list[Benchmark],
    scores: list[Score],
    openspiel: float | None,
    repeats: int,
) -> None:
    figures = {
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "domino_env": domino_env.__version__,
        "repeats": repeats,
        "openspiel": openspiel,
        "rows": [each.plain for each in chosen],
        "scores": [vars(line) for line in scores],
    }
    with open(file, "w", encoding="utf-8") as out:
        json.dump(figures, out, indent=1)
        out.write("\n")
