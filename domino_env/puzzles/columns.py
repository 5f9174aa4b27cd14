"""Solitaire: seven columns, of seven tiles down to one, the lowest of each face up (SO1-SO3).

A move takes the lower part of a column, from a face-up tile on, and puts it under another column
whose lowest half its top half matches, or in an empty one. The tile that is uncovered turns up.
"""

from __future__ import annotations

import numpy as np

from domino_env.engine.bits import NONE, ONE, lowest
from domino_env.engine.compiling import kernel, small
from domino_env.engine.deal import log_event
from domino_env.engine.state import Index, Legal, Masks, Observations
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
    game.column[column, game.height[column]] = tile
    game.column_of[tile] = column
    game.depth_of[tile] = game.height[column]
    game.height[column] += 1


@small
def lowest_half(game: Puzzle, column: int) -> int:
    """The half at the lower end of a column that is not empty."""
    return int(game.second[game.column[column, game.height[column] - 1]])


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
    for column in range(COLUMNS):
        for place in range(game.height[column] - game.face_up[column], game.height[column]):
            if targets(game, column, place) != NONE:
                return True
    return False


@small
def targets(game: Puzzle, column: int, place: int) -> np.uint64:
    """Where the run that begins at a place of a column may go, as bits."""
    top = game.first[game.column[column, place]]
    found = NONE
    empty = False
    for other in range(COLUMNS):
        if game.height[other] == 0:
            empty = True
        elif other != column and lowest_half(game, other) == top:
            found |= ONE << np.uint64(other)
    if empty and place > 0:  # a whole column may not move to an empty one
        found |= ONE << np.uint64(EMPTY)
    return found


@kernel
def list_column_moves(game: Puzzle, mask: Masks, legal: Legal, lane: Index) -> int:
    """Adds every lower part of a column, with everywhere it may go."""
    found = 0
    for column in range(COLUMNS):
        for place in range(game.height[column] - game.face_up[column], game.height[column]):
            bits = targets(game, column, place)
            while bits != NONE:
                action = np.uint64(int(game.column[column, place]) * TARGETS + lowest(bits))
                bits &= bits - ONE
                mask[lane, action] = 1
                legal[lane, np.uint64(found)] = action
                found += 1
    if game.won:
        mask[lane, STOP] = 1
        legal[lane, found] = STOP
        found += 1
    return found


@kernel
def observe_columns(rules: RuleTable, game: Puzzle, out: Observations, lane: Index) -> None:
    """What shows of each column, and where each face-up tile lies."""
    whole = np.float32(TILES)
    for column in range(COLUMNS):
        at = np.uint64(column * (2 + HALVES))
        height, face_up = int(game.height[column]), int(game.face_up[column])
        out[lane, at] = np.float32(height - face_up) / whole
        out[lane, at + ONE] = np.float32(face_up) / whole
        if height > 0:
            out[lane, at + np.uint64(2 + lowest_half(game, column))] = 1
        for place in range(height - face_up, height):
            tile = int(game.column[column, place])
            own = np.uint64(COLUMNS * (2 + HALVES) + tile * (2 + COLUMNS))
            out[lane, own + np.uint64(column)] = 1
            out[lane, own + np.uint64(COLUMNS)] = np.float32(height - place) / whole
            turned = game.first[tile] != rules.half[0, tile]
            out[lane, own + np.uint64(COLUMNS + 1)] = turned
    rest = np.uint64(COLUMNS * (2 + HALVES) + TILES * (2 + COLUMNS))
    out[lane, rest] = game.won
    if rules.most_moves > 0:
        out[lane, rest + ONE] = np.float32(game.moves) / np.float32(rules.most_moves)
