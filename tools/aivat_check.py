"""Is `variance: aivat` unbiased, what is it worth, and what does it cost? For docs/tournaments.md.

    python -m tools.aivat_check                          # 3,000 deals in all, a minute or two
    python -m tools.aivat_check --deals 100000 --keep    # half an hour; goes on if stopped

Three pairs of agents play five games. On the same deals the mean margin with the luck taken off is
compared with the plain one: the difference has an interval of its own, since both are of the same
games. Of fifteen differences one would be outside its 95 % interval more often than not, so a
difference counts as real if it is outside that of 1 - 0.05 / 15 (Bonferroni). The command fails
then.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from rich.console import Console

import domino_env
from domino_env.bench.one_core import processor
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.statistics import ci95_half_width, equivalent_independent_games
from domino_env.files import write_whole
from tools.architecture import ROOT

KEPT = ROOT / "docs" / "aivat.json"
PAIRS = (("heuristic", "greedy_pip"), ("random", "greedy_pip"), ("net", "heuristic"))
NO_NET = (*PAIRS[:2], ("random", "heuristic"))  # no policy comes with three seats
GAMES = (
    ("block_draw", 2, PAIRS),
    ("all_fives", 2, PAIRS),
    ("bendomino", 2, PAIRS),
    ("fundomino_team_play", 4, PAIRS),
    ("five_up", 3, NO_NET),
)
CHUNK = 100  # deals
CELLS = sum(len(pairs) for *_, pairs in GAMES)
BOUND = NormalDist().inv_cdf(1 - 0.05 / CELLS / 2)


@dataclass(frozen=True)
class Cell:
    """Two agents at a game.

    Attributes:
        game, num_players, first, second: who plays what.
        deals, games: that were played.
        plain, plain_within: the mean margin of the first, and half its 95 % interval.
        corrected, corrected_within: the same with the luck taken off.
        difference, difference_within: of the two, deal by deal.
        plain_worth, worth: how many plain games a game is worth.
        milliseconds: of CPU time for a game, all playouts included.
    """

    game: str
    num_players: int
    first: str
    second: str
    deals: int
    games: int
    plain: float
    plain_within: float
    corrected: float
    corrected_within: float
    difference: float
    difference_within: float
    plain_worth: float
    worth: float
    milliseconds: float

    @property
    def standard_score(self) -> float:
        """The difference in standard errors."""
        return 1.96 * self.difference / self.difference_within if self.difference_within else 0.0

    @property
    def unbiased(self) -> bool:
        """Is the difference what chance can bring?"""
        return abs(self.standard_score) <= BOUND


def main(arguments: list[str] | None = None) -> int:
    """Plays, tells, and fails if a mean has been moved."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=3000, help="in all (default 3000)")
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    cells = []
    for cell in played(-(-options.deals // CELLS), KEPT if options.keep else None):
        cells.append(cell)
        Console().print(told(cell))
    worst = max(cells, key=lambda each: abs(each.standard_score))
    Console().print(
        f"{sum(each.deals for each in cells):,} deals; the greatest difference is "
        f"{abs(worst.standard_score):.2f} standard errors, {BOUND:.2f} are the bound for {CELLS}"
    )
    return 0 if all(each.unbiased for each in cells) else 1


def played(deals: int, file: Path | None) -> Iterator[Cell]:
    """Each cell, with so many deals; none of which the file has as many is played again."""
    kept = {(each.game, each.first, each.second): each for each in read()} if file else {}
    for game, num_players, pairs in GAMES:
        for first, second in pairs:
            cell = kept.get((game, first, second))
            if cell is None or cell.deals < deals:
                cell = measured(game, num_players, first, second, deals)
            kept[game, first, second] = cell
            if file:
                write(file, [*kept.values()])
            yield cell


def measured(game: str, num_players: int, first: str, second: str, deals: int) -> Cell:
    """Plays one."""
    entrants = Entrant(first), Entrant(second, "opponent")
    pairing = Pairing(domino_env.rules(game), num_players, *entrants, variance="aivat")
    began = time.process_time()
    while pairing.deals < deals:
        pairing.play(min(CHUNK, deals - pairing.deals))
    spent = time.process_time() - began
    plain, corrected = pairing.margins.mean(1), pairing.by_deal
    games = pairing.margins.size
    return Cell(
        game=game,
        num_players=num_players,
        first=first,
        second=second,
        deals=deals,
        games=games,
        plain=float(plain.mean()),
        plain_within=ci95_half_width(plain),
        corrected=float(corrected.mean()),
        corrected_within=ci95_half_width(corrected),
        difference=float((corrected - plain).mean()),
        difference_within=ci95_half_width(corrected - plain),
        plain_worth=(equivalent_independent_games(pairing.margins) or 0.0) / games,
        worth=(equivalent_independent_games(pairing.margins, corrected) or 0.0) / games,
        milliseconds=1000 * spent / games,
    )


def told(cell: Cell) -> str:
    """A line."""
    return (
        f"{cell.game}, {cell.num_players} seats, {cell.first} over {cell.second}: plain "
        f"{cell.plain:+.3f} ± {cell.plain_within:.3f}, corrected {cell.corrected:+.3f} ± "
        f"{cell.corrected_within:.3f}, difference {cell.difference:+.3f} "
        f"({cell.standard_score:+.2f} standard errors); worth {cell.worth:.1f} plain games "
        f"({cell.plain_worth:.1f} without), {cell.milliseconds:.1f} ms a game"
    )


def read() -> list[Cell]:
    """What has been kept."""
    return [Cell(**each) for each in _kept()["cells"]]


def machine() -> str:
    """Where that was measured."""
    return str(_kept()["machine"])


def _kept() -> Any:
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"cells": []}


def write(file: Path, cells: list[Cell]) -> None:
    """Keeps it."""
    content: dict[str, Any] = {"machine": processor(), "cells": [asdict(each) for each in cells]}
    write_whole(file, json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
