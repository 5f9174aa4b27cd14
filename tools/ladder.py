"""The ladder of agents in every game, for docs/ladder.md.

python -m tools.ladder            # all games; `make ladder`
python -m tools.ladder matador    # some; the others stay as they were measured
python -m tools.ladder mexican_train --deals 200    # fewer deals, where games take long
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console

import domino_env
from domino_env.config.loader import load
from domino_env.errors import did_you_mean
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.files import write_whole
from domino_env.games import DEFAULT_GAME

ROOT = Path(domino_env.__file__).parent.parent
CONFIGS = ROOT / "configs" / "tournaments"
KEPT = ROOT / "docs" / "ladder.json"
SEVEN = f"{DEFAULT_GAME}, 7 tiles"


def tournaments() -> dict[str, TournamentSettings]:
    """What is played, by the name of its row."""
    every = load(TournamentSettings, CONFIGS / "ladder.yaml")
    found = {rules.id: replace(every, games=(rules.id,)) for rules in every.all_rules}
    found[SEVEN] = load(TournamentSettings, CONFIGS / "ladder_seven.yaml")
    return found


def climb(settings: TournamentSettings) -> dict[str, Any]:
    """Plays one tournament; what the page needs of it."""
    results = play_tournament(settings)
    return {
        "num_players": results.standings[0].num_players,
        "title": results.standings[0].title,
        "deals": settings.deals,
        "standings": [asdict(standing) for standing in results.standings],
        "ratings": [asdict(rating) for rating in results.ratings()],
    }


def kept() -> dict[str, Any]:
    """What has been measured."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return found


def main(arguments: list[str] | None = None) -> int:
    """Plays all tournaments, or those that are named, and keeps what came of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="ids of games; all by default")
    parser.add_argument("--deals", type=int, help="of each pairing (default: the config's)")
    options = parser.parse_args(arguments)
    known = tournaments()
    if options.deals:
        known = {name: replace(each, deals=options.deals) for name, each in known.items()}
    for name in options.names:
        if name not in known:
            parser.error(f"unknown game {name!r}{did_you_mean(name, known)}")
    console = Console(stderr=True)
    chosen = options.names or list(known)
    for number, name in enumerate(chosen, 1):
        with console.status(f"{number}/{len(chosen)} {name}"):
            rows = {**kept(), name: climb(known[name])}
        ordered = {each: rows[each] for each in known if each in rows}
        write_whole(KEPT, json.dumps(ordered, indent=1) + "\n")
        console.print(f"{number}/{len(chosen)} {name}", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
