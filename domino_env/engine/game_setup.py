"""A game as it is set up: the rules and how they are played, and what follows for the sizes of its
arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domino_env.engine.state import (
    ANSWERS,
    CLAIM,
    DIRECTION,
    LAST_TILE,
    LEADING,
    RAISED,
    STAKES,
    TURNING,
)
from domino_env.ruleset import Rules

ONE_ARM, TWO_ARMS, FOUR_ARMS = 1, 2, 4


@dataclass(frozen=True)
class Setup:
    """All that fixes a batch's arrays: the rules and how they are played."""

    rules: Any
    players: int
    episode: str
    reward: str
    calls: str


def num_ends(rules: Rules) -> int:
    """How many ends there can be in a round: ends are numbered once and never renumbered."""
    arms = num_arms(rules)
    if rules.layout.tiles == "curved":
        return 4 if rules.opening.tile == "two_from_boneyard" else 2
    doubles = rules.tile_set.num_doubles
    if rules.layout.doubles == "through":
        return arms
    if rules.layout.doubles == "first_spinner":
        return arms if arms == FOUR_ARMS else arms + 2
    opening = rules.opening
    by_double = opening.tile == "that_double" and opening.without_double == "deal_again"
    if by_double and opening.later == "as_first":
        doubles -= rules.layout.doubles == "fork" or arms != TWO_ARMS  # it has its sides already
    return arms + doubles * (1 if rules.layout.doubles == "fork" else 2)


def questions(rules: Rules, calls: str) -> list[int]:
    """The questions that a game can ask, as stages."""
    explicit = calls == "explicit"
    asked = {
        CLAIM: explicit and rules.scores_in_play,
        LAST_TILE: explicit and rules.turn.says_domino,
        DIRECTION: rules.opening.direction == "chosen",
        TURNING: rules.turn.reversed_by != "nothing",
        STAKES: rules.turn.raised_by != "",
        RAISED: rules.turn.raised_by != "",
        LEADING: rules.opening.yields,
    }
    return [stage for stage, is_asked in asked.items() if is_asked]


def extras(rules: Rules, calls: str) -> list[str]:
    """The actions besides playing a tile that a game can use, and no others."""
    names = []
    if rules.draw.voluntary:
        names.append("draw")
    if rules.draw.then == "may_pass":
        names.append("pass")
    if rules.turn.again != "never" and not rules.rows:
        names.append("end_turn")
    answers = [word for stage in questions(rules, calls) for word in ANSWERS[stage]]
    return names + list(dict.fromkeys(answers))


def num_arms(rules: Rules) -> int:
    """How many arms grow from the start."""
    return {"one": ONE_ARM, "two": TWO_ARMS, "four": FOUR_ARMS}[rules.layout.arms]
