"""What fits together: which setting needs which, and why. A part checks the rows that speak of it
alone when it is built, and `Rules` all of them."""

from __future__ import annotations

from functools import cache

from domino_env.ruleset import needs_of_play, needs_of_scoring
from domino_env.ruleset.conditions import Need

NEEDS: tuple[Need, ...] = (*needs_of_play.ROWS, *needs_of_scoring.ROWS)


@cache
def needs_within(prefix: str) -> tuple[Need, ...]:
    """The rows that speak of one part alone, like "draw."."""
    return tuple(row for row in NEEDS if all(name.startswith(prefix) for name in row.names()))
