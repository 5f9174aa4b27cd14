"""Tables of figures as Markdown, for reports."""

from __future__ import annotations


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table: words in the first column, figures in the others."""
    lines = [heads, ["---", *["---:" for _ in heads[1:]]], *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
