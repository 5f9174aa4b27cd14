"""An agent as a policy of a tree: it is asked in batches what it does in each information state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.batches import Batch
from domino_env.errors import BadOption, is_whole
from domino_env.solve.plans import Policy, uniform
from domino_env.solve.records import FRAME
from domino_env.solve.retracing import retrace
from domino_env.solve.tree import Side, Tree

PART = 2048  # information states that an agent is asked about at a time


def policy_of(
    tree: Tree, agent: Any, *, asks: int = 1, watch: Callable[[float], None] = lambda done: None
) -> Policy:
    """What an agent does in each information state of a tree.

    An agent that tells how likely it is to play each action (`probabilities`, as `random` and a
    policy with a temperature do) is taken at its word. Any other is asked `asks` times, and plays
    each action as often as it has chosen it: one that tosses coins, or searches at random, is
    known the better the more often it is asked.

    Args:
        tree: the game.
        agent: the name of an agent, or an object.
        asks: how often.
        watch: told now and then which part of it is done, from 0 to 1.
    """
    if not is_whole(asks) or asks < 1:
        raise BadOption(f"asks must be a whole number from 1, not {asks!r}")
    player = agents.make(agent) if isinstance(agent, str) else agent
    policy = uniform(tree)
    for done, (side, some) in enumerate(parts := [*_parts(tree)]):
        _ask(tree, player, side, some, asks, policy[side])
        watch((done + 1) / len(parts))
    return policy


def states(tree: Tree, infostates: npt.ArrayLike) -> Batch:
    """A batch with a history of each of these information states in a lane, numbered as in
    `Side.infostates`: to look at them, or to ask who plays what."""
    chosen = np.asarray(infostates, np.int64)
    if chosen.ndim != 1 or not len(chosen):
        raise BadOption("infostates are numbers of information states, in one dimension")
    if chosen.min() < 0 or chosen.max() >= tree.num_infostates:
        raise BadOption(f"information states are numbered 0 to {tree.num_infostates - 1}")
    players, kept = tree.num_players, tree.growth
    batch = Batch(tree.rules, len(chosen), players, 0, calls=tree.calls, autoreset=False)
    batch.reset()
    with batch._held:
        records = (batch._rule_table, batch._games, batch._logs)
        frame = np.zeros(1, FRAME)
        retrace(*records, kept.infostates, kept.decks, kept.paths, chosen, frame)
        batch._show_anew()
    return batch


def _parts(tree: Tree) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """The information states with a choice, side by side, so many at a time."""
    for number, side in enumerate(tree.sides):
        some = np.flatnonzero(side.actions > 1)
        for first in range(0, len(some), PART):
            yield number, some[first : first + PART]


def _ask(
    tree: Tree, agent: Any, side: int, some: npt.NDArray[np.int64], asks: int, policy: Any
) -> None:
    own = tree.sides[side]
    tells = getattr(agent, "probabilities", None)
    chances = np.zeros((len(some), int(own.actions[some].max())))
    for _ in range(1 if tells else asks):
        batch = states(tree, own.infostates[some])
        lanes = np.arange(len(some))
        if tells:
            told = np.asarray(tells(batch, lanes), float)
            chances += np.take_along_axis(told, _listed(batch, chances.shape[1]), 1)
        else:
            chosen = np.asarray(agent.act(batch, lanes))
            chances += _listed(batch, chances.shape[1]) == chosen[:, None]
    _write(own, some, chances, policy)


def _listed(batch: Batch, most: int) -> npt.NDArray[np.int64]:
    """The legal actions of each lane in their order."""
    return batch.legal[:, :most].astype(np.int64)


def _write(own: Side, some: npt.NDArray[np.int64], chances: Any, policy: Any) -> None:
    """Writes the chances of actions into a policy, so that they sum to 1."""
    numbers = own.actions[some]
    within = np.arange(chances.shape[1]) < numbers[:, None]
    chances = np.where(within, chances, 0.0)
    total = chances.sum(1, keepdims=True)
    if not (total > 0).all():
        raise BadOption("the agent gave an information state no legal action")
    places = own.firsts[some][:, None] + np.arange(chances.shape[1])
    policy[places[within]] = (chances / total)[within]
