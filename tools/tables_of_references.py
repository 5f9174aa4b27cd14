"""Tables of the docs about OpenSpiel's algorithms beside ours: docs/reference_algorithms.json."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.evaluate.statistics import ci95_of_few
from domino_env.solve.mini_games import MINI_GAMES
from tools import algorithms as learning
from tools.markdown import table
from tools.reference_algorithms import keeping
from tools.reference_algorithms.measuring import ROUNDS

SECONDS = (2, 5, 10)
LATE = 1.3  # as many times as late as it should be may a point be
LEAST = 1e-6  # exploitability that is nothing
NAMES = {
    "deep_cfr": "Deep CFR",
    "nfsp": "NFSP",
    "escher": "ESCHER",
    "psro": "PSRO, exact best responses",
    "xfp": "fictitious play (XFP)",
    "mmd": "MMD, exact",
    "discounted_cfr": "discounted CFR",
    "cfr": "CFR, C++",
    "cfr_plus": "CFR+, C++",
}
BESIDE = {"deep_cfr": "escher", "xfp": "nfsp"}
"""What of ours stands beside an algorithm that we do not have: what comes nearest."""

Points = list[dict[str, Any]]


def by_time() -> str:
    """How exploitable OpenSpiel's are after some seconds, and ours."""
    found, ours = keeping.kept(), learning.kept()["runs"]
    rows = []
    for game in _games(found):
        states = f"{MINI_GAMES[game].infostates:,}"
        for name, title in NAMES.items():
            if not (theirs := _seeds(found, game, "open_spiel", name)):
                continue
            cells = [_cell([_after(points, seconds) for points in theirs]) for seconds in SECONDS]
            beside = BESIDE.get(name, name)
            exact = _seeds(found, game, "ours", name) if name == "psro" else []
            own = exact or [
                run["points"] for run in ours if (run["game"], run["algorithm"]) == (game, beside)
            ]
            kind = f"`{beside}`" + (", exact best responses" if exact else "")
            mine = _cell([_after(points, 2) for points in own])
            rows.append([f"`{game}` ({states})", title, *cells, kind, mine])
    heads = [f"{seconds} s" for seconds in SECONDS]
    return table(["mini game", "OpenSpiel's", *heads, "ours", "2 s"], rows)


def by_rounds() -> str:
    """How exploitable learners are after some rounds, whatever time they took."""
    found = keeping.kept()
    rows = []
    for game in _games(found):
        for name in ("deep_cfr", "nfsp", "escher"):
            for of, whose in (("open_spiel", "OpenSpiel's"), ("ours", "ours")):
                if points := _seeds(found, game, of, name):
                    cells = [_cell([_at(each, mark) for each in points]) for mark in ROUNDS]
                    rows.append([f"`{game}`", f"{whose} {NAMES[name]}", *cells])
    return table(["mini game", "learner", *(f"{mark:,} rounds" for mark in ROUNDS)], rows)


def agreement() -> str:
    """How far the same solvers are apart."""
    kept = keeping.kept()
    found = kept.agreement
    names = [name for name in NAMES if any(name == each for _, each in found)]
    rows = [
        [f"`{game}`", *(f"{found[game, name]:.0e}" for name in names if (game, name) in found)]
        for game in _games(kept)
    ]
    return table(["mini game", *(f"`{name}`" for name in names)], rows)


def measured() -> str:
    """What it was measured with."""
    found = keeping.kept()
    kept = dict(found.with_what)
    machine = kept.pop("machine")
    seeds = len({run.seed for run in found.runs})
    packages = ", ".join(f"{name} {version}" for name, version in kept.items())
    return f"CPU seconds on {machine}, up to {seeds} seeds of what is random; {packages}.\n"


def _games(found: keeping.Found) -> list[str]:
    """The games, the smallest first."""
    measured = {run.game for run in found.runs}
    return [name for name in MINI_GAMES if name in measured]


def _seeds(found: keeping.Found, game: str, of: str, algorithm: str) -> list[Points]:
    """The points of each seed."""
    return [points for run, points in found.runs.items() if run[:3] == (game, of, algorithm)]


def _after(points: Points, seconds: float) -> float | None:
    """What is lost after so many seconds: at the first point from then on, unless a step took far
    longer, else at the last before; nothing of a run that has not come so far."""
    if points[-1]["seconds"] < seconds:
        return None
    in_time = [point for point in points if point["seconds"] <= LATE * seconds]
    then = [point for point in in_time if point["seconds"] >= seconds][:1] or in_time[-1:]
    return then[0]["exploitability"] if then else None


def _at(points: Points, rounds: int) -> float | None:
    """The same after so many rounds, if a point is near enough."""
    near = [point for point in points if rounds <= point["rounds"] <= LATE * rounds]
    return near[0]["exploitability"] if near else None


def _cell(lost: list[float | None]) -> str:
    """The mean of the seeds that have come so far, with its interval where there are several."""
    values = np.array([each for each in lost if each is not None])
    if not len(values):
        return ""
    if values.mean() < LEAST:
        return f"< {LEAST:g}"
    within = f" ± {ci95_of_few(values):.3f}" if len(values) > 1 else ""
    mean = values.mean()
    return f"{mean:.3f}{within}" if mean >= 0.01 else f"{mean:.1g}{within}"
