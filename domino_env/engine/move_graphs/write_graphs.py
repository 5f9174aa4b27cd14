"""Graphs of what actions leave: drawn once for all actions of a decision, then changed for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count, holds, lowest, put, take
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
            lay_tile(rules, table[0], seat, tile, made, action & 1, graphs[first + k])
        draw_ends(rules, table[0], made, graphs[first + k])


@small
def draw_before(rules: RuleTable, game: Game, seat: int, known: Known, graph: Graphs) -> None:
    """The graph before the action, with no ends."""
    numbers = U(rules.values)
    for number in range(numbers):
        for column in range(U(graph.shape[1])):
            graph[number, column] = 0
        graph[number, _PIPS] = min(int(rules.worth[number]), 127)
        flags = flags_of(rules, known, number)
        for flag in range(U(len(FLAGS))):
            graph[number, _FLAGS + flag] = np.int8((flags >> flag) & ONE)
        graph[number, _I_LACK] = has_lacked(rules, game.lacks[seat], number)
        for w in range(U(rules.words)):
            fits = rules.joins[number, w]
            graph[number, _UNSEEN] += count(fits & known.unseen[w])
            draw_edges(rules, number, w, known.unseen[w], graph, _EDGES + numbers)
            if not rules.rows:
                graph[number, _OWN] += count(fits & game.hands[seat, w])
                draw_edges(rules, number, w, game.hands[seat, w], graph, _EDGES)
            for other in range(U(rules.seats)):
                laid = count(fits & game.played[other, w])
                graph[number, _LAID + U(known.role[other])] += laid


@small
def has_lacked(rules: RuleTable, lacked: np.uint64, number: Index) -> bool:
    """Has somebody shown to be without a number?"""
    if rules.curved:
        return bool((lacked >> (number * U(2))) & U(3) != NONE)
    return bool((lacked >> number) & ONE != NONE)


@small
def draw_edges(
    rules: RuleTable, number: Index, w: Index, tiles: np.uint64, graph: Graphs, first: Index
) -> None:
    """The edges from a number, for one word of tiles, from a column on."""
    for half in range(U(2)):
        left = rules.fits[number, half, w] & tiles
        while left != NONE:
            tile = w * U(64) + U(lowest(left))
            left &= left - ONE
            graph[number, first + U(rules.half[U(1) - half, tile])] += 1


@small
def lay_tile(
    rules: RuleTable, after: Game, seat: int, tile: int, end: int, half: int, graph: Graphs
) -> None:
    """Lays a tile of the own hand on the table."""
    take(after.hands[seat], tile)
    put(after.played[seat], tile)
    lay(rules, after, tile, end, half)
    after.hand_size[seat] -= 1
    for number in range(U(rules.values)):
        if not holds(rules.joins[number], tile):
            continue
        graph[number, _LAID] += 1
        if rules.rows:
            continue
        graph[number, _OWN] -= 1
        for by in range(U(2)):
            if holds(rules.fits[number, by], tile):
                graph[number, _EDGES + U(rules.half[U(1) - by, tile])] -= 1


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
) -> None:
    """Draws the graphs of the legal actions in some lanes, lane after lane."""
    row = U(0)
    for place in range(len(lanes)):
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
