"""The files of a tournament: a page to read, the figures as JSON, a chart, and records of games.
All of them are written, or none."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, astuple, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import domino_env
from domino_env.agents.language.usage import Usage
from domino_env.config.loader import as_dict
from domino_env.evaluate.chart import draw_crosstable
from domino_env.evaluate.markdown import table
from domino_env.evaluate.pairing import Standing
from domino_env.evaluate.ratings import Rating
from domino_env.evaluate.results import Results
from domino_env.evaluate.table_ratings import TableRating
from domino_env.evaluate.tournament import pairings
from domino_env.files import write_together

MARKDOWN, FIGURES, RECORDS, CHART = "results.md", "results.json", "records.jsonl", "crosstable.png"


def write(results: Results, folder: Path, seconds: float) -> None:
    """Writes all files into a folder."""
    figures = json.dumps(as_json(results, seconds), indent=1, ensure_ascii=False) + "\n"
    contents: dict[str, bytes | str] = {
        MARKDOWN: markdown(results),
        FIGURES: figures,
        RECORDS: "".join(record.line() for record in results.records),
        CHART: draw_crosstable(results),
    }
    write_together({folder / name: content for name, content in contents.items()})


def as_json(results: Results, seconds: float) -> dict[str, Any]:
    """All settings and figures."""
    return {
        "settings": as_dict(results.settings),
        "versions": {
            "domino_env": domino_env.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": version("numba"),
            **({"openskill": version("openskill")} if results.mixed_tables else {}),
        },
        "seconds": round(seconds, 1),
        "stopped_early": results.stopped,
        "anchor": results.anchor,
        "ratings": [asdict(rating) for rating in results.ratings()],
        "forfeits": [each._asdict() for each in results.forfeits],
        "usage": [{**each._asdict(), "usage": asdict(each.usage)} for each in results.usage],
        "games": {
            game: {
                "ratings": [asdict(rating) for rating in results.ratings(game)],
                "alpha_rank": [asdict(mass) for mass in results.alpha_rank(game)],
                "nash_averaging": [asdict(each) for each in results.nash_averaging(game)],
                "standings": [asdict(standing) for standing in results.of(game)],
                **_mixed(results, game),
            }
            for game in results.games
        },
        **_mixed(results, None),
    }


def _mixed(results: Results, game: str | None) -> dict[str, Any]:
    """The ratings at mixed tables, where there were any."""
    found = [asdict(rating) for rating in results.table_ratings(game)]
    return {"mixed_tables": found} if found else {}


def crosstable(results: Results, game: str) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of a table: everyone's margin over everyone, the strongest first."""
    ranked = results.ratings(game)
    heads = ["over", *(rating.name for rating in ranked), "rating"]
    return heads, [_row(results, game, rating, ranked) for rating in ranked]


def _row(results: Results, game: str, rating: Rating, ranked: list[Rating]) -> list[str]:
    cells = [
        "" if other is rating else _margin(results.find(game, rating.name, other.name))
        for other in ranked
    ]
    return [rating.name, *cells, points(rating)]


def _margin(standing: Standing | None) -> str:
    return "" if standing is None else f"{standing.margin:+.2f} ± {standing.within:.2f}"


def points(rating: Rating) -> str:
    """A rating in words; the anchor's has no interval."""
    return f"{rating.points:+.0f} ± {rating.within:.0f}" if rating.within else "0"


def mixed_table(results: Results, game: str) -> tuple[list[str], list[list[str]]]:
    """The heads and the rows of a table: how everyone did at mixed tables, the best first."""
    heads = ["at mixed tables", "openskill", "over the others", "deals"]
    rows = [
        [each.name, skill(each), f"{each.margin:+.2f} ± {each.within:.2f}", f"{each.deals:,}"]
        for each in results.table_ratings(game)
    ]
    return heads, rows


def skill(rating: TableRating) -> str:
    """A rating by openskill, in words."""
    return f"{rating.mu:.1f} ± {rating.half_width:.1f}"


def worth(standing: Standing) -> str:
    """The effective sample size of a pairing, in words."""
    each = standing.games // standing.deals
    played = f"{standing.deals:,} deals, {each} games of each"
    if standing.worth is None:
        return f"{played}: every deal came out {'even' if standing.margin == 0 else 'the same'}"
    times = standing.worth / standing.games
    return f"{played}: worth {standing.worth:,.0f} plain games, {times:.1f} times those played"


