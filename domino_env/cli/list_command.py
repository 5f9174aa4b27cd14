"""`domino list`: a table of the games."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import domino_env
from domino_env.game_facts import game_row

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

COLUMNS = ("id", "rulebook", "players", "sets", "dealt", "match", "in a line")


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("list", help="list the games")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the games, as one table where the terminal is wide enough."""
    from rich.console import Console
    from rich.measure import Measurement

    from domino_env.evaluate.rich_tables import show

    console, table = Console(), games_table()
    wanted = Measurement.get(console, console.options.update(max_width=1000), table).maximum
    if console.is_terminal and wanted > console.width:
        console.print(games_text(), end="")
    else:
        show(table)
    return 0


def games_table() -> Table:
    """A row for each game."""
    from rich.table import Table

    table = Table(title="The games", title_justify="left")
    for column in COLUMNS:
        table.add_column(column, no_wrap=column in ("id", "players", "dealt"))
    for variant in domino_env.variants():
        table.add_row(*game_row(domino_env.rules(variant)))
    return table


def games_text() -> Text:
    """The same for a terminal of 80 columns, which the table does not fit: two lines a game."""
    from rich.text import Text

    text, source = Text(), ""
    for variant in domino_env.variants():
        name, rulebook, *facts, summary = game_row(domino_env.rules(variant))
        if rulebook != source:
            text.append(f"{rulebook:<28}players  {'sets':<19}dealt  match\n", "bold")
            source = rulebook
        players, sets, dealt, match = facts
        text.append(f"{name:<28}{players:<9}{sets:<19}{dealt:<7}{match}\n")
        text.append(f"  {summary}\n", "dim")
    return text
