"""Elimination: count from 0 to 12 along the row, again and again; a tile that is touched on its own
number is removed (EL1, EL2). Gaps close at the row's end, and the count goes on from the left."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import ONE
from domino_env.engine.deal import log_event
from domino_env.engine.scaled import write_part
from domino_env.engine.state import Index, Legal, Masks, Observations
from domino_env.puzzles.puzzle_state import (
    NUMBERS,
    REMOVED,
    STUCK,
    TILES,
    WON,
    Log,
    Puzzle,
    RuleTable,
)


@kernel
def lay_row(rules: RuleTable, game: Puzzle, log: Log) -> None:
    """Lays the deal as a row, with the finger at its left."""
    for place in range(rules.tiles):
        game.row[place] = log[place] & 127
    game.length = rules.tiles
    game.kept = 0
    game.finger = 0
    game.number = 0
    game.idle = 0


@kernel
def count_on(rules: RuleTable, game: Puzzle, log: Log) -> None:
    """Touches one tile and says the number."""
    tile = int(game.row[game.finger])
    game.finger += 1
    if game.first[tile] + game.second[tile] == game.number:
        game.gained += 1
        game.idle = 0
        log_event(game, log, REMOVED, 0, tile, int(game.number), 0)
    else:
        game.row[game.kept] = tile
        game.kept += 1
    game.number = 0 if game.number == NUMBERS - 1 else game.number + 1
    if game.finger == game.length:
        close_gaps(game, log)


@kernel
def close_gaps(game: Puzzle, log: Log) -> None:
    """The row's end: the gaps close, unless the count can never remove anything any more (EL2)."""
    if game.kept == game.length:
        game.idle += 1
    game.length = game.kept
    game.kept = 0
    game.finger = 0
    if game.length == 0:
        game.won = 1
        game.over = 1
        log_event(game, log, WON, 0, 0, 0, 0)
    elif game.idle >= (1 if game.length % NUMBERS == 0 else NUMBERS):
        game.over = 1
        log_event(game, log, STUCK, 0, 0, 0, 0)


@small
def list_count(mask: Masks, legal: Legal, lane: Index) -> int:
    """There is nothing to decide but to go on."""
    mask[lane, 0] = 1
    legal[lane, 0] = 0
    return 1


@kernel
def observe_count(game: Puzzle, out: Observations, lane: Index) -> None:
    """The row, where the count is, and what it says next."""
    place = 0
    for at in range(game.length):
        if game.kept <= at < game.finger:
            continue  # a gap, or a tile that has moved to the left in our list
        tile = game.row[at]
        pips = game.first[tile] + game.second[tile]
        write_part(pips + 1, out, lane, np.uint64(place), NUMBERS)
        place += 1
    first = np.uint64(TILES)
    out[lane, first + np.uint64(game.kept)] = 1
    out[lane, first + np.uint64(TILES + game.number)] = 1
    rest = np.uint64(2 * TILES + NUMBERS)
    write_part(game.idle, out, lane, rest, NUMBERS)
    out[lane, rest + ONE] = game.kept < game.finger