def markdown(results: Results) -> str:
    """A page to read."""
    settings = results.settings
    parts = ["# Tournament\n", f"{_introduction(results)}\n"]
    if results.stopped:
        parts.append(f"**{stopped_early(results)}**\n")
    if results.forfeits:
        heads = ["agent", "game", "forfeited", "games", "the first time it"]
        lines = [[str(part) for part in each] for each in results.forfeits]
        parts += ["## Forfeits\n", f"{_forfeit_rule(results)}\n", table(heads, lines)]
    if results.usage:
        parts += ["## Language models\n", _usage(results)]
    if len(results.games) > 1:
        rows = [[rating.name, points(rating)] for rating in results.ratings()]
        parts += ["## All games together\n", table(["agent", "rating"], rows)]
        if rated := results.table_ratings():
            rows = [[each.name, skill(each)] for each in rated]
            parts.append(table(["at mixed tables", "openskill"], rows))
    for game in results.games:
        first = results.of(game)[0]
        house = f", {_house(settings.rules)}" if settings.rules else ""
        parts += [f"## {first.title}, {first.num_players} players{house}\n"]
        parts += [table(*crosstable(results, game)), _alpha_rank(results, game)]
        parts += [_nash_averaging(results, game), _pairings(results, game)]
        if results.table_ratings(game):
            parts += [_MIXED, table(*mixed_table(results, game))]
    return "\n".join(parts)


def _alpha_rank(results: Results, game: str) -> str:
    masses = ", ".join(f"{each.name} {each.mass:.2f}" for each in results.alpha_rank(game))
    return f"alpha-rank: {masses}\n"


def _nash_averaging(results: Results, game: str) -> str:
    told = ", ".join(
        f"{each.name} {each.points:+.2f} ± {each.within:.2f} ({each.mass:.2f})"
        for each in results.nash_averaging(game)
    )
    return f"Nash averaging, points a round (and share of the equilibrium): {told}\n"


def _usage(results: Results) -> str:
    """What language models have cost."""
    heads = ["agent", "game", *(each.name.replace("_", " ") for each in fields(Usage))]
    rows = [
        [each.agent, each.game, *(f"{number:,.10g}" for number in astuple(each.usage))]
        for each in results.usage
    ]
    return table(heads, rows)


def _house(rules: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in rules.items())


_LESS_LUCK = {
    "duplicates": "",
    "aivat": ", from which the luck of draws and of tossed coins is taken off (AIVAT)",
}


_MIXED = (
    "At mixed tables different agents sit together, drawn by lot for each deal, which they play "
    "from every seat. openskill begins at 25; the points are those a game over the opponents.\n"
)


def _introduction(results: Results) -> str:
    settings = results.settings
    return (
        "Points a round of the row over the column, on duplicate deals; ± is a 95 % interval of "
        f"the paired differences{_LESS_LUCK[settings.variance]}. Ratings are from deals won, 400 "
        f"points for odds of ten to one; {results.anchor} has 0. The first deal has seed "
        f"{settings.seed}."
    )


def _forfeit_rule(results: Results) -> str:
    costs = {pairing.forfeit_cost for pairing in pairings(results.settings)}
    cost = f"{costs.pop():g} points" if len(costs) == 1 else "what a round can bring"
    return (
        "Games that an agent gave up by an error, by an illegal move or by no answer in time. Each "
        f"costs it {cost}, and is counted in all tables below."
    )


def stopped_early(results: Results) -> str:
    """How far a tournament came that was interrupted."""
    settings = results.settings
    pairs = len(settings.all_rules) * len(settings.agents) * (len(settings.agents) - 1) // 2
    deals = sum(standing.deals for standing in results.standings)
    deals += sum(tables.deals for tables in results.mixed_tables)
    most = pairs * settings.deals + settings.mixed_deals * len(settings.games_at_mixed_tables)
    return (
        f"Stopped early, by hand: {len(results.standings)} of {pairs} pairings were begun, and "
        f"{deals:,} of up to {most:,} deals played. Whoever stops a tournament "
        "when it looks well makes its intervals too narrow."
    )


def _pairings(results: Results, game: str) -> str:
    heads = ["pairing", "won", "tied", "lost", "duplicates"]
    rows = [
        [f"{each.first} – {each.second}", *map(str, (each.won, each.tied, each.lost)), worth(each)]
        for each in results.of(game)
    ]
    return table(heads, rows)
