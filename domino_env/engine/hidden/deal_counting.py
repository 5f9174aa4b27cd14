"""How many deals agree with an information set, counted exactly by dynamic programming.

Slots that take the same pieces form a class. What must lie where is laid there first; classes that
take the same of what is left form a unit. Pieces are then placed one after the other, and what can
still become of the rest depends only on how many places each unit has left: so the ways to go on
are counted once for each such remainder, from the last piece to the first (`ways`). A piece that
may be in the boneyard may also be left out; whatever is left out lies there.

Where there would be too many remainders, units that differ little are counted as one. That counts
deals that do not agree, so each deal drawn is looked at, and refused if it does not (`rejection`):
what is drawn is exact, and only slower.
"""

from __future__ import annotations

from math import lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count, holds, lowest, put
from domino_env.engine.bits import take as take_out
from domino_env.engine.hidden.constraints import takes_piece
from domino_env.engine.hidden.information_set import MOST_UNITS, NOT_GIVEN, STILL_THERE, Notes
from domino_env.engine.state import WORDS, RuleTable

if TYPE_CHECKING:
    from domino_env.engine.record_types import SlotClass, Unit

BONEYARD = np.uint64(63)  # the bit of what is left out; the others are those of units
NOWHERE, SEVERAL = -1, -2
NONE_AGREES = -1.0e300  # the logarithm of nothing
MOST_WAYS = 1 << 23  # numbers in a table of ways


@kernel
def count_ways(rules: RuleTable, notes: Notes) -> float:
    """Fills the table of ways for the case supposed; answers with the logarithm of the number of
    deals."""
    evidence = notes.evidence[0]
    sort_slots(rules, notes)
    if not settle(notes):
        return NONE_AGREES
    form_units(notes)
    remainders = lay_out_remainders(notes)
    while evidence.units > MOST_UNITS or remainders * (evidence.pieces + 1) > len(notes.ways):
        one, other = nearest_units(notes)
        merge_units(notes, one, other)
        remainders = lay_out_remainders(notes)
    list_open_pieces(notes)
    note_rooms(notes)
    total = fill_ways(notes, remainders)
    evidence.work += remainders * (evidence.open + 1)
    if total == 0.0:
        return NONE_AGREES
    # Until here places of a unit were alike, and those of the boneyard; but they can be told apart.
    weight = log(total) + log(evidence.choices)
    left_out = evidence.pieces
    for c in range(evidence.classes):
        left_out -= notes.classes[c].places
        weight += lgamma(notes.classes[c].places + 1.0) - lgamma(notes.classes[c].free + 1.0)
    for u in range(evidence.units):
        weight += lgamma(notes.units[u].places + 1.0)
    return weight + lgamma(left_out + 1.0)


@kernel
def sort_slots(rules: RuleTable, notes: Notes) -> None:
    """Sorts the slots into classes that take the same pieces."""
    evidence, classes = notes.evidence[0], notes.classes
    found, first = 0, 0
    for s in range(evidence.supposed):
        for w in range(WORDS):
            classes[found].fits[w] = NONE
        for number in range(evidence.pieces):
            if takes_piece(rules, notes, notes.supposed[s], notes.pieces[number]):
                put(classes[found].fits, number)
        same = 0
        while not fit_alike(classes[same], classes[found]):
            same += 1
        if same == found:
            classes[found].places = 0
            found += 1
        classes[same].places += notes.supposed[s].places
        notes.class_of[s] = same
    evidence.classes = found
    for c in range(found):
        classes[c].free = classes[c].places
        classes[c].first = first
        first += classes[c].places


@small
def fit_alike(one: SlotClass | Unit, other: SlotClass | Unit) -> bool:
    """Do two classes, or units, take the same pieces?"""
    for w in range(WORDS):
        if one.fits[w] != other.fits[w]:
            return False
    return True


# What is settled ----------------------------------------------------------------------------------


@kernel
def settle(notes: Notes) -> bool:
    """Lays what can lie nowhere else; False if something fits nowhere, or too little fits."""
    evidence = notes.evidence[0]
    for number in range(evidence.pieces):
        notes.settled_in[number] = NOWHERE
    more = True
    while more:
        more = False
        for number in range(evidence.pieces):
            if notes.settled_in[number] == NOWHERE and not may_be_left_out(notes, number):
                only = only_class(notes, number)
                if only == NOWHERE:
                    return False
                if only != SEVERAL:
                    settle_piece(notes, number, only)
                    more = True
        for c in range(evidence.classes):
            fitting = num_fitting(notes.classes[c])
            if fitting < notes.classes[c].free:
                return False
            if fitting == notes.classes[c].free and fitting > 0:
                for number in range(evidence.pieces):
                    if holds(notes.classes[c].fits, number):
                        settle_piece(notes, number, c)
                more = True
    return True


@small
def may_be_left_out(notes: Notes, number: int) -> bool:
    """May this piece be in the boneyard?"""
    return bool(notes.pieces[number].left == STILL_THERE and notes.pieces[number].slot == NOT_GIVEN)


@kernel
def only_class(notes: Notes, number: int) -> int:
    """The only class that takes a piece; or NOWHERE, or SEVERAL."""
    only = NOWHERE
    for c in range(notes.evidence[0].classes):
        if holds(notes.classes[c].fits, number):
            if only != NOWHERE:
                return SEVERAL
            only = c
    return only


