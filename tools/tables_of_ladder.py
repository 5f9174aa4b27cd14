"""Tables of docs/ladder.md, from what `tools.ladder` has kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from domino_env.evaluate.pairing import Standing
from domino_env.evaluate.ratings import Rating
from domino_env.evaluate.ratings import ratings as rated
from domino_env.evaluate.statistics import holm, p_value
from tools import policy_seeds as seeds
from tools.ladder.face_up import NAME
from tools.ladder.figures import Figures, Kept, kept
from tools.ladder.pairings import FACE_UP_PAIRS, FAST_DEALS, PAIRS
from tools.ladder.rungs import NEWEST, Rung, rungs
from tools.markdown import table

LEVEL = 0.05
ANCHOR = "random"


def measured() -> Iterator[tuple[Rung, Kept]]:
    """The rungs of which something is kept."""
    for rung in rungs().values():
        found = kept(rung.stem)
        if found.pairings:
            yield rung, found


def margins() -> str:
    """Margins between agents: a row a game, a column a pairing."""
    rows = []
    for rung, found in measured():
        usual = (FAST_DEALS, rung.deals)
        cells = [_margin(found.pairings.get(pair), usual) for pair in PAIRS]
        rows.append([rung.name, rung.rules.source, str(rung.num_players), *cells])
    return table(["game", "rulebook", "players", *map(_head, PAIRS)], rows)


def _head(pair: tuple[str, str]) -> str:
    first, second = pair
    return f"`{first}` over `{second}`"


def _margin(row: Figures | None, usual: tuple[int, ...]) -> str:
    """With the number of deals, if it is not one of the usual ones."""
    if row is None:
        return ""
    margin = round(row.margin, 2) + 0.0  # nothing is not less than nothing
    deals = "" if row.deals in usual else f" ({row.deals:,})"
    return f"{margin:+.2f} ± {row.within:.2f}{deals}"


# Families ----------------------------------------------------------------------------------------


def summary() -> str:
    """For each pairing, a family of as many tests as games: in how many one is clear of the
    other."""
    everything = [found for _, found in measured()]
    rows = []
    for pair in PAIRS:
        family = [found.pairings[pair] for found in everything if pair in found.pairings]
        if family:
            rows.append([_head(pair), str(len(family)), *_counts(family)])
    each, together = "at 95 % each", "by Holm's correction"
    heads = [
        "",
        "games",
        *(f"{who}, {how}" for who in ("ahead", "behind") for how in (each, together)),
    ]
    return table(heads, rows)


def _counts(family: list[Figures]) -> Iterator[str]:
    """How many are ahead and how many behind, each of its own and all together."""
    alone = [p_value(row.margin, row.within) for row in family]
    for sign in (1, -1):
        for found in (alone, holm(alone)):
            clear = [
                p < LEVEL and row.margin * sign > 0 for p, row in zip(found, family, strict=True)
            ]
            yield str(sum(clear))


# Ratings -----------------------------------------------------------------------------------------


def ratings() -> str:
    """Ratings of agents from the deals that they won of each other."""
    rows = []
    for rung, found in measured():
        if points := _ratings(rung, found):
            cells = [_rating(each) for each in reversed(points)]
            rows.append([rung.name, ", ".join(cells)])
    return table(["game", "weakest to strongest"], rows)


def _ratings(rung: Rung, found: Kept) -> list[Rating]:
    """Of those whom a chain of pairings leads to from the anchor."""
    names, before = {ANCHOR}, 0
    while len(names) > before:
        before = len(names)
        names |= {name for pair in found.pairings for name in pair if names & {*pair}}
    if len(names) == 1:
        return []
    rows = [row for pair, row in found.pairings.items() if {*pair} <= names]
    order = [name for name in rung.entrants if name in names]
    return rated(order, [_standing(rung, row) for row in rows], ANCHOR)


def _standing(rung: Rung, row: Figures) -> Standing:
    seen: dict[str, Any] = {name: getattr(row, name) for name in _SAME}
    return Standing(rung.rules.id, rung.rules.title, rung.num_players, games=0, worth=None, **seen)


_SAME = ("first", "second", "deals", "margin", "within", "won", "tied", "lost")


def _rating(rating: Rating) -> str:
    """A rating; that of the anchor is 0 by agreement."""
    within = f" ± {rating.within:.0f}" if rating.within else ""
    return f"{rating.name} {rating.points:+.0f}{within}"


# Face up -----------------------------------------------------------------------------------------


def face_up() -> str:
    """What deals are worth with all tiles face up, what the player who solves them earns over
    others, and how large a part of it those earn who see only what their seat sees."""
    rows = []
    for rung, found in measured():
        facts = found.facts.get(NAME, {})
        if "deals" in facts:
            cells = [_margin(found.pairings.get(pair), (rung.deals,)) for pair in FACE_UP_PAIRS]
            parts = [_part(found, name) for name in (NEWEST, "search")]
            rows.append([rung.name, *_worth(facts), *cells, *parts])
    heads = ["game", "deals", "worth", "to who leads", *map(_head, FACE_UP_PAIRS)]
    return table([*heads, f"`{NEWEST}`'s part", "`search`'s part"], rows)


def _worth(facts: dict[str, Any]) -> Iterator[str]:
    yield f"{facts['deals']:,}"
    yield f"{facts['size'][0]:.2f} ± {facts['size'][1]:.2f}"
    yield f"{facts['leader'][0]:+.2f} ± {facts['leader'][1]:.2f}"


def _part(found: Kept, name: str) -> str:
    """What an agent takes from `heuristic`, of what the player who sees all tiles takes."""
    own, whole = (found.pairings.get((who, "heuristic")) for who in (name, NAME))
    if own is None or whole is None or whole.margin <= whole.within:
        return ""
    return f"{100 * own.margin / whole.margin:.0f} %"


def too_large() -> str:
    """The games of two sides whose rounds could not all be solved, in words."""
    names = [rung.name for rung, found in measured() if "given_up" in found.facts.get(NAME, {})]
    return f"{', '.join(f'`{name}`' for name in names) or 'none'}\n"


# Seeds -------------------------------------------------------------------------------------------


def policy_seeds() -> str:
    """What policies of one config and other seeds earn over `heuristic`."""
    rows = []
    for name, found in seeds.kept().items():
        cells = [_seed(row) for row in found["seeds"].values()]
        cells += [""] * (seeds.SEEDS - len(cells))
        rows.append([name, *cells, *_spread(found["seeds"])])
    numbers = [f"seed {seed}" for seed in range(seeds.SEEDS)]
    return table(["config", *numbers, "mean", "spread"], rows)


def _seed(row: dict[str, Any]) -> str:
    told = f"{row['margin']:+.2f} ± {row['within']:.2f}"
    return f"**{told}**" if row["shipped"] else told


def _spread(rows: dict[str, Any]) -> list[str]:
    """The mean over all seeds, and their standard deviation."""
    if len(rows) < seeds.SEEDS:
        return ["", ""]
    margins = np.array([row["margin"] for row in rows.values()])
    return [f"{margins.mean():+.2f}", f"{margins.std(ddof=1):.2f}"]
