"""The learning curve of a training run, as a picture."""

from __future__ import annotations

import io

from domino_env.train.settings import PHASES
from domino_env.train.training import Training


def picture(training: Training) -> bytes:
    """Points a round over each opponent by iteration, as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.axhline(0, color="0.6", linewidth=0.8)
    iterations = [point.iteration for point in training.curve]
    for name in training.settings.evaluation.against:
        pairs = [point.margins[name] for point in training.curve]
        means = [mean for mean, _ in pairs]
        axes.plot(iterations, means, marker="o", markersize=3, label=f"over {name}")
        axes.fill_between(
            iterations,
            [mean - within for mean, within in pairs],
            [mean + within for mean, within in pairs],
            alpha=0.2,
        )
    end = 0
    for phase in PHASES:
        length = getattr(training.settings, phase).iterations
        if length:
            end += length
            axes.axvline(end, color="0.8", linewidth=0.8, linestyle=":")
            axes.annotate(
                phase, (end - length / 2, 1.01), xycoords=("data", "axes fraction"), ha="center"
            )
    axes.set_xlabel("iterations")
    axes.set_ylabel("points a round, on duplicate deals")
    axes.set_title(f"{training.rules.title}, {training.num_players} players", pad=18)
    if training.settings.evaluation.against:
        axes.legend(loc="center right")
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=120, metadata={"Software": None})
    return file.getvalue()
