"""The learning curve of a training run, or of several seeds of one, as a picture."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from domino_env.config.game_settings import house_rules
from domino_env.train.settings import PHASES, TrainSettings
from domino_env.train.training import Training


class Band(NamedTuple):
    """A curve with its interval: a number for each of some iterations."""

    iterations: Sequence[int]
    means: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]


def picture(training: Training) -> bytes:
    """Points a round over each opponent by iteration, as PNG."""
    iterations = [point.iteration for point in training.curve]
    bands = {}
    for name in training.settings.evaluation.against:
        pairs = [point.margins[name] for point in training.curve]
        means = [mean for mean, _ in pairs]
        lows = [mean - within for mean, within in pairs]
        highs = [mean + within for mean, within in pairs]
        bands[f"over {name}"] = Band(iterations, means, lows, highs)
    return draw(training.settings, bands)


def draw(settings: TrainSettings, bands: Mapping[str, Band], note: str = "") -> bytes:
    """Curves with their intervals over the phases of a run, as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(0, color="0.6", linewidth=0.8)
    for label, band in bands.items():
        axes.plot(band.iterations, band.means, marker="o", markersize=3, label=label)
        axes.fill_between(band.iterations, band.lows, band.highs, alpha=0.2)
    axes.set_xlim(left=0)  # also where there is one point, at the end: phases are named before it
    _mark_phases(axes, settings)
    axes.set_xlabel("iterations")
    axes.set_ylabel("points a round, on duplicate deals")
    axes.set_title(_title(settings) + note, pad=18)
    if bands:
        axes.legend(loc="center right")
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=120, metadata={"Software": None})
    return file.getvalue()


def _title(settings: TrainSettings) -> str:
    rules = house_rules(settings.game, settings.rules)
    return f"{rules.title}, {settings.num_players or rules.players[0]} players"


def _mark_phases(axes: Any, settings: TrainSettings) -> None:
    """The names of the phases above the curves, and a line where each ends."""
    end = 0
    for phase in PHASES:
        length = getattr(settings, phase).iterations
        if length:
            end += length
            axes.axvline(end, color="0.8", linewidth=0.8, linestyle=":")
            place = (end - length / 2, 1.01)
            axes.annotate(phase, place, xycoords=("data", "axes fraction"), ha="center")
