"""`domino cross-play`: policies that were trained apart, as partners in one team."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from domino_env.evaluate.cross_play import CrossPlay


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "cross-play", help="seat policies that were trained apart as partners in one team"
    )
    command.add_argument(
        "agents",
        nargs="*",
        metavar="POLICY",
        help="the folder of `domino train --seeds`, for the policy of each seed; that of one run; "
        "a policy file; or an agent, also with options like '{agent: net, temperature: 0.5}'",
    )
    command.add_argument(
        "--game", metavar="id", required=True, help="a game that two teams of two play"
    )
    command.add_argument(
        "--against",
        default="heuristic",
        metavar="AGENT",
        help="who makes up the other team (default heuristic)",
    )
    command.add_argument(
        "--deals",
        type=int,
        default=4000,
        metavar="N",
        help="duplicate deals, which every pair plays (default 4000)",
    )
    command.add_argument("--seed", type=int, default=0, help="of the first deal (default 0)")
    command.add_argument("--threads", type=int, default=1, help="deals are played on (default 1)")
    command.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plays every pair, and prints the matrix."""
    from domino_env.evaluate.cross_play import cross_play_of
    from domino_env.evaluate.cross_score import as_markdown
    from domino_env.evaluate.entrants import read_entrant
    from domino_env.evaluate.policy_files import entrants_of
    from domino_env.files import write_whole

    policies = [entrant for text in options.agents for entrant in entrants_of(text)]
    against = read_entrant(options.against)
    played = cross_play_of(options.game, policies, against, options.seed)
    play_with_progress(played, options.deals, options.threads)
    score = played.score()
    print(as_markdown(score), end="")
    if options.json:
        write_whole(options.json, json.dumps(score.to_plain(), indent=1) + "\n")
    return 0


def play_with_progress(played: CrossPlay, deals: int, threads: int = 1) -> None:
    """Plays it, with a progress bar."""
    from rich.console import Console
    from rich.progress import Progress

    from domino_env.evaluate.cross_play import play
    from domino_env.evaluate.rich_tables import watched

    told = f"{played.rules.id}: {len(played.policies)} policies, each with each"
    console = Console(stderr=True)
    with Progress(console=console, transient=True) as progress, watched(progress, told) as watch:
        play(played, deals, threads, lambda so_far: watch(so_far.deals / deals))
