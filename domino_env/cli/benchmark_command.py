"""`domino benchmark`: what an agent is worth on tasks that are the same for all."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from domino_env.evaluate.benchmark_run import BenchmarkScore
    from domino_env.evaluate.entrants import Entrant
    from domino_env.evaluate.move_benchmark import MoveScore

KINDS = ("games", "moves")


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "benchmark", help="score agents on games, deals and opponents that never change"
    )
    command.add_argument(
        "kind",
        nargs="?",
        default="games",
        choices=KINDS,
        help="games: games against fixed opponents (default); moves: the points given away in "
        "positions whose moves have known values",
    )
    command.add_argument(
        "--agent",
        action="append",
        default=[],
        help="an agent, or one with options like '{agent: pimc, worlds: 64}'; may be repeated",
    )
    command.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    _add_games(command.add_argument_group("games"))
    _add_moves(command.add_argument_group("moves"))
    command.set_defaults(run=run)


def _add_games(group: Any) -> None:
    group.add_argument(
        "--quick",
        action="store_true",
        help="the short form: a twentieth of the deals, or as many as there is time for",
    )
    group.add_argument(
        "--minutes",
        type=float,
        metavar="N",
        help="for the short form (default 2); with more, a slow agent plays more deals",
    )
    group.add_argument(
        "--variance",
        default="duplicates",
        choices=("duplicates", "aivat"),
        help="aivat: take the luck of draws off too (default duplicates)",
    )
    group.add_argument("--threads", type=int, default=1, help="games are played on (default 1)")
    group.add_argument("--out", metavar="DIR", help="a folder for the page and the figures")
    group.add_argument(
        "--check", metavar="FILE", nargs="+", help="check entries of the leaderboard, and exit"
    )


def _add_moves(group: Any) -> None:
    group.add_argument(
        "--game",
        action="append",
        metavar="id",
        help="a game; of moves also one with a mini set like block_draw-double_3; may be repeated "
        "(default: all that the agents play)",
    )
    group.add_argument("--seed", type=int, default=0, help="of agents that toss coins (0)")


def run(options: argparse.Namespace) -> int:
    """Scores the agents, prints the tables, and writes the figures if asked to."""
    from domino_env.errors import DominoError
    from domino_env.evaluate.entrants import read_entrant

    if options.check:
        return _check(options.check)
    if options.minutes is not None and not options.quick:
        raise DominoError("--minutes is for the short form: add --quick")
    if not options.agent:
        raise DominoError("name an agent: domino benchmark --agent heuristic")
    entrants = [read_entrant(agent) for agent in options.agent]
    return (
        _run_moves(options, entrants) if options.kind == "moves" else _run_games(options, entrants)
    )


# Games --------------------------------------------------------------------------------------------


def _run_games(options: argparse.Namespace, entrants: list[Entrant]) -> int:
    from domino_env.evaluate import benchmark_report as report
    from domino_env.evaluate.rich_tables import show
    from domino_env.files import write_whole

    told = []
    for entrant in entrants:
        score = _played(options, entrant)
        show(_games_table(score))
        told.append(report.plain(score, entrant.code_sum))
        if options.out:
            folder = Path(options.out)
            report.write(
                score, folder / entrant.name if len(entrants) > 1 else folder, entrant.code_sum
            )
    if options.json:
        write_whole(options.json, json.dumps(told if len(told) > 1 else told[0], indent=1) + "\n")
    if not options.out and len(entrants) == 1:
        print(report.bibtex(score))
    return 0


def _played(options: argparse.Namespace, entrant: Entrant) -> BenchmarkScore:
    from rich.console import Console

    from domino_env.evaluate.benchmark_run import QUICK_MINUTES, run_benchmark

    with Console(stderr=True).status("") as status:
        return run_benchmark(
            entrant,
            quick=options.quick,
            minutes=QUICK_MINUTES if options.minutes is None else options.minutes,
            variance=options.variance,
            threads=options.threads,
            only=tuple(options.game or ()),
            watch=lambda what: status.update(f"{entrant.name}: {what}"),
        )


def _games_table(score: BenchmarkScore) -> Table:
    from rich.markup import escape

    from domino_env.evaluate import benchmark_report as report
    from domino_env.evaluate.rich_tables import new_table

    chosen = score.benchmark
    table = new_table(
        f"Domino benchmark v{chosen.version}{', quick form' if score.quick else ''}: "
        f"{escape(score.agent)}",
        ("game", "score", "deals", "points a round", "over each opponent"),
        caption=f"{report.form(score)}; 0: random moves, 100: {chosen.reference}; ± is a 95 % "
        "interval",
    )
    for each in score.games:
        over = ", ".join(f"{s.second} {s.margin:+.2f}" for s in each.standings)
        margin = f"{each.margin:+.2f} ± {each.margin_within:.2f}"
        told = (f"{each.score:.1f} ± {each.within:.1f}", f"{each.deals:,}", margin, over)
        table.add_row(each.name, *(told if each.played else ("0", "0", "", "not played")))
    table.add_row("all", f"{score.score:.1f} ± {score.within:.1f}", "", "", "")
    return table


def _check(files: list[str]) -> int:
    from domino_env.evaluate.benchmark_report import read_entry

    for file in files:
        entry = read_entry(Path(file))
        print(f"{file}: {entry['agent']} {entry['score']:.1f} ± {entry['within']:.1f}, as it says")
    return 0


# Moves --------------------------------------------------------------------------------------------


def _run_moves(options: argparse.Namespace, entrants: list[Entrant]) -> int:
    from domino_env.evaluate.move_benchmark import total
    from domino_env.evaluate.rich_tables import show
    from domino_env.files import write_whole

    scores = [_scores(entrant, options.game, options.seed) for entrant in entrants]
    for some in scores:
        show(_table(some))
    if len(scores) > 1:
        show(_order([total(some) for some in scores]))
    if options.json:
        told = [[asdict(each) for each in (*some, total(some))] for some in scores]
        write_whole(options.json, json.dumps(told, indent=1) + "\n")
    return 0


def _scores(entrant: Entrant, games: list[str] | None, seed: int) -> list[MoveScore]:
    from domino_env.evaluate.move_benchmark import score_everywhere, score_moves

    if not games:
        return score_everywhere(entrant, seed)
    return [score_moves(entrant, game, seed) for game in games]


def _table(scores: list[MoveScore]) -> Table:
    """A row for each game, and one for all."""
    from rich.markup import escape

    from domino_env.evaluate.move_benchmark import total
    from domino_env.evaluate.rich_tables import new_table

    table = new_table(
        f"{escape(scores[0].agent)}: points given away a decision",
        ("game", "positions", "illegal", "given away", "of random", "best move"),
        caption="± is a 95 % interval; of random: what it gives away beside random moves; illegal "
        "answers cost nothing here",
    )
    for score in [*scores, *([total(scores)] if len(scores) > 1 else [])]:
        table.add_row(score.game, *_row(score))
    return table


def _row(score: MoveScore) -> list[str]:
    best = f"{score.best / score.positions:.0%}" if score.positions else "–"
    return [
        f"{score.positions:,}",
        str(score.illegal),
        f"{score.given_away:.3f} ± {score.within:.3f}",
        f"{score.share:.0%}",
        best,
    ]


def _order(scores: list[MoveScore]) -> Table:
    """The agents in their order, the best first."""
    from rich.markup import escape

    from domino_env.evaluate.rich_tables import new_table

    table = new_table(
        "The agents in their order",
        ("agent", "positions", "illegal", "given away", "of random", "best move"),
    )
    for score in sorted(scores, key=lambda each: each.given_away):
        table.add_row(escape(score.agent), *_row(score))
    return table
