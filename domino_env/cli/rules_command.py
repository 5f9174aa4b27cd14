"""`domino rules`: the rules of a game, as its page in the docs tells them."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import domino_env
from domino_env.errors import DominoError
from domino_env.games import AnyRules


def add(commands: Any) -> None:
    """Declares its arguments."""
    command = commands.add_parser("rules", help="print the rules of a game")
    command.add_argument("game", metavar="id", help="a game, as `domino list` names it")
    command.add_argument("--plain", action="store_true", help="print Markdown, not rendered")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the page, rendered if it goes to a terminal."""
    from rich.console import Console
    from rich.markdown import Markdown

    rules = domino_env.rules(options.game)
    text = without_links(rules_page(rules).read_text(encoding="utf-8"))
    console = Console()
    if options.plain or not console.is_terminal:
        print(text)
    else:
        console.print(Markdown(text))
    return 0


def rules_page(rules: AnyRules) -> Path:
    """The page of a game's rules, in a checkout or in an installed package."""
    package = Path(domino_env.__file__).parent
    for folder in (package / "rules_pages", package.parent / "docs" / "rules"):
        page = folder / f"{rules.id}.md"
        if page.exists():
            return page
    raise DominoError(f"there is no page of rules for {rules.id!r}: it belongs in docs/rules/")


def without_links(page: str) -> str:
    """A page without its pictures and without links to files, which lead nowhere from here."""
    pictures = r"!\[[^\]]*\]\([^)]*\)\n*"
    links = r"\[([^\]]*)\]\((?!\w+://)[^)]*\)"
    return re.sub(links, r"\1", re.sub(pictures, "", page))
