"""The sentences of the page and the terminal: who did what, whose turn it is, how a round ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from domino_env.play.setup import PERSON
from domino_env.position import Event, Position
from domino_env.words import QUESTIONS, TURNS, for_you

BLOCKED = "Blocked"
FEWEST = {"lowest_pips": "pips", "fewest_tiles": "tiles"}
"""What the winner of a blocked round has the fewest of, where it is that alone."""


def seat_names(names: Sequence[str]) -> list[str]:
    """The names of the seats: "You", and agents by their names, with the seat if two have the
    same; of "bots/mine.py:Mine" only the last part."""
    names = [re.sub(r"^[^=]*:", "", name) for name in names]
    return [
        "You" if name == PERSON else name if names.count(name) == 1 else f"{name} (seat {seat})"
        for seat, name in enumerate(names)
    ]


def event_sentence(event: Event, names: Sequence[str]) -> str:
    """An event as a sentence: "You draw [3|5]", "pimc draws a tile"."""
    text = re.sub(r" on end \d+$", "", str(event))
    found = re.fullmatch(r"seat (\d+) (\w+)(.*)", text)
    if found is None:
        return text[0].upper() + text[1:]
    who, rest = names[int(found[1])], re.sub(r"seat (\d+)", lambda n: _whom(names, n[1]), found[3])
    return f"{who} {_verb(found[2], who)}{rest}"


def score_sentence(seat: int, points: int, names: Sequence[str]) -> str:
    """Points as a sentence."""
    who = names[seat]
    return f"{who} {_verb('scores', who)} {_signed(points)}"


def question(position: Position) -> str:
    """The question that the seat to move has to answer; empty if it has to play."""
    if position.question is None:
        return ""
    return QUESTIONS[position.question].format(claim=position.claim)


def status(
    position: Position, names: Sequence[str], to_move: int | None, thinking: bool = False
) -> str:
    """Whose turn it is, and what they have to decide."""
    if to_move is None:
        return outcome(position, names)
    who = names[to_move]
    if who != "You":
        return f"{who} is thinking …" if thinking else f"{who} is to move"
    return question(position) or "Your turn"


def outcome(position: Position, names: Sequence[str], match: bool = False) -> str:
    """How a round or a match ended, and who won it. Whoever goes out wins the round, even without
    the most points: who has those is said by `outcome_note`."""
    if not position.over:
        return ""
    if not position.rules.has_opponents:
        how = "You win" if position.winners else "Over"
        return f"{how}, with {_points(position.scores[0])}"
    if match:
        if not position.winners:
            return "The match is drawn"
        points = _points(position.scores[position.winners[0]])
        return f"{_together(position.winners, names, 'wins')} the match, with {points}"
    ended, whose = _ended(position, names), _whose(position, names)
    return f"{ended}, and {whose}" if whose else ended


def outcome_note(position: Position, names: Sequence[str], match: bool, over: bool) -> str:
    """The line below the outcome: who has the most points, or how the last round of a match ended;
    empty if all have the same."""
    if match and over:
        return f"Last round: {_ended(position, names)}"
    most = max(position.scores)
    seats = [seat for seat, points in enumerate(position.scores) if points == most]
    if len(seats) == position.num_players:
        return ""
    together = " and ".join(names[seat] for seat in seats)
    each = " each" if len(seats) > 1 else ""
    return f"Most points{' so far' if match else ''}: {together}, {_signed(most)}{each}"


def _ended(position: Position, names: Sequence[str]) -> str:
    """What ended a round."""
    rules, finished = position.rules, position.finished
    enough = position.num_players - 1 if rules.turn.until == "one_left" else 1
    if rules.exact and rules.target in position.scores and not finished:
        seat = position.scores.index(rules.target)
        return f"{names[seat]} {_verb('makes', names[seat])} exactly {rules.target}"
    if len(finished) >= enough:
        first = "" if enough == 1 else " first"
        return f"{_together(finished[:1], names, 'goes')} out{first}"
    last = position.events[-1]
    if last.kind == "refuse" and last.seat is not None:
        return f"{_together([last.seat], names, 'refuses')} the stakes"
    return BLOCKED


def _whose(position: Position, names: Sequence[str]) -> str:
    """Who won a round, within a sentence; empty if it is the player who went out."""
    rules, winners, out = position.rules, position.winners, position.finished[:1]
    if not winners:
        return "nobody wins the round"
    if out == winners:
        blocked = _ended(position, names) == BLOCKED  # before all but one were out
        return f"{_whom(names, str(out[0]))} went out first" if blocked else ""
    if not out and not rules.teams and rules.round.to == "winner":
        fewest = FEWEST.get(rules.blocked.to)
        if fewest:
            return f"{_together(winners, names, 'has', inside=True)} the fewest {fewest}"
    how = " with most points" if rules.round.to == "most_points" else ""
    return f"{_together(winners, names, 'wins', inside=True)} the round{how}"


def _together(seats: Sequence[int], names: Sequence[str], verb: str, inside: bool = False) -> str:
    """Several seats and their verb: "You win", "pimc goes", "you and pimc have"."""
    called = [names[seat] for seat in seats]
    subject = "You" if len(called) > 1 else called[0]  # a plural verb is that of "you"
    if inside:
        called = [_whom(names, str(seat)) for seat in seats]
    return f"{' and '.join(called)} {_verb(verb, subject)}"


def _points(points: int) -> str:
    return f"{_signed(points)} point{'' if points in (1, -1) else 's'}"


def _signed(points: int) -> str:
    """A number with a typographic minus sign."""
    return f"{points}" if points >= 0 else f"−{-points}"


def orientation_label(rules: Any, tile: Any, half: int) -> str:
    """What tells two ways to play a tile on the same end apart: which way it turns, or its half."""
    if rules.layout.tiles == "curved":
        return TURNS[half]
    return f"by {tile[half]}"


def _verb(verb: str, who: str) -> str:
    """The verb in the form for its subject: "passes", but "You pass"."""
    if who != "You":
        return verb
    return for_you(verb)


def _whom(names: Sequence[str], seat: str) -> str:
    who = names[int(seat)]
    return "you" if who == "You" else who
