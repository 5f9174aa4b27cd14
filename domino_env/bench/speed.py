"""The run of `domino bench`: it measures the suite, and the peers beside it.

Machines are noisy, so nothing is compared across runs: in each repetition every benchmark is
measured once, and the peers right before those of ours that they are compared with. The medians of
the ratios count.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import domino_env
from domino_env.bench import tables
from domino_env.bench.benchmark import Benchmark
from domino_env.bench.one_core import on_one_core, processor
from domino_env.bench.peers.catalogue import PEERS, Peer
from domino_env.bench.peers.lineup import Lineup, set_up
from domino_env.bench.startup import measure_apart, startup_benchmarks
from domino_env.bench.suite import MAIN, benchmarks
from domino_env.errors import BadOption
from domino_env.evaluate.rich_tables import scores_table, show
from domino_env.evaluate.solo_scores import Score, pairs, score
from domino_env.extras import must_have


@dataclass(frozen=True)
class Settings:
    """What is measured, and how.

    Attributes:
        repeats: measurements of each benchmark; their median counts.
        seconds: the length of each.
        only: words, one of which is in the name of each benchmark that is measured; () for all.
        deals: of each one-player game, for mean scores; 0 for none.
        peers: the folder with the environments of the peers.
        get_peers: are those that are not there made first?
    """

    repeats: int = 5
    seconds: float = 0.4
    only: tuple[str, ...] = ()
    deals: int = 10_000
    peers: Path = Path(".peers")
    get_peers: bool = False

    def chosen(self, every: list[Benchmark]) -> list[Benchmark]:
        """Those that are measured."""
        return [
            each for each in every if not self.only or any(word in each.name for word in self.only)
        ]


def run(settings: Settings, file: str | None = None) -> int:
    """Measures, prints the tables and writes the figures; 1 if a benchmark misses its minimum."""
    chosen, apart = settings.chosen(benchmarks()), settings.chosen(startup_benchmarks())
    if not chosen and not apart:
        raise BadOption(f"no benchmark has {' or '.join(settings.only)} in its name")
    must_have(*sorted({name for each in chosen for name in each.needs}), extra="bench")
    bar = Progress(console=Console(stderr=True), transient=True, refresh_per_second=2)
    with bar as progress, Lineup(settings.peers) as lineup:
        task = progress.add_task("", total=None)

        def tell(what: str) -> None:
            progress.update(task, description=what)

        _start(lineup, chosen, settings, tell)
        _measure(lineup, chosen, settings, progress)
        if apart:
            tell("starting with an empty cache")
            measure_apart(apart, settings.repeats)
            chosen += apart
        scores = _scores(settings, tell)
    for each in chosen:
        each.compare(lineup.found)
    figures = _figures(lineup, chosen, scores, settings)
    _show(figures, scores)
    if file:
        Path(file).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if any(each.verdict == "MISSED" for each in chosen) else 0


def _start(
    lineup: Lineup, chosen: list[Benchmark], settings: Settings, tell: Callable[[str], None]
) -> None:
    """Has all peers ready that somebody is compared with."""
    wanted = peers_of(chosen)
    if settings.get_peers and wanted:
        lineup.left_out.update(set_up(settings.peers, tell))
    for peer, sizes in wanted.items():
        tell(f"starting {peer.name}")
        lineup.start(peer, sizes)


def peers_of(chosen: list[Benchmark]) -> dict[Peer, list[int]]:
    """The peers that some benchmarks are compared with, and the sizes in which they play."""
    sizes = {each.size for each in chosen if each.size}
    held = {each.peer for each in chosen}
    found = {}
    for peer in PEERS:
        if not peer.has_batches:
            found[peer] = [1] if sizes or peer in held else []
        else:
            found[peer] = sorted(sizes & {*peer.sizes})
    return {peer: sizes for peer, sizes in found.items() if sizes}


def _measure(
    lineup: Lineup, chosen: list[Benchmark], settings: Settings, progress: Progress
) -> None:
    """Measures all of them so often: size by size, the peers first, then what has no size."""
    sizes = {size for sizes in peers_of(chosen).values() for size in sizes}
    turns = [*sorted(sizes | {each.size for each in chosen if each.size}), None]
    task = progress.add_task("measuring", total=settings.repeats * len(turns))
    for _ in range(settings.repeats):
        for size in turns:
            with on_one_core() if size else nullcontext():
                if size:
                    lineup.measure(size, settings.seconds)
                for each in chosen:
                    if each.size == size:
                        each.rates.append(each.measure(settings.seconds))
            progress.advance(task)


def _scores(settings: Settings, tell: Callable[[str], None]) -> list[Score]:
    """What agents score in one-player games."""
    found = []
    for game, agent in pairs([*settings.only]) if settings.deals else []:
        tell(f"{agent} plays {game}")
        found.append(score(game, agent, settings.deals))
    return found


def _figures(
    lineup: Lineup, chosen: list[Benchmark], scores: list[Score], settings: Settings
) -> dict[str, Any]:
    """All that was found, as it is kept as JSON."""
    return {
        "machine": processor(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "domino_env": domino_env.__version__,
        "repeats": settings.repeats,
        "seconds": settings.seconds,
        "game": MAIN,
        "peers": [rates.plain for rates in lineup.found],
        "left_out": lineup.left_out,
        "rows": [each.plain for each in chosen],
        "scores": [vars(line) for line in scores],
    }


def _show(figures: dict[str, Any], scores: list[Score]) -> None:
    if any(row["leads"] for row in figures["rows"]):
        show(tables.table(f"{MAIN} beside the peers", tables.lead(figures)))
    if figures["peers"]:
        show(tables.table("The peers", tables.measured(figures)))
    title = f"CPU time of one core on {figures['machine']}, medians of {figures['repeats']}"
    show(tables.table(title, tables.speed(figures)))
    show(tables.table("Targets", tables.targets(figures)))
    if scores:
        show(scores_table(scores))
    if figures["left_out"]:
        print(tables.left_out(figures))
