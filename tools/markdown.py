"""Markdown, as the made parts of the docs need it."""

from __future__ import annotations


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table: its heads, and the cells of each row."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
