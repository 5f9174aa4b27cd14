"""What our own agents give away in the positions of `text.positions`, for docs/text.md.

python -m tools.move_scores            # all games; `make move-scores`
python -m tools.move_scores matador    # some; the others stay as they were measured
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

import domino_env
from domino_env import agents
from domino_env.errors import BadOption, did_you_mean
from domino_env.evaluate.move_benchmark import MoveScore, score_moves, total
from domino_env.files import write_whole
from domino_env.text.valued_positions import position_names, rules_of_positions

KEPT = Path(domino_env.__file__).parent.parent / "docs" / "move_scores.json"
SAME = ("ppo",)  # an agent of two names is scored once
SEED = 0


def players(name: str) -> list[str]:
    """The agents of ours that play the game of a collection and look at no hidden tile."""
    every = agents.names(rules_of_positions(name))
    return [
        each
        for each in every
        if agents.is_ours(agents.found(each)) and not agents.cheats(each) and each not in SAME
    ]


def scores_in(name: str) -> list[MoveScore]:
    """Their scores in a collection, but for policies that were trained for other rules."""
    found = []
    for player in players(name):
        with suppress(BadOption):
            found.append(score_moves(player, name, SEED))
    return found


def kept() -> dict[str, list[MoveScore]]:
    """What has been measured: the scores of each game, the best first."""
    if not KEPT.exists():
        return {}
    told = json.loads(KEPT.read_text(encoding="utf-8"))
    return {name: [MoveScore(**score) for score in scores] for name, scores in told.items()}


def totals(rows: dict[str, list[MoveScore]]) -> list[MoveScore]:
    """The agents that have answered in the most games, over all of those, the best first. Mini sets
    are left out: few agents are made for them."""
    by_agent: dict[str, list[MoveScore]] = {}
    usual = (scores for name, scores in rows.items() if has_opponents(name))
    for score in (each for scores in usual for each in scores):
        by_agent.setdefault(score.agent, []).append(score)
    most = max(map(len, by_agent.values()))
    return in_order([total(scores) for scores in by_agent.values() if len(scores) == most])


def has_opponents(name: str) -> bool:
    """Is it a game for two or more, with its usual set?"""
    rules = rules_of_positions(name)
    return bool(rules.has_opponents) and rules.id == name


def in_order(scores: list[MoveScore]) -> list[MoveScore]:
    """The best first."""
    return sorted(scores, key=lambda score: score.given_away)


def main(arguments: list[str] | None = None) -> int:
    """Scores all agents in all games, or in those that are named, and keeps the scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="collections of positions; all by default")
    options = parser.parse_args(arguments)
    known, console = position_names(), Console(stderr=True)
    for name in options.names:
        if name not in known:
            parser.error(f"there are no positions of {name!r}{did_you_mean(name, known)}")
    for name in options.names or known:
        scores = in_order(scores_in(name))
        rows: dict[str, Any] = {**kept(), name: scores}
        told = {each: [asdict(score) for score in rows[each]] for each in known if each in rows}
        write_whole(KEPT, json.dumps(told, indent=1) + "\n")
        console.print(f"{name}: {', '.join(score.agent for score in scores)}", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
