"""Why somebody drew, told from what happened before and after: an engine is not told, for a seat is
not. By force, by choice, or because a tile was given: a penalty, or what a symbol does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from domino_env.engine.state import BY_CHOICE, BY_FORCE, GIVEN
from domino_env.tileset import DRAW_ONE, read_value

Event: TypeAlias = Mapping[str, Any]


def reasons(rules: Any, events: Sequence[Event], turn: int) -> list[int]:
    """For each event, if it is a draw, why; 0 for all others. `turn` is whose turn it is now."""
    found, player, owes = [], -1, False  # who played last, and does that tile give another one?
    for at, event in enumerate(events):
        kind, seat = event["kind"], event["seat"]
        why = BY_FORCE
        if kind == "play":
            owes = player >= 0 and _gives(event)
            player = seat
        elif kind == "draw":
            if _is_penalty(events[at - 1], seat, player):
                why = GIVEN
            elif owes and seat != player:
                why, owes = GIVEN, False
            elif rules.draw.voluntary:
                after = events[at + 1]["seat"] if at + 1 < len(events) else turn
                why = _if_voluntary(rules, goes_on=after == seat)
        elif kind == "take":
            owes = False
        found.append(why)
    return found


def _gives(event: Event) -> bool:
    """Does the half that is now the end have the next player draw a tile? (FN4)"""
    shown = read_value(str(event["tile"]).split("|")[1 - event["half"]])
    return shown is not None and shown.effect == DRAW_ONE


def _is_penalty(before: Event, seat: int, player: int) -> bool:
    """Has another seat just called for the last tile of who played it? (G12)"""
    return before["kind"] == "call" and before["seat"] != seat == player


def _if_voluntary(rules: Any, goes_on: bool) -> int:
    """Where players may draw by choice: was it by choice, if the turn then went on or not?"""
    if rules.draw.voluntary_then == "end_turn":  # one by force is followed by a play or a pass
        return BY_FORCE if goes_on else BY_CHOICE
    if rules.draw.then == "end_turn":
        return BY_CHOICE if goes_on else BY_FORCE
    return BY_FORCE  # nobody can tell
