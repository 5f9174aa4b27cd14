"""The figures of a run as tables: in the terminal, and in the documentation (`tools.docs`), of the
same rows, which are made of what is kept as JSON."""

from __future__ import annotations

from statistics import median
from typing import Any

from rich.table import Table

from domino_env.bench.benchmark import LOWER_IS_BETTER
from domino_env.bench.peers.catalogue import PEERS
from domino_env.bench.peers.lineup import NOT_HERE

DECISIONS = {f"× {peer.name}" for peer in PEERS}  # units of benchmarks that count decisions
Rows = list[list[str]]
_WORDS = ("unit", "verdict", "versions", "what was measured")
RATIO = "× the best of them"


def lead(figures: dict[str, Any]) -> Rows:
    """Our main game beside the peers, by games at once: the ratios, then the rates of all. The
    first row is the heads."""
    ours = {str(row["size"]): row for row in figures["rows"] if row["leads"]}
    ratios = {size: row["best"]["ratio"] for size, row in ours.items() if row["best"]}
    peers = sorted(figures["peers"], key=_fastest, reverse=True)
    rates = {figures["game"]: {size: row["rates"] for size, row in ours.items()}}
    rates.update((peer["name"], peer["rates"]) for peer in peers)
    return [
        ["decisions a second, by games at once", *(f"{int(size):,}" for size in ours)],
        [RATIO, *(digits(ratios.get(size)) for size in ours)],
        *([name, *(_rate(found.get(size)) for size in ours)] for name, found in rates.items()),
    ]


def _fastest(peer: dict[str, Any]) -> float:
    return max(median(rates) for rates in peer["rates"].values())


def measured(figures: dict[str, Any]) -> Rows:
    """What a decision of each peer is, and the versions."""
    rows = [
        [peer["name"], _versions(peer["versions"]), peer["measured"]] for peer in figures["peers"]
    ]
    return [["peer", "versions", "what was measured"], *rows]


def _versions(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def speed(figures: dict[str, Any]) -> Rows:
    """Every benchmark: how it compares, and its figure."""
    return [["benchmark", "compared", "figure"], *(_speed(row) for row in figures["rows"])]


def _speed(row: dict[str, Any]) -> list[str]:
    """A ratio alone has no figure, a time no ratio."""
    value = _with_unit(row["figure"], row["unit"])
    if row["best"]:
        value = _with_unit(row["best"]["ratio"], f"× {row['best']['peer']}")
    if row["unit"] in DECISIONS:
        return [row["name"], value, f"{median(row['rates']):,.0f} decisions/s"]
    return [row["name"], *((value, "") if row["unit"].startswith("×") else ("", value))]


def targets(figures: dict[str, Any]) -> Rows:
    """Every benchmark, held against its targets."""
    rows = [["benchmark", "figure", "unit", "acceptable", "target", "verdict"]]
    for row in figures["rows"]:
        bound = "≤" if row["unit"] in LOWER_IS_BETTER else "≥"
        limits = [f"{bound} {digits(row[name])}" for name in ("minimum", "target")]
        rows.append([row["name"], digits(row["figure"]), row["unit"], *limits, row["verdict"]])
    return rows


def left_out(figures: dict[str, Any]) -> str:
    """Which peers took no part, why, and what can be done about it."""
    reasons: dict[str, list[str]] = {}
    for name, reason in figures["left_out"].items():
        reasons.setdefault(reason, []).append(name)
    lines = [f"left out, {reason}: {'; '.join(names)}" for reason, names in reasons.items()]
    if NOT_HERE in reasons:
        lines.append("`domino bench --get-peers` installs them, in a folder of their own")
    return "\n".join(lines)


def table(title: str, rows: Rows) -> Table:
    """Rows for the terminal."""
    found = Table(title=title, title_justify="left")
    for place, head in enumerate(rows[0]):
        found.add_column(head, justify="left" if place == 0 or head in _WORDS else "right")
    for row in rows[1:]:
        found.add_row(*row)
    return found


def _with_unit(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{digits(value)} {unit}"


def _rate(rates: list[float] | None) -> str:
    """Three digits, in millions or thousands."""
    if not rates:
        return "–"
    rate = median(rates)
    return f"{digits(rate / 1e6)} M" if rate >= 1e5 else f"{digits(rate / 1e3)} k"


def digits(value: float | None) -> str:
    """Three digits at least, and no powers of ten: 1,420, 57.4, 0.695."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"
