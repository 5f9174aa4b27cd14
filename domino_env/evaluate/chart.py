"""The chart of a tournament: for each game the margins as a heat map, and the ratings as bars."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import Any

import numpy as np

from domino_env.evaluate.ratings import Rating
from domino_env.evaluate.results import Results

PLAIN: dict[str, Any] = {"fontsize": 8, "parse_math": False}  # names are no formulas


def draw_crosstable(results: Results) -> bytes:
    """The chart as a PNG; it needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    games, size = results.games, 1.6 + 0.75 * len(results.names)
    figure = Figure(figsize=(2 * size + 3, size * len(games) + 0.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(games), 2, squeeze=False, width_ratios=(3, 2))
    for game, (left, right) in zip(games, axes, strict=True):
        ranked = results.ratings(game)
        _margins(left, results, game, [rating.name for rating in ranked])
        _bars(right, ranked)
    image = BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # of a name in letters that the font lacks
        figure.savefig(image, format="png", dpi=120, metadata={"Software": None})
    return image.getvalue()


def _margins(axes: Any, results: Results, game: str, names: list[str]) -> None:
    """Each row's points a round over each column."""
    margins = np.full((len(names), len(names)), np.nan)
    for row, first in enumerate(names):
        for column, second in enumerate(names):
            standing = results.find(game, first, second)
            if standing is not None:
                margins[row, column] = standing.margin
                told = f"{standing.margin:+.2f}\n±{standing.within:.2f}"
                axes.text(column, row, told, ha="center", va="center", fontsize=8)
    most = max(float(np.nanmax(np.abs(margins))), 1e-9)
    # Pale enough that black figures are read on every colour.
    axes.imshow(margins, cmap="RdBu", vmin=-1.6 * most, vmax=1.6 * most)
    axes.set_title(f"{results.of(game)[0].title}: points a round, row over column", fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", **PLAIN)
    axes.set_yticks(range(len(names)), names, **PLAIN)


def _bars(axes: Any, ranked: list[Rating]) -> None:
    """Ratings with their intervals."""
    points = [rating.points for rating in ranked]
    halves = [rating.within for rating in ranked]
    axes.barh(range(len(ranked)), points, xerr=halves, color="#7aa6c2", height=0.6, capsize=3)
    axes.set_yticks(range(len(ranked)), [rating.name for rating in ranked], **PLAIN)
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_title("rating", fontsize=9)
