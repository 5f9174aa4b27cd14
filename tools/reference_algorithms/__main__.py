"""`python -m tools.reference_algorithms`: see the package."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from rich.console import Console
from rich.progress import Progress

from domino_env.solve.mini_games import mini_game
from tools.reference_algorithms import keeping, learners, ours, solvers
from tools.reference_algorithms.agreement import SAME, apart
from tools.reference_algorithms.door import Door, from_file
from tools.reference_algorithms.keeping import Run
from tools.reference_algorithms.measuring import MOST_ROUNDS, Algorithm, Marks, curve

GAMES = ("fives_and_threes_2", "block_3")
LEARNERS = learners.LEARNERS
IN_SMALL_STEPS = ("nfsp", "escher")
SECONDS_OF_SOLVERS = 5.0


def main(arguments: list[str] | None = None) -> int:
    """Measures what is missing, and keeps it."""
    parser = argparse.ArgumentParser(description="OpenSpiel's algorithms beside ours")
    parser.add_argument("--game", action="append", default=[], choices=GAMES)
    names = [*LEARNERS, *solvers.SOLVERS]
    parser.add_argument("--algorithm", action="append", default=[], choices=names)
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time, each run")
    parser.add_argument("--seeds", type=int, default=3, help="of what is random")
    parser.add_argument("--again", action="store_true", help="also what is there already")
    options = parser.parse_args(arguments)
    console, found = Console(), keeping.kept()
    games = options.game or GAMES
    for run in runs(games, options.seeds):
        wanted = not options.algorithm or run.algorithm in options.algorithm
        if wanted and (options.again or not found.has(run)):
            found.put(run, measured(run, options.seconds, console))
            keeping.keep(found)
    for game in games:
        for name in SAME:
            if not found.compared(game, name):
                found.agree(game, name, apart(mini_game(game).tree, name))
                keeping.keep(found)
    return 0


def runs(games: list[str] | tuple[str, ...], seeds: int) -> Iterator[Run]:
    """All runs, the first seed of all of them first; solvers, which sample nothing, have one."""
    for seed in range(seeds):
        for game in games:
            yield from (Run(game, "open_spiel", name, seed) for name in LEARNERS)
            yield from (Run(game, "ours", name, seed) for name in IN_SMALL_STEPS)
        for game in games if seed == 0 else ():
            yield from (Run(game, "open_spiel", name) for name in solvers.SOLVERS)
            yield Run(game, "ours", "psro")


def measured(run: Run, seconds: float, console: Console) -> list[dict[str, Any]]:
    """The points of a run."""
    algorithm, end = starting(run)(), end_of(run, seconds)
    with Progress(console=console, transient=True, auto_refresh=False) as progress:
        bar = progress.add_task(" ".join(map(str, run)), total=1.0)
        watch = lambda done: progress.update(bar, completed=done, refresh=True)  # noqa: E731
        points = curve(algorithm, mini_game(run.game).tree, end, watch)
    console.print(*run, f"{points[-1]['exploitability']:.5f}")
    return points


def end_of(run: Run, seconds: float) -> Marks:
    """When it ends: ours that learn in small steps are compared by rounds."""
    if run.algorithm not in LEARNERS:
        return Marks(SECONDS_OF_SOLVERS)
    return Marks(seconds) if run.of == "open_spiel" else Marks(math.inf, MOST_ROUNDS)


def starting(run: Run) -> Callable[[], Algorithm]:
    """What begins a run."""
    if run.of == "ours":
        if run.algorithm in IN_SMALL_STEPS:
            return partial(ours.InSmallSteps, run.game, run.algorithm, run.seed)
        return partial(ours.DoubleOracle, mini_game(run.game).tree)
    if run.algorithm in LEARNERS:
        return partial(LEARNERS[run.algorithm], visited(run.game), run.seed)
    return partial(solvers.SOLVERS[run.algorithm], from_file(mini_game(run.game).tree))


@cache
def visited(game: str) -> Door:
    """A game through the door, where nothing is met for the first time any more."""
    door = Door(mini_game(game))
    door.visit()
    return door


if __name__ == "__main__":
    sys.exit(main())
