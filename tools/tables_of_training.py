"""Tables of the docs about the speed of learning, from docs/learning_speed.json."""

from __future__ import annotations

from typing import Any

from tools import learning_speed
from tools.markdown import table

PARTS = ("environment", "features", "teacher", "choosing", "learning")


def beside() -> str:
    """Ours beside MaskablePPO: what is collected and learned from in a CPU second."""
    rows = [
        [
            _game(row),
            _network(row),
            f"{row['learned']:,.0f}",
            f"{row['sb3_free']:,.0f}",
            f"**{row['free_ratio']:.1f}**",
            f"{row['collected']:,.0f}",
            f"{row['sb3_learned']:,.0f}",
            f"**{row['collected_ratio']:.1f}**",
            f"{row['learned_ratio']:.1f}",
        ]
        for row in learning_speed.kept()["beside"]
    ]
    free = ["with a choice, learned from", "MaskablePPO", "times"]
    every = ["steps collected", "MaskablePPO", "times"]
    return table(["game", "network", *free, *every, "choices over their steps"], rows)


def shares() -> str:
    """Where the time of our runs goes."""
    rows = [
        [
            f"`{row['network']}` {_network(row)}",
            row["phase"],
            str(row["passes"]),
            f"{row['learned']:,.0f}",
            *(f"{100 * row['shares'][part]:.1f} %" for part in PARTS),
        ]
        for row in learning_speed.kept()["shares"]
    ]
    return table(["network", "phase", "passes", "decisions a second", *PARTS], rows)


def measured() -> str:
    """What it was measured with."""
    kept = learning_speed.kept()
    versions = ", ".join(f"{name} {number}" for name, number in kept["versions"].items())
    return f"On one core of {kept['machine']}, {versions}; medians of {kept['repeats']}.\n"


def _game(row: dict[str, Any]) -> str:
    rules = ", ".join(f"{name} {value}" for name, value in row["rules"].items())
    return f"{row['game']}, {rules}" if rules else str(row["game"])


def _network(row: dict[str, Any]) -> str:
    return ", ".join(str(size) for size in row["hidden_sizes"])
