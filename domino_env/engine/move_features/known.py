"""What the seat to move knows before it imagines an action: the same for all its actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count
from domino_env.engine.events import HALF, SEAT, TILE
from domino_env.engine.seats import opposed, seat_after
from domino_env.engine.state import (
    PLAYED,
    SEATS,
    UNPLAYED,
    WORDS,
    Game,
    Index,
    Log,
    RuleTable,
)

if TYPE_CHECKING:
    from domino_env.engine.record_types import Known

ME, NEXT, MATE, OTHERS = range(4)  # who somebody is to the seat
ALL = ME  # among those who lack a number: all opponents together
SLOT = np.uint64(16)  # bits of a role in a word of `made`, `covered` and `lacks`: a number each
_HALF = 16  # numbers that a word has; there are two
_SIXTEEN = np.uint64(65535)
_OF_ALL_ROLES = np.uint64(1 << 48 | 1 << 32 | 1 << 16 | 1)
_TOGETHER = np.uint64(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3)  # moves the four bits to the 48th

PIP_BITS = 10  # no tile counts more than 1,000 pips

KNOWN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # For a tile, and 256 further for one that joins by its second half: the number
                # of the end that it makes as a bit, and 32 bits further that of the end it covers.
                ("joined", np.uint64, 512),
                ("role", np.int64, SEATS),
                ("roles", np.uint64),  # the same, eight bits each
                ("unseen", np.uint64, WORDS),
                ("free", np.uint64, (SEATS, WORDS)),  # unseen, and not lacked by that seat
                ("num_free", np.int64, SEATS),
                # Numbers as bits, for each role a slot: of ends made and covered, and lacked
                # ones. Of more than sixteen numbers the others are in a second word.
                ("made", np.uint64, 2),
                ("covered", np.uint64, 2),
                ("lacks", np.uint64, 2),
                ("all_lack", np.uint64),  # numbers that all opponents lack
                # Tiles whose pips have each bit set, lowest first: see `pips_of`.
                ("heavy", np.uint64, (PIP_BITS, WORDS)),
                ("num_unseen", np.int64),
                ("pips", np.int64),  # in the own hand
            ],
            align=True,
        ),
    )
)


def new_known(rule_table: Any) -> Any:
    """What kernels note in, for the rules of a table."""
    known, rules = np.zeros(1, KNOWN), rule_table[0]
    asks = rules["asks"][rules["half"]].astype(np.uint64)  # [half, tile]
    for half in range(2):
        both = ONE << asks[1 - half] | ONE << (asks[half] + np.uint64(32))
        known["joined"][0, 256 * half : 256 * half + both.size] = both
    for tile, pips in enumerate(rules["pips"][: int(rules["tiles"])].tolist()):
        for bit in range(PIP_BITS):
            place = np.uint64((pips >> bit & 1) << (tile % 64))
            known["heavy"][0, bit, tile // 64] |= place
    return known


@kernel
def look(rules: RuleTable, game: Game, log: Log, seat: int, known: Known) -> None:
    """Notes what a seat knows."""
    give_roles(rules, game, seat, known)
    known.num_unseen = 0
    for w in range(np.uint64(rules.words)):
        known.unseen[w] = unseen_tiles(rules, game, seat, w)
        known.num_unseen += count(known.unseen[w])
    known.lacks[0] = known.lacks[1] = NONE
    known.all_lack = ~NONE
    for other in range(np.uint64(rules.seats)):
        if np.int64(other) != seat:
            note_lacks(rules, game, other, known)
    note_numbers(rules, known.all_lack, np.uint64(ALL), known)
    read_log(rules, game, log, seat, known)
    known.pips = 0 if rules.rows else pips_of(rules, game, seat, known)


@small
def pips_of(rules: RuleTable, game: Game, seat: int, known: Known) -> int:
    """The pips in a hand, bit by bit: tile by tile would take as long as the hand is large."""
    pips = 0
    for bit in range(np.uint64(PIP_BITS)):
        for w in range(np.uint64(rules.words)):
            pips += int(count(game.hands[seat, w] & known.heavy[bit, w])) << int(bit)
    return pips


@small
def give_roles(rules: RuleTable, game: Game, seat: int, known: Known) -> None:
    """Who everybody is to the seat."""
    following = next_opponent(rules, game, seat)
    known.roles = NONE
    for other in range(np.uint64(rules.seats)):
        role = OTHERS if opposed(rules, seat, other) else MATE
        role = NEXT if np.int64(other) == following else role
        role = ME if np.int64(other) == seat else role
        known.role[other] = role
        known.roles |= np.uint64(role) << (other * np.uint64(8))


@small
def next_opponent(rules: RuleTable, game: Game, seat: int) -> int:
    """The next opponent in turn who has tiles; the seat itself if there is none."""
    if rules.seats == 2:
        return 1 - seat
    other = seat
    for _ in range(rules.seats):
        other = seat_after(rules, other, int(game.direction))
        if other == seat or (game.hand_size[other] > 0 and opposed(rules, seat, other)):
            return other
    return seat


@small
def unseen_tiles(rules: RuleTable, game: Game, seat: int, w: Index) -> np.uint64:
    """The tiles that a seat has not seen, one word of them."""
    left = int(rules.tiles) - 64 * int(w)
    hidden = ~NONE if left >= 64 else (ONE << np.uint64(left)) - ONE
    hidden &= ~(game.played[UNPLAYED, w] | rules.left_out[w])
    if not rules.rows:
        hidden &= ~game.hands[seat, w]
    for owner in range(np.uint64(rules.seats)):
        hidden &= ~game.played[owner, w]
    return hidden


@small
def note_lacks(rules: RuleTable, game: Game, other: Index, known: Known) -> None:
    """Notes the unseen tiles that another may hold, by what it showed to be without."""
    lacked, numbers = game.lacks[other], NONE
    for w in range(np.uint64(rules.words)):
        known.free[other, w] = known.unseen[w]
    if lacked != NONE:
        numbers = rule_out(rules, lacked, other, known)
    known.num_free[other] = 0
    for w in range(np.uint64(rules.words)):
        known.num_free[other] += count(known.free[other, w])
    role = np.uint64(known.role[other])
    note_numbers(rules, numbers, role, known)
    if role != np.uint64(MATE):
        known.all_lack &= numbers


@small
def rule_out(rules: RuleTable, lacked: np.uint64, other: Index, known: Known) -> np.uint64:
    """Leaves out the tiles that another lacks; the numbers that it does."""
    numbers = NONE
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
    return numbers


@small
def note_numbers(rules: RuleTable, numbers: np.uint64, role: np.uint64, known: Known) -> None:
    """Adds numbers that a role lacks."""
    known.lacks[0] |= (numbers & _SIXTEEN) << (role * SLOT)
    if rules.values > _HALF:
        known.lacks[1] |= (numbers >> SLOT) << (role * SLOT)


@small
def read_log(rules: RuleTable, game: Game, log: Log, seat: int, known: Known) -> None:
    """Who has made and covered ends of which numbers in this round."""
    roles, me = known.roles, np.uint64(seat)
    mine = following = mates = others = NONE
    for at in range(np.uint64(rules.tiles), np.uint64(game.log_size)):
        word = np.uint64(log[at])
        numbers = joined_by(word, known)
        if at == np.uint64(rules.tiles):
            numbers = of_opener(numbers)
        by = (word >> np.uint64(SEAT)) & np.uint64(7)  # who plays is never nobody
        if rules.seats == 2:
            mine |= numbers & (NONE - np.uint64(by == me))
            following |= numbers & (NONE - np.uint64(by != me))
        else:
            role = (roles >> (by * np.uint64(8))) & np.uint64(7)
            mine |= numbers & (NONE - np.uint64(role == np.uint64(ME)))
            following |= numbers & (NONE - np.uint64(role == np.uint64(NEXT)))
            mates |= numbers & (NONE - np.uint64(role == np.uint64(MATE)))
            others |= numbers & (NONE - np.uint64(role == np.uint64(OTHERS)))
    note_joined(rules, mine, following, mates, others, known)


@small
def joined_by(word: np.uint64, known: Known) -> np.uint64:
    """The numbers of the ends that an event has made and covered, if a tile was played."""
    played = NONE - np.uint64(word & np.uint64(31) == PLAYED)
    tile, half = (
        (word >> np.uint64(TILE)) & np.uint64(255),
        (word >> np.uint64(HALF - 8)) & np.uint64(256),
    )
    return known.joined[tile | half] & played


@small
def of_opener(numbers: np.uint64) -> np.uint64:
    """The first tile of a round covers nothing, and makes two ends."""
    return (numbers | numbers >> np.uint64(32)) & np.uint64(2**32 - 1)


@small
def note_joined(
    rules: RuleTable,
    mine: np.uint64,
    following: np.uint64,
    mates: np.uint64,
    others: np.uint64,
    known: Known,
) -> None:
    """Keeps the numbers of each role in its slot."""
    for word in range(np.uint64(2)):
        made, covered = word * SLOT, word * SLOT + np.uint64(32)
        known.made[word] = in_slots(mine, following, mates, others, made)
        known.covered[word] = in_slots(mine, following, mates, others, covered)
        if rules.values <= _HALF:
            break


@small
def in_slots(
    mine: np.uint64, following: np.uint64, mates: np.uint64, others: np.uint64, first: np.uint64
) -> np.uint64:
    """Sixteen bits of each role, from the same place on."""
    found = (mine >> first) & _SIXTEEN | ((following >> first) & _SIXTEEN) << SLOT
    found |= ((mates >> first) & _SIXTEEN) << (SLOT * np.uint64(MATE))
    return found | (others >> first) << (SLOT * np.uint64(OTHERS))


@small
def flags_of(rules: RuleTable, known: Known, value: Index) -> np.uint64:
    """What is the same of a number for all actions, as bits: `END_FLAGS` from the fifth on."""
    number = np.uint64(rules.asks[value])
    word = number >> np.uint64(4) if rules.values > _HALF else NONE
    flags = of_each_role(known.lacks[word], number)
    flags |= of_each_role(known.made[word], number) << np.uint64(4)
    return flags | of_each_role(known.covered[word], number) << np.uint64(8)


@small
def of_each_role(word: np.uint64, number: np.uint64) -> np.uint64:
    """The bit of a number in the slot of each role, as four bits."""
    bits = (word >> (number & (SLOT - ONE))) & _OF_ALL_ROLES
    return ((bits * _TOGETHER) >> np.uint64(48)) & np.uint64(15)
