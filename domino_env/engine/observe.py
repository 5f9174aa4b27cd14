"""Observations: what one seat can see, written as the fields of `features` in their order.

Seats are counted from the observer. Nothing here may depend on a tile that the observer has not
seen; the tests permute the hidden tiles and look.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import ONE, holds
from domino_env.engine.eights import write_eight, write_last_eights
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.hexes import observe_arc
from domino_env.engine.layout.table import counts
from domino_env.engine.moves import choice
from domino_env.engine.round_facts import observe_round_facts
from domino_env.engine.rule_table import FROM_BONEYARD, MIDDLE, NOTHING, TWO_FROM_BONEYARD
from domino_env.engine.scaled import write_count, write_part, write_score
from domino_env.engine.seats import CLOCKWISE, seat_after
from domino_env.engine.state import (
    ANYTHING,
    CLAIM,
    GONE,
    LAST_TILE,
    PLAY,
    STAGES,
    UNPLAYED,
    Game,
    Index,
    Observations,
    RuleTable,
)
from domino_env.tileset import DRAW_ONE, PLAY_AGAIN


@small
def observe(rules: RuleTable, game: Game, seat: int, out: Observations, row: Index) -> None:
    """Writes what a seat sees into a row of `out`."""
    lane = np.uint64(row)
    # What is written by eights goes first, for it may reach into the fields beside it.
    observe_tiles(rules, game, seat, out, lane)
    clear(out, lane, rules.at_ends, rules.at_seats)
    if rules.curved:
        observe_curved_ends(rules, game, out, lane)
    observe_seats(rules, game, seat, out, lane)
    if not rules.curved:
        observe_ends(rules, game, out, lane)
    if rules.arms == OWN_ARMS:
        observe_owners(rules, seat, out, lane)
    first = np.uint64(rules.at_table)
    clear(out, lane, rules.at_table + 2, rules.features)
    write_count(game.deck_end - game.next, out, lane, first, rules.per_tile)
    write_count(game.round_number - 1, out, lane, first + ONE, rules.per_round)
    if rules.at_course >= 0:
        observe_course(rules, game, seat, out, lane)
    if rules.rows:
        observe_rows(rules, game, seat, out, lane)
    if rules.at_stage >= 0:
        observe_stage(rules, game, seat, out, lane)


@small
def clear(out: Observations, lane: Index, start: int, stop: int) -> None:
    """Writes zeros."""
    for at in range(np.uint64(start), np.uint64(stop)):
        out[lane, at] = 0


@small
def observe_tiles(rules: RuleTable, game: Game, seat: int, out: Observations, lane: Index) -> None:
    """The tiles in hand, and those on the table by who played them."""
    for w in range(rules.words):
        spread(choice(rules, game, seat, w), rules, w, out, lane, rules.at_hand)
    at = rules.at_played
    for step in range(rules.seats):
        who = seat_after(rules, seat, step)
        for w in range(rules.words):
            spread(game.played[who, w], rules, w, out, lane, at)
        at += rules.tiles
    if rules.opening in (FROM_BONEYARD, TWO_FROM_BONEYARD, MIDDLE):
        for w in range(rules.words):
            spread(game.played[UNPLAYED, w], rules, w, out, lane, at)


@small
def spread(
    bits: np.uint64, rules: RuleTable, w: int, out: Observations, lane: Index, at: int
) -> None:
    """Writes one word of a set of tiles as zeros and ones.

    It goes by eights: up to seven numbers past the end are written too, and then overwritten by the
    fields that follow.
    """
    first = np.uint64(at + w * 64)  # unsigned, so that nobody looks for negatives
    for _ in range(min(8, (rules.tiles - w * 64 + 7) >> 3)):
        write_eight(bits, out, lane, first)
        bits >>= np.uint64(8)
        first += np.uint64(8)


@small
def observe_ends(rules: RuleTable, game: Game, out: Observations, lane: Index) -> None:
    """What each end asks for, whether it may be played on, what it counts."""
    at = rules.at_ends
    for end in range(game.num_ends):
        value = int(game.end_value[end])
        if value != ANYTHING:
            out[lane, np.uint64(at + value)] = 1
        out[lane, np.uint64(at + rules.values)] = (game.offered >> np.uint64(end)) & ONE
        at += rules.end_features
        if rules.plays != NOTHING:
            write_count(counts(rules, game, end), out, lane, at - 1, rules.per_pip)


@small
def observe_owners(rules: RuleTable, seat: int, out: Observations, lane: Index) -> None:
    """Whose train each end is, counted from the observer."""
    at = rules.at_ends + rules.end_features + rules.values + 1  # the first end is nobody's
    for owner in range(rules.seats):
        step = owner - seat if owner >= seat else owner - seat + rules.seats
        out[lane, np.uint64(at + step)] = 1
        at += rules.end_features


@kernel
def observe_curved_ends(rules: RuleTable, game: Game, out: Observations, lane: Index) -> None:
    """What each end asks for, which turns fit and what lies around it, what it counts."""
    if game.opener < 0:  # the empty table asks for nothing
        return
    at = rules.at_ends
    for end in range(game.num_ends):
        if game.end_kind[end] != GONE:
            out[lane, np.uint64(at + game.end_value[end])] = 1
            observe_arc(rules, game, end, out, lane, at + rules.values)
        at += rules.end_features
        if rules.plays != NOTHING:
            write_count(counts(rules, game, end), out, lane, at - 1, rules.per_pip)


@small
def observe_seats(rules: RuleTable, game: Game, seat: int, out: Observations, lane: Index) -> None:
    """What is public about each seat. The last comes first: the bits of a seat may be written over
    the end of what stands before it, and of nothing behind."""
    lacked = rules.values * 2 if rules.curved else rules.values  # of curved tiles, halves
    for step in range(rules.seats - 1, -1, -1):
        who = seat_after(rules, seat, step)
        first = np.uint64(rules.at_seats + step * rules.seat_features)
        seen = np.uint64(who)
        write_last_eights(game.lacks[seen], lacked, out, lane, first + np.uint64(5))
        write_count(game.hand_size[seen], out, lane, first, rules.per_tile)
        write_count(game.drew[seen], out, lane, first + np.uint64(1), rules.per_tile)
        out[lane, first + np.uint64(2)] = game.passed[seen]
        write_score(game.scores[seen], out, lane, first + np.uint64(3), rules)
        write_count(game.drawn_since[seen], out, lane, first + np.uint64(4), rules.per_tile)
        if rules.arms == OWN_ARMS:
            marker = game.markers >> seen & ONE
            out[lane, first + np.uint64(rules.seat_features - 1)] = marker


@kernel
def observe_course(rules: RuleTable, game: Game, seat: int, out: Observations, lane: Index) -> None:
    """Who is out already, which way turns go, the stakes, and the symbols that wait."""
    at = int(rules.at_course)
    if rules.shows_places:
        for step in range(rules.seats):
            place = game.out_place[seat_after(rules, seat, step)]
            write_part(place, out, lane, at, rules.seats)
            at += 1
    if rules.shows_direction:
        out[lane, at] = game.direction != CLOCKWISE
        at += 1
    if rules.shows_stakes:
        out[lane, at] = game.stakes - 1
        at += 1
    if rules.shows_due:
        write_part(game.due_left if game.due >= 0 else 0, out, lane, at, rules.most_due)
        at += 1
    if rules.shows_effects:
        if game.stage != PLAY:
            out[lane, at] = game.effect == DRAW_ONE
            out[lane, at + 1] = game.effect == PLAY_AGAIN
        at += 2
    if rules.shows_facts:
        observe_round_facts(rules, game, seat, out, lane, at)


@small
def observe_rows(rules: RuleTable, game: Game, seat: int, out: Observations, lane: Index) -> None:
    """Where the tiles lie that have been flipped and put back (BL3)."""
    at = rules.at_rows
    for step in range(rules.seats):
        who = seat_after(rules, seat, step)
        first = who * rules.hand_size
        for place in range(game.hand_size[who]):
            slot = (int(game.row_head[who]) + place) % rules.hand_size
            tile = int(game.deck[first + slot])
            if holds(game.seen, tile):
                write_part(place + 1, out, lane, at + tile, rules.hand_size)
        at += rules.tiles


@small
def observe_stage(rules: RuleTable, game: Game, seat: int, out: Observations, lane: Index) -> None:
    """What is being decided, where that is not always the same."""
    at = rules.at_stage
    if rules.end_turn >= 0:
        out[lane, at] = game.may_stop
        at += 1
    if rules.pass_turn >= 0:
        out[lane, at] = game.may_pass if seat == game.to_move else 0
        at += 1
    if rules.called:
        if game.stage == CLAIM:
            write_count(game.claim, out, lane, at, rules.per_point)
        at += 1
    for stage in range(LAST_TILE, STAGES):
        if rules.answers[stage, 0] >= 0:
            out[lane, at] = game.stage == stage
            at += 1
    if at < rules.features:
        out[lane, at + (rules.seats + game.turn - seat) % rules.seats] = 1
