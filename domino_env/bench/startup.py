"""Benchmarks that need a process of their own: compile time, start-up time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from domino_env.bench.benchmark import Benchmark

_FIRST_STEP = """
import domino_env
batch = domino_env.batch("block_draw", 64, seed=0)
batch.reset()
batch.step(batch.sample())
"""

_MEMORY = """
import resource
import domino_env
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
small = domino_env.batch("block_draw", 1, seed=0)
small.reset()
small.step(small.sample())
before = resident()
batch = domino_env.batch("block_draw", 16384, seed=0)
batch.reset()
for _ in range(100):
    batch.step(batch.sample())
print((resident() - before) / 2**20)
"""


def startup_benchmarks() -> list[Benchmark]:
    """The first use on a machine (with an empty cache), the next process, and the memory of a
    batch; each is measured once."""
    with tempfile.TemporaryDirectory() as folder:
        clean = {**os.environ, "NUMBA_CACHE_DIR": folder}
        compiling = _seconds(_FIRST_STEP, clean)
        starts = [_seconds(_FIRST_STEP, clean) for _ in range(5)]
    found = [
        _measured("first use on a clean machine", compiling, 25, 15, "s"),
        _measured("the next process, to its first step", median(starts), 1.5, 1.0, "s"),
    ]
    if sys.platform == "linux":
        done = subprocess.run(
            [sys.executable, "-c", _MEMORY], check=True, capture_output=True, text=True
        )
        found.append(_measured("memory of 16,384 games", float(done.stdout), 64, 48, "MB"))
    return found


def _seconds(code: str, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=environment, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - began


def _measured(name: str, figure: float, minimum: float, target: float, unit: str) -> Benchmark:
    return Benchmark(name, lambda _: figure, minimum, target, unit, rates=[figure], ratios=[figure])
