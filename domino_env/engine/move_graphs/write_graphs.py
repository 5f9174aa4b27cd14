"""Graphs of what actions leave: drawn once for all actions of a decision, then changed for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, Words, count, holds, lowest, put, take
from domino_env.engine.layout.table import lay
from domino_env.engine.move_features.known import flags_of, look
from domino_env.engine.move_graphs.graph_fields import COUNTS, FLAGS, LAID, NUM_NODE
from domino_env.engine.state import (
    GONE,
    Counts,
    Game,
    Games,
    Index,
    Legal,
    Log,
    Logs,
    Numbers,
    RuleTable,
    RuleTables,
)

if TYPE_CHECKING:
    from domino_env.engine.record_types import Known, Records

Graphs = npt.NDArray[np.int8]
U = np.uint64
_OWN, _UNSEEN, _MADE, _OFFERED, _CLOSED, _I_LACK, _PIPS = (U(at) for at in range(len(COUNTS)))
_FLAGS, _LAID = U(len(COUNTS)), U(len(COUNTS) + len(FLAGS))
_EDGES = U(NUM_NODE)
MOST = 127  # that a byte can say
assert len(LAID) == 4  # a column for each role


@kernel
def draw_graphs(
    rules: RuleTable,
    game: Game,
    log: Log,
    legal: Legal,
    num_legal: Index,
    table: Games,
    known: Known,
    graphs: Graphs,
    first: Index,
) -> None:
    """Draws a graph for each legal action of the seat to move, from a row on."""
    if num_legal == 0:  # the game is over
        return
    seat = int(game.to_move)
    look(rules, game, log, seat, known)
    draw_before(rules, game, seat, known, graphs[first])
    for row in range(first + U(1), first + num_legal):
        for number in range(U(graphs.shape[1])):
            for column in range(U(graphs.shape[2])):
                graphs[row, number, column] = graphs[first, number, column]
    plays = int(rules.tiles * rules.ends * 2)
    for k in range(num_legal):
        action, made = int(legal[k]), -1
        table[0] = game
        if action < plays:
            place = action >> 1
            tile = place // int(rules.ends)
            made = place - tile * int(rules.ends)
            lay_tile(rules, table[0], seat, tile, made, action & 1, known, graphs[first + k])
        draw_ends(rules, table[0], made, graphs[first + k])


@small
def draw_before(rules: RuleTable, game: Game, seat: int, known: Known, graph: Graphs) -> None:
    """The graph before the action, with no ends."""
    numbers = U(rules.values)
    for number in range(numbers):
        for column in range(U(graph.shape[1])):
            graph[number, column] = 0
        graph[number, _PIPS] = min(int(rules.worth[number]), MOST)
        flags = flags_of(rules, known, number)
        for flag in range(U(len(FLAGS))):
            graph[number, _FLAGS + flag] = np.int8((flags >> flag) & ONE)
        graph[number, _I_LACK] = has_lacked(rules, game.lacks[seat], number)
        graph[number, _UNSEEN] = how_many_fit(rules, number, known.unseen)
        draw_edges(rules, number, known.unseen, graph, _EDGES + numbers)
        if not rules.rows:
            graph[number, _OWN] = how_many_fit(rules, number, game.hands[seat])
            draw_edges(rules, number, game.hands[seat], graph, _EDGES)
        for other in range(U(rules.seats)):
            at = _LAID + U(known.role[other])
            laid = int(graph[number, at]) + how_many_fit(rules, number, game.played[other])
            graph[number, at] = min(laid, MOST)


@small
def how_many_fit(rules: RuleTable, number: Index, tiles: Words) -> int:
    """How many tiles of a set fit a number, as far as a byte can say it."""
    fitting = 0
    for w in range(U(rules.words)):
        fitting += count(rules.joins[number, w] & tiles[w])
    return min(fitting, MOST)


@small
def has_lacked(rules: RuleTable, lacked: np.uint64, number: Index) -> bool:
    """Has somebody shown to be without a number?"""
    asked = U(rules.asks[number])
    if rules.curved:
        return bool((lacked >> (asked * U(2))) & U(3) != NONE)
    return bool((lacked >> asked) & ONE != NONE)


@small
def draw_edges(rules: RuleTable, number: Index, tiles: Words, graph: Graphs, first: Index) -> None:
    """The edges from a number, for a set of tiles, from a column on."""
    for w in range(U(rules.words)):
        for half in range(U(2)):
            left = rules.fits[number, half, w] & tiles[w]
            while left != NONE:
                tile = w * U(64) + U(lowest(left))
                left &= left - ONE
                graph[number, first + U(rules.half[U(1) - half, tile])] += 1


@small
def lay_tile(
    rules: RuleTable,
    after: Game,
    seat: int,
    tile: int,
    end: int,
    half: int,
    known: Known,
    graph: Graphs,
) -> None:
    """Lays a tile of the own hand on the table; out of a row it was one of the unseen ones."""
    take(after.hands[seat], tile)
    put(after.played[seat], tile)
    lay(rules, after, tile, end, half)
    after.hand_size[seat] -= 1
    if rules.rows:
        take(known.unseen, tile)
    edges = _EDGES + U(rules.values) if rules.rows else _EDGES
    for number in range(U(rules.values)):
        if not holds(rules.joins[number], tile):
            continue
        graph[number, _LAID] = min(int(graph[number, _LAID]) + 1, MOST)
        if rules.rows:
            graph[number, _UNSEEN] = how_many_fit(rules, number, known.unseen)
        else:
            graph[number, _OWN] = how_many_fit(rules, number, after.hands[seat])
        for by in range(U(2)):
            if holds(rules.fits[number, by], tile):
                graph[number, edges + U(rules.half[U(1) - by, tile])] -= 1
    if rules.rows:  # for the next action
        put(known.unseen, tile)


@small
def draw_ends(rules: RuleTable, after: Game, made: int, graph: Graphs) -> None:
    """The ends on the table."""
    for end in range(U(after.num_ends) if after.opener >= 0 else U(0)):
        number = U(after.end_value[end])
        if after.end_kind[end] == GONE or number >= U(rules.values):
            continue
        is_offered = ((after.offered >> end) & ONE) != NONE
        graph[number, _OFFERED if is_offered else _CLOSED] += 1
        if np.int64(end) == made:
            graph[number, _MADE] = 1


@kernel
def draw_lanes(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    legal: Legal,
    num_legal: Counts,
    lanes: Numbers,
    table: Games,
    known: Records[Known],
    graphs: Graphs,
    first: int,
    start: int,
    stop: int,
) -> None:
    """Draws the graphs of the legal actions in some of the lanes, from a row on."""
    row = U(first)
    for place in range(U(start), U(stop)):
        lane: Any = U(lanes[place])
        number = U(num_legal[lane])
        draw_graphs(
            rule_tables[0],
            games[lane],
            logs[lane],
            legal[lane],
            number,
            table,
            known[0],
            graphs,
            row,
        )
        row += number
