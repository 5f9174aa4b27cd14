"""A model that knows no more than the prompt that it is given."""

from __future__ import annotations

import random


def legal_in(prompt: str) -> list[str]:
    """The moves that a prompt lists, or the answers to its question."""
    last = prompt.splitlines()[-1]
    if last.startswith("Answer ") and " or " in last:
        return last.removeprefix("Answer ").rstrip(".").replace(" or ", ", ").split(", ")
    told = prompt.rpartition("Legal moves:\n")[2]
    return [line.removeprefix("- ") for line in told.splitlines() if line.startswith("- ")]


def any_move(prompt: str) -> str:
    """One of them; the same for the same prompt, whatever else is played meanwhile."""
    return random.Random(prompt).choice(legal_in(prompt))
