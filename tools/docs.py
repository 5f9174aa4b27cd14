"""Writes the tables of the README and the docs that are made from the code.

    python -m tools.docs            # rewrites them
    python -m tools.docs --check    # fails if one is out of date

A table stands between `<!-- made: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import domino_env
from domino_env.adapters.history import DEALT
from domino_env.bench import tables
from domino_env.engine import questions as asking
from domino_env.engine.features import fields
from domino_env.engine.game_setup import Setup, extras, num_ends
from domino_env.engine.log import NAMES
from domino_env.engine.move_features.move_fields import move_fields
from domino_env.engine.state import ANSWERS
from domino_env.evaluate.rich_tables import score_row
from domino_env.evaluate.solo_scores import Score
from domino_env.game_facts import game_row
from domino_env.ruleset.conditions import settings_in_words
from domino_env.ruleset.needs import NEEDS
from domino_env.table_reader import QUESTIONS
from tools import architecture, move_scores
from tools import ladder as ladders
from tools.game_evidence import EVIDENCE

ROOT = Path(domino_env.__file__).parent.parent
_BLOCK = re.compile(r"(<!-- made: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def games() -> str:
    """The games, from their `Rules`."""
    rows = []
    for variant in domino_env.variants():
        name, *rest = game_row(domino_env.rules(variant))
        rows.append([f"[`{name}`]({{rules}}/{name}.md)", *rest])
    heads = ["game", "rulebook", "players", "sets", "dealt", "match", "in a line"]
    return _table(heads, rows)


def evidence() -> str:
    """What every game has, and who makes it."""
    rows = [
        [row.what, f"`{row.files.replace('{id}', 'ID')}`", row.made_by.replace("{id}", "ID")]
        for row in EVIDENCE
    ]
    return _table(["what", "where", "made by"], rows)


def needs() -> str:
    """Which setting of `Rules` needs which, and why."""
    rows = [[_settings(row.having), _settings(row.needs), row.because] for row in NEEDS]
    return _table(["where there is", "it needs", "because"], rows)


def _settings(settings: Any) -> str:
    return ", ".join(f"`{text}`" for text in settings_in_words(settings))


def gallery() -> str:
    """A picture of each game, two side by side."""
    cells = [
        f"[![{domino_env.rules(game).title}](images/{game}.svg)](rules/{game}.md)"
        for game in domino_env.variants()
    ]
    return _table(["", ""], [cells[place : place + 2] for place in range(0, len(cells), 2)])


def spaces() -> str:
    """The size of each game's actions and observations, double six, usual seats."""
    rows = []
    for variant in domino_env.variants():
        rules = domino_env.rules(variant)
        batch = domino_env.batch(rules, 1)
        ends, named = "", "its own"
        if rules.has_ends:
            ends = str(num_ends(rules, batch.num_players))
            named = ", ".join(f"`{name}`" for name in extras(rules, "automatic")) or "none"
        sizes = [str(batch.num_actions), str(batch.num_features)]
        rows.append([f"`{variant}`", ends, named, *sizes])
    return _table(["game", "ends", "extras", "actions", "features"], rows)


def observation() -> str:
    """The fields of one game's observation."""
    setup = Setup(domino_env.rules("block_draw"), 2, "round", "margin", "automatic")
    rows, start = [], 0
    for field in fields(setup):
        place, scale = f"{start}–{start + field.size - 1}", _fraction(field.scale)
        rows.append([place, f"`{field.name}`", field.meaning, scale])
        start += field.size
    return _table(["at", "field", "meaning", "scale of a byte"], rows)


def move_features() -> str:
    """The numbers of a row of features of moves; of the ends one slot."""
    setup = Setup(domino_env.rules("block_draw"), 2, "round", "margin", "automatic")
    rows = []
    for place, field in enumerate(move_fields(setup)):
        if not field.name.startswith("end[1]"):
            name = field.name.replace("end[0]", "end[i]")
            rows.append([str(place), f"`{name}`", field.meaning.removeprefix("the end it makes: ")])
    return _table(["at", "number", "meaning"], rows)


def _fraction(scale: float) -> str:
    return str(Fraction(scale).limit_denominator(1000))


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
    return _table(["seconds", *whole], rows)


