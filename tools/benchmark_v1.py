"""Makes the first version of the domino benchmark, once: what is published stays as it is.

    python -m tools.benchmark_v1          # writes domino_env/evaluate/benchmarks/v1.json

It takes half an hour, and goes on where it was stopped. A later version is another file with
another tool, and the first one can still be played.
"""

from __future__ import annotations

import json
import sys
from typing import Any, cast

from rich.console import Console

from domino_env.evaluate.benchmark import FOLDER, BenchmarkGame, hash_of_deals, hash_of_plays
from domino_env.evaluate.benchmark_run import Match, sits_down
from domino_env.evaluate.entrants import Entrant
from domino_env.execution.executor import thread_executor
from domino_env.files import write_whole
from domino_env.games import mark_of, rules
from domino_env.ruleset import Rules

VERSION = 1
DEALS, QUICK_DEALS = 10_000, 500
REFERENCE = {"agent": "pimc", "worlds": 64, "name": "pimc, 64 worlds"}
OPPONENTS = ("greedy_pip", "heuristic@1", "ppo@1")
GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "block_draw": ("block_draw", 2, {}),
    "block_draw_seven": ("block_draw", 2, {"hand_size": 7}),
    "all_fives": ("all_fives", 2, {}),
    "all_fives_spinner": ("all_fives_spinner", 2, {}),
    "fives_and_threes": ("fives_and_threes", 2, {}),
    "five_up": ("five_up", 2, {}),
    "matador": ("matador", 2, {}),
    "bergen": ("bergen", 2, {}),
    "cross": ("cross", 2, {}),
    "fours": ("fours", 4, {}),
    "one_arm_joe": ("one_arm_joe", 2, {}),
    "bendomino": ("bendomino", 2, {}),
    "bendomino_teams": ("bendomino_teams", 4, {}),
    "bendomino_all_five": ("bendomino_all_five", 2, {}),
    "fundomino": ("fundomino", 2, {}),
    "fundomino_team_play": ("fundomino_team_play", 4, {}),
    "fundomino_caribbean": ("fundomino_caribbean", 4, {}),
    "partnership_block": ("partnership_block", 4, {}),
    "puerto_rican": ("puerto_rican", 4, {}),
    "cutthroat_block": ("cutthroat_block", 3, {}),
    "kozel": ("kozel", 4, {}),
    "mexican_train": ("mexican_train", 4, {}),
    "chickenfoot": ("chickenfoot", 4, {}),
}
MEASURED = {"random": 2_000, "reference": 200}  # deals


def made(name: str, game: str, num_players: int, options: dict[str, Any]) -> BenchmarkGame:
    """A game with its hashes, and with the margins that are 0 and 100."""
    played = cast(Rules, rules(game, **options))
    opponents = tuple(each for each in OPPONENTS if sits_down(Entrant(each), played, num_players))
    empty = BenchmarkGame(
        name=name,
        game=game,
        options=options,
        num_players=num_players,
        opponents=opponents,
        at_random=0.0,
        reference=1.0,
        rules_hash=mark_of(played),
        deals_hash=hash_of_deals(played, num_players, DEALS),
        plays_hash={each: hash_of_plays(played, num_players, each) for each in opponents},
    )
    measured = {
        "at_random": margin(empty, Entrant("random"), MEASURED["random"]),
        "reference": margin(empty, Entrant.from_plain(REFERENCE), MEASURED["reference"]),
    }
    return BenchmarkGame(**{**vars(empty), **measured})


def margin(game: BenchmarkGame, agent: Entrant, deals: int) -> float:
    """Of an agent over the opponents."""
    match = Match(game, agent, "duplicates")
    match.play(deals, thread_executor(1))
    return round(float(match.margins.mean()), 3)


def main() -> int:
    """Writes the file, unless there is one."""
    file, console = FOLDER / f"v{VERSION}.json", Console(stderr=True)
    if file.exists():
        console.print(f"{file} is published, and stays as it is")
        return 1
    FOLDER.mkdir(exist_ok=True)
    unfinished = FOLDER / f"v{VERSION}.unfinished.json"
    games = json.loads(unfinished.read_text(encoding="utf-8")) if unfinished.exists() else []
    for name, (game, num_players, options) in list(GAMES.items())[len(games) :]:
        games.append(vars(made(name, game, num_players, options)))
        write_whole(unfinished, json.dumps(games, indent=1) + "\n")
        told = games[-1]
        console.print(f"{name}: {told['at_random']} at random, {told['reference']} the reference")
    content = {
        "version": VERSION,
        "deals": DEALS,
        "quick_deals": QUICK_DEALS,
        "reference": REFERENCE["name"],
        "games": games,
    }
    write_whole(file, json.dumps(content, indent=1) + "\n")
    unfinished.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
