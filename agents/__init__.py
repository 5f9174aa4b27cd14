"""Agents: whatever chooses actions for many games at once.

An agent has a `name` and `act(batch, lanes)`: the actions of the given lanes of a `Batch`, where
each lane is at a decision of whichever seat the agent plays there. It reads the batch's arrays and
writes none. Adding one is adding a module here whose class has a `name`: `make` finds it.

    from domino_env import agents

    agents.names()                      # ["greedy_pip", "random"]
    greedy = agents.make("greedy_pip")
    batch.step(greedy.act(batch, np.arange(batch.num_games)))
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.errors import BadOption, did_you_mean

Lanes = npt.NDArray[np.int64]
Actions = npt.NDArray[np.int64]


@runtime_checkable
class Agent(Protocol):
    """Whatever can choose for whole batches."""

    name: str

    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        ...


@cache
def _classes() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__:
                name = getattr(value, "name", None)
                if isinstance(name, str):
                    found[name] = value
    return found


def names() -> list[str]:
    """The names of the agents."""
    return sorted(_classes())


def make(name: str, **options: Any) -> Agent:
    """An agent by its name."""
    known = _classes()
    if name not in known:
        raise BadOption(f"unknown agent {name!r}{did_you_mean(name, known)}")
    agent: Agent = known[name](**options)
    return agent
