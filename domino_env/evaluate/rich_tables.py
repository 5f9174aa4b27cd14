"""Tables and progress in the terminal, by rich; and the table of the one-player games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

if TYPE_CHECKING:
    from domino_env.evaluate.solo_scores import Score


def show(table: Table) -> None:
    """Prints a table; one that goes to a file or a pipe is as wide as it needs to be."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(table)


def new_table(
    title: str, columns: Sequence[str], words: Collection[str] = (), caption: str | None = None
) -> Table:
    """A table of figures without rows yet. Columns of words, by default the first, stand at the
    left, and figures at the right."""
    table = Table(title=title, caption=caption, title_justify="left", caption_justify="left")
    for column in columns:
        table.add_column(column, justify="left" if column in (words or columns[:1]) else "right")
    return table


@contextmanager
def watched(progress: Progress, told: str) -> Iterator[Callable[[float], None]]:
    """Shows a piece of work while it lasts, by the part of it that is told to be done."""
    work = progress.add_task(told, total=1.0)

    def watch(done: float) -> None:
        progress.update(work, completed=done)

    yield watch
    progress.remove_task(work)


def scores_table(scores: list[Score]) -> Table:
    """The mean scores of agents in one-player games."""
    table = new_table(
        f"One-player games: mean scores over {scores[0].deals:,} deals",
        ("game", "agent", "points", "won"),
        ("game", "agent"),
        "± is a 95 % interval; won: all tiles removed, or face up",
    )
    for line in scores:
        table.add_row(*score_row(line))
    return table


def score_row(line: Score) -> list[str]:
    """One score as the columns of that table."""
    points = f"{line.points:.2f} ± {line.points_within:.2f}"
    won = f"{100 * line.won:.1f} ± {100 * line.won_within:.1f} %"
    return [line.game, line.agent, points, won]