def peers() -> str:
    """The last benchmark that was kept, from docs/bench.json: our main game beside the peers."""
    heads, ratios, *rates = tables.lead(_bench())
    return _table(heads, [[f"**{cell}**" for cell in ratios], *rates])


def peers_measured() -> str:
    """What is measured of each peer."""
    heads, *rows = tables.measured(_bench())
    return _table(heads, rows)


def speed() -> str:
    """Every benchmark: figures and ratios, without targets."""
    heads, *rows = tables.speed(_bench())
    return _table(heads, rows)


def targets() -> str:
    """The same, held against its targets."""
    heads, *rows = tables.targets(_bench())
    return _table(heads, rows)


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
    return _table(
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
    return _table(["client", "version", "API", "training", "result", "passes"], rows)


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.1f}".removesuffix(".0")


def position() -> str:
    """A position, as it prints."""
    return _printed(domino_env.batch("five_up", 1, seed=8), 7)


def curved() -> str:
    """A position of curved tiles, as it prints."""
    return _printed(domino_env.batch("fundomino", 1, num_players=3, seed=3), 12)


def _printed(batch: domino_env.Batch, decisions: int) -> str:
    """A position of lane 0 after so many random decisions."""
    batch.reset()
    for _ in range(decisions):
        batch.step(batch.sample())
    return f"```text\n{batch.position(0)}\n```\n"


def kinds() -> str:
    """The kinds of events, as a history numbers them."""
    names = {**NAMES, DEALT: "dealt"}
    rows = [[str(kind), f"`{name}`"] for kind, name in sorted(names.items())]
    return _table(["kind", "event"], rows)


ASKED = {
    asking.THE_MOVER: "the mover",
    asking.ALL_FROM_THE_MOVER: "the mover, then the others who are in, until one says {}",
    asking.THE_OPPONENTS: "each opponent who is in, until one says {}",
}
DOES = {
    asking.NOTHING: "",
    asking.SCORE: ": who says so scores",
    asking.LOSE_POINTS: ": nobody scores",
    asking.PENALTY: ": said by another, the mover draws",
    asking.TURN_BACK: ": turns go the other way",
    asking.DOUBLE_STAKES: ": the round counts twice",
    asking.END_ROUND: ": the round is over",
    asking.LEAVE_LEAD: ": the partner leads",
}
FOLLOWS = {
    asking.WORD: '"Domino!"',
    asking.END: "the end of the round, if it has come",
    asking.WAY: "the direction, or the reversal",
    asking.RAISE: "the stakes",
    asking.ACCEPT: "`accept` or `refuse`",
    asking.EFFECT: "the effect of the symbol",
    asking.NO_STEP: "",
}


def questions() -> str:
    """What is asked after a play, from the engine's table of questions."""
    rows = []
    for stage, row in asking.QUESTION_TABLE.items():
        yes, no = (f"`{word}`" for word in ANSWERS[stage])
        who = ASKED[row.asked].format(no if row.settled_by == asking.NO else yes)
        after = {yes: FOLLOWS[row.after_yes], no: FOLLOWS[row.after_no]}
        then = after[yes]
        if after[yes] != after[no]:
            then = "; ".join(f"after {said}, {step}" for said, step in after.items() if step)
        rows.append([f"`{QUESTIONS[stage]}`", who, yes + DOES[row.yes], no + DOES[row.no], then])
    return _table(["question", "who is asked", "yes", "no", "what follows"], rows)


STEPS = (
    ("greedy_pip", "random"),
    ("heuristic", "greedy_pip"),
    ("net", "greedy_pip"),
    ("net", "heuristic"),
    ("pimc", "heuristic"),
    ("pimc", "net"),
    ("clairvoyant", "heuristic"),
)


def ladder() -> str:
    """Margins between agents, from docs/ladder.json."""
    rows = []
    for name, row in ladders.kept().items():
        # Where no stronger policy comes with a game, `net` plays that of `ppo`: see agents/net.py.
        found = {(_net(each["first"]), _net(each["second"])): each for each in row["standings"]}
        cells = [_margin(found, first, second) for first, second in STEPS]
        rows.append([name, str(row["num_players"]), *cells])
    heads = [f"`{first}` over `{second}`" for first, second in STEPS]
    return _table(["game", "players", *heads], rows)


def _net(name: str) -> str:
    return "net" if name == "ppo" else name


