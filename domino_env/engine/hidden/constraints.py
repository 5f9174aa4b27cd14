"""The constraints of an information set: may this hidden tile have come from that place?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, lowest
from domino_env.engine.hidden.information_set import (
    DEALT,
    GIFT,
    LACKS,
    NOT_GIVEN,
    STILL_THERE,
    Notes,
)
from domino_env.engine.state import RuleTable

if TYPE_CHECKING:
    from domino_env.engine.record_types import Evidence, Piece, Records, Slots, Take


@kernel
def takes_piece(rules: RuleTable, notes: Notes, slots: Slots, piece: Piece) -> bool:
    """May this piece have come from these slots?"""
    evidence, takes = notes.evidence[0], notes.takes
    if piece.slot != NOT_GIVEN or slots.kind == GIFT:
        if piece.slot != slots.origin:
            return False
    if slots.kind == DEALT and opens_before(rules, evidence, slots.seat, piece.tile):
        return False
    if piece.left != STILL_THERE:
        if slots.since >= piece.left or holder(slots, takes, piece.left) != piece.seat:
            return False
        if moved_after(slots, takes, piece.left):
            return False
    for number in range(evidence.checks):
        check = notes.checks[number]
        if check.shown == LACKS and slots.since < check.time <= piece.left:
            if holds(check.wanted, piece.tile):
                if holder(slots, takes, check.time) == check.seat:
                    return False
    return True


@small
def opens_before(rules: RuleTable, evidence: Evidence, seat: int, tile: int) -> bool:
    """Would this tile in a hand have opened the round instead of the one that did?"""
    if evidence.opener < 0:
        return False
    rank = int(rules.opener_rank[tile])
    best = int(rules.opener_rank[evidence.opener])
    return rank < best or (rank == best and seat < evidence.first)


@small
def could_give(slots: Slots, takes: Records[Take], take: int) -> bool:
    """Was a tile of these slots in the giver's hand when one was taken?"""
    time = takes[take].time
    return slots.since < time and holder(slots, takes, time) == takes[take].giver


@kernel
def holder(slots: Slots, takes: Records[Take], time: int) -> int:
    """Whose hand a tile was in at a time, by its slot."""
    seat = slots.seat
    moved = slots.takes
    while moved != NONE:
        take = lowest(moved)
        moved &= moved - ONE
        if takes[take].time < time:
            seat = takes[take].taker
    return seat


@kernel
def moved_after(slots: Slots, takes: Records[Take], time: int) -> bool:
    """Was what lay here taken after a time?"""
    moved = slots.takes
    while moved != NONE:
        if takes[lowest(moved)].time >= time:
            return True
        moved &= moved - ONE
    return False
