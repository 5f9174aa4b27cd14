"""Rejection sampling: what counting leaves out is checked of each deal that has been drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domino_env.compiling import kernel, small
from domino_env.engine.bits import holds
from domino_env.engine.hidden.constraints import holder
from domino_env.engine.hidden.information_set import (
    ANYBODY,
    DEALT,
    HAS,
    LEFT_OUT,
    Notes,
    word_at,
)
from domino_env.engine.rng import pick_from
from domino_env.engine.rule_table import HIGHEST_DOUBLE, LOWEST_DOUBLE, NO_OPENER, THAT_DOUBLE
from domino_env.engine.state import Game, Log, RuleTable

if TYPE_CHECKING:
    from domino_env.engine.record_types import Check


@kernel
def agrees(rules: RuleTable, game: Game, log: Log, notes: Notes) -> bool:
    """Could those play who have shown that they could, and does the same seat open?"""
    for number in range(notes.evidence[0].checks):
        if notes.checks[number].shown == HAS:
            if not somebody_fits(rules, notes, notes.checks[number]):
                return False
    if rules.starter != HIGHEST_DOUBLE and rules.starter != LOWEST_DOUBLE:
        return True
    if game.free_lead:
        return True
    if rules.opening == THAT_DOUBLE:
        return opens_first(rules, notes)
    return best_opener(rules, log, notes) == game.starter


@kernel
def somebody_fits(rules: RuleTable, notes: Notes, check: Check) -> bool:
    """Was there a tile that fitted in a hand that showed that it had one?"""
    for number in range(notes.evidence[0].pieces):
        piece = notes.pieces[number]
        s = notes.lies_in[number]
        if s != LEFT_OUT and holds(check.wanted, piece.tile):
            slots = notes.supposed[s]
            if slots.seat >= 0 and slots.since < check.time <= piece.left:
                if check.seat == ANYBODY or holder(slots, notes.takes, check.time) == check.seat:
                    return True
    return False


@kernel
def opens_first(rules: RuleTable, notes: Notes) -> bool:
    """Of tiles that are as good to open with, in one hand, the one dealt first opens."""
    evidence = notes.evidence[0]
    if evidence.first == evidence.viewer:
        return True
    alike = 0
    for number in range(evidence.pieces):
        s = notes.lies_in[number]
        if s != LEFT_OUT and was_dealt_to(notes, s, evidence.first):
            tile = notes.pieces[number].tile
            if rules.opener_rank[tile] == rules.opener_rank[evidence.opener]:
                alike += 1
    return alike < 2 or pick_from(notes.rng, 0, alike) == 0


@small
def was_dealt_to(notes: Notes, s: int, seat: int) -> bool:
    """Were these slots a place in the hand that a seat was dealt?"""
    return bool(notes.supposed[s].kind == DEALT and notes.supposed[s].seat == seat)


@kernel
def best_opener(rules: RuleTable, log: Log, notes: Notes) -> int:
    """The seat that would open this deal."""
    best, found = NO_OPENER, -1
    for seat in range(rules.seats):
        rank = NO_OPENER
        if seat == notes.evidence[0].viewer:
            for place in range(seat * rules.hand_size, (seat + 1) * rules.hand_size):
                rank = min(rank, word_at(rules.opener_rank, word_at(log, place)))
        else:
            for number in range(notes.evidence[0].pieces):
                s = notes.lies_in[number]
                if s != LEFT_OUT and was_dealt_to(notes, s, seat):
                    rank = min(rank, word_at(rules.opener_rank, notes.pieces[number].tile))
        if rank < best:
            best, found = rank, seat
    return found
