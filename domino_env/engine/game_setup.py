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

ONE_ARM, TWO_ARMS, FOUR_ARMS, SIX_ARMS = 1, 2, 4, 6
OWN_ARMS = 0  # one for each seat and one for all: so many as players, and one more (MT2)
ARMS = {"one": ONE_ARM, "two": TWO_ARMS, "four": FOUR_ARMS, "six": SIX_ARMS, "own": OWN_ARMS}
MORE_ENDS = {"through": 0, "spinner": 2, "first_spinner": 2, "fork": 1, "foot": 2}  # of a double


@dataclass(frozen=True)
class Setup:
    """All that fixes a batch's arrays: the rules and how they are played."""

    rules: Any
    players: int
    episode: str
    reward: str
    calls: str


def num_ends(rules: Rules, players: int) -> int:
    """How many ends there can be in a round: ends are numbered once and never renumbered."""
    arms = num_arms(rules) or 1 + players
    if rules.layout.tiles == "curved":
        return 4 if rules.opening.tile == "two_from_boneyard" else 2
    doubles = rules.tile_set.num_doubles
    if rules.layout.doubles == "first_spinner":
        return arms if arms == FOUR_ARMS else arms + MORE_ENDS["first_spinner"]
    if opens_with_a_double(rules):
        doubles -= rules.layout.doubles != "spinner" or arms != TWO_ARMS  # it has its sides already
    return arms + doubles * MORE_ENDS[rules.layout.doubles]


def opens_with_a_double(rules: Rules) -> bool:
    """Is the first tile of a round always a double?"""
    opening = rules.opening
    if opening.tile == "that_double":
        return bool(opening.without_double == "deal_again" and opening.later == "as_first")
    return bool(opening.tile == "middle")


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
    if can_end_turn(rules):
        names.append("end_turn")
    answers = [word for stage in questions(rules, calls) for word in ANSWERS[stage]]
    return names + list(dict.fromkeys(answers))


def can_end_turn(rules: Rules) -> bool:
    """Are there turns that go on as long as the player likes?"""
    goes_on = rules.turn.again in ("after_any", "after_double")
    return (goes_on and not rules.rows) or rules.turn.first_turn == "own_line"


def most_due(rules: Rules) -> int:
    """The most tiles that a double must have before anything else."""
    return max(rules.layout.opening_first, rules.layout.doubles_first)


def num_arms(rules: Rules) -> int:
    """How many arms grow from the start; OWN_ARMS: one for each seat and one for all."""
    return ARMS[rules.layout.arms]
