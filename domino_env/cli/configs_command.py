"""`domino configs`: the settings files that come with the package."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("configs", help="list the shipped configs, or print one")
    command.add_argument("name", nargs="?", metavar="NAME", help="print this config")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Lists the configs, or prints the one that is named."""
    from domino_env.config import shipped
    from domino_env.evaluate.rich_tables import show

    if options.name is None:
        show(configs_table())
    else:
        shipped.show(options.name)
    return 0


def configs_table() -> Table:
    """The shipped configs, grouped by the command that takes them."""
    from rich.markup import escape
    from rich.table import Table

    from domino_env.config import shipped

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    before = ""
    for command, name, about in shipped.rows():
        if command != before:
            table.add_row(f"[bold]domino {command}[/bold]")
            before = command
        table.add_row(f"  {escape(name.partition('/')[2] or name)}", escape(about))
    return table
