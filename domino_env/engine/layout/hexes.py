r"""Curved tiles on a honeycomb: which turns fit, which ends meet (B1-B6).

A tile is an arc of 120 degrees. Joined evenly, every tile lies in a *corner* of a hexagonal cell:
its two ends lie on the two edges that meet there, and its back bulges into the cell. Edges are
numbered clockwise 0 to 5, and corner c lies between edges c and c + 1.

              edge 0
          5 ___________ 0       An open end is a cell, and the edge through which the next tile
           /           \        comes in. Coming in through edge e, a tile lies in corner e - 1 and
     edge 5/             \edge 1 leaves by edge e - 1, or in corner e and leaves by edge e + 1.
       4  /      cell     \ 1
          \               /     Walking in through the top, corner 5 is on the right hand and
     edge 4\             /edge 2 corner 0 on the left: the first turns right, the second left.
           \___________/
          3    edge 3    2      It fits if that corner and the two beside it in the cell are free;
                                nothing else can touch it. Its far end waits at the same edge,
                                seen from the cell beyond.

The cells with tiles in them are kept in a small hash table, a byte of occupied corners for each.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE
from domino_env.engine.eights import write_eight
from domino_env.engine.state import (
    CELLS,
    CURVED_ENDS,
    GONE,
    HALF,
    NO_MEETING,
    Game,
    Index,
    Observations,
    RuleTable,
)

RIGHT, LEFT = 0, 1  # how a tile turns that joins by its first half, by its second (B3)
ORIGIN = 1 << 14  # cell (0, 0): a cell is q + r * 256, moved so that it is never negative

EVERY_CORNER = 63
_LAST_PLACE = np.uint64(CELLS - 1)

# From a cell through each of its edges to the cell beyond: axial steps, clockwise from the top.
_BEYOND = np.array([-256, 1 - 256, 1, 256, 256 - 1, -1], np.int64)


# What an end sees around it, by the edge that the next tile comes in through: the cell there, those
# after a turn to the right and to the left, and after two turns, RR, RL, LR and LL. As steps from
# the first, and as edges through which one comes in.
_NEAR = 7
_NEAR_CELL = np.zeros((6, _NEAR), np.int64)
_NEAR_EDGE = np.zeros((6, _NEAR), np.int64)
for _edge in range(6):
    _seen = [(0, _edge)]
    for _near in range(3):
        _step, _into = _seen[_near]
        for _far in ((_into - 1) % 6, (_into + 1) % 6):
            _seen.append((_step + int(_BEYOND[_far]), (_far + 3) % 6))
    _NEAR_CELL[_edge], _NEAR_EDGE[_edge] = zip(*_seen, strict=True)


@small
def after_edge(edge: int, steps: int) -> int:
    """The edge (or corner) so many places clockwise; steps from -1 to 6."""
    place = edge + steps
    if place >= 6:
        return place - 6
    return place + 6 if place < 0 else place


@small
def corner_of(edge: int, turn: int) -> int:
    """The corner that a tile takes which comes in through an edge and turns so."""
    return after_edge(edge, -1) if turn == RIGHT else edge


@small
def far_edge_of(edge: int, turn: int) -> int:
    """The edge that it leaves by."""
    return after_edge(edge, -1 if turn == RIGHT else 1)


@small
def place_of_cell(game: Game, cell: int) -> np.uint64:
    """Where the table has the cell, or has room for it: near cells have places of their own."""
    place = np.uint64(cell + (cell >> 5)) & _LAST_PLACE
    while game.cells[place] != 0 and game.cells[place] != cell:
        place = (place + ONE) & _LAST_PLACE
    return place


@small
def corners_taken(game: Game, cell: int) -> int:
    """The occupied corners of a cell, as bits."""
    return int(game.corners[place_of_cell(game, cell)])


@kernel
def occupy(game: Game, cell: int, corner: int) -> None:
    """Lays a tile into a corner."""
    place = place_of_cell(game, cell)
    game.cells[place] = cell
    game.corners[place] |= 1 << corner


@kernel
def clear_cells(game: Game) -> None:
    """No tiles are on the table."""
    for place in range(CELLS):
        game.cells[place] = 0
        game.corners[place] = 0


@kernel
def clear_arcs(game: Game) -> None:
    """No end waits anywhere."""
    for end in range(CURVED_ENDS):
        game.end_cell[end] = 0
        game.end_edge[end] = 0
        game.end_turns[end] = 0
        for turn in range(2):
            game.end_meets[end, turn] = 0


@small
def fits(taken: int, corner: int) -> bool:
    """Are a corner and the two beside it free? (B1)"""
    beside = 1 << corner | 1 << after_edge(corner, 1) | 1 << after_edge(corner, -1)
    return taken & beside == 0


@kernel
def lay_arc(rules: RuleTable, game: Game, tile: int, corner: int) -> None:
    """Lays a tile of the opening into a corner of cell (0, 0); its ends are the next two (B6).

    From its first half to its second it turns right, so the first end leaves by the edge after the
    corner and the second by the corner's own.
    """
    occupy(game, ORIGIN, corner)
    end = int(game.num_ends)
    for half in range(2):
        edge = after_edge(corner, 1) if half == 0 else corner
        set_end_beyond(game, end + half, ORIGIN, edge)
        game.end_value[end + half] = rules.half[half, tile]
        game.end_kind[end + half] = HALF
        game.end_tile[end + half] = tile
    game.num_ends = end + 2


@small
def set_end_beyond(game: Game, end: int, cell: int, edge: int) -> None:
    """Makes an end wait at an edge, seen from the cell beyond it."""
    game.end_cell[end] = cell + _BEYOND[edge]
    game.end_edge[end] = after_edge(edge, 3)


@kernel
def join_arc(rules: RuleTable, game: Game, tile: int, end: int, half: int) -> None:
    """Joins a tile to an end by one of its halves; a meeting closes both ends (B5)."""
    cell, edge = int(game.end_cell[end]), int(game.end_edge[end])
    met = end_at(game, cell, far_edge_of(edge, half))
    occupy(game, cell, corner_of(edge, half))
    if met >= 0:
        game.end_kind[end] = GONE
        game.end_kind[met] = GONE
    else:
        set_end_beyond(game, end, cell, far_edge_of(edge, half))
        game.end_value[end] = rules.half[1 - half, tile]
        game.end_tile[end] = tile
    offer_arcs(rules, game)


@small
def end_at(game: Game, cell: int, edge: int) -> int:
    """The open end that waits at an edge of this cell, with its next tile coming into it; or -1."""
    found = -1
    for end in range(game.num_ends):  # to the last, without a branch to guess wrong: they are few
        place = np.uint64(end)
        waits = (game.end_cell[place] == cell) & (game.end_edge[place] == edge)
        found = end if waits & (game.end_kind[place] != GONE) else found
    return found


@kernel
def offer_arcs(rules: RuleTable, game: Game) -> None:
    """Finds which turns fit at each end (B4), where ends would meet, and what can be laid."""
    offered, wanted = NONE, NONE
    for end in range(game.num_ends):
        place = np.uint64(end)
        turns = 0
        cell, edge = int(game.end_cell[place]), int(game.end_edge[place])
        taken = EVERY_CORNER if game.end_kind[place] == GONE else corners_taken(game, cell)
        for turn in range(2):
            if fits(taken, corner_of(edge, turn)):
                turns |= 1 << turn
                met = end_at(game, cell, far_edge_of(edge, turn))
                value = int(game.end_value[np.uint64(met)]) if met >= 0 else NO_MEETING
                game.end_meets[place, turn] = value
                wanted |= arcs_on(rules, int(game.end_value[place]), value, turn)
        game.end_turns[place] = turns
        offered |= np.uint64(turns > 0) << place
    game.offered = offered
    for w in range(1, rules.words):
        game.wanted[w] = NONE
    game.wanted[0] = wanted


@small
def arcs_that_fit(rules: RuleTable, game: Game, end: Index, turn: int) -> np.uint64:
    """The tiles that may be laid on an end turning so."""
    if (game.end_turns[end] >> turn) & 1 == 0:
        return NONE
    return arcs_on(rules, int(game.end_value[end]), int(game.end_meets[end, turn]), turn)


@small
def arcs_on(rules: RuleTable, value: int, met: int, turn: int) -> np.uint64:
    """The tiles that may be laid on a number, if that is what they meet at their far side; curved
    sets are small, so all are in one word."""
    tiles = rules.fits[np.uint64(value), turn, 0]
    if met == NO_MEETING:
        return tiles
    return tiles & rules.fits[np.uint64(met), 1 - turn, 0] if rules.ends_may_meet else NONE


@kernel
def halves_asked_for(rules: RuleTable, game: Game) -> np.uint64:
    """The halves that could have been joined now, as bits: value * 2 + which half."""
    asked = NONE
    for end in range(game.num_ends):
        for turn in range(2):
            fits_there = (game.end_turns[end] >> turn) & 1
            if fits_there and game.end_meets[end, turn] == NO_MEETING:
                value = int(rules.asks[game.end_value[end]])
                asked |= ONE << np.uint64(value * 2 + turn)
    return asked


@kernel
def observe_arc(
    rules: RuleTable, game: Game, end: int, out: Observations, lane: Index, at: int
) -> None:
    """Writes what an observer sees at an end: which turns fit, what they would meet, and the taken
    corners in the cells that two more tiles could reach. Two zeros are written beyond."""
    for turn in range(2):
        if (game.end_turns[end] >> turn) & 1:
            out[lane, np.uint64(at)] = 1
            if game.end_meets[end, turn] != NO_MEETING:
                met = int(game.end_meets[end, turn]) if rules.ends_may_meet else 0
                out[lane, np.uint64(at + 1 + met)] = 1
        at += 1 + (rules.values if rules.ends_may_meet else 1)
    cell, edge = int(game.end_cell[end]), np.uint64(game.end_edge[end])
    first = np.uint64(at)
    for place in range(_NEAR):
        near = np.uint64(place)
        taken = corners_taken(game, cell + int(_NEAR_CELL[edge, near]))
        # Clockwise from the edge that one comes in through.
        turned = np.uint64((taken | taken << 6) >> _NEAR_EDGE[edge, near] & 63)
        write_eight(turned, out, lane, first)
        first += np.uint64(6)
