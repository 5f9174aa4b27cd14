"""Solitaire: seven columns, of seven tiles down to one, the lowest of each face up (SO1-SO3).

A move takes the lower part of a column, from a face-up tile on, and puts it under another column
whose lowest half its top half matches, or in an empty one. The tile that is uncovered turns up.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import by_dtype, kernel, small
from domino_env.engine.bits import NONE, ONE, lowest
from domino_env.engine.deal import log_event
from domino_env.engine.eights import write_eight
from domino_env.engine.scaled import write_part
from domino_env.engine.state import BYTES, FLOATS, Index, Legal, Masks, Observations
from domino_env.puzzles.puzzle_state import (
    COLUMNS,
    CUT_OFF,
    HALVES,
    MOVED,
    STOPPED,
    STUCK,
    TILES,
    TURNED_UP,
    WON,
    Log,
    Puzzle,
    RuleTable,
)

COLUMN_BITS = 8  # of a group in `lower_ends`, one for each half
NO_HALF = np.uint64(COLUMN_BITS * HALVES)  # and one of the empty columns, which starts here
ALL_COLUMNS = np.uint64(2**COLUMNS - 1)
EACH_HALF = np.uint64(sum(1 << COLUMN_BITS * half for half in range(HALVES)))
SIGN = 63  # the bit of a number below 0
EMPTY = COLUMNS  # the target of a move to whichever column is empty
TARGETS = COLUMNS + 1
STOP = TILES * TARGETS  # the action; a move is tile * TARGETS + target


@kernel
def lay_columns(game: Puzzle, log: Log) -> None:
    """Lays the deal out column by column, from the innermost tile to the lowest (SO1)."""
    place = 0
    for column in range(COLUMNS):
        for depth in range(TILES):  # of the game before: records of equal games are equal
            game.column[column, depth] = 0
        game.height[column] = 0
        for _ in range(COLUMNS - column):
            put_under(game, column, int(log[place] & 127))
            place += 1
        game.face_up[column] = 1


@small
def put_under(game: Puzzle, column: int, tile: int) -> None:
    """Puts a tile at the lower end of a column."""
    place = np.uint64(game.height[column])
    game.column[column, place] = tile
    game.column_of[tile] = column
    game.depth_of[tile] = place
    game.height[column] = place + ONE


@kernel
def move_run(game: Puzzle, log: Log, tile: int, target: int) -> None:
    """Moves a tile and all below it under another column (SO2)."""
    column = int(game.column_of[tile])
    first = int(game.depth_of[tile])
    last = int(game.height[column])
    if target == EMPTY:  # all empty columns are one move: the first of them
        target = 0
        while game.height[target] > 0:
            target += 1
    log_event(game, log, MOVED, 0, tile, target, 0)
    for place in range(first, last):
        put_under(game, target, int(game.column[column, place]))
    game.height[column] = first
    game.face_up[column] -= last - first
    game.face_up[target] += last - first
    turn_up(game, log, column)
    game.moves += 1


@small
def turn_up(game: Puzzle, log: Log, column: int) -> None:
    """The tile that has been uncovered turns up, for a point."""
    if game.height[column] > 0 and game.face_up[column] == 0:
        game.face_up[column] = 1
        game.gained += 1
        tile = int(game.column[column, game.height[column] - 1])
        log_event(game, log, TURNED_UP, 0, tile, column, 0)


@kernel
def see_how_it_stands(rules: RuleTable, game: Puzzle, log: Log) -> None:
    """Is it won, lost, or cut off? (SO3)"""
    if not game.won and all_face_up(game):
        game.won = 1
        log_event(game, log, WON, 0, 0, 0, 0)
    if not can_move(game):
        if game.won:
            stop_playing(game, log)  # by itself: nothing is left to decide (G5)
        else:
            game.over = 1
            log_event(game, log, STUCK, 0, 0, 0, 0)
    elif rules.most_moves > 0 and game.moves >= rules.most_moves:
        game.over = 1
        game.cut_off = 1
        log_event(game, log, CUT_OFF, 0, 0, 0, 0)


@small
def all_face_up(game: Puzzle) -> bool:
    """Is no tile face down?"""
    down = 0
    for column in range(COLUMNS):
        down += game.height[column] - game.face_up[column]
    return down == 0


@kernel
def stop_playing(game: Puzzle, log: Log) -> None:
    """Ends a game that is won: a point for each column that is empty (SO3)."""
    for column in range(COLUMNS):
        if game.height[column] == 0:
            game.gained += 1
    game.over = 1
    log_event(game, log, STOPPED, 0, 0, 0, 0)


@kernel
def can_move(game: Puzzle) -> bool:
    """Is there any move?"""
    ends = lower_ends(game)
    for column in range(COLUMNS):
        others, empty = targets_of(ends, column)
        for place in range(game.height[column] - game.face_up[column], game.height[column]):
            if targets(game, column, place, others, empty) != NONE:
                return True
    return False


@small
def lower_ends(game: Puzzle) -> np.uint64:
    """Which columns end in each half, and which are empty, as groups of bits."""
    ends = NONE
    for column in range(COLUMNS):
        half = lowest_half(game, column) if game.height[column] > 0 else HALVES
        ends |= ONE << np.uint64(COLUMN_BITS * half + column)
    return ends


@small
def lowest_half(game: Puzzle, column: int) -> int:
    """The half at the lower end of a column; of an empty one, any."""
    place = np.uint64(max(int(game.height[column]) - 1, 0))
    return int(game.second[game.column[column, place]])


@small
def targets_of(ends: np.uint64, column: int) -> tuple[np.uint64, np.uint64]:
    """The columns that a run may move to from a column, in groups by the half that it matches; and
    the bit of an empty one, if any is."""
    empty = np.uint64(ends >> NO_HALF != NONE) << np.uint64(EMPTY)
    return ends & ~(EACH_HALF << np.uint64(column)), empty


@small
def targets(
    game: Puzzle, column: int, place: int, others: np.uint64, empty: np.uint64
) -> np.uint64:
    """Where the run that begins at a place of a column may go, as bits: see `targets_of`."""
    top = game.first[game.column[column, np.uint64(place)]]
    found = others >> np.uint64(COLUMN_BITS * int(top)) & ALL_COLUMNS
    return found | empty if place > 0 else found  # a whole column may not move to an empty one


@kernel
def list_column_moves(game: Puzzle, mask: Masks, legal: Legal, lane: Index) -> int:
    """Adds every lower part of a column, with everywhere it may go."""
    found = 0
    ends = lower_ends(game)
    for column in range(COLUMNS):
        others, empty = targets_of(ends, column)
        for place in range(game.height[column] - game.face_up[column], game.height[column]):
            bits = targets(game, column, place, others, empty)
            first = np.uint64(game.column[column, np.uint64(place)]) * np.uint64(TARGETS)
            # The first is written even if there is none, and not kept: no branch to guess wrong.
            some = np.uint64(bits != NONE)
            action = first + np.uint64(lowest(bits | ONE << np.uint64(EMPTY)))
            mask[lane, action] = some
            legal[lane, np.uint64(found)] = action
            found += int(some)
            bits &= bits - some
            while bits != NONE:
                action = first + np.uint64(lowest(bits))
                bits &= bits - ONE
                mask[lane, action] = 1
                legal[lane, np.uint64(found)] = action
                found += 1
    if game.won:
        mask[lane, STOP] = 1
        legal[lane, found] = STOP
        found += 1
    return found


@small
def _share_as_float(
    tiles: int, out: Observations, lane: Index, at: np.uint64, rules: RuleTable
) -> None:
    out[lane, at] = rules.share[np.uint64(tiles)]


@small
def _share_as_byte(
    tiles: int, out: Observations, lane: Index, at: np.uint64, rules: RuleTable
) -> None:
    out[lane, at] = tiles


write_share = by_dtype({FLOATS: _share_as_float, BYTES: _share_as_byte})
"""Writes a number of tiles; as a float their share of the set, without dividing."""


@kernel
def observe_columns(rules: RuleTable, game: Puzzle, out: Observations, lane: Index) -> None:
    """What shows of each column, and where each face-up tile lies; every number, in their order."""
    at = np.uint64(0)
    for column in range(COLUMNS):
        height, face_up = int(game.height[column]), int(game.face_up[column])
        write_share(height - face_up, out, lane, at, rules)
        write_share(face_up, out, lane, at + ONE, rules)
        ends = np.uint64(height > 0) << np.uint64(lowest_half(game, column))
        write_eight(ends, out, lane, at + np.uint64(2))  # the eighth is the next column's first
        at += np.uint64(2 + HALVES)
    for tile in range(np.uint64(TILES)):
        observe_tile(rules, game, tile, out, lane, at)
        at += np.uint64(COLUMNS + 2)
    out[lane, at] = game.won
    out[lane, at + ONE] = 0
    if rules.most_moves > 0:
        write_part(game.moves, out, lane, at + ONE, rules.most_moves)


@small
def observe_tile(
    rules: RuleTable, game: Puzzle, tile: Index, out: Observations, lane: Index, at: np.uint64
) -> None:
    """Where a tile lies, if it is face up; without a branch, as that cannot be guessed."""
    column, place = np.uint64(game.column_of[tile]), np.uint64(game.depth_of[tile])
    depth = int(game.height[column]) - int(place)  # from the lower end, which is 1
    shows = (depth > 0) & (depth <= game.face_up[column]) & (game.column[column, place] == tile)
    write_eight(np.uint64(shows) << column, out, lane, at)
    write_share(depth * shows, out, lane, at + np.uint64(COLUMNS), rules)
    higher_first = (int(rules.half[0, tile]) - int(game.first[tile])) >> SIGN & 1
    out[lane, at + np.uint64(COLUMNS + 1)] = higher_first * shows
