"""Makes canonical data sets, publishes their hashes, and measures baselines on them.

    python -m tools.canonical                          # the small form of every game
    python -m tools.canonical block_draw --form full   # a million decisions of one
    python -m tools.canonical matador --baselines      # and the baselines of its three tasks

Data sets go into runs/canonical; one that is there already is not made again. The hashes are
published in domino_env/data/canonical.json, the scores in docs/canonical_scores.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console

import domino_env
from domino_env.data import canonical
from domino_env.data.writer import progress_bar
from domino_env.errors import did_you_mean
from domino_env.files import write_whole
from domino_env.train.offline_baselines import score_tasks

ROOT = Path(domino_env.__file__).parent.parent
RUNS = ROOT / "runs" / "canonical"
SCORES = ROOT / "docs" / "canonical_scores.json"


def kept(file: Path) -> Any:
    """What has been published or measured before."""
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def publish(game: str, form: str) -> dict[str, Any]:
    """Makes a data set and publishes its hashes."""
    with progress_bar() as show:
        found = canonical.make(game, form, folder_of(game, form), on_progress=show)
    told = kept(canonical.PUBLISHED)
    told[form] = dict(sorted({**told.get(form, {}), game: found}.items()))
    write_whole(canonical.PUBLISHED, json.dumps(told, indent=1) + "\n")
    return found


def folder_of(game: str, form: str) -> Path:
    """Where a data set is."""
    return RUNS / form / game


def measure(game: str, form: str) -> None:
    """Scores the baselines of a game and keeps the scores."""
    rows = [asdict(score) for score in score_tasks(folder_of(game, form))]
    told = kept(SCORES)
    told[form] = dict(sorted({**told.get(form, {}), game: rows}.items()))
    write_whole(SCORES, json.dumps(told, indent=1) + "\n")


def main(arguments: list[str] | None = None) -> int:
    """Makes the data sets of all games, or of those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="games; all by default")
    parser.add_argument("--form", choices=[*canonical.FORMS], default="small")
    parser.add_argument("--baselines", action="store_true", help="measure them, too")
    options, console = parser.parse_args(arguments), Console(stderr=True)
    known = canonical.games()
    for name in options.names:
        if name not in known:
            parser.error(f"unknown game {name!r}{did_you_mean(name, known)}")
    for name in options.names or known:
        began = time.process_time()
        found = publish(name, options.form)
        if options.baselines:
            measure(name, options.form)
        spent = time.process_time() - began
        told = f"{name}: {found['decisions']:,} decisions, {found['values']['rows']:,} values"
        console.print(f"{told}, {spent:.0f} s of the processor", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
