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

from domino_env.engine.bits import NONE, ONE
from domino_env.engine.compiling import kernel, small
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

_LAST_PLACE = np.uint64(CELLS - 1)

# From a cell through each of its edges to the cell beyond: axial steps, clockwise from the top.
_BEYOND = np.array([-256, 1 - 256, 1, 256, 256 - 1, -1], np.int64)


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


@kernel
def end_at(game: Game, cell: int, edge: int) -> int:
    """The open end that waits at an edge of this cell, with its next tile coming into it; or -1."""
    for end in range(game.num_ends):
        if game.end_cell[end] == cell and game.end_edge[end] == edge:
            if game.end_kind[end] != GONE:
                return end
    return -1


@kernel
def offer_arcs(rules: RuleTable, game: Game) -> None:
    """Finds which turns fit at each end (B4), where ends would meet, and what can be laid."""
    game.offered = NONE
    for w in range(rules.words):
        game.wanted[w] = NONE
    for end in range(game.num_ends):
        game.end_turns[end] = 0
        if game.end_kind[end] == GONE:
            continue
        cell, edge = int(game.end_cell[end]), int(game.end_edge[end])
        taken = corners_taken(game, cell)
        for turn in range(2):
            if fits(taken, corner_of(edge, turn)):
                game.end_turns[end] |= 1 << turn
                met = end_at(game, cell, far_edge_of(edge, turn))
                game.end_meets[end, turn] = game.end_value[met] if met >= 0 else NO_MEETING
                for w in range(rules.words):
                    game.wanted[w] |= arcs_that_fit(rules, game, end, turn, w)
        if game.end_turns[end]:
            game.offered |= ONE << np.uint64(end)


@small
def arcs_that_fit(rules: RuleTable, game: Game, end: int, turn: int, w: int) -> np.uint64:
    """The tiles, one word of them, that may be laid on an end turning so."""
    if (game.end_turns[end] >> turn) & 1 == 0:
        return NONE
    tiles = rules.fits[game.end_value[end], turn, w]
    met = game.end_meets[end, turn]
    if met == NO_MEETING:
        return tiles
    if not rules.ends_may_meet:
        return NONE
    return tiles & rules.fits[met, 1 - turn, w]


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
    corners in the cells that two more tiles could reach."""
    for turn in range(2):
        if (game.end_turns[end] >> turn) & 1:
            out[lane, np.uint64(at)] = 1
            if game.end_meets[end, turn] != NO_MEETING:
                met = int(game.end_meets[end, turn]) if rules.ends_may_meet else 0
                out[lane, np.uint64(at + 1 + met)] = 1
        at += 1 + (rules.values if rules.ends_may_meet else 1)
    cell, edge = int(game.end_cell[end]), int(game.end_edge[end])
    observe_cell(game, cell, edge, out, lane, at)
    for turn in range(2):
        beyond = cell + _BEYOND[far_edge_of(edge, turn)]
        into = after_edge(far_edge_of(edge, turn), 3)
        observe_cell(game, beyond, into, out, lane, at + 6 + 6 * turn)
        for second in range(2):
            far = far_edge_of(into, second)
            place = at + 18 + 12 * turn + 6 * second
            observe_cell(game, beyond + _BEYOND[far], after_edge(far, 3), out, lane, place)


@kernel
def observe_cell(game: Game, cell: int, edge: int, out: Observations, lane: Index, at: int) -> None:
    """Writes the taken corners of a cell, clockwise from the edge one comes in through."""
    taken = corners_taken(game, cell)
    if taken:
        turned = (taken | taken << 6) >> edge
        for step in range(6):
            out[lane, np.uint64(at + step)] = (turned >> step) & 1
