"""`optimal`: solves Knock-Out, by interval dynamic programming.

A pair can be removed after others only if everything between the two has gone. So what is removed
of a row is a set of disjoint intervals, each removed completely; and an interval can be removed if
its first tile matches one of its tiles, and both what is between the two and what follows can be
removed. `find_stretches` finds every removable interval, and a walk along the row the best choice
of disjoint ones. The tests compare it with an exhaustive search over all orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, Shown, at_decisions, must_play
from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, Words
from domino_env.engine.state import Numbers
from domino_env.errors import BadOption
from domino_env.puzzles.puzzle_state import TILES, Puzzle, Puzzles

COMPILED = ("the agent optimal", 2)


class Optimal(Shown):
    """Plays Knock-Out, where all tiles are face up, optimally."""

    name = "optimal"

    @staticmethod
    def plays(rules: Any) -> bool:
        """It plays games of pairs."""
        return getattr(rules, "play", None) == "pairs"

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A junction to knock for each of the lanes."""
        chosen = np.empty(len(lanes), np.int64)
        stretches, most, first, second = _scratch()
        _knock(batch._games, lanes, stretches, most, first, second, chosen)
        return chosen

    def weigh(self, batch: Batch, lane: int) -> list[tuple[int, float]]:
        """The points that can still be made after each legal move, with its own; the best first."""
        must_play(self, batch)
        saved, moves = batch.save(lane), batch._legal_of(lane)
        trials = Batch(batch.rules, len(moves), autoreset=False)
        trials.reset()
        for trial in range(len(moves)):
            trials.restore(trial, saved)
        trials.step(moves)
        points = 2 + best_removals(trials)
        worths = [(move, float(gain)) for move, gain in zip(moves, points, strict=True)]
        return sorted(worths, key=lambda worth: -worth[1])


def best_removals(batch: Batch) -> npt.NDArray[np.int64]:
    """The maximum number of tiles that can still be removed in each lane."""
    must_play(Optimal, batch)
    most = np.empty(batch.num_games, np.int64)
    stretches, upto, first, second = _scratch()
    with batch._held:
        _count(batch._games, stretches, upto, first, second, most)
    return most


def best_removal(row: Sequence[tuple[int, int]]) -> int:
    """The maximum number of tiles that can be removed from a row, each tile written as it lies."""
    if len(row) > TILES:
        raise BadOption(f"a row has {TILES} tiles at the most, not {len(row)}")
    halves = np.array(row, np.int64).reshape(-1, 2)
    stretches, most, first, second = _scratch()
    first[: len(row)], second[: len(row)] = halves[:, 0], halves[:, 1]
    find_stretches(first, second, len(row), stretches)
    return int(walk(len(row), stretches, most))


def _scratch() -> tuple[Any, ...]:
    """Which stretches can go; the most that can go up to each place; both halves of each tile."""
    return (
        np.zeros(TILES + 1, np.uint64),
        np.zeros(TILES + 1, np.int64),
        np.zeros(TILES, np.int64),
        np.zeros(TILES, np.int64),
    )


@small
def can_go(stretches: Words, begin: int, end: int) -> bool:
    """Can the stretch from one place up to, not including, another be removed? An empty one can."""
    return begin == end or (stretches[begin] >> np.uint64(end)) & ONE != NONE


@kernel
def find_stretches(first: Numbers, second: Numbers, size: int, stretches: Words) -> None:
    """Finds for each place, as bits, where stretches end that begin there and can go."""
    for begin in range(size + 1):
        stretches[begin] = NONE
    for length in range(2, size + 1, 2):
        for begin in range(size - length + 1):
            end = begin + length
            for partner in range(begin + 1, end, 2):
                if pairs_up(first, second, stretches, begin, partner, end):
                    stretches[begin] |= ONE << np.uint64(end)
                    break


@small
def pairs_up(
    first: Numbers, second: Numbers, stretches: Words, begin: int, partner: int, end: int
) -> bool:
    """Can a stretch go with its first tile and this one as a pair, all between and all after?"""
    return bool(
        second[begin] == first[partner]
        and can_go(stretches, begin + 1, partner)
        and can_go(stretches, partner + 1, end)
    )


@kernel
def walk(size: int, stretches: Words, most: Numbers) -> int:
    """The most that can go of a row, by the most that can go up to each of its places."""
    for end in range(1, size + 1):
        most[end] = most[end - 1]
        for begin in range(end - 2, -1, -2):
            if can_go(stretches, begin, end):
                most[end] = max(most[end], most[begin] + end - begin)
    return int(most[size])


@kernel
def first_knock(size: int, first: Numbers, second: Numbers, stretches: Words, most: Numbers) -> int:
    """A junction that a best play begins with: the innermost pair of a stretch that goes."""
    end = size
    while most[end] == most[end - 1]:
        end -= 1
    begin = end - 2
    while not can_go(stretches, begin, end) or most[begin] + end - begin != most[end]:
        begin -= 2
    while True:
        partner = begin + 1
        while not pairs_up(first, second, stretches, begin, partner, end):
            partner += 2
        if partner == begin + 1:
            return begin
        begin, end = begin + 1, partner


@small
def read_row(game: Puzzle, first: Numbers, second: Numbers) -> int:
    """Copies the halves of a game's row; how many tiles it has."""
    for place in range(game.length):
        first[place] = game.first[game.row[place]]
        second[place] = game.second[game.row[place]]
    return int(game.length)


@kernel
def _knock(
    games: Puzzles,
    lanes: Numbers,
    stretches: Words,
    most: Numbers,
    first: Numbers,
    second: Numbers,
    chosen: Numbers,
) -> None:
    for place in range(len(lanes)):
        size = read_row(games[lanes[place]], first, second)
        find_stretches(first, second, size, stretches)
        walk(size, stretches, most)
        chosen[place] = first_knock(size, first, second, stretches, most)


@kernel
def _count(
    games: Puzzles, stretches: Words, most: Numbers, first: Numbers, second: Numbers, best: Numbers
) -> None:
    for lane in range(len(games)):
        size = read_row(games[lane], first, second)
        find_stretches(first, second, size, stretches)
        best[lane] = walk(size, stretches, most)
