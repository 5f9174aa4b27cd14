"""Writes the tables of the README and the docs that are made from the code and from figures.

    python -m tools.docs            # rewrites them
    python -m tools.docs --check    # fails if one is out of date

A table stands between `<!-- made: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

from tools import tables_from_code as code
from tools import tables_from_figures as figures
from tools import tables_of_ladder as ladder
from tools import tables_of_references as references
from tools import tables_of_research as research
from tools import tables_of_training as training
from tools.architecture import ROOT

_BLOCK = re.compile(r"(<!-- made: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

MADE: dict[str, Callable[[], str]] = {
    "rooms": code.rooms,
    "imports": code.imports,
    "hops": figures.hops,
    "games": code.games,
    "evidence": code.evidence,
    "needs": code.needs,
    "gallery": code.gallery,
    "spaces": code.spaces,
    "observation": code.observation,
    "move_features": code.move_features,
    "move_graphs": code.move_graphs,
    "scaling": figures.scaling,
    "peers": figures.peers,
    "peers_measured": figures.peers_measured,
    "speed": figures.speed,
    "targets": figures.targets,
    "measured": figures.measured,
    "scores": figures.scores,
    "clients": figures.clients,
    "position": code.position,
    "curved": code.curved,
    "kinds": code.kinds,
    "questions": code.questions,
    "learning_speed": training.beside,
    "learning_shares": training.shares,
    "learning_measured": training.measured,
    "ladder": ladder.margins,
    "ladder_summary": ladder.summary,
    "face_up": ladder.face_up,
    "face_up_too_large": ladder.too_large,
    "ratings": ladder.ratings,
    "policy_seeds": ladder.policy_seeds,
    "mini_games": research.mini_games,
    "solver_speed": research.solver_speed,
    "solver_speed_measured": research.solver_speed_measured,
    "exploitability": research.exploitability,
    "exploitability_seconds": research.exploitability_seconds,
    "exploited": research.exploited,
    "algorithms": research.algorithms,
    "algorithms_by_time": research.algorithms_by_time,
    "algorithms_measured": research.algorithms_measured,
    "cross_played": research.cross_played,
    "cross_play_measured": research.cross_play_measured,
    "references_by_time": references.by_time,
    "references_by_rounds": references.by_rounds,
    "references_agreement": references.agreement,
    "references_measured": references.measured,
    "moves": research.moves,
    "moves_of_games": research.moves_of_games,
    "beliefs": research.beliefs,
    "canonical": research.canonical_scores,
    "benchmark_games": figures.benchmark_games,
    "leaderboard": figures.leaderboard,
    "aivat": figures.aivat,
    "aivat_measured": figures.aivat_measured,
}


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
