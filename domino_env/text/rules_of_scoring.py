"""How a game at a table scores and ends, in sentences made from the parts of `Rules`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def plays(rules: Any) -> Iterator[str]:
    """What a tile scores when it is played."""
    how = rules.plays
    if how.by == "same_ends":
        yield (
            "If both ends show the same after a play, it scores 2 points, or 3 if the tile is a "
            "double that matches the other end."
        )
    elif how.by == "multiples":
        yield _multiples(how)
        yield _counted(rules)
    if how.out:
        yield f"Going out adds {how.out} to the score of that play."


def _multiples(how: Any) -> str:
    numbers = " or ".join(map(str, how.multiples))
    when = f"If the open ends add up to a multiple of {numbers} after a play, above 0,"
    if how.points == "pips":
        return f"{when} it scores that sum."
    each = " and one for each ".join(map(str, how.multiples))
    if len(how.multiples) == 1:
        return f"{when} it scores a point for each {numbers} in the sum."
    return f"{when} it scores a point for each {each} in the sum, where they divide it."


def _counted(rules: Any) -> str:
    """What an end counts."""
    if rules.is_curved:
        return "An end counts the pips of its half."
    later = ", and an untouched side of a double counts nothing" if _has_sides(rules) else ""
    return (
        "An end counts its pips, but a double counts both halves, once it has a tile on another "
        f"side{later}."
    )


def _has_sides(rules: Any) -> bool:
    return rules.layout.doubles != "through" or rules.layout.arms == "four"


def end_of_round(rules: Any) -> Iterator[str]:
    """When a round ends, and what it is worth."""
    if rules.turn.until == "one_left":
        yield "A round ends when only one player has tiles left; those who are out are skipped."
    elif rules.turn.until == "team_out":
        yield (
            "A round ends when both partners of a team have played their last tiles, and so win; "
            "a player who is out is skipped."
        )
    else:
        yield "A round ends when somebody has played their last tile, and so wins it."
    even = ", even if all trains had markers" if rules.layout.arms == "own" else ""
    yield f"It is blocked when nobody can play or draw{even}; then {_blocked(rules)}"
    yield from _worth(rules)
    if rules.worths:
        own = ", ".join(f"{tile} counts {points}" for tile, points in rules.worths)
        yield f"In hands, {own}."


def _blocked(rules: Any) -> str:
    if rules.round.worth == "places":
        return "those with tiles are ranked by their pips, the fewest first."
    lowest = {
        "lowest_pips": "the hand with the fewest pips wins",
        "lowest_team": "the team with the fewest pips in its two hands wins",
        "no_doubles": (
            "of the hands without a double the one with the fewest pips wins; if all have one, the "
            "lowest double wins"
        ),
        "fewest_tiles": "whoever has the fewest tiles wins",
        "nobody": "nobody wins it",
    }[rules.blocked.to]
    return f"{lowest}{_shared(rules)}."


def _shared(rules: Any) -> str:
    """Who wins if several have the lowest."""
    if rules.blocked.to == "nobody":
        return ""
    among = "in a tie between opponents" if rules.teams else "in a tie"
    if rules.blocked.shared == "starter_team":
        return f"; {among}, the team that began the round does"
    return f"; {among}, nobody does"


def _worth(rules: Any) -> Iterator[str]:
    how, whom = rules.round, "The winner"
    if how.to == "most_points":
        whom = "Whoever scored most in the round"
    if how.worth == "places":
        places = ", ".join(map(str, how.places))
        yield f"The places of a round are worth {places} points in their order, the last nothing."
    elif how.penalties:
        extra = f", and {how.out_bonus} more if an opponent went out" if how.out_bonus else ""
        yield f"Everybody loses a point for each pip in their hand{extra}."
    elif how.worth == "points":
        yield f"{whom} scores {how.points} point{'' if how.points == 1 else 's'} for the round."
        yield from _key(how)
    elif how.worth == "nothing":
        yield "A round itself is worth nothing."
    else:
        yield from _pips(rules, whom)


def _key(how: Any) -> Iterator[str]:
    if how.key:
        yield (
            f"Going out with the key scores {how.key} instead: a tile, no double, that fits both "
            "ends when no other tile that is not yet on the table fits either."
        )


def _pips(rules: Any, whom: str) -> Iterator[str]:
    how = rules.round
    whose = "all hands" if how.worth == "all_pips" else "the opponents' hands"
    unit = "" if how.pips_a_point == 1 else f", a point for every {how.pips_a_point}"
    yield f"{whom} scores the pips left in {whose}{unit}{_rounded(how)}."
    if how.worth == "others_pips" and rules.blocked.less_own and how.to == "winner":
        yield "In a blocked round the winner's own pips are subtracted."


def _rounded(how: Any) -> str:
    if how.nearest > 1:
        return f", rounded to the nearest {how.nearest}"
    return f", rounded up to the next {how.rounded_up}" if how.rounded_up > 1 else ""


def end_of_match(rules: Any) -> Iterator[str]:
    """When a match ends."""
    most = "fewest penalty points" if rules.round.penalties else "most points"
    if rules.target is not None and rules.exact:
        yield (
            f"A match is won at once by reaching exactly {rules.target} points; points that would "
            "go beyond are not given."
        )
    elif rules.target is not None:
        yield (
            f"A match ends with the round in which somebody reaches {rules.target} points; the "
            "most points win it."
        )
    if rules.rounds is not None:
        rounds = f"{rules.rounds} round{'' if rules.rounds == 1 else 's'}"
        yield f"A match is over after {rounds}; the {most} win it."
    elif rules.most_rounds is not None:
        rounds = f"{rules.most_rounds} rounds, one for each double"
        yield f"A match is over after {rounds}; the {most} win it."


def calls(rules: Any, how: str) -> Iterator[str]:
    """What must be said aloud."""
    if how != "explicit" or not rules.has_calls:
        return
    if rules.plays.called:
        yield (
            "The points of a play must be called: its player answers CALL or SILENT; if they are "
            "silent, each of the others in turn may CALL and take them."
        )
    if rules.turn.says_domino:
        yield (
            'With one tile left you must CALL ("Domino!"); if you stay SILENT another may '
            "CALL, and you draw a penalty tile."
        )