@small
def num_fitting(group: SlotClass | Unit) -> int:
    """How many pieces a class may still take."""
    found = 0
    for w in range(WORDS):
        found += count(group.fits[w])
    return found


@kernel
def settle_piece(notes: Notes, number: int, c: int) -> None:
    """Lays a piece into a class; a class that is full takes no other."""
    classes = notes.classes
    notes.settled_in[number] = c
    for other in range(notes.evidence[0].classes):
        take_out(classes[other].fits, number)
    classes[c].free -= 1
    if classes[c].free == 0:
        for w in range(WORDS):
            classes[c].fits[w] = NONE


# Units --------------------------------------------------------------------------------------------


@kernel
def form_units(notes: Notes) -> None:
    """Classes with free places that take the same pieces form a unit."""
    evidence, classes, units = notes.evidence[0], notes.classes, notes.units
    found = 0
    for c in range(evidence.classes):
        classes[c].unit = NOWHERE
        if classes[c].free == 0:
            continue
        for w in range(WORDS):
            units[found].fits[w] = classes[c].fits[w]
        same = 0
        while not fit_alike(units[same], units[found]):
            same += 1
        if same == found:
            units[found].places = 0
            units[found].loose = 0
            found += 1
        units[same].places += classes[c].free
        classes[c].unit = same
    evidence.units = found


@kernel
def lay_out_remainders(notes: Notes) -> int:
    """Numbers the remainders: how many places each unit has left. Answers with how many."""
    units = notes.units
    remainders, first = 1, 0
    for u in range(notes.evidence[0].units):
        units[u].stride = remainders
        units[u].first = first
        first += units[u].places
        if remainders <= MOST_WAYS:  # no more is wanted, and it must not overflow
            remainders *= units[u].places + 1
    return remainders


@kernel
def nearest_units(notes: Notes) -> tuple[int, int]:
    """The two units that are counted as one at the least cost: few deals that do not agree, for
    many remainders less."""
    least, one, other = 1.0e300, 0, 1
    for a in range(notes.evidence[0].units):
        for b in range(a + 1, notes.evidence[0].units):
            cost = cost_of_merging(notes.units[a], notes.units[b])
            if cost < least:
                least, one, other = cost, a, b
    return one, other


@small
def cost_of_merging(one: SlotClass | Unit, other: SlotClass | Unit) -> float:
    """How many deals for one that agrees, for how many remainders less: logarithms of both."""
    together = 0
    for w in range(WORDS):
        together += count(one.fits[w] | other.fits[w])
    wrong = one.places * log(together / num_fitting(one))
    wrong += other.places * log(together / num_fitting(other))
    fewer = log((one.places + 1.0) * (other.places + 1.0) / (one.places + other.places + 1.0))
    return wrong / fewer


@kernel
def merge_units(notes: Notes, one: int, other: int) -> None:
    """Counts two units as one; the last takes the place of the second."""
    evidence, classes, units = notes.evidence[0], notes.classes, notes.units
    last = evidence.units - 1
    units[one].places += units[other].places
    units[one].loose = 1
    for w in range(WORDS):
        units[one].fits[w] |= units[other].fits[w]
    units[other] = units[last]
    for c in range(evidence.classes):
        if classes[c].unit == other:
            classes[c].unit = one
        elif classes[c].unit == last:
            classes[c].unit = other
    evidence.units = last


# The table of ways --------------------------------------------------------------------------------


@kernel
def list_open_pieces(notes: Notes) -> None:
    """Lists the pieces that may lie in a unit, and in which."""
    evidence = notes.evidence[0]
    found = 0
    for number in range(evidence.pieces):
        bits = NONE
        for u in range(evidence.units):
            if holds(notes.units[u].fits, number):
                bits |= ONE << np.uint64(u)
        if bits != NONE:
            if may_be_left_out(notes, number):
                bits |= ONE << BONEYARD
            notes.order[found] = number
            notes.open_to[found] = bits
            found += 1
    evidence.open = found


@kernel
def note_rooms(notes: Notes) -> None:
    """For each remainder the units that have places left, as bits."""
    units, rooms = notes.units, notes.rooms
    rooms[0] = NONE
    for u in range(notes.evidence[0].units):
        stride = units[u].stride
        bit = ONE << np.uint64(u)
        for place in range(stride, stride * (units[u].places + 1)):
            rooms[place] = rooms[place % stride] | bit


@kernel
def fill_ways(notes: Notes, remainders: int) -> float:
    """Counts the ways to place the pieces from each one on, for each remainder."""
    units, open_to, rooms, ways = notes.units, notes.open_to, notes.rooms, notes.ways
    num_open = notes.evidence[0].open
    row = np.uint64(num_open * remainders)
    for place in range(np.uint64(1), np.uint64(remainders)):
        ways[row + place] = 0.0
    ways[row] = 1.0
    for number in range(num_open - 1, -1, -1):
        after = row
        row -= np.uint64(remainders)
        leave = (open_to[number] >> BONEYARD) & ONE
        for place in range(np.uint64(remainders)):
            found = ways[after + place] if leave else 0.0
            bits = open_to[number] & rooms[place]
            while bits != NONE:
                stride = np.uint64(units[lowest(bits)].stride)
                bits &= bits - ONE
                found += ways[after + place - stride]
            ways[row + place] = found
    return float(ways[row + np.uint64(remainders - 1)])
