"""Agents: players that choose actions for many games at once.

An agent has a `name` and `act(batch, lanes)`, which returns an action for each of the given lanes
of a `Batch`. In each of these lanes the agent's seat is to move. It reads the batch's arrays and
modifies none. An agent that does not play every game has a static method `plays`, a stochastic one
takes a `seed`, one that uses tiles that its seat has not seen has `cheats = True`, and one that
takes long over a decision `searches = True`.

Each module of this package is an agent: to add one, add a module with a class that has a `name`,
and `make` finds it. What agents are made of is in the packages beside them.

    from domino_env import agents

    agents.names()                      # all of them
    agents.names("knock_out")           # ["optimal", "random"]
    greedy = agents.make("greedy_pip")
    batch.step(greedy.act(batch, np.arange(batch.num_games)))

Your own agents can be used wherever such a name can: `"my_agent:MyAgent"` is a class in a module,
`"bots/my_agent.py:MyAgent"` a class in a file; also the name of an entry point in the group
`domino_env.agents` of an installed package, or in Python a class or an object. They need no `name`,
and may have `choose(position)` instead of `act`, which is called for one decision at a time.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from domino_env.agents.custom import loading
from domino_env.agents.custom.loading import name_of as name_of
from domino_env.arrays import AgentHold
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError, did_you_mean, is_whole
from domino_env.games import Game, rules_of

Lanes = npt.NDArray[np.int64]
Actions = npt.NDArray[np.int64]


@runtime_checkable
class Agent(Protocol):
    """The interface of an agent."""

    name: str

    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        ...


def parts(number: int, most: int) -> Iterator[slice]:
    """Splits a long job into parts: Ctrl-C only takes effect between calls of compiled loops."""
    for first in range(0, number, most):
        yield slice(first, min(first + most, number))


class Shown:
    """Gives agents a `repr` that shows their options: `pimc(worlds=64, seed=0)`."""

    _made: Mapping[str, Any] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Has `__init__` keep what it is given."""
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = _noting(cls.__init__)  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"{name_of(self)}({', '.join(f'{n}={_short(v)}' for n, v in self._made.items())})"


def _noting(begin: Callable[..., None]) -> Callable[..., None]:
    known = signature(begin)

    @wraps(begin)
    def noted(self: Any, *given: Any, **options: Any) -> None:
        if "_made" not in vars(self):
            bound = known.bind_partial(self, *given, **options).arguments
            self._made = {name: value for name, value in bound.items() if value is not self}
        begin(self, *given, **options)

    return noted


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"<{type(value).__name__}>"


@cache
def _classes() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(__path__):
        if info.ispkg:  # of what agents are made of
            continue
        module = import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__:
                name = getattr(value, "name", None)
                if isinstance(name, str):
                    found[name] = value
    return found


def names(game: Game | None = None) -> list[str]:
    """The names of all agents, installed packages' included, or of those that play a game; without
    those that must be given options, and without former versions, like `ppo@1`."""
    known = {*_classes(), *loading.listed()}.difference(names_with_options(), former_versions())
    return sorted(name for name in known if game is None or _is_for(name, game))


def names_with_options() -> list[str]:
    """The agents of this package that must be given options, like an address."""
    return sorted(name for name, kind in _classes().items() if _missing(kind, {}))


def former_versions() -> list[str]:
    """Agents as they once were, to be measured against: `ppo@1` is the first `ppo`."""
    return sorted(name for name in _classes() if "@" in name)


def _is_for(name: str, game: Game) -> bool:
    try:
        return plays(found(name), game)
    except Exception:
        if name in _classes():
            raise
        return False  # an installed package that is broken is nobody's opponent


def import_listed() -> None:
    """Imports the agents of installed packages now, instead of at first use."""
    for name in loading.listed():
        with suppress(DominoError):
            loading.load_listed(name)


def make(agent: Any, **options: Any) -> Agent:
    """Makes an agent from its name, a reference like `"my_agent.py:MyAgent"` or its class; an
    object is returned as it is."""
    kind = found(agent)
    if not isinstance(kind, type):
        if options:
            raise BadOption(
                f"{name_of(kind)} is an object already: only a class or a name takes options"
            )
        return as_agent(kind)
    _must_take(kind, options)
    if is_ours(kind):
        _check_seed(options.get("seed"))
    try:
        return as_agent(kind(**options))
    except DominoError:
        raise
    except Exception as error:
        if is_ours(kind):
            raise
        raise BadOption(f"{name_of(kind)} cannot be made: {loading.told(error)}") from error


def _check_seed(seed: Any) -> None:
    if seed is not None and (not is_whole(seed) or seed < 0):
        raise BadOption(f"seed must be a whole number of 0 or more, not {seed!r}")


