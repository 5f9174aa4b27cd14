"""Double dummy: what a round is worth with all tiles face up, if all play as well as can be.

    batch = domino_env.batch("block_draw", 100, seed=0)
    batch.reset()
    solve.double_dummy(batch)           # for each game, what seat 0 earns over the others
    solve.double_dummy_moves(batch, 0)  # each legal move of game 0 and its value to who moves

Hands, the order of the boneyard and tiles that will be picked at random are known to all. For two
players, or two teams.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from domino_env.agents.heuristic import weights_of
from domino_env.agents.searching.double_dummy import (
    NO_MOVE,
    begin_search,
    new_memory,
    search_on,
)
from domino_env.batches import Batch
from domino_env.errors import BadOption, GameOver, is_whole

MOST_NODES = 50_000_000  # of a round: half a minute
AT_ONCE = 100_000  # nodes between two looks at the keyboard
Values = npt.NDArray[np.float64]


def double_dummy(
    batch: Batch,
    lanes: npt.ArrayLike | None = None,
    seat: int = 0,
    most_nodes: int = MOST_NODES,
    watch: Callable[[float], None] | None = None,
) -> Values:
    """What a seat's side earns over the other in the rest of the round, in each of the lanes, if
    all tiles are face up and all play best; in points, whatever the batch's `reward` is. What an
    opening has scored is paid with the first move, and so counts.

    Args:
        batch: of two players, or two teams.
        lanes: all, if none are given; none of them over.
        seat: whose margin it is.
        most_nodes: of the search in one lane, before it is given up.
        watch: called after each lane with the part of the work that is done, 0 to 1.
    """
    some = _lanes_of(batch, lanes, most_nodes)
    (viewer,) = batch.some_seats([seat], 1)
    solver, found = _Solver(batch, most_nodes), np.zeros(len(some))
    with batch._held:
        for place, lane in enumerate(some):
            found[place] = solver.value(int(lane), int(viewer))
            if watch is not None:
                watch((place + 1) / len(some))
    return found


def double_dummy_moves(
    batch: Batch, lane: int, most_nodes: int = MOST_NODES
) -> list[tuple[int, float]]:
    """Each legal move of a lane with what it leads to, to the side of the seat that makes it; the
    best first."""
    (only,) = _lanes_of(batch, [lane], most_nodes)
    solver, seat = _Solver(batch, most_nodes), int(batch.seat[only])
    with batch._held:
        moves = batch._legal[only, : batch._num_legal[only]]
        values = [(int(move), solver.value(int(only), seat, int(move))) for move in moves]
    return sorted(values, key=lambda value: -value[1])


def _lanes_of(batch: Batch, lanes: npt.ArrayLike | None, most_nodes: int) -> npt.NDArray[np.int64]:
    if not is_whole(most_nodes) or most_nodes < 1:
        raise BadOption(f"most_nodes must be a whole number above 0, not {most_nodes!r}")
    if not batch.rules.has_opponents or not (batch.num_players == 2 or batch.rules.teams):
        raise BadOption(
            f"double dummy is for two sides, and {batch.rules.id} has {batch.num_players} players "
            "that play for themselves"
        )
    batch.must_be_reset("double dummy")
    some = batch.some_lanes(np.arange(batch.num_games) if lanes is None else lanes)
    over = some[batch._num_legal[some] == 0]
    if len(over):
        raise GameOver(f"lane {over[0]} is over: there is nothing left to play")
    return some


class _Solver:
    """Looks at the lanes of a batch, one after the other."""

    def __init__(self, batch: Batch, most_nodes: int) -> None:
        self._batch, self._most_nodes = batch, most_nodes
        self._memory = new_memory(batch)
        self._weights = np.array(weights_of(batch.rules.id))

    def value(self, lane: int, seat: int, move: int = NO_MOVE) -> float:
        """What the seat's side earns from here on, after a move if one is given. Between two calls
        of the kernel Ctrl-C takes effect."""
        rule_table, memory, weights = self._batch._rule_table, self._memory, self._weights
        memory.noted["key"] = 0
        games, left = self._batch._games, self._most_nodes
        more = begin_search(rule_table, games, lane, move, seat, weights, memory)
        while more and left > 0:
            more = search_on(rule_table, seat, weights, min(left, AT_ONCE), memory)
            left -= AT_ONCE
        if more:
            raise BadOption(
                f"lane {lane} has more than {self._most_nodes:,} nodes: allow more by most_nodes, "
                "or begin later in the round"
            )
        return float(memory.at["value"][0])
