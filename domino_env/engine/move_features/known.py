"""What the seat to move knows before it imagines an action: the same for all its actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count
from domino_env.engine.scoring import pips_left
from domino_env.engine.seats import opposed
from domino_env.engine.state import (
    PLAYED,
    SEATS,
    UNPLAYED,
    WORDS,
    Game,
    Log,
    RuleTable,
)

ME, NEXT, MATE, OTHERS = range(4)  # who somebody is to the seat
ROLES = 4

KNOWN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("role", np.int64, SEATS),
                ("following", np.int64),  # the next opponent; the seat itself where none is left
                ("unseen", np.uint64, WORDS),
                ("free", np.uint64, (SEATS, WORDS)),  # unseen, and not lacked by that seat
                ("made", np.uint64, ROLES),  # numbers of the ends they have made, as bits
                ("covered", np.uint64, ROLES),
                ("lacks", np.uint64, ROLES),  # numbers that they lack, as bits
                ("all_lack", np.uint64),  # ... that all opponents lack
                ("num_unseen", np.int64),
                ("pips", np.int64),  # in the own hand
            ],
            align=True,
        ),
    )
)


@kernel
def look(rules: RuleTable, game: Game, log: Log, seat: int, known: Any) -> None:
    """Notes what a seat knows."""
    give_roles(rules, game, seat, known)
    for w in range(rules.words):
        known.unseen[w] = unseen_tiles(rules, game, seat, w)
    for other in range(rules.seats):
        if other != seat:
            note_lacks(rules, game, other, known)
    read_log(rules, game, log, known)
    known.pips = 0 if rules.rows else pips_left(rules, game, seat)


@small
def give_roles(rules: RuleTable, game: Game, seat: int, known: Any) -> None:
    """Who everybody is to the seat."""
    for other in range(rules.seats):
        known.role[other] = OTHERS if opposed(rules, seat, other) else MATE
    known.role[seat] = ME
    known.following = next_opponent(rules, game, seat)
    if known.following != seat:
        known.role[known.following] = NEXT


@small
def next_opponent(rules: RuleTable, game: Game, seat: int) -> int:
    """The next opponent in turn who has tiles; the seat itself if there is none."""
    other = seat
    for _ in range(rules.seats):
        other += int(game.direction)
        other = other - int(rules.seats) if other >= rules.seats else other
        if other == seat or (game.hand_size[other] > 0 and opposed(rules, seat, other)):
            return other
    return seat


@small
def unseen_tiles(rules: RuleTable, game: Game, seat: int, w: int) -> np.uint64:
    """The tiles that a seat has not seen, one word of them."""
    left = rules.tiles - 64 * w
    hidden = ~NONE if left >= 64 else (ONE << np.uint64(left)) - ONE
    hidden &= ~game.played[UNPLAYED, w]
    if not rules.rows:
        hidden &= ~game.hands[seat, w]
    for owner in range(rules.seats):
        hidden &= ~game.played[owner, w]
    return hidden


@small
def note_lacks(rules: RuleTable, game: Game, other: int, known: Any) -> None:
    """Notes the unseen tiles that another may hold, by what it showed to be without."""
    lacked, numbers = game.lacks[other], NONE
    for w in range(np.uint64(rules.words)):
        known.free[other, w] = known.unseen[w]
    if lacked == NONE:
        known.all_lack = NONE if known.role[other] != MATE else known.all_lack
        return
    for value in range(np.uint64(rules.values)):
        if rules.curved:
            halves = (lacked >> (value * np.uint64(2))) & np.uint64(3)
            numbers |= np.uint64(halves != NONE) << value
            for half in range(np.uint64(2)):
                bit = NONE - ((halves >> half) & ONE)
                known.free[other, 0] &= ~(rules.fits[value, half, 0] & bit)
            continue
        bit = NONE - ((lacked >> value) & ONE)
        numbers |= (bit & ONE) << value
        for w in range(np.uint64(rules.words)):
            known.free[other, w] &= ~(rules.joins[value, w] & bit)
    role = np.uint64(known.role[other])
    known.lacks[role] |= numbers
    if role != MATE:
        known.all_lack &= numbers


@small
def read_log(rules: RuleTable, game: Game, log: Log, known: Any) -> None:
    """Who has made and covered ends of which numbers in this round."""
    for at in range(np.uint64(rules.tiles), np.uint64(game.log_size)):
        word = np.uint64(log[at])
        played = np.uint64(word & np.uint64(31) == PLAYED)
        role = np.uint64(known.role[(word >> np.uint64(5)) & np.uint64(7)])
        tile = (word >> np.uint64(8)) & np.uint64(255)
        half = (word >> np.uint64(24)) & ONE
        known.made[role] |= played << np.uint64(rules.asks[rules.half[ONE - half, tile]])
        known.covered[role] |= played << np.uint64(rules.asks[rules.half[half, tile]])


@small
def flags_of(rules: RuleTable, known: Any, value: int) -> np.uint64:
    """What is the same of a number for all actions, as bits: `END_FLAGS` from the fifth on."""
    bit = np.uint64(rules.asks[value])
    flags = (known.lacks[NEXT] >> bit) & ONE
    flags |= ((known.lacks[MATE] >> bit) & ONE) << np.uint64(1)
    flags |= ((known.lacks[OTHERS] >> bit) & ONE) << np.uint64(2)
    flags |= ((known.all_lack >> bit) & ONE) << np.uint64(3)
    for role in range(np.uint64(ROLES)):
        flags |= ((known.made[role] >> bit) & ONE) << (role + np.uint64(4))
        flags |= ((known.covered[role] >> bit) & ONE) << (role + np.uint64(8))
    return flags