def make_seeded(agent: Any, seed: int, **options: Any) -> Agent:
    """Makes an agent whose play is reproducible: stochastic agents get this seed."""
    kind = found(agent)
    if isinstance(kind, type) and "seed" in _parameters(kind):
        options["seed"] = seed
    return make(kind, **options)


def found(agent: Any) -> Any:
    """The class that a name, a reference or a `Source` refers to, or the object itself."""
    kind = agent
    if isinstance(agent, loading.Source):
        kind = agent.load()
    elif isinstance(agent, str):
        kind = _by_name(agent)
    numbers = isinstance(kind, (np.ndarray, np.generic))  # these have a `choose` of their own
    if numbers or not any(callable(getattr(kind, method, None)) for method in ("act", "choose")):
        raise BadOption(
            f"{agent!r:.80} is no agent: name one, file.py:Class or module:Class, or in Python "
            "give a class or an object, with act(batch, lanes) or choose(position)"
        )
    return kind


def _by_name(name: str) -> Any:
    if name in _classes():
        return _classes()[name]
    if name in loading.listed():
        return loading.load_listed(name)
    if loading.is_reference(name):
        return loading.load(name)
    hint = did_you_mean(name, names())
    if name.endswith(".py"):
        hint = f": {loading.WRITTEN}"
    raise BadOption(f"unknown agent {name!r}{hint}")


def as_agent(given: Any) -> Agent:
    """An object that has `act` or only `choose`, as an agent."""
    if callable(getattr(given, "act", None)):
        agent: Agent = given
        return agent
    from domino_env.agents.custom.per_decision import PerDecision

    return PerDecision(given)


def label(agent: Any) -> str:
    """The name for tables of an agent that is given by name or otherwise."""
    if isinstance(agent, str) and not loading.is_reference(agent):
        return agent
    return name_of(found(agent))


def written(agent: Any) -> str:
    """An agent as text, for records and the like; such text is never imported."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, loading.Source):
        return agent.reference
    kind = agent if isinstance(agent, type) else type(agent)
    return f"{kind.__module__}:{kind.__qualname__}"


def source(agent: Any) -> Any:
    """An agent together with its code, if it comes from a file or a module that other machines may
    not have. It can be sent to them, and used wherever the name can."""
    if isinstance(agent, str) and loading.is_reference(agent):
        return loading.source(agent)
    return agent


def packed(agent: Any, **options: Any) -> dict[str, Any]:
    """The options of an agent with file names replaced by the files' content; agents that read
    files have a `packed` of their own."""
    return dict(getattr(found(agent), "packed", dict)(**options))


def must_play(agent: Any, batch: Batch) -> None:
    """Refuses games that an agent does not play."""
    if not plays(agent, batch.rules):
        others = ", ".join(names(batch.rules))
        raise BadOption(f"{name_of(agent)} does not play {batch.rules.id}; these do: {others}")


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
    return not hasattr(agent, "plays") or bool(agent.plays(rules_of(game)))


def is_against_others(rules: Any) -> bool:
    """Is a game played against others? The `plays` of agents that are for all such games."""
    return bool(rules.has_opponents)


def cheats(name: str) -> bool:
    """Does an agent look at tiles that its seat has not seen?"""
    return bool(getattr(found(name), "cheats", False))


def is_ours(agent: Any) -> bool:
    """Does an agent, or a class of agents, come with this package, and answer as it should? One
    that depends on somebody's server may not."""
    kind = agent if isinstance(agent, type) else type(agent)
    of_ours = kind.__module__.rpartition(".")[0] == __name__
    return of_ours and not getattr(kind, "may_fail", False)


def _parameters(kind: type) -> dict[str, Parameter]:
    try:
        return dict(signature(kind).parameters)
    except (TypeError, ValueError):  # of a class that is not written in Python
        return {"options": Parameter("options", Parameter.VAR_KEYWORD)}


def _must_take(kind: type, options: dict[str, Any]) -> None:
    """Refuses options that a class does not take, and too few of them."""
    known = _parameters(kind)
    if any(each.kind is Parameter.VAR_KEYWORD for each in known.values()):
        return
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known) if known else ": it takes none"
            raise BadOption(f"{name_of(kind)} has no option {option!r}{hint}")
    missing = _missing(kind, options)
    if missing:
        raise BadOption(
            f"{name_of(kind)} must be given {', '.join(missing)}: write the agent with options, "
            f"like {{agent: ..., {missing[0]}: ...}}"
        )


def _missing(kind: type, options: Mapping[str, Any]) -> list[str]:
    """The options that a class must be given, and is not."""
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return [
        name
        for name, each in _parameters(kind).items()
        if each.default is Parameter.empty and each.kind not in several and name not in options
    ]
