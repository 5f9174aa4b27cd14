"""The suite: every benchmark of `domino bench`, but those of `startup`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import domino_env
from domino_env.bench import engine_overhead, render, workloads
from domino_env.bench.benchmark import OPENSPIEL, TRIPLETRIAD, Benchmark

MAIN = "block_draw"  # the game of most benchmarks, and the one that stands beside the peers
LANES = 4096


def benchmarks() -> list[Benchmark]:
    """All of them."""
    return [*_sizes(), *_variants(), *_adapters(), *_others()]


def _sizes() -> list[Benchmark]:
    """The main game in all the sizes in which peers are measured."""
    one = _batch(f"{MAIN}, a batch of one", MAIN, 40, 66, size=1)
    found = [
        _batch(f"{MAIN}, 64 games", MAIN, 1.0, 1.2, TRIPLETRIAD, 64),
        _batch(f"{MAIN}, 1,024 games", MAIN, 1.2, 1.4, TRIPLETRIAD, 1024),
        _batch(MAIN, MAIN, 1.2, 1.4, TRIPLETRIAD),
        _batch(f"{MAIN}, 16,384 games", MAIN, 1.2, 1.4, TRIPLETRIAD, 16_384),
    ]
    return [replace(each, leads=True) for each in (one, *found)]


def _variants() -> list[Benchmark]:
    """All other games, and the largest set."""
    others = [name for name in domino_env.variants() if name != MAIN]
    fifteen = domino_env.rules(MAIN, set="double_15")
    return [
        *(_batch(name, name, *_targets(name)) for name in others),
        _batch(f"{MAIN}, double fifteen", fifteen, 50, 100),
    ]


def _batch(
    name: str, game: Any, minimum: float, target: float, unit: str = OPENSPIEL, size: int = LANES
) -> Benchmark:
    play = _late(workloads.batch_decisions, game, size)
    return Benchmark(name, play, minimum, target, unit, size=size)


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
    histories = _late(workloads.histories_share, MAIN, LANES)
    worlds, pixels = "thousand worlds/s", "pictures, 600×400 pixels"
    moves = _late(workloads.described_share, MAIN, LANES)
    return [
        Benchmark("features of moves, 4,096 games", moves, 0.3, 0.4, "× the bare batch"),
        Benchmark("beliefs, a world of each", one, 200, 400, worlds),
        Benchmark("beliefs, 64 worlds of a position", many, 200, 400, worlds),
        Benchmark(pixels, render.pixels, 200, 400, "pictures/s", ("PIL",)),
        Benchmark("pictures, SVG", render.drawings, 500, 1000, "pictures/s"),
        Benchmark("histories", histories, 0.5, 1.0, "× features of moves"),
        _engine_overhead("an engine, asked for each move", 1, 1.0, 0.3),
        _engine_overhead("an engine, groups of 64", 64, 0.1, 0.05),
        Benchmark("two threads, 16,384 games", workloads.thread_ratio, 1.85, 1.95, "× one thread"),
    ]


def _engine_overhead(name: str, group: int, minimum: float, target: float) -> Benchmark:
    measure = _late(engine_overhead.milliseconds, MAIN, group)
    return Benchmark(name, measure, minimum, target, "ms")


def _late(make: Callable[..., Callable[[float], float]], *given: Any) -> Callable[[float], float]:
    """A workload that is built when it is first measured, so that the benchmarks can be listed and
    chosen before anything is compiled."""
    made = cache(lambda: make(*given))
    return lambda seconds: made()(seconds)
