"""How well counting and our networks guess who holds what, for docs/who-holds-what.md.

python -m tools.belief_scores            # all games; `make belief-scores`
python -m tools.belief_scores matador    # some; the others stay as they were measured
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.progress import track

import domino_env
from domino_env import belief
from domino_env.agents.networks.belief_network import belief_network, belief_networks
from domino_env.errors import did_you_mean
from domino_env.evaluate.belief_benchmark import GuessScore, score_guess, score_play_aware
from domino_env.files import write_whole

KEPT = Path(domino_env.__file__).parent.parent / "docs" / "belief_scores.json"
PLAY_AWARE = "play-aware"


def scores_in(name: str) -> dict[str, GuessScore]:
    """The scores of all guesses in the positions of a game."""
    some = belief.holdings(name)
    found = {
        "counting": score_guess(belief.counting, some),
        "heuristic": score_guess(belief.shown_lacks, some),
    }
    if name in belief_networks():
        found["network"] = score_guess(belief_network(name), some)
    found[PLAY_AWARE] = score_play_aware(some)
    return found


def kept() -> dict[str, dict[str, Any]]:
    """What has been measured: by game and guess."""
    if not KEPT.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Scores all guesses in all games, or in those that are named, and keeps the scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="games; all by default")
    options = parser.parse_args(arguments)
    known, rows = belief.holdings_names(), kept()
    for name in options.names:
        if name not in known:
            parser.error(f"there are no positions of {name!r}{did_you_mean(name, known)}")
    for name in track(options.names or known, "games", transient=True):
        rows[name] = {guess: _told(score) for guess, score in scores_in(name).items()}
    told = {name: rows[name] for name in known if name in rows}
    write_whole(KEPT, json.dumps(told, indent=1) + "\n")
    return 0


def _told(score: GuessScore) -> dict[str, Any]:
    """With four digits; a divergence that is not known is left out."""
    known = {name: value for name, value in asdict(score).items() if value == value}
    return {n: round(value, 4) if isinstance(value, float) else value for n, value in known.items()}


if __name__ == "__main__":
    sys.exit(main())
