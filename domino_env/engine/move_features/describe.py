"""Rows of features: an action is imagined on a copy of the table, and looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import holds, put, take
from domino_env.engine.bonuses import bonus_of_last, how_it_fits
from domino_env.engine.eights import write_eight
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.table import lay
from domino_env.engine.move_features.columns import FITTING, OUT, PIPS, POINTS, F
from domino_env.engine.move_features.ends import describe_ends
from domino_env.engine.move_features.hands import describe_hands
from domino_env.engine.move_features.known import look
from domino_env.engine.move_features.move_fields import ACTION_FLAGS
from domino_env.engine.playing import earns_another, must_cover
from domino_env.engine.points import play_points
from domino_env.engine.prefetch import fetch_item, fetch_row
from domino_env.engine.rule_table import NOTHING
from domino_env.engine.state import (
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

U = np.uint64
MANY = 256  # lanes: more than stay in a core's nearest memory
AHEAD = np.uint64(2)  # lanes
_PLAYS, _DRAWS, _PASSES, _STOPS, _YES, _NO, _DOUBLE, _AGAIN = (
    np.uint64(1 << flag) for flag in range(len(ACTION_FLAGS))
)


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
        if action < plays:
            table[0] = game
            place = action >> 1
            tile = place // int(rules.ends)
            end = place - tile * int(rules.ends)
            describe_play(rules, table[0], seat, tile, end, action & 1, known, out, row)
        else:
            after = game
            if rules.arms == OWN_ARMS:  # what others are offered is looked at in turn
                table[0] = game
                after = table[0]
            write_eight(flags_of_other(rules, game, action), out, row, U(0))
            for at in range(PIPS, FITTING):
                out[row, at] = 0
            describe_hands(rules, after, seat, int(known.pips), known, out, row)
            describe_ends(rules, after, seat, -1, known, out, row)


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
    fetch_item(legal, soon, 0)
    fetch_item(logs, soon, rules.tiles)
    fetch_item(logs, soon, games[soon].log_size)
