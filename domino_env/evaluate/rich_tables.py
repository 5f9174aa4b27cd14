"""Tables in the terminal, by rich: how one is printed, and that of the one-player games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from domino_env.evaluate.solo_scores import Score


def show(table: Table) -> None:
    """Prints a table; one that goes to a file or a pipe is as wide as it needs to be."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(table)


def scores_table(scores: list[Score]) -> Table:
    """The mean scores of agents in one-player games."""
    table = Table(
        title=f"One-player games: mean scores over {scores[0].deals:,} deals",
        caption="± is a 95 % interval; won: all tiles removed, or face up",
        title_justify="left",
        caption_justify="left",
    )
    for column in ("game", "agent", "points", "won"):
        table.add_column(column, justify="left" if column in ("game", "agent") else "right")
    for line in scores:
        table.add_row(*score_row(line))
    return table


def score_row(line: Score) -> list[str]:
    """One score as the columns of that table."""
    points = f"{line.points:.2f} ± {line.points_within:.2f}"
    won = f"{100 * line.won:.1f} ± {100 * line.won_within:.1f} %"
    return [line.game, line.agent, points, won]
