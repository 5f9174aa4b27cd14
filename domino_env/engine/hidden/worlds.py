"""Deals that agree with the record, each as likely, written down as games.

A game so written is one that could have been played: its log begins with its deal, and every event
that the viewer has seen is as it was. Its generator is its own, so what is still to be picked at
random is not known beforehand either.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from domino_env.engine.bits import NONE, ONE, holds, lowest, put
from domino_env.engine.compiling import kernel, small
from domino_env.engine.hidden.counting import (
    BONEYARD,
    INTERRUPTED,
    TOO_MANY_CASES,
    begin_cases,
    count_ways,
    holder,
    list_cases,
    suppose,
)
from domino_env.engine.hidden.evidence import (
    ANYBODY,
    DEALT,
    HAS,
    STILL_THERE,
    Notes,
    read_record,
    word_at,
)
from domino_env.engine.rng import pick_from, portion_from, scramble
from domino_env.engine.rule_table import (
    HIGHEST_DOUBLE,
    LOWEST_DOUBLE,
    NO_OPENER,
    THAT_DOUBLE,
)
from domino_env.engine.state import DREW, TOOK, Game, Log, RuleTable

LEFT_OUT = -1
MOST_TRIES = 1 << 20  # deals drawn for one that agrees, on average
DRAW_WORK = 8  # steps of a draw for each piece, about
MOST_WORK = 1 << 22  # steps between two looks at the keyboard: some tenths of a second
DONE, TOO_MUCH_UNSEEN, TOO_UNLIKELY, GOES_ON = range(4)
BEGIN, LIST, DRAW = range(3)  # what comes next for a lane


@kernel
def imagine_lanes(
    rule_tables: Any,
    games: Any,
    logs: Any,
    lanes: Any,
    seats: Any,
    worlds: Any,
    world_logs: Any,
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
            went = imagine(rules, game, log, viewer, worlds, world_logs, first, each, notes)
        if went != DONE:
            return went
        evidence.place += 1
        evidence.step = BEGIN
        if evidence.work > MOST_WORK:
            return GOES_ON
    return DONE


@small
def copy_log(game: Game, log: Log, world_log: Log) -> None:
    """Copies the log of a game."""
    for word in range(game.log_size):
        world_log[word] = log[word]


@kernel
def imagine(
    rules: RuleTable,
    game: Game,
    log: Log,
    viewer: int,
    worlds: Any,
    world_logs: Any,
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
    worlds: Any,
    world_logs: Any,
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
        elif evidence.tries > MOST_TRIES * each:
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
    heaviest = most(notes, int(evidence.listed))
    for case in range(evidence.listed):
        evidence.weight += exp(notes.weights[case] - heaviest)


@kernel
def turn_to_case(rules: RuleTable, case: int, notes: Notes) -> None:
    """Draws how many worlds are of a case, and counts what they are drawn by."""
    evidence = notes.evidence[0]
    share = exp(notes.weights[case] - most(notes, int(evidence.listed)))
    evidence.of_case = evidence.left
    if case < evidence.listed - 1:
        evidence.of_case = share_of(int(evidence.left), share / evidence.weight, notes)
    evidence.left -= evidence.of_case
    evidence.weight -= share
    if evidence.of_case > 0 and evidence.case != case:
        suppose(rules, notes, case)
        count_ways(rules, notes)
        evidence.case = case


@small
def most(notes: Notes, num_cases: int) -> float:
    """The greatest weight of a case."""
    found = notes.weights[0]
    for case in range(1, num_cases):
        found = max(found, notes.weights[case])
    return float(found)


@small
def share_of(number: int, chance: float, notes: Notes) -> int:
    """How many of a number have some luck."""
    found = 0
    for _ in range(number):
        if portion_from(notes.rng, 0) < chance:
            found += 1
    return found


# Drawing a deal ----------------------------------------------------------------------------------


@kernel
def draw_deal(rules: RuleTable, game: Game, log: Log, notes: Notes) -> bool:
    """Lays every piece into some slots, or into the boneyard; False if the deal does not agree."""
    place_pieces(notes)
    if not deal_out_units(notes):
        return False
    for c in range(notes.evidence[0].classes):
        shuffle_some(notes, notes.laid, notes.classes[c].first, notes.classes[c].size)
        notes.filled[c] = 0
    for s in range(notes.evidence[0].supposed):
        c = notes.class_of[s]
        for _ in range(notes.supposed[s].size):
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
        remainders *= np.uint64(units[u].size + 1)
    for piece in range(evidence.pieces):
        notes.lies_in[piece] = LEFT_OUT
    row, left = np.uint64(0), remainders - ONE
    for number in range(evidence.open):
        luck = portion_from(notes.rng, 0) * ways[row + left]
        row += remainders
        bits = notes.open_to[number] & notes.rooms[left]
        chosen = LEFT_OUT
        if (notes.open_to[number] >> BONEYARD) & ONE:
            luck -= ways[row + left]
        while bits != NONE and luck >= 0.0:
            u = lowest(bits)
            bits &= bits - ONE
            go_on = ways[row + left - np.uint64(units[u].stride)]
            if go_on > 0.0:  # the last that can be chosen takes what rounding leaves
                chosen = u
                luck -= go_on
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
        shuffle_some(notes, notes.members, units[u].first, units[u].size)
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


@small
def shuffle_some(notes: Notes, members: Any, first: int, size: int) -> None:
    """Shuffles a part of a list."""
    for last in range(size - 1, 0, -1):
        other = pick_from(notes.rng, 0, last + 1)
        members[first + last], members[first + other] = (
            members[first + other],
            members[first + last],
        )


# What no counting takes care of -------------------------------------------------------------------


@kernel
def agrees(rules: RuleTable, game: Game, log: Log, notes: Notes) -> bool:
    """Could those play who have shown that they could, and does the same seat open?"""
    for number in range(notes.evidence[0].checks):
        if notes.checks[number].shown == HAS:
            if not somebody_fits(rules, notes, notes.checks[number]):
                return False
    if rules.starter != HIGHEST_DOUBLE and rules.starter != LOWEST_DOUBLE:
        return True
    if rules.opening == THAT_DOUBLE:
        return opens_first(rules, notes)
    return best_opener(rules, log, notes) == game.starter


@kernel
def somebody_fits(rules: RuleTable, notes: Notes, check: Any) -> bool:
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


# Writing it down ---------------------------------------------------------------------------------


@kernel
def write_world(rules: RuleTable, world: Game, log: Log, notes: Notes) -> None:
    """Writes a deal into a copy of the game: the deck, the hands, the log."""
    evidence, supposed = notes.evidence[0], notes.supposed
    for seat in range(rules.seats):
        if seat != evidence.viewer:
            for w in range(rules.words):
                world.hands[seat, w] = NONE
    for s in range(evidence.supposed):
        notes.filled[s] = 0
    rest = 0
    for number in range(evidence.pieces):
        piece, s = notes.pieces[number], notes.lies_in[number]
        if s == LEFT_OUT:
            notes.members[rest] = piece.tile
            rest += 1
            continue
        slots = supposed[s]
        if slots.place >= 0:
            world.deck[slots.place + notes.filled[s]] = piece.tile
            notes.filled[s] += 1
        if piece.left == STILL_THERE and slots.seat >= 0:
            put(world.hands[holder(slots, notes.takes, STILL_THERE)], piece.tile)
    shuffle_some(notes, notes.members, 0, rest)
    for place in range(rest):
        world.deck[rules.tiles - rest + place] = notes.members[place]
    write_opener_first(rules, world, notes)
    write_log(rules, world, log, notes)
    notes.rng[0] += ONE
    world.rng = scramble(notes.rng[0])


@kernel
def write_opener_first(rules: RuleTable, world: Game, notes: Notes) -> None:
    """The tile that opened is the first of its hand, so that it opens before others as good."""
    evidence = notes.evidence[0]
    if evidence.opener < 0 or evidence.first == evidence.viewer:
        return
    first = evidence.first * rules.hand_size
    place = first
    while world.deck[place] != evidence.opener:
        place += 1
    world.deck[place] = world.deck[first]
    world.deck[first] = evidence.opener


@kernel
def write_log(rules: RuleTable, world: Game, log: Log, notes: Notes) -> None:
    """The deal, and the tiles that were drawn and taken."""
    for place in range(rules.tiles):
        log[place] = world.deck[place]
    drawn, taken = rules.seats * rules.hand_size + notes.evidence[0].laid, 0
    for at in range(rules.tiles, world.log_size):
        word = word_at(log, at)
        kind, seat, end = word & 31, word >> 5 & 7, word >> 16 & 255
        if kind == DREW:
            log[at] = (word & ~(255 << 8)) | word_at(world.deck, drawn) << 8
            drawn += 1
        elif kind == TOOK and seat != notes.evidence[0].viewer and end != notes.evidence[0].viewer:
            log[at] = (word & ~(255 << 8)) | tile_taken(notes, taken) << 8
            taken += 1


@kernel
def tile_taken(notes: Notes, taken: int) -> int:
    """The tile that went unseen from hand to hand."""
    for number in range(notes.evidence[0].pieces):
        s = notes.lies_in[number]
        if s != LEFT_OUT:
            if notes.supposed[s].takes >> np.uint64(taken) & ONE != NONE:
                return int(notes.pieces[number].tile)
    return -1


@kernel
def turn_rows_over(rules: RuleTable, world: Game, log: Log, notes: Notes) -> None:
    """In a game of rows nobody has seen a tile before it was flipped: all the others are alike."""
    unseen, tiles = 0, notes.members
    for tile in range(rules.tiles):
        if not was_seen(rules, world, tile):
            tiles[unseen] = tile
            unseen += 1
    shuffle_some(notes, tiles, 0, unseen)
    dealt, unseen = notes.lies_in, 0  # the tile that now lies where each one lay
    for place in range(rules.tiles):
        tile = word_at(log, place)
        dealt[tile] = tile
        if not was_seen(rules, world, tile):
            dealt[tile] = tiles[unseen]
            unseen += 1
    for place in range(rules.tiles):
        log[place] = dealt[log[place]]
        world.deck[place] = dealt[world.deck[place]]
    for seat in range(rules.seats):
        for w in range(rules.words):
            held = world.hands[seat, w]
            world.hands[seat, w] = NONE
            notes.rooms[w] = held
        for w in range(rules.words):
            held = notes.rooms[w]
            while held != NONE:
                put(world.hands[seat], dealt[w * 64 + lowest(held)])
                held &= held - ONE
    notes.rng[0] += ONE
    world.rng = scramble(notes.rng[0])


@kernel
def was_seen(rules: RuleTable, world: Game, tile: int) -> bool:
    """Has this tile been flipped or played?"""
    if holds(world.seen, tile) or tile == world.flipped:
        return True
    for seat in range(rules.seats):
        if holds(world.played[seat], tile):
            return True
    return False
