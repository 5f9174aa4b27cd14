"""What `domino learn` measures: a row for each game and seed, and tables of their means."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from domino_env.evaluate.rich_tables import new_table, watched
from domino_env.evaluate.rich_tables import show as print_table
from domino_env.evaluate.statistics import ci95_of_few
from domino_env.solve.mini_games import MINI_GAMES


def measure(chosen: list[Any], options: Any) -> list[dict[str, Any]]:
    """A row for each run: `points` of its curve on a mini game, or its `strength`."""
    from domino_env.train.algorithms.curve import learn, learn_full_size

    rows: list[dict[str, Any]] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for settings in chosen:
            for number in range(options.seeds):
                run = replace(settings, seed=settings.seed + number)
                row = {"game": run.game, "algorithm": run.algorithm, "seed": run.seed}
                with watched(progress, f"{run.game}: {run.algorithm}, seed {run.seed}") as watch:
                    if run.game in MINI_GAMES:
                        points = learn(run, options.seconds, watch)
                        row["points"] = [point.to_plain() for point in points]
                    else:
                        strength = learn_full_size(run, options.seconds, options.deals, watch)
                        row["strength"] = strength.to_plain()
                rows.append(row)
    return rows


def show(rows: list[dict[str, Any]]) -> None:
    """Prints them."""
    _show_curves([row for row in rows if "points" in row])
    _show_strengths([row for row in rows if "strength" in row])


def _show_curves(rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    table = new_table(
        "Exploitability, in points a round, as it is learned",
        ("game", "algorithm", "CPU s", "iterations", "decisions", "exploitability"),
        ("game", "algorithm"),
        "means over seeds with 95 % intervals, which need two seeds or more",
    )
    for game in dict.fromkeys(row["game"] for row in rows):
        runs = [row for row in rows if row["game"] == game]
        for points in zip(*(row["points"] for row in runs), strict=True):
            table.add_row(game, runs[0]["algorithm"], *_cells(points))
    print_table(table)


def _cells(points: Any) -> list[str]:
    """The means of one time in several runs."""
    mean = {name: float(np.mean([point[name] for point in points])) for name in points[0]}
    lost = np.array([point["exploitability"] for point in points])
    within = f" ± {ci95_of_few(lost):.4f}" if len(lost) > 1 else ""
    return [
        f"{mean['seconds']:.1f}",
        f"{mean['iterations']:,.0f}",
        f"{mean['decisions']:,.0f}",
        f"{mean['exploitability']:.4f}{within}",
    ]


def _show_strengths(rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    table = new_table(
        "Strength: points a round over heuristic",
        ("game", "algorithm", "seed", "CPU s", "decisions", "over heuristic", "deals"),
        ("game", "algorithm"),
        "with 95 % intervals over the deals",
    )
    for row in rows:
        found = row["strength"]
        table.add_row(
            row["game"],
            row["algorithm"],
            str(row["seed"]),
            f"{found['seconds']:.1f}",
            f"{found['decisions']:,}",
            f"{found['margin']:+.2f} ± {found['within']:.2f}",
            f"{found['deals']:,}",
        )
    print_table(table)
