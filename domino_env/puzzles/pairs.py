"""Knock-Out: two tiles that touch with the same number leave the row, and the gap closes (KO1)."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.deal import log_event
from domino_env.engine.scaled import write_part
from domino_env.engine.state import Index, Legal, Masks, Observations
from domino_env.puzzles.puzzle_state import HALVES, KNOCKED, STUCK, TILES, WON, Log, Puzzle


@small
def touch_alike(game: Puzzle, junction: int) -> bool:
    """Do the tiles on both sides of a junction match where they touch?"""
    return bool(game.second[game.row[junction]] == game.first[game.row[junction + 1]])


@kernel
def knock(game: Puzzle, log: Log, junction: int) -> None:
    """Knocks out the tiles on both sides of a junction."""
    log_event(game, log, KNOCKED, 0, int(game.row[junction]), int(game.row[junction + 1]), 0)
    game.length -= 2
    for place in range(junction, game.length):
        game.row[place] = game.row[place + 2]
    game.gained += 2
    end_without_pairs(game, log)


@kernel
def end_without_pairs(game: Puzzle, log: Log) -> None:
    """The game ends when no pair matches."""
    for junction in range(game.length - 1):
        if touch_alike(game, junction):
            return
    game.over = 1
    game.won = game.length == 0
    log_event(game, log, WON if game.won else STUCK, 0, 0, 0, 0)


@small
def list_knocks(game: Puzzle, mask: Masks, legal: Legal, lane: Index) -> int:
    """Adds every junction where the tiles match."""
    found = 0
    for junction in range(game.length - 1):
        alike = touch_alike(game, junction)
        mask[lane, junction] = alike
        legal[lane, found] = junction
        found += alike
    return found


@kernel
def observe_row(game: Puzzle, out: Observations, lane: Index) -> None:
    """Both halves of the tile at each place."""
    for place in range(game.length):
        tile = game.row[place]
        at = 2 * HALVES * place
        out[lane, np.uint64(at + int(game.first[tile]))] = 1
        out[lane, np.uint64(at + HALVES + int(game.second[tile]))] = 1
    write_part(game.length, out, lane, np.uint64(2 * HALVES * TILES), TILES)
