"""Agents: whatever chooses actions for many games at once.

An agent has a `name` and `act(batch, lanes)`: the actions of the given lanes of a `Batch`, where
each lane is at a decision of whichever seat the agent plays there. It reads the batch's arrays and
writes none. Adding one is adding a module here whose class has a `name`: `make` finds it. An agent
that does not play every game says so in `plays`, one that tosses coins takes a `seed`, and one that
looks at tiles which its seat has not seen has `cheats = True`.

    from domino_env import agents

    agents.names()                      # all of them
    agents.names("knock_out")           # ["optimal", "random"]
    greedy = agents.make("greedy_pip")
    batch.step(greedy.act(batch, np.arange(batch.num_games)))
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from functools import cache, wraps
from importlib import import_module
from inspect import signature
from typing import Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from domino_env.arrays import AgentHold
from domino_env.batches import Batch
from domino_env.errors import BadOption, did_you_mean, is_whole
from domino_env.games import Game, rules_of

Lanes = npt.NDArray[np.int64]
Actions = npt.NDArray[np.int64]


@runtime_checkable
class Agent(Protocol):
    """Whatever can choose for whole batches."""

    name: str

    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        ...


def parts(number: int, most: int) -> Iterator[slice]:
    """So many things in parts of at most so many. What takes long is done part by part: in a
    compiled loop Ctrl-C has to wait."""
    for first in range(0, number, most):
        yield slice(first, min(first + most, number))


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


def names(game: Game | None = None) -> list[str]:
    """The names of the agents, or of those that play a game."""
    return sorted(name for name, agent in _classes().items() if game is None or plays(agent, game))


def make(name: str, **options: Any) -> Agent:
    """An agent by its name."""
    known = signature(_class(name)).parameters
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known) if known else ": it takes none"
            raise BadOption(f"{name} has no option {option!r}{hint}")
    seed = options.get("seed")
    if seed is not None and (not is_whole(seed) or seed < 0):
        raise BadOption(f"seed must be a whole number of 0 or more, not {seed!r}")
    agent: Agent = _class(name)(**options)
    return agent


def make_seeded(name: str, seed: int, **options: Any) -> Agent:
    """An agent that does the same whenever it is made with the same seed."""
    if "seed" in signature(_class(name)).parameters:
        options["seed"] = seed
    return make(name, **options)


def packed(name: str, **options: Any) -> dict[str, Any]:
    """The options of an agent with the content of files instead of their names, for agents that
    read any: their class has a `packed` of its own."""
    return dict(getattr(_class(name), "packed", dict)(**options))


def must_play(agent: Any, batch: Batch) -> None:
    """Refuses games that an agent does not play."""
    if not plays(agent, batch.rules):
        others = ", ".join(names(batch.rules))
        raise BadOption(f"{agent.name} does not play {batch.rules.id}; these do: {others}")


_HOLDS: WeakKeyDictionary[Any, AgentHold] = WeakKeyDictionary()


def at_decisions(act: Callable[[Any, Batch, Lanes], Actions]) -> Callable[..., Actions]:
    """Has our own agents' `act` look at decisions of a game that they play and at nothing else: its
    kernels look at no bounds. An agent, like a batch, is one thread's at a time."""

    @wraps(act)
    def checked(self: Any, batch: Batch, lanes: Lanes) -> Actions:
        must_play(self, batch)
        hold = _HOLDS.get(self) or _HOLDS.setdefault(self, AgentHold())
        with hold, batch._held:
            return act(self, batch, batch._lanes_to_decide(lanes))

    return checked


def plays(agent: Any, game: Game) -> bool:
    """Does an agent, or a class of agents, play a game?"""
    return not hasattr(agent, "plays") or agent.plays(rules_of(game))


def cheats(name: str) -> bool:
    """Does an agent look at tiles that its seat has not seen?"""
    return bool(getattr(_class(name), "cheats", False))


def _class(name: str) -> Any:
    known = _classes()
    if not isinstance(name, str) or name not in known:
        raise BadOption(f"unknown agent {name!r}{did_you_mean(name, known)}")
    return known[name]
