"""What Python hands over for some lanes, looked at before any game is touched: lanes, and actions.

What is legal is read from the list of legal moves, which is the batch's own; masks, seats and
observations are written for others, who may write into them as they like. Where nothing is legal
the game is over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.state import Counts, Index, Legal, WholeNumbers

FOUR = np.uint64(4)
HOLD = -2  # in the place of an action: the lane stays as it is


@kernel
def first_refused(
    legal: Legal,
    num_legal: Counts,
    actions: WholeNumbers,
    taken: WholeNumbers,
    may_hold: bool,
    start: int,
    stop: int,
) -> int:
    """The first lane whose action cannot be taken; -1 if all can. Finished lanes take only -1. What
    it has looked at it copies into `taken`: `actions` may be written to by others meanwhile."""
    for lane in range(np.uint64(start), np.uint64(stop)):
        action = actions[lane]
        taken[lane] = action
        if may_hold and action == HOLD:
            continue
        if num_legal[lane] == 0:
            if action != -1:
                return int(np.int64(lane))
        elif not is_listed(legal, num_legal, action, lane):
            return int(np.int64(lane))
    return -1


@small
def all_over(num_legal: Counts, start: int, stop: int) -> bool:
    """Is every game of these over?"""
    for lane in range(np.uint64(start), np.uint64(stop)):
        if num_legal[lane] > 0:
            return False
    return True


@small
def is_listed(legal: Legal, num_legal: Counts, action: int, lane: Index) -> bool:
    """Is an action among the legal ones of a lane? It goes by fours, for there are seldom more: so
    it is not to be guessed which it is."""
    number = np.uint64(num_legal[lane])
    for first in range(np.uint64(0), number, FOUR):
        listed = False
        for place in range(first, first + FOUR):
            listed |= (legal[lane, place] == action) & (place < number)
        if listed:
            return True
    return False


@kernel
def refuse_unlisted(
    legal: Legal, num_legal: Counts, lanes: WholeNumbers, actions: WholeNumbers
) -> int:
    """Puts -1 in the place of each action that is not legal in its lane; how many there are."""
    refused = 0
    for place in range(len(lanes)):
        if not is_listed(legal, num_legal, actions[place], np.uint64(lanes[place])):
            actions[place] = -1
            refused += 1
    return refused


@kernel
def first_foreign(lanes: WholeNumbers, num_games: int) -> int:
    """The place of the first number that is none of the lanes of a batch; -1 if all are."""
    for place in range(len(lanes)):
        if lanes[place] < 0 or lanes[place] >= num_games:
            return place
    return -1


@kernel
def first_over(num_legal: Counts, lanes: WholeNumbers) -> int:
    """The place of the first of some lanes whose game is over; -1 if none is."""
    for place in range(len(lanes)):
        if num_legal[np.uint64(lanes[place])] == 0:
            return place
    return -1


@kernel
def place_actions(lanes: WholeNumbers, actions: WholeNumbers, taken: WholeNumbers) -> int:
    """Puts the actions of some lanes in the lanes' places, and HOLD in all others; the place of the
    first that cannot be put there, because its lane has one already or it is HOLD, or -1."""
    for place in range(len(taken)):
        taken[place] = HOLD
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        if taken[lane] != HOLD or actions[place] == HOLD:
            return place
        taken[lane] = actions[place]
    return -1