def _margin(found: dict[tuple[str, str], Any], first: str, second: str) -> str:
    if (first, second) in found:
        sign, standing = 1, found[first, second]
    else:
        sign, standing = -1, found[second, first]
    margin = round(sign * standing["margin"], 2) + 0.0  # nothing is not less than nothing
    return f"{margin:+.2f} ± {standing['within']:.2f}"


def ratings() -> str:
    """Ratings of agents, from docs/ladder.json."""
    rows = []
    for name, row in ladders.kept().items():
        points = {each["name"]: each for each in row["ratings"]}
        order = sorted(points, key=lambda each: points[each]["points"])
        cells = [_rated(points[each]) for each in order]
        rows.append([name, ", ".join(cells)])
    return _table(["game", "weakest to strongest"], rows)


def _rated(rating: dict[str, Any]) -> str:
    """A rating; that of the anchor is 0 by agreement."""
    within = f" ± {rating['within']:.0f}" if rating["within"] else ""
    return f"{rating['name']} {rating['points']:+.0f}{within}"


def moves() -> str:
    """The agents in the order of what they give away, from docs/move_scores.json."""
    rows = [
        [
            f"`{score.agent}`",
            f"{score.positions:,}",
            f"{score.given_away:.2f} ± {score.within:.2f}",
            f"{score.share:.0%}",
            f"{score.best / score.positions:.0%}",
        ]
        for score in move_scores.totals(move_scores.kept())
    ]
    return _table(["agent", "positions", "given away", "of random", "best move"], rows)


def moves_of_games() -> str:
    """The same of each game."""
    rows = []
    for name, scores in move_scores.kept().items():
        cells = [f"{score.agent} {score.given_away:.2f} ± {score.within:.2f}" for score in scores]
        rows.append([name, f"{scores[0].positions:,}", ", ".join(cells)])
    return _table(["positions of", "number", "points given away a decision, the best first"], rows)


def rooms() -> str:
    """The rooms of the code from the top down, with the first sentence of each."""
    rows = [
        [f"`{architecture.path_of(room)}`", architecture.purpose(room)]
        for room in architecture.rooms()
    ]
    return _table(["room", "what for"], rows)


def imports() -> str:
    """The import graph of the rooms."""
    return f"```mermaid\n{architecture.diagram()}\n```\n"


def hops() -> str:
    """What typical calls pass through, from docs/hops.json."""
    kept = json.loads((ROOT / "docs" / "hops.json").read_text(encoding="utf-8"))
    rows = [
        [name, str(row["functions"]), str(row["files"]), " → ".join(f"`{r}`" for r in row["rooms"])]
        for name, row in kept.items()
    ]
    return _table(["call", "functions", "files", "rooms, in the order of the first call"], rows)


MADE: dict[str, Callable[[], str]] = {
    "rooms": rooms,
    "imports": imports,
    "hops": hops,
    "games": games,
    "evidence": evidence,
    "needs": needs,
    "gallery": gallery,
    "spaces": spaces,
    "observation": observation,
    "move_features": move_features,
    "scaling": scaling,
    "peers": peers,
    "peers_measured": peers_measured,
    "speed": speed,
    "targets": targets,
    "measured": measured,
    "scores": scores,
    "clients": clients,
    "position": position,
    "curved": curved,
    "kinds": kinds,
    "questions": questions,
    "ladder": ladder,
    "ratings": ratings,
    "moves": moves,
    "moves_of_games": moves_of_games,
}


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def pages() -> list[Path]:
    """Every page that may hold a made table."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def remade(page: Path) -> str:
    """A page with its tables made anew."""
    rules = "docs/rules" if page.parent == ROOT else "rules"

    def make(found: re.Match[str]) -> str:
        table = MADE[found[2]]().replace("{rules}", rules)
        return found[1] + table + found[4]

    return _BLOCK.sub(make, page.read_text(encoding="utf-8"))


def main(arguments: list[str] | None = None) -> int:
    """Rewrites the pages, or says which are out of date."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args(arguments)
    stale = [page for page in pages() if remade(page) != page.read_text(encoding="utf-8")]
    for page in stale:
        if options.check:
            print(f"{page.relative_to(ROOT)} is out of date: run make docs")
        else:
            page.write_text(remade(page), encoding="utf-8")
            print(f"wrote {page.relative_to(ROOT)}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
