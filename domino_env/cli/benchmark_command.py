"""`domino benchmark`: what an agent is worth on tasks that are the same for all."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from domino_env.evaluate.entrants import Entrant
    from domino_env.evaluate.move_benchmark import MoveScore

KINDS = ("moves",)


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser(
        "benchmark", help="score agents on positions whose moves have known values"
    )
    command.add_argument("kind", choices=KINDS, help="moves: the points that they give away")
    command.add_argument(
        "--agent",
        action="append",
        required=True,
        help="an agent, or one with options like '{agent: pimc, worlds: 64}'; may be repeated",
    )
    command.add_argument(
        "--game",
        action="append",
        metavar="id",
        help="a game, or one with a mini set like block_draw-double_3; may be repeated (default: "
        "all that the agents play)",
    )
    command.add_argument("--seed", type=int, default=0, help="of agents that toss coins (0)")
    command.add_argument("--json", metavar="FILE", help="also write the scores to this file")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Scores the agents, prints the tables, and writes the scores if asked to."""
    from domino_env.evaluate.entrants import read_entrant
    from domino_env.evaluate.move_benchmark import total
    from domino_env.evaluate.rich_tables import show
    from domino_env.files import write_whole

    scores = [
        _scores(agent, options.game, options.seed) for agent in map(read_entrant, options.agent)
    ]
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
    from rich.table import Table

    from domino_env.evaluate.move_benchmark import total

    table = Table(
        title=f"{escape(scores[0].agent)}: points given away a decision",
        caption="± is a 95 % interval; of random: what it gives away beside random moves; illegal "
        "answers cost nothing here",
        title_justify="left",
        caption_justify="left",
    )
    for column in ("game", "positions", "illegal", "given away", "of random", "best move"):
        table.add_column(column, justify="left" if column == "game" else "right")
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
    from rich.table import Table

    table = Table(title="The agents in their order", title_justify="left")
    for column in ("agent", "positions", "illegal", "given away", "of random", "best move"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for score in sorted(scores, key=lambda each: each.given_away):
        table.add_row(escape(score.agent), *_row(score))
    return table
