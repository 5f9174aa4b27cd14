"""Sampling from the posterior over deals: each deal that agrees with an information set as likely.

The prior is a fair shuffle and the record rules deals out, so the posterior is uniform over those
that agree. A case is drawn by how many deals it has (`cases`), then a place for each piece by how
many ways there are to go on (`deal_counting`), so few draws are refused (`rejection`). What others'
choices say about their tiles is no part of it: agents weigh worlds by their likelihood.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, lowest
from domino_env.engine.hidden.cases import (
    INTERRUPTED,
    TOO_MANY_CASES,
    begin_cases,
    list_cases,
    suppose,
)
from domino_env.engine.hidden.deal_counting import BONEYARD, count_ways
from domino_env.engine.hidden.evidence import read_record
from domino_env.engine.hidden.information_set import LEFT_OUT, Notes
from domino_env.engine.hidden.rejection import agrees
from domino_env.engine.hidden.worlds import copy_log, shuffle_some, turn_rows_over, write_world
from domino_env.engine.rng import portion_from
from domino_env.engine.state import Game, Games, Log, Logs, Numbers, RuleTable, RuleTables

# Deals that are drawn for the first that agrees: a second; and for each further one, on average.
MOST_TRIES, MOST_TRIES_EACH = 1 << 20, 1 << 14
DRAW_WORK = 8  # steps of a draw for each piece, about
MOST_WORK = 1 << 22  # steps between two looks at the keyboard: some tenths of a second
DONE, TOO_MUCH_UNSEEN, TOO_UNLIKELY, GOES_ON = range(4)
BEGIN, LIST, DRAW = range(3)  # what comes next for a lane


@kernel
def sample_worlds(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    lanes: Numbers,
    seats: npt.NDArray[np.integer[Any]],
    worlds: Games,
    world_logs: Logs,
    each: int,
    notes: Notes,
) -> int:
    """Fills `worlds` with games as a seat of each of some lanes may suspect them, so many for each
    lane. Answers with how it went; after much work with GOES_ON, and is then to be called again, so
    that Python can look up between. `evidence.place` and `step` are 0 in the first call."""
    rules, evidence = rule_tables[0], notes.evidence[0]
    evidence.work = 0
    while evidence.place < len(lanes):
        lane: Any = np.uint64(lanes[evidence.place])
        first = int(evidence.place) * each
        went = DONE
        if rules.rows:
            for world in range(first, first + each):
                worlds[world] = games[lane]
                copy_log(games[lane], logs[lane], world_logs[world])
                turn_rows_over(rules, worlds[world], world_logs[world], notes)
            evidence.work += each * rules.tiles
        else:
            game, log, viewer = games[lane], logs[lane], seats[evidence.place]
            went = sample_posterior(
                rules, game, log, viewer, worlds, world_logs, first, each, notes
            )
        if went != DONE:
            return went
        evidence.place += 1
        evidence.step = BEGIN
        if evidence.work > MOST_WORK:
            return GOES_ON
    return DONE


@kernel
def sample_posterior(
    rules: RuleTable,
    game: Game,
    log: Log,
    viewer: int,
    worlds: Games,
    world_logs: Logs,
    first: int,
    each: int,
    notes: Notes,
) -> int:
    """Draws so many deals that agree with what a seat has seen of a game."""
    evidence = notes.evidence[0]
    if evidence.step == BEGIN:
        if not read_record(rules, game, log, viewer, notes):
            return TOO_MUCH_UNSEEN
        begin_cases(notes)
        evidence.step = LIST
    if evidence.step == LIST:
        listing = list_cases(rules, notes, MOST_WORK)
        if listing == INTERRUPTED:
            return GOES_ON
        if listing == TOO_MANY_CASES:
            return TOO_MUCH_UNSEEN
        if evidence.listed == 0:  # no deal agrees at all: the record was written by hand
            return TOO_UNLIKELY
        evidence.wanted = each
        evidence.tries = 0
        evidence.of_case = 0
        evidence.next_case = evidence.listed
        evidence.step = DRAW
    return draw_worlds(rules, game, log, worlds, world_logs, first, each, notes)


@kernel
def draw_worlds(
    rules: RuleTable,
    game: Game,
    log: Log,
    worlds: Games,
    world_logs: Logs,
    first: int,
    each: int,
    notes: Notes,
) -> int:
    """Draws the worlds that are still wanted, case by case, so that each is counted but once."""
    evidence = notes.evidence[0]
    while evidence.wanted > 0:
        if evidence.work > MOST_WORK:
            return GOES_ON
        if evidence.of_case > 0:
            evidence.of_case -= 1
            evidence.tries += 1
            evidence.work += DRAW_WORK * evidence.pieces
            if draw_deal(rules, game, log, notes):
                evidence.wanted -= 1
                world = first + int(evidence.wanted)
                worlds[world] = game
                copy_log(game, log, world_logs[world])
                write_world(rules, worlds[world], world_logs[world], notes)
        elif evidence.next_case < evidence.listed:
            turn_to_case(rules, int(evidence.next_case), notes)
            evidence.next_case += 1
        elif evidence.tries > MOST_TRIES + MOST_TRIES_EACH * (each - evidence.wanted):
            return TOO_UNLIKELY
        else:
            begin_again(notes)
    return DONE


@kernel
def begin_again(notes: Notes) -> None:
    """Goes through all cases, for all the worlds that are still wanted."""
    evidence = notes.evidence[0]
    evidence.left = evidence.wanted
    evidence.next_case = 0
    evidence.weight = 0.0
    heaviest = greatest_log_count(notes, int(evidence.listed))
    for case in range(evidence.listed):
        evidence.weight += exp(notes.log_counts[case] - heaviest)


@kernel
def turn_to_case(rules: RuleTable, case: int, notes: Notes) -> None:
    """Draws how many worlds are of a case, and counts what they are drawn by."""
    evidence = notes.evidence[0]
    share = exp(notes.log_counts[case] - greatest_log_count(notes, int(evidence.listed)))
    evidence.of_case = evidence.left
    if case < evidence.listed - 1:
        evidence.of_case = binomial(int(evidence.left), share / evidence.weight, notes)
    evidence.left -= evidence.of_case
    evidence.weight -= share
    if evidence.of_case > 0 and evidence.case != case:
        suppose(rules, notes, case)
        count_ways(rules, notes)
        evidence.case = case


@small
def greatest_log_count(notes: Notes, num_cases: int) -> float:
    """The logarithm of how many deals the largest case has."""
    found = notes.log_counts[0]
    for case in range(1, num_cases):
        found = max(found, notes.log_counts[case])
    return float(found)


@small
def binomial(number: int, chance: float, notes: Notes) -> int:
    """How many of a number have some point."""
    found = 0
    for _ in range(number):
        if portion_from(notes.rng, 0) < chance:
            found += 1
    return found


# Drawing a deal -----------------------------------------------------------------------------------


@kernel
def draw_deal(rules: RuleTable, game: Game, log: Log, notes: Notes) -> bool:
    """Lays every piece into some slots, or into the boneyard; False if the deal does not agree."""
    place_pieces(notes)
    if not deal_out_units(notes):
        return False
    for c in range(notes.evidence[0].classes):
        shuffle_some(notes, notes.laid, notes.classes[c].first, notes.classes[c].places)
        notes.filled[c] = 0
    for s in range(notes.evidence[0].supposed):
        c = notes.class_of[s]
        for _ in range(notes.supposed[s].places):
            notes.lies_in[notes.laid[notes.classes[c].first + notes.filled[c]]] = s
            notes.filled[c] += 1
    return agrees(rules, game, log, notes)


@kernel
def place_pieces(notes: Notes) -> None:
    """Draws a unit for each piece, as often as there are ways to go on from there."""
    evidence, units, ways = notes.evidence[0], notes.units, notes.ways
    remainders = np.uint64(1)
    for u in range(evidence.units):
        notes.filled[u] = 0
        remainders *= np.uint64(units[u].places + 1)
    for piece in range(evidence.pieces):
        notes.lies_in[piece] = LEFT_OUT
    row, left = np.uint64(0), remainders - ONE
    for number in range(evidence.open):
        point = portion_from(notes.rng, 0) * ways[row + left]
        row += remainders
        bits = notes.open_to[number] & notes.rooms[left]
        chosen = LEFT_OUT
        if (notes.open_to[number] >> BONEYARD) & ONE:
            point -= ways[row + left]
        while bits != NONE and point >= 0.0:
            u = lowest(bits)
            bits &= bits - ONE
            go_on = ways[row + left - np.uint64(units[u].stride)]
            if go_on > 0.0:  # the last that can be chosen takes what rounding leaves
                chosen = u
                point -= go_on
        if chosen != LEFT_OUT:
            left -= np.uint64(units[chosen].stride)
            notes.members[units[chosen].first + notes.filled[chosen]] = notes.order[number]
            notes.filled[chosen] += 1


@kernel
def deal_out_units(notes: Notes) -> bool:
    """Deals the pieces of each unit out to its classes, beside what is settled; False if one comes
    to a class that does not take it."""
    evidence, classes, units = notes.evidence[0], notes.classes, notes.units
    for u in range(evidence.units):
        shuffle_some(notes, notes.members, units[u].first, units[u].places)
        notes.filled[u] = 0
    for c in range(evidence.classes):
        u = classes[c].unit
        for place in range(classes[c].free):
            piece = notes.members[units[u].first + notes.filled[u]]
            notes.filled[u] += 1
            if units[u].loose and not holds(classes[c].fits, piece):
                return False
            notes.laid[classes[c].first + place] = piece
        notes.filled_class[c] = classes[c].free
    for piece in range(evidence.pieces):
        c = notes.settled_in[piece]
        if c >= 0:
            notes.laid[classes[c].first + notes.filled_class[c]] = piece
            notes.filled_class[c] += 1
    return True
