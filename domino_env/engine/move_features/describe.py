"""Rows of features: an action is imagined on a copy of the table, and looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count, holds, put, take
from domino_env.engine.bonuses import bonus_of_last, how_it_fits
from domino_env.engine.eights import write_eight
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.table import counts, lay
from domino_env.engine.layout.trains import turn_to
from domino_env.engine.move_features.known import MATE, NEXT, flags_of, look
from domino_env.engine.move_features.move_fields import (
    ACTION_FLAGS,
    END_FLAGS,
    NUM_ACTION,
    NUM_END,
)
from domino_env.engine.playing import earns_another, must_cover
from domino_env.engine.points import play_points
from domino_env.engine.prefetch import fetch_item, fetch_row
from domino_env.engine.rule_table import NOTHING, ONE_TILE, UNTIL_PLAYABLE
from domino_env.engine.seats import seat_after
from domino_env.engine.state import (
    GONE,
    PLAY,
    Counts,
    Game,
    Games,
    Index,
    Legal,
    Log,
    Logs,
    Numbers,
    Observations,
    RuleTable,
    RuleTables,
)

if TYPE_CHECKING:
    from domino_env.engine.record_types import Known, Records

F = np.float32
U = np.uint64
MANY = 256  # lanes: more than stay in a core's nearest memory
AHEAD = np.uint64(2)  # lanes
# 1 over a number of tiles; of none 0. A division would take longer.
ONE_OVER = np.array([0.0, *(1 / n for n in range(1, 256))], np.float32)
_PLAYS, _DRAWS, _PASSES, _STOPS, _YES, _NO, _DOUBLE, _AGAIN = (
    np.uint64(1 << flag) for flag in range(len(ACTION_FLAGS))
)
(
    PIPS,
    POINTS,
    OUT,
    FITTING,
    STUCK,
    VARIED,
    DOUBLES,
    HEAVY,
    ALONE,
    NEXT_STUCK,
    MATE_STUCK,
    OTHERS_STUCK,
    NEXT_DRAWS,
    OWN_DRAWS,
    NEXT_TILES,
    FEWEST,
) = (np.uint64(at) for at in range(len(ACTION_FLAGS), NUM_ACTION))
OWN, UNSEEN, PLAYED, COUNTS, TURNS = (np.uint64(at) for at in range(len(END_FLAGS), NUM_END))


@kernel
def describe_moves(
    rules: RuleTable,
    game: Game,
    log: Log,
    legal: Legal,
    num_legal: Index,
    table: Games,
    known: Known,
    out: Observations,
    first: Index,
) -> None:
    """Writes a row for each legal action of the seat to move, from a row on."""
    if num_legal == 0:  # the game is over
        return
    seat = int(game.to_move)
    look(rules, game, log, seat, known)
    plays = int(rules.tiles * rules.ends * 2)
    for k in range(num_legal):
        action = int(legal[k])
        row = first + k
        table[0] = game
        if action < plays:
            place = action >> 1
            tile = place // int(rules.ends)
            end = place - tile * int(rules.ends)
            describe_play(rules, table[0], seat, tile, end, action & 1, known, out, row)
        else:
            write_eight(flags_of_other(rules, game, action), out, row, U(0))
            for at in range(PIPS, FITTING):
                out[row, at] = 0
            describe_hands(rules, table[0], seat, int(known.pips), known, out, row)
            describe_ends(rules, table[0], seat, -1, known, out, row)


@small
def flags_of_other(rules: RuleTable, game: Game, action: int) -> np.uint64:
    """An action that plays no tile."""
    if game.stage != PLAY:
        return _YES if action == rules.answers[game.stage, 0] else _NO
    if action == rules.draw:
        return _DRAWS
    return _PASSES if action == rules.pass_turn else _STOPS


@small
def describe_play(
    rules: RuleTable,
    after: Game,
    seat: int,
    tile: int,
    end: int,
    half: int,
    known: Known,
    out: Observations,
    row: Index,
) -> None:
    """Lays the tile on the copy of the table, and looks."""
    take(after.hands[seat], tile)
    put(after.played[seat], tile)
    fitted = how_it_fits(rules, after, tile) if rules.rates_last else 0
    lay(rules, after, tile, end, half)
    after.hand_size[seat] -= 1
    flags = _PLAYS
    if holds(rules.double, tile):
        flags |= _DOUBLE
    if earns_another(rules, after, tile) or must_cover(rules, after, tile):
        flags |= _AGAIN
    write_eight(flags, out, row, U(0))
    out[row, PIPS] = F(rules.pips[tile]) * rules.per_pip
    out[row, POINTS] = 0
    if rules.plays != NOTHING:
        out[row, POINTS] = F(play_points(rules, after, tile)) * F(0.1)
    if rules.rates_last and after.hand_size[seat] == 0:
        out[row, POINTS] += F(bonus_of_last(rules, fitted, tile)) * F(0.1)
    out[row, OUT] = after.hand_size[seat] == 0
    left = int(known.pips - rules.pips[tile])
    describe_hands(rules, after, seat, left, known, out, row)
    describe_ends(rules, after, seat, end, known, out, row)


@small
def describe_hands(
    rules: RuleTable, after: Game, seat: int, pips: int, known: Known, out: Observations, row: Index
) -> None:
    """What is left in the own hand, and how likely others are stuck."""
    own, fitting = 0, unseen_that_fit(rules, after, known)
    for w in range(U(rules.words)):
        if not rules.rows:
            own += count(after.hands[seat, w] & after.wanted[w])
    size = int(after.hand_size[seat])
    for at in range(FITTING, ALONE):
        out[row, at] = 0
    draws = likely_draws(rules, after, int(known.num_unseen), fitting)
    out[row, OWN_DRAWS] = 0
    if size > 0 and not rules.rows:
        stuck = F(own == 0)  # by a product, for nobody can guess which way a branch would go
        out[row, FITTING] = F(own) * one_over(size)
        out[row, STUCK] = stuck
        out[row, OWN_DRAWS] = draws * stuck
        describe_hand(rules, after, seat, size, pips, out, row)
    out[row, ALONE] = F(own) * one_over(own + fitting)
    describe_others(rules, after, seat, known, fitting, draws, out, row)


@small
def describe_hand(
    rules: RuleTable, after: Game, seat: int, size: int, pips: int, out: Observations, row: Index
) -> None:
    """How varied and how heavy the own hand is."""
    varied, doubles = 0, 0
    for value in range(U(rules.values)):
        held = NONE
        for w in range(U(rules.words)):
            held |= after.hands[seat, w] & rules.joins[value, w]
        varied += int(held != NONE)
    for w in range(U(rules.words)):
        doubles += count(after.hands[seat, w] & rules.double[w])
    per = one_over(size)
    out[row, VARIED] = F(varied) * per * F(0.5)
    out[row, DOUBLES] = F(doubles) * per
    out[row, HEAVY] = F(pips) * rules.per_pip * per


@small
def likely_draws(rules: RuleTable, after: Game, unseen: int, fitting: int) -> Any:
    """How many tiles a player draws who must / 10, if any unseen tile is as likely."""
    left = int(after.deck_end - after.next)
    if rules.forced != UNTIL_PLAYABLE:
        left = min(left, 1 if rules.forced == ONE_TILE else 0)
    return F(0.1) * min(F(left), F(unseen + 1) * one_over(fitting + 1))


@small
def describe_others(
    rules: RuleTable,
    after: Game,
    seat: int,
    known: Known,
    fitting: int,
    draws: float,
    out: Observations,
    row: Index,
) -> None:
    """How likely the others cannot play."""
    for at in range(NEXT_STUCK, OWN_DRAWS):
        out[row, at] = 0
    out[row, NEXT_TILES] = 0
    stuck, opponents, fewest = F(0), 0, 64
    any_fits = F(fitting) * one_over(known.num_unseen)
    for step in range(1, rules.seats):
        other = U(seat_after(rules, seat, step))
        role, size = known.role[other], int(after.hand_size[other])
        if size == 0:
            continue
        if rules.arms == OWN_ARMS:  # others are offered other ends
            turn_to(rules, after, int(other))
            fitting = unseen_that_fit(rules, after, known)
            any_fits = F(fitting) * one_over(known.num_unseen)
            draws = likely_draws(rules, after, int(known.num_unseen), fitting)
        chance = chance_of_being_stuck(rules, after, other, size, any_fits, known)
        if role == MATE:
            out[row, MATE_STUCK] = chance
            continue
        if role == NEXT:
            out[row, NEXT_STUCK] = chance
            out[row, NEXT_DRAWS] = chance * draws
            out[row, NEXT_TILES] = one_over(size)
        stuck += chance
        opponents += 1
        fewest = min(fewest, size)
    if rules.arms == OWN_ARMS:
        turn_to(rules, after, seat)
    out[row, OTHERS_STUCK] = stuck * one_over(opponents)
    out[row, FEWEST] = one_over(fewest) if opponents > 0 else F(0)


@small
def unseen_that_fit(rules: RuleTable, after: Game, known: Known) -> int:
    """How many of the unseen tiles fit the table."""
    fitting = 0
    for w in range(U(rules.words)):
        fitting += count(known.unseen[w] & after.wanted[w])
    return fitting


@small
def chance_of_being_stuck(
    rules: RuleTable,
    after: Game,
    other: Index,
    size: int,
    any_fits: float | np.floating[Any],
    known: Known,
) -> Any:
    """How likely none of another's tiles fits: those that it held when it showed a lack are none of
    what it lacked; the others are any of the unseen."""
    fitting = 0
    for w in range(U(rules.words)):
        fitting += count(known.free[other, w] & after.wanted[w])
    recent = min(int(after.drawn_since[other]), size)
    old_fits = F(fitting) * one_over(known.num_free[other])
    return power(F(1) - any_fits, recent) * power(F(1) - old_fits, size - recent)


@small
def one_over(number: int) -> Any:
    """1 over a number of tiles; 0 of none."""
    return ONE_OVER[U(number)]


@small
def power(base: float | np.floating[Any], exponent: int) -> Any:
    """A power below the 64th, without a branch to guess wrong."""
    found = F(1)
    for bit in range(6):
        found *= base if (exponent >> bit) & 1 else F(1)
        base *= base
    return found


@small
def describe_ends(
    rules: RuleTable, after: Game, seat: int, made: int, known: Known, out: Observations, row: Index
) -> None:
    """The end that was made, and the others in their order, as long as there are slots."""
    slot, stop = U(NUM_ACTION), U(out.shape[1])
    at: Any = slot + U(NUM_END) if made >= 0 else slot
    for end in range(U(after.num_ends) if after.opener >= 0 else U(0)):
        place = slot if np.int64(end) == made else at
        if place < stop:
            describe_end(rules, after, seat, end, known, out, row, place)
            at += U(NUM_END) if np.int64(end) != made and after.end_kind[end] != GONE else U(0)
    for left in range(at, stop):
        out[row, left] = 0


@small
def describe_end(
    rules: RuleTable,
    after: Game,
    seat: int,
    end: Index,
    known: Known,
    out: Observations,
    row: Index,
    at: Index,
) -> None:
    """One end: its number, and what may be laid there."""
    if rules.curved and after.end_kind[end] == GONE:  # it has met another (B5)
        for place in range(at, at + U(NUM_END)):
            out[row, place] = 0
        return
    value = U(after.end_value[end])
    own, unseen, tiles = 0, 0, 0
    for w in range(U(rules.words)):
        fits = rules.joins[value, w]
        tiles += count(fits)
        unseen += count(fits & known.unseen[w])
        if not rules.rows:
            own += count(fits & after.hands[seat, w])
    flags = ONE | ((after.offered >> end) & ONE) << ONE | flags_of(rules, known, value) << U(4)
    flags |= U((own > 0) & (unseen == 0)) << U(2) | U((own == 0) & (unseen == 0)) << U(3)
    write_eight(flags, out, row, at)
    write_eight(flags >> U(8), out, row, at + U(8))
    share = one_over(tiles)
    out[row, at + OWN] = F(own) * share
    out[row, at + UNSEEN] = F(unseen) * share
    out[row, at + PLAYED] = F(tiles - own - unseen) * share
    out[row, at + COUNTS] = 0
    if rules.plays != NOTHING:
        out[row, at + COUNTS] = F(counts(rules, after, int(end))) * rules.per_pip
    out[row, at + TURNS] = F(turns_of(rules, after, end)) * F(0.5)


@small
def turns_of(rules: RuleTable, after: Game, end: Index) -> int:
    """How many turns fit at a curved end."""
    if not rules.curved:
        return 0
    turns = int(after.end_turns[end])
    return (turns & 1) + (turns >> 1)


@kernel
def describe_lanes(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    legal: Legal,
    num_legal: Counts,
    lanes: Numbers,
    table: Games,
    known: Records[Known],
    out: Observations,
    first: int,
    start: int,
    stop: int,
) -> None:
    """Describes the legal actions in some of the lanes, from a row on."""
    row, many = U(first), stop - start >= MANY
    for place in range(U(start), U(stop)):
        lane: Any = U(lanes[place])
        if many:
            ask_for(rule_tables[0], games, logs, legal, lanes, place, U(stop - 1))
        number = U(num_legal[lane])
        describe_moves(
            rule_tables[0], games[lane], logs[lane], legal[lane], number, table, known[0], out, row
        )
        row += number


@small
def ask_for(
    rules: RuleTable,
    games: Games,
    logs: Logs,
    legal: Legal,
    lanes: Numbers,
    place: Index,
    last: Index,
) -> None:
    """Asks for the memory of lanes to come: the record early, for it says how long its log is."""
    soon, later = U(lanes[min(place + AHEAD, last)]), U(lanes[min(place + AHEAD + AHEAD, last)])
    fetch_row(games, later)
    fetch_row(legal, soon)
    fetch_item(logs, soon, rules.tiles)
    fetch_item(logs, soon, games[soon].log_size)
