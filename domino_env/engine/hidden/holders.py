"""Who holds what, exactly: in which share of the deals that agree a hidden tile is in which hand.

The table of ways (`deal_counting`) says for each remainder in how many ways one can go on. Followed
from the first piece on, it also tells in how many ways one comes to a remainder, and both together
in how many deals a piece lies in which unit. Within a unit, and within a class, places are alike.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, lowest
from domino_env.engine.hidden.cases import begin_cases, list_cases, suppose
from domino_env.engine.hidden.constraints import holder
from domino_env.engine.hidden.deal_counting import BONEYARD, NOWHERE, count_ways
from domino_env.engine.hidden.evidence import read_record
from domino_env.engine.hidden.information_set import STILL_THERE, Notes, Reals
from domino_env.engine.hidden.posterior import MOST_WORK
from domino_env.engine.state import Games, Index, Logs, RuleTable, RuleTables


@kernel
def read_lane(
    rule_tables: RuleTables, games: Games, logs: Logs, lane: int, viewer: int, notes: Notes
) -> bool:
    """Reads what a seat has seen of a lane's game; False if too much went unseen."""
    at: Index = np.uint64(lane)
    return bool(read_record(rule_tables[0], games[at], logs[at], viewer, notes))


@kernel
def count_cases(rule_tables: RuleTables, notes: Notes, first: bool) -> int:
    """Counts the deals of every case, and answers as `list_cases` does: if it is INTERRUPTED it is
    to be called again, not as the `first`."""
    if first:
        begin_cases(notes)
    notes.evidence[0].work = 0
    return int(list_cases(rule_tables[0], notes, MOST_WORK))


@kernel
def add_shares(
    rule_tables: RuleTables, notes: Notes, case: int, weight: float, reached: Reals, shares: Reals
) -> bool:
    """Adds to `shares` [tile, seat; the last: the boneyard] the share of the deals of a case in
    which a tile is there, times a weight. False if the case was too large to be counted exactly."""
    rules, evidence = rule_tables[0], notes.evidence[0]
    if evidence.case != case:
        suppose(rules, notes, case)
        count_ways(rules, notes)
        evidence.case = case
    for u in range(evidence.units):
        if notes.units[u].loose:
            return False
    for number in range(evidence.pieces):
        if notes.settled_in[number] != NOWHERE:
            lay(notes, number, int(notes.settled_in[number]), weight, shares)
        elif not is_open(notes, number):
            shares[notes.pieces[number].tile, rules.seats] += weight
    add_open_pieces(rules, notes, weight, reached, shares)
    return True


@small
def is_open(notes: Notes, number: int) -> bool:
    """May this piece lie in a unit?"""
    for place in range(notes.evidence[0].open):
        if notes.order[place] == number:
            return True
    return False


@kernel
def add_open_pieces(
    rules: RuleTable, notes: Notes, weight: float, reached: Reals, shares: Reals
) -> None:
    """The shares of the pieces that may lie in a unit. `reached` is in how many ways one comes to
    each remainder; a piece leads from one to smaller ones only, so it is brought on in place."""
    evidence, ways = notes.evidence[0], notes.ways
    remainders = np.uint64(num_remainders(notes))
    for left in range(remainders):
        reached[left] = 0.0
    reached[remainders - ONE] = 1.0
    total = ways[remainders - ONE]
    after = np.uint64(0)
    for number in range(evidence.open):
        after += remainders
        piece, may_stay = int(notes.order[number]), (notes.open_to[number] >> BONEYARD) & ONE
        tile = notes.pieces[piece].tile
        for left in range(remainders):
            ways_here = reached[left]
            if ways_here == 0.0:
                continue
            reached[left] = 0.0
            if may_stay:
                reached[left] = ways_here
                shares[tile, rules.seats] += weight * ways_here * ways[after + left] / total
            bits = notes.open_to[number] & notes.rooms[left]
            while bits != NONE:
                u = lowest(bits)
                bits &= bits - ONE
                to = left - np.uint64(notes.units[u].stride)
                reached[to] += ways_here
                part = ways_here * ways[after + to] / total
                if part > 0.0:
                    lay_in_unit(notes, piece, u, weight * part, shares)


@small
def num_remainders(notes: Notes) -> int:
    """How many remainders the table of ways has."""
    number = 1
    for u in range(notes.evidence[0].units):
        number *= notes.units[u].places + 1
    return number


@kernel
def lay_in_unit(notes: Notes, number: int, u: int, share: float, shares: Reals) -> None:
    """Adds the share of the deals in which a piece lies in a unit."""
    for c in range(notes.evidence[0].classes):
        if notes.classes[c].unit == u and notes.classes[c].free > 0:
            part = notes.classes[c].free / notes.units[u].places
            lay(notes, number, c, share * part, shares)


@kernel
def lay(notes: Notes, number: int, c: int, share: float, shares: Reals) -> None:
    """The same of a class: the tile is now in the hand of whoever has what lies in those slots."""
    piece = notes.pieces[number]
    if piece.left != STILL_THERE:
        return
    for s in range(notes.evidence[0].supposed):
        if notes.class_of[s] == c:
            seat = holder(notes.supposed[s], notes.takes, STILL_THERE)
            part = notes.supposed[s].places / notes.classes[c].places
            shares[piece.tile, seat] += share * part
