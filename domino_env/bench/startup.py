"""Benchmarks that need a process of their own: the first use, start-up time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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
SOURCE = "from source"


def startup_benchmarks() -> list[Benchmark]:
    """What a user waits for before the first step, belief and search, with an empty cache; and the
    memory of a batch. Times are of the processor, beyond the imports of NumPy, Gymnasium and
    PettingZoo."""
    together = f"{TOGETHER} processes at once"
    found = [
        Benchmark("first step", lambda _: _beyond(_STEP), 0.5, 0.15, "s"),
        Benchmark("first belief", lambda _: _beyond(_BELIEF), 0.5, 0.15, "s"),
        Benchmark("first search", lambda _: _beyond(_SEARCH), 0.6, 0.2, "s"),
        Benchmark(f"first step, {SOURCE}", lambda _: _beyond(_STEP, from_source=True), 13, 8, "s"),
        Benchmark(together, lambda _: _together(False), 4, 2, "s"),
        Benchmark(f"{together}, {SOURCE}", lambda _: _together(True), 30, 20, "s"),
    ]
    if sys.platform == "linux":
        found.append(
            Benchmark("memory of a game, of 16,384", lambda _: _printed(_MEMORY), 1.4, 1.0, "KB")
        )
    return found


def measure_apart(chosen: list[Benchmark], repeats: int) -> None:
    """Measures them, one after another; what compiles for long not more than three times."""
    for each in chosen:
        times = min(repeats, 3) if SOURCE in each.name else repeats
        each.rates = [each.measure(0.0) for _ in range(times)]


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
