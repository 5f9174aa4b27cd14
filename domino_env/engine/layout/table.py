"""The table, whatever its tiles are shaped like: the door to the layouts."""

from __future__ import annotations

from domino_env.compiling import kernel, small
from domino_env.engine.layout.duty import NOTHING_DUE
from domino_env.engine.layout.hexes import clear_arcs, clear_cells, join_arc, lay_arc, offer_arcs
from domino_env.engine.layout.line import (
    join_straight,
    lay_first_straight,
    offer_sides,
    open_end,
    set_end,
)
from domino_env.engine.state import ANYTHING, DOUBLE, HALF, SIDE, Game, RuleTable


@kernel
def clear_table(rules: RuleTable, game: Game) -> None:
    """An empty table has one end, which asks for anything."""
    game.opener = -1
    game.spinner = -1
    for end in range(game.num_ends):  # of the round before: records of equal games are equal
        set_end(game, end, 0, 0, 0)
    if rules.curved:
        clear_cells(game)
        clear_arcs(game)
    game.num_ends = 0
    game.due = NOTHING_DUE
    game.due_left = 0
    game.markers = 0
    game.had_turn = 0
    open_end(game, 0, ANYTHING, HALF)
    offer_sides(rules, game)


@kernel
def lay_first(rules: RuleTable, game: Game, tile: int) -> None:
    """Lays the tile that opens the round."""
    if not rules.curved:
        lay_first_straight(rules, game, tile)
        return
    game.opener = tile
    game.num_ends = 0
    lay_arc(rules, game, tile, 0)
    offer_arcs(rules, game)


@kernel
def lay_second(rules: RuleTable, game: Game, tile: int) -> None:
    """Lays a second tile back to back with the first (B6)."""
    lay_arc(rules, game, tile, 3)
    offer_arcs(rules, game)


@small
def join(rules: RuleTable, game: Game, tile: int, end: int, half: int) -> None:
    """Joins a tile to an end by one of its halves."""
    if rules.curved:
        join_arc(rules, game, tile, end, half)
    else:
        join_straight(rules, game, tile, end, half)


@kernel
def lay(rules: RuleTable, game: Game, tile: int, end: int, half: int) -> None:
    """Lays a tile on the table, whether or not it is the first."""
    if game.opener < 0:
        lay_first(rules, game, tile)
    else:
        join(rules, game, tile, end, half)


@small
def lies_bent(rules: RuleTable, game: Game) -> bool:
    """Are there curved tiles on the table, which must fit?"""
    return bool(rules.curved and game.opener >= 0)


@small
def counts(rules: RuleTable, game: Game, end: int) -> int:
    """How many pips an end counts (AF1, FU2)."""
    kind = game.end_kind[end]
    if kind >= SIDE:  # or GONE
        return 0
    pips = int(rules.worth[game.end_value[end]])
    return 2 * pips if kind == DOUBLE else pips


@kernel
def total(rules: RuleTable, game: Game) -> int:
    """The pips of all ends together."""
    pips = 0
    for end in range(game.num_ends):
        pips += counts(rules, game, end)
    return pips


@small
def ends_are_same(game: Game) -> bool:
    """Do both ends of the line show the same number? (BE2)"""
    return bool(game.end_value[0] == game.end_value[1])
