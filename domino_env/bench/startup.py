"""Benchmarks that need a process of their own: the first use, start-up time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from statistics import median

from domino_env.bench.benchmark import Benchmark

_PEERS = "import numpy, gymnasium, pettingzoo\n"
_BEYOND = """
import time
import numpy, gymnasium, pettingzoo
began = time.process_time()
{code}
print(time.process_time() - began)
"""
_STEP = """
import domino_env
batch = domino_env.batch("block_draw", 64, seed=0)
batch.reset()
batch.step(batch.sample())
"""
_BELIEF = f"{_STEP}domino_env.belief.sample(batch, 0, 0, 10)\n"
_SEARCH = f"""{_STEP}
from domino_env import agents
agents.make("pimc", worlds=8, seed=0).act(batch, numpy.arange(1))
"""
_MEMORY = """
import domino_env
def resident():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
small = domino_env.batch("block_draw", 1, seed=0)
small.reset()
small.step(small.sample())
before = resident()
batch = domino_env.batch("block_draw", 16384, seed=0)
batch.reset()
for _ in range(100):
    batch.step(batch.sample())
print((resident() - before) * 1024 / 16384)
"""
TOGETHER = 8


def startup_benchmarks() -> list[Benchmark]:
    """What a user waits for before the first step, belief and search, with an empty cache; and the
    memory of a batch. Times are of the processor, beyond the imports of NumPy, Gymnasium and
    PettingZoo."""
    found = [
        _measured("first step", [_beyond(_STEP) for _ in range(5)], 0.5, 0.15, "s"),
        _measured("first belief", [_beyond(_BELIEF) for _ in range(5)], 0.5, 0.15, "s"),
        _measured("first search", [_beyond(_SEARCH) for _ in range(5)], 0.6, 0.2, "s"),
        _measured("first step, from source", [_beyond(_STEP, from_source=True)], 13, 8, "s"),
        _measured(f"{TOGETHER} processes at once", [_together(False)], 4, 2, "s"),
        _measured(f"{TOGETHER} processes at once, from source", [_together(True)], 30, 20, "s"),
    ]
    if sys.platform == "linux":
        found.append(_measured("memory of a game, of 16,384", [_printed(_MEMORY)], 1.4, 1.0, "KB"))
    return found


def _beyond(code: str, from_source: bool = False) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return _printed(_BEYOND.format(code=code), **_clean(folder, from_source))


def _together(from_source: bool) -> float:
    """Seconds of the processor that several processes take to their first step, beyond what they
    take for their imports."""
    with tempfile.TemporaryDirectory() as folder:
        clean = _clean(folder, from_source)
        return _seconds_of(_PEERS + _STEP, clean) - _seconds_of(_PEERS, clean)


def _seconds_of(code: str, environment: dict[str, str]) -> float:
    before = _used()
    command = [sys.executable, "-c", code]
    every = {**os.environ, **environment}
    running = [
        subprocess.Popen(command, env=every, stderr=subprocess.DEVNULL) for _ in range(TOGETHER)
    ]
    for each in running:
        if each.wait():
            raise RuntimeError(f"{command} failed")
    return _used() - before


def _used() -> float:
    used = os.times()
    return used.children_user + used.children_system


def _clean(folder: str, from_source: bool) -> dict[str, str]:
    """An empty cache."""
    settings = {"NUMBA_CACHE_DIR": folder, "XDG_CACHE_HOME": folder}
    return {**settings, "DOMINO_ENV_FROM_SOURCE": str(int(from_source))}


def _printed(code: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return float(done.stdout)


def _measured(
    name: str, figures: list[float], minimum: float, target: float, unit: str
) -> Benchmark:
    figure = median(figures)
    return Benchmark(name, lambda _: figure, minimum, target, unit, rates=figures, ratios=figures)
