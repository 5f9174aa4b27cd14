"""Tables of the docs that are made from measured figures, kept as JSON in `docs/`."""

from __future__ import annotations

import json
from typing import Any

import domino_env
from domino_env.bench import tables
from domino_env.evaluate.benchmark import benchmark
from domino_env.evaluate.benchmark_report import read_entry
from domino_env.evaluate.rich_tables import score_row
from domino_env.evaluate.solo_scores import Score
from tools import aivat_check
from tools.architecture import ROOT
from tools.markdown import table


def scaling() -> str:
    """Seconds by the number of workers of a cluster, from docs/scaling.json."""
    kept = json.loads((ROOT / "docs" / "scaling.json").read_text(encoding="utf-8"))
    whole = kept["workers"]["0"]
    rows = []
    for workers, seconds in kept["workers"].items():
        who = (
            "no Ray, one core"
            if workers == "0"
            else f"Ray, {workers} worker{'s'[: workers != '1']}"
        )
        rows.append([who, *(f"{seconds[name]:.1f}" for name in whole)])
    return table(["seconds", *whole], rows)


def peers() -> str:
    """The last benchmark that was kept, from docs/bench.json: our main game beside the peers."""
    heads, ratios, *rates = tables.lead(_bench())
    return table(heads, [[f"**{cell}**" for cell in ratios], *rates])


def peers_measured() -> str:
    """What is measured of each peer."""
    heads, *rows = tables.measured(_bench())
    return table(heads, rows)


def speed() -> str:
    """Every benchmark: figures and ratios, without targets."""
    heads, *rows = tables.speed(_bench())
    return table(heads, rows)


def targets() -> str:
    """The same, held against its targets."""
    heads, *rows = tables.targets(_bench())
    return table(heads, rows)


def measured() -> str:
    """The machine and the versions that docs/bench.json was measured with."""
    kept = _bench()
    return (
        f"Measured with domino-env {kept['domino_env']}, Python {kept['python']} and NumPy "
        f"{kept['numpy']} on {kept['machine']}; medians of {kept['repeats']}.\n"
    )


def _bench() -> Any:
    return json.loads((ROOT / "docs" / "bench.json").read_text(encoding="utf-8"))


def scores() -> str:
    """What agents scored in one-player games, from docs/bench.json."""
    rows = [score_row(Score(**line)) for line in _bench()["scores"]]
    return table(
        ["game", "agent", "points", "won"], [[f"`{g}`", f"`{a}`", *r] for g, a, *r in rows]
    )


def clients() -> str:
    """What clients have trained, from docs/clients.json, which `make kept-clients` writes."""
    kept = json.loads((ROOT / "docs" / "clients.json").read_text(encoding="utf-8"))
    rows = []
    for row in kept.values():
        version = row["versions"].get(row["package"], "")
        uses = ", ".join(f"`{name}`" for name in row["uses"].split(", "))
        reached = ", ".join(f"{name} {_figure(value)}" for name, value in row["figures"].items())
        passed = "yes" if row["passed"] else "no"
        rows.append([row["package"], version, uses, row["trained"], reached, passed])
    return table(["client", "version", "API", "training", "result", "passes"], rows)


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.1f}".removesuffix(".0")


def hops() -> str:
    """What typical calls pass through, from docs/hops.json."""
    kept = json.loads((ROOT / "docs" / "hops.json").read_text(encoding="utf-8"))
    rows = [
        [name, str(row["functions"]), str(row["files"]), " → ".join(f"`{r}`" for r in row["rooms"])]
        for name, row in kept.items()
    ]
    return table(["call", "functions", "files", "rooms, in the order of the first call"], rows)


def benchmark_games() -> str:
    """The games of the benchmark."""
    rows = [
        [
            game.name,
            ", ".join([game.rules.title, *(f"{k} {v}" for k, v in game.options.items())]),
            str(game.num_players),
            ", ".join(f"`{each}`" for each in game.opponents),
            f"{game.at_random:+.2f}",
            f"{game.reference:+.2f}",
        ]
        for game in benchmark().games
    ]
    return table(["game", "rules", "seats", "opponents", "random moves", "reference"], rows)


def leaderboard() -> str:
    """The entries in docs/leaderboard, the best first."""
    entries = [read_entry(file) for file in sorted((ROOT / "docs" / "leaderboard").glob("*.json"))]
    rows = [
        [
            f"`{entry['agent']}`",
            f"**{entry['score']:.1f} ± {entry['within']:.1f}**",
            str(sum(game["played"] for game in entry["games"])),
            f"{min(game['score'] for game in entry['games']):.0f}",
            entry["versions"]["domino-env"],
        ]
        for entry in sorted(entries, key=lambda each: -each["score"])
    ]
    return table(["agent", "score", "games played", "lowest score of a game", "domino-env"], rows)


def aivat() -> str:
    """What the luck of draws taken off is worth, from docs/aivat.json."""
    rows = [
        [
            f"{domino_env.rules(cell.game).title}, {cell.num_players} seats",
            f"`{cell.first}`, `{cell.second}`",
            f"{cell.plain:+.2f} ± {cell.plain_within:.2f}",
            f"{cell.corrected:+.2f} ± {cell.corrected_within:.2f}",
            f"{cell.standard_score:+.1f}",
            f"{cell.plain_worth:.1f}",
            f"{cell.worth:.1f}",
            f"{cell.milliseconds:.1f}",
        ]
        for cell in aivat_check.read()
    ]
    margins = ["margin, duplicates alone", "with `aivat`", "moved by, standard errors"]
    heads = ["game", "agents", *margins, "worth", "with `aivat`", "ms a game"]
    return table(heads, rows)


def aivat_measured() -> str:
    """On how many deals, and where."""
    cells = aivat_check.read()
    worst = max(abs(cell.standard_score) for cell in cells)
    deals, games = (sum(getattr(cell, name) for cell in cells) for name in ("deals", "games"))
    return (
        f"{deals:,} deals, {games:,} games, on one core of {aivat_check.machine()}. No mean has "
        f"moved by more than {worst:.1f} standard errors; {aivat_check.BOUND:.2f} would be the "
        f"bound for the greatest of {len(cells)}.\n"
    )
