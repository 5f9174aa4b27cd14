"""`domino bench`: how fast it is, beside OpenSpiel's domino game timed in the same run; and what
agents score in one-player games.

Machines are noisy, so nothing is compared across runs: in each repeat every row is measured once,
OpenSpiel among them, and the table shows the median of the ratios. Play is uniform over the legal
moves, with mask, observation, reward and autoreset all written.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import domino_env
from domino_env.belief import Belief
from domino_env.bench import baselines, render
from domino_env.cli.tables import scores_table, show
from domino_env.evaluate.solo_scores import Score, pairs, score
from domino_env.extras import must_have

LANES = 4096
KEPT = ("name", "at_least", "aim", "unit", "rates", "ratios")  # of a row, in JSON
OPENSPIEL = "× OpenSpiel"  # the unit of what is compared with it


@dataclass
class Row:
    """One line of the table: `measure(seconds)` gives decisions a second, or another figure."""

    name: str
    measure: Callable[[float], float]
    at_least: float
    aim: float
    unit: str = OPENSPIEL
    needs: tuple[str, ...] = ()
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median of what was measured."""
        return median(self.rates)

    @property
    def ratio(self) -> float:
        """The median of the ratios to what it is compared with."""
        return median(self.ratios)

    @property
    def verdict(self) -> str:
        """How it stands to its targets; figures in seconds or MB must be lower, not higher."""
        sign = -1 if self.unit in ("s", "MB") else 1
        if sign * self.ratio >= sign * self.aim:
            return "reaches the aim"
        return "holds" if sign * self.ratio >= sign * self.at_least else "MISSED"


def batch_decisions(game: Any, lanes: int, threads: int = 1) -> Callable[[float], float]:
    """Measures uniform play on a batch."""
    batch = domino_env.batch(game, lanes, seed=0, threads=threads)
    batch.reset()

    def measure(seconds: float) -> float:
        batch.step(batch.sample())
        turns = max(1, 20_000 // lanes)
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            for _ in range(turns):
                batch.step(batch.sample())
            steps += turns
        return steps * lanes / (time.perf_counter() - began)

    return measure


def _thread_ratio(seconds: float) -> float:
    """Two threads against one, on 16,384 games: measured in turns, so that both meet the same
    machine."""
    one = batch_decisions("block_draw", 16_384)
    two = batch_decisions("block_draw", 16_384, threads=2)
    ratios = [two(seconds / 2) / one(seconds / 2) for _ in range(3)]
    return median(ratios)


def _share(steps: Callable[[int, float], float]) -> Callable[[float], float]:
    """A learner among random opponents in 1,024 games, against the batch alone, by all decisions:
    seats are drawn, so half of them are the learner's."""
    alone = batch_decisions("block_draw", 1024)
    return lambda seconds: 2 * steps(1024, seconds) / alone(seconds)


def _wrapped_share(seconds: float) -> float:
    """Wrapped AEC against a game of nothing with the same spaces."""
    real = domino_env.aec("block_draw")
    nothing = baselines.wrapped_no_op(domino_env.raw_aec("block_draw"), steps=_usual_length())
    return baselines.aec_decisions(real, seconds) / baselines.aec_decisions(nothing, seconds)


def _usual_length() -> int:
    """Decisions in an average round of Block & Draw."""
    batch = domino_env.batch("block_draw", 1024, seed=0)
    batch.reset()
    ended = 0
    for _ in range(100):
        batch.step(batch.sample())
        ended += int(batch.done.sum())
    return round(100 * 1024 / ended)


def _worlds(each: int) -> Callable[[float], float]:
    """Thousands of worlds a second that are drawn of Block & Draw in mid-game, so many of each
    position."""
    batch = domino_env.batch("block_draw", 256, seed=0, autoreset=False)
    batch.reset()
    for _ in range(5):
        batch.step(np.where(batch.seat >= 0, batch.sample(), -1))
    live = np.flatnonzero(batch.seat >= 0)
    beliefs = Belief(batch, seed=0)
    worlds = beliefs.new_worlds(each * len(live))

    def measure(seconds: float) -> float:
        beliefs.fill(worlds, live, batch.seat[live])
        rounds, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            beliefs.fill(worlds, live, batch.seat[live])
            rounds += 1
        return rounds * worlds.num_games / (time.perf_counter() - began) / 1000

    return measure


def _targets(variant: str) -> tuple[float, float]:
    """Where tiles are curved there is more to look at than halves that match."""
    rules = domino_env.rules(variant)
    rates = {"straight": (120, 250), "curved": (60, 150), "row": (200, 400), "columns": (100, 200)}
    return rates[rules.layout_kind]


def _late(make: Callable[..., Callable[[float], float]], *given: Any) -> Callable[[float], float]:
    """A measurement that is made ready when it is first asked for: which rows are wanted is known
    before anything is compiled."""
    made = cache(lambda: make(*given))
    return lambda seconds: made()(seconds)


def _rows() -> list[Row]:
    rows = [Row("block_draw", _late(batch_decisions, "block_draw", LANES), 300, 600)]
    rows += [
        Row(variant, _late(batch_decisions, variant, LANES), *_targets(variant))
        for variant in domino_env.variants()
        if variant != "block_draw"
    ]
    fifteen = domino_env.rules("block_draw", set="double_15")
    rows.append(Row("block_draw, double fifteen", _late(batch_decisions, fifteen, LANES), 50, 100))
    rows.append(Row("block_draw, a batch of one", _late(batch_decisions, "block_draw", 1), 12, 20))
    raw = domino_env.raw_aec("block_draw")
    rows.append(Row("raw AEC, whole loop", lambda s: baselines.aec_decisions(raw, s), 5, 8))
    rows.append(Row("wrapped AEC, whole loop", _wrapped_share, 0.70, 0.85, "× a game of nothing"))
    rows.append(Row("Gymnasium, whole loop", baselines.gymnasium_steps, 25, 50, "thousand steps/s"))
    peer: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
        ("Gymnasium vector", baselines.vector_steps, ()),
        ("SB3 VecEnv", baselines.sb3_steps, ("stable_baselines3",)),
    )
    for name, steps, needs in peer:
        share = _late(_share, steps)
        rows.append(Row(f"{name}, 1,024 games", share, 0.5, 0.65, "× the batch", needs))
    for each in (1, 64):
        name = f"beliefs, {each} worlds of a position" if each > 1 else "beliefs, a world of each"
        rows.append(Row(name, _late(_worlds, each), 200, 400, "thousand worlds/s"))
    pixels = "pictures, 600×400 pixels"
    rows.append(Row(pixels, render.pixels, 200, 400, "a second", ("PIL",)))
    rows.append(Row("pictures, SVG", render.drawings, 500, 1000, "a second"))
    rows.append(Row("two threads, 16,384 games", _thread_ratio, 1.7, 1.9, "× one thread"))
    return rows


