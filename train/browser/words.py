"""What is said at the table: who did what, whose turn it is, and how it has ended."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from domino_env.position import Event, Position
from domino_env.train.browser.plan import PERSON

QUESTIONS = {
    "points": "Call {claim} points?",
    "domino": "Say “Domino!”?",
    "direction": "Which way shall turns go?",
    "reverse": "Reverse the turns?",
    "raise": "Raise the stakes of this round?",
    "accept": "The stakes are to be raised. Accept?",
}
TURNS = ("turning right", "turning left")  # of a curved tile, by the half that joins (B3)


def seat_names(names: Sequence[str]) -> list[str]:
    """What seats are called: you, and agents by their names, with the seat where two are alike; of
    "bots/mine.py:Mine" the last part will do."""
    names = [re.sub(r"^[^=]*:", "", name) for name in names]
    return [
        "You" if name == PERSON else name if names.count(name) == 1 else f"{name} (seat {seat})"
        for seat, name in enumerate(names)
    ]


def told(event: Event, names: Sequence[str]) -> str:
    """An event as a sentence: "You draw [3|5]", "pimc draws a tile"."""
    text = re.sub(r" on end \d+$", "", str(event))
    found = re.fullmatch(r"seat (\d+) (\w+)(.*)", text)
    if found is None:
        return text[0].upper() + text[1:]
    who, rest = names[int(found[1])], re.sub(r"seat (\d+)", lambda n: _whom(names, n[1]), found[3])
    return f"{who} {_verb(found[2], who)}{rest}"


def scored(seat: int, points: int, names: Sequence[str]) -> str:
    """Points as a sentence."""
    who = names[seat]
    shown = f"{points}" if points >= 0 else f"−{-points}"
    return f"{who} {_verb('scores', who)} {shown}"


def asked(position: Position) -> str:
    """What the seat to move has to decide, or nothing where it is a move."""
    if position.question is None:
        return ""
    return QUESTIONS[position.question].format(claim=position.claim)


def status(position: Position, names: Sequence[str], to_move: int | None) -> str:
    """Whose turn it is."""
    if to_move is None:
        return outcome(position, names)
    who = names[to_move]
    if who != "You":
        return f"{who} is to move"
    return asked(position) or "Your turn"


def outcome(position: Position, names: Sequence[str], match: bool = False) -> str:
    """Who has won."""
    what = " the match" if match else ""
    if position.rules.alone:
        points = f"{position.scores[0]} points"
        return f"You win, with {points}" if position.winners else f"Over, with {points}"
    winners = [names[seat] for seat in position.winners]
    if not winners:
        return "A draw" if position.over else ""
    if winners == ["You"]:
        return f"You win{what}"
    together = " and ".join(winners)
    return f"{together} {'wins' if len(winners) == 1 else 'win'}{what}"


def how(rules: Any, tile: Any, half: int) -> str:
    """What tells two ways to play a tile on the same end: its turn, or the half that joins."""
    if rules.layout.tiles == "curved":
        return TURNS[half]
    return f"by {tile[half]}"


def _verb(verb: str, who: str) -> str:
    """As it goes with the one who does it: "passes", but "You pass"."""
    if who != "You":
        return verb
    return verb.removesuffix("es") if verb == "passes" else verb.removesuffix("s")


def _whom(names: Sequence[str], seat: str) -> str:
    who = names[int(seat)]
    return "you" if who == "You" else who
