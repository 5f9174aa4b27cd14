"""Opponents of a learner: how they are given, and how they are asked for their actions.

An error of an opponent is reported as such, never as an error in the learner's action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import deals
from domino_env.batches import Batch
from domino_env.errors import BadAction, BadOption

Whole = npt.NDArray[np.int64]


class Uniform:
    """`random` as an opponent: it draws from the generator that each lane has for that, so a game
    is the same whatever others are played beside it."""

    name = "random"

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        """Uniform over the legal actions."""
        return batch.sample_some(lanes)


def actions_of(agent: Any, batch: Batch, lanes: Whole) -> Whole:
    """What an opponent does in some games: refused here if it is no whole number for each."""
    try:
        given = agent.act(batch, lanes)
    except Exception as error:
        error.add_note(f"opponent {name_of_opponent(agent)!r} raised this where it was to move")
        raise
    try:
        actions = np.asarray(given)
    except ValueError:  # lists of different lengths
        actions = np.empty((), object)
    if actions.shape != lanes.shape or actions.dtype.kind not in "iu":
        raise BadAction(
            f"opponent {name_of_opponent(agent)!r} must answer act(batch, lanes) with a whole "
            f"number for each of {len(lanes)} lanes, shape ({len(lanes)},); it gave {given!r:.200}"
        )
    return actions


def name_of_opponent(agent: Any) -> str:
    """Its name for errors."""
    from domino_env.agents import name_of

    return name_of(agent)


def read_opponents(opponents: Any, batch: Batch) -> list[Any]:
    """The agents of all other seats, clockwise from the learner's left."""
    others = batch.num_players - 1
    if deals.is_list(opponents):
        if len(opponents) != others:
            raise BadOption(
                f"opponents is one for all, or a list of {others}, clockwise from the learner's "
                f"left; not {len(opponents)} of them"
            )
        return [_read_agent(each, batch) for each in opponents]
    return [_read_agent(opponents, batch)] * others


def _read_agent(given: Any, batch: Batch) -> Any:
    if isinstance(given, str) and given == "random":
        return Uniform()
    from domino_env import agents  # loaded late: an import of the package needs no agents

    if isinstance(given, Mapping):
        options = dict(given)
        if "agent" not in options:
            raise BadOption(f"an opponent's settings name its 'agent'; {given!r} do not")
        found = agents.make(options.pop("agent"), **options)
    else:
        found = agents.make(given)
    agents.must_play(found, batch)
    return found