def _needed(rows: list[Row]) -> list[str]:
    """The modules without which these rows cannot be measured."""
    found = {name for row in rows for name in row.needs}
    return sorted(found | ({"open_spiel", "pyspiel"} if _compared(rows) else set()))


def _compared(rows: list[Row]) -> bool:
    return any(row.unit == OPENSPIEL for row in rows)


def run(repeats: int, seconds: float, only: list[str] | None, deals: int, file: str | None) -> int:
    """Measures everything, prints the tables and writes the figures."""
    rows = [row for row in _rows() if not only or any(word in row.name for word in only)]
    must_have(*_needed(rows), extra="bench")
    compared = _compared(rows)
    rates: list[float] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("measuring", total=repeats * (len(rows) + compared))
        for _ in range(repeats):
            if compared:
                rates.append(baselines.openspiel_decisions(max(1.0, seconds)))
                progress.advance(task)
            for row in rows:
                figure = row.measure(seconds)
                row.rates.append(figure)
                row.ratios.append(figure / rates[-1] if row.unit == OPENSPIEL else figure)
                progress.advance(task)
        if not only:
            progress.update(task, description="compiling on a clean machine")
            rows += _once()
        scores = []
        for game, agent in pairs(only) if deals else []:
            progress.update(task, description=f"{agent} plays {game}", total=None)
            scores.append(score(game, agent, deals))
    baseline = median(rates) if rates else None
    show(_table(rows, baseline, repeats))
    if scores:
        show(scores_table(scores))
    if file:
        _write(file, rows, scores, baseline, repeats)
    return 1 if any(row.verdict == "MISSED" for row in rows) else 0


# What is measured once, in processes of their own ------------------------------------------------

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


def _once() -> list[Row]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        clean = {**os.environ, "NUMBA_CACHE_DIR": folder}
        compiling = _seconds(_FIRST_STEP, clean)
        starts = [_seconds(_FIRST_STEP, clean) for _ in range(5)]
    found.append(_figure("first use on a clean machine", compiling, 25, 15))
    found.append(_figure("the next process, to its first step", median(starts), 1.5, 1.0))
    if sys.platform == "linux":
        done = subprocess.run(
            [sys.executable, "-c", _MEMORY], check=True, capture_output=True, text=True
        )
        memory = _figure("memory of 16,384 games", float(done.stdout), 64, 48)
        memory.unit = "MB"
        found.append(memory)
    return found


def _seconds(code: str, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=environment, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - began


def _figure(name: str, figure: float, at_least: float, aim: float) -> Row:
    row = Row(name, lambda _: figure, at_least, aim, "s")
    row.rates, row.ratios = [figure], [figure]
    return row


# Output ------------------------------------------------------------------------------------------


def _table(rows: list[Row], baseline: float | None, repeats: int) -> Table:
    title = f"Decisions a second, one core, medians of {repeats}"
    if baseline is not None:
        title += f"; OpenSpiel's python_block_dominoes: {baseline:,.0f}"
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for column in ("decisions/s", "figure", "at least", "aim"):
        table.add_column(column, justify="right")
    table.add_column("")
    for row in rows:
        rate = f"{row.rate:,.0f}" if row.unit == OPENSPIEL else ""
        figures = [f"{value:,.4g}" for value in (row.ratio, row.at_least, row.aim)]
        table.add_row(row.name, rate, f"{figures[0]} {row.unit}", *figures[1:], row.verdict)
    return table


def _write(
    file: str, rows: list[Row], scores: list[Score], baseline: float | None, repeats: int
) -> None:
    found = []
    for row in rows:
        kept = {
            name: value for name, value in vars(row).items() if name not in ("measure", "needs")
        }
        found.append({**kept, "figure": row.ratio, "verdict": row.verdict})
    figures = {
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "domino_env": domino_env.__version__,
        "repeats": repeats,
        "openspiel": baseline,
        "rows": found,
        "scores": [vars(line) for line in scores],
    }
    with open(file, "w", encoding="utf-8") as out:
        json.dump(figures, out, indent=1)
        out.write("\n")
