"""What each tile of a round did to the table when it was laid: the layouts run again over its log.

Only the layouts decide which ends a tile opens. The log has the plays alone, so they are laid again
here, on the table of an empty game. Steps do not need this: it is done when a position is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.events import end_of, half_of, kind_of, tile_of
from domino_env.engine.layout.hexes import ORIGIN, after_edge, corner_of, far_edge_of
from domino_env.engine.layout.line import will_open_sides
from domino_env.engine.layout.table import clear_table, lay, lay_second
from domino_env.engine.state import (
    GONE,
    LAID_OUT,
    PLAYED,
    Game,
    Games,
    Log,
    RuleTable,
    RuleTables,
    records,
)

if TYPE_CHECKING:
    from domino_env.engine.record_types import ArcPlace, OpenedEnd, Records

# An end that a tile has opened.
OPENED = np.dtype(
    (
        np.record,
        [
            ("by", np.int16),  # which tile has opened it, in the order in which they were laid
            ("end", np.int16),
            ("kind", np.int16),
            ("uncovered", np.int16),  # it is on the tile that this one was laid against (FU1)
            ("opens_sides", np.int16),  # a tile laid on it will open the sides of its double (FU1)
        ],
    )
)
# How a curved tile lies: see hexes.
ARC = np.dtype(
    (
        np.record,
        [
            ("cell", np.int32),
            ("corner", np.int16),
            ("first_edge", np.int16),  # of its first half
        ],
    )
)
_MOST_OPENED = 4  # by one tile


def trace_round(rule_table: Any, game: Any, log: Any, tiles: int) -> tuple[Any, Any]:
    """The ends that each tile opened, `OPENED[...]`, and how each lies if it is curved, `ARC[...]`.

    Args:
        rule_table: of the game, as a batch has it.
        game: the dtype of its record.
        log: of the round, no longer than it is now.
        tiles: in the whole set.
    """
    scratch = records(1, game)
    opened, arcs = records(_MOST_OPENED * tiles, OPENED), records(tiles, ARC)
    laid, found = _trace(rule_table, scratch, log, tiles, len(log), opened, arcs)
    return opened[:found], arcs[:laid]


@kernel
def _trace(
    rule_tables: RuleTables,
    games: Games,
    log: Log,
    start: int,
    stop: int,
    opened: Records[OpenedEnd],
    arcs: Records[ArcPlace],
) -> tuple[int, int]:
    """Lays the tiles of a log, from its first event on, on the table of an empty game; answers with
    how many there were, and how many ends they opened."""
    rules, game = rule_tables[0], games[0]
    clear_table(rules, game)
    laid, found = 0, 0
    for at in range(start, stop):
        word: Any = np.int64(log[at])
        kind, tile = kind_of(word), tile_of(word)
        end, half = end_of(word), half_of(word)
        if kind != PLAYED and kind != LAID_OUT:
            continue
        joins = laid > 0 and kind == PLAYED
        first_new = int(game.num_ends) if laid else 0  # an empty table's end is on no tile
        if joins and rules.curved:
            note_joined_arc(game, end, half, arcs, laid)
        if laid and not joins:
            lay_second(rules, game, tile)
        else:
            lay(rules, game, tile, end, half)
        if not joins and rules.curved:
            note_first_arc(game, first_new, arcs, laid)
        if joins and game.end_kind[end] != GONE:
            found = note_opened(rules, game, tile, laid, end, opened, found)
        for new in range(first_new, game.num_ends):
            found = note_opened(rules, game, tile, laid, new, opened, found)
        laid += 1
    return laid, found


@small
def note_opened(
    rules: RuleTable,
    game: Game,
    tile: int,
    laid: int,
    end: int,
    opened: Records[OpenedEnd],
    found: int,
) -> int:
    """Writes down an end that a tile has opened, or carried on."""
    opened[found].by = laid
    opened[found].end = end
    opened[found].kind = game.end_kind[end]
    opened[found].uncovered = 1 if game.end_tile[end] != tile else 0
    opened[found].opens_sides = 1 if will_open_sides(rules, game, end) else 0
    return found + 1


@small
def note_joined_arc(game: Game, end: int, half: int, arcs: Records[ArcPlace], laid: int) -> None:
    """Writes down how a curved tile lies that is about to join an end."""
    edge = int(game.end_edge[end])
    arcs[laid].cell = game.end_cell[end]
    arcs[laid].corner = corner_of(edge, half)
    arcs[laid].first_edge = edge if half == 0 else far_edge_of(edge, half)


@small
def note_first_arc(game: Game, end: int, arcs: Records[ArcPlace], laid: int) -> None:
    """Writes down how a curved tile of the opening lies; its first half is on this end, which waits
    beyond the edge after its corner."""
    edge = after_edge(int(game.end_edge[end]), 3)
    arcs[laid].cell = ORIGIN
    arcs[laid].corner = after_edge(edge, -1)
    arcs[laid].first_edge = edge
