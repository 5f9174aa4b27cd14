"""Entrants of a tournament: agents with options, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b, sha256
from typing import Any

from domino_env import agents
from domino_env.agents.custom.loading import Source
from domino_env.config.loader import load
from domino_env.errors import BadOption, DominoError


@dataclass(frozen=True)
class Entrant:
    """An agent with options; `name` is what tables call it.

    Written `pimc`, `bots/mine.py:Mine`, or `{agent: pimc, seconds: 0.01, name: "pimc 10 ms"}`; in
    Python it may be a class or an object too.
    """

    agent: Any
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name:
            told = [f"{option}={value}" for option, value in self.options.items()]
            object.__setattr__(self, "name", " ".join([agents.label(self.agent), *told]))
        self.make(0)

    @classmethod
    def from_plain(cls, value: Any) -> Entrant:
        """As it is written in a file."""
        if isinstance(value, (str, Source)) or hasattr(value, "act") or hasattr(value, "choose"):
            return cls(value)
        if not isinstance(value, dict) or "agent" not in value:
            raise BadOption(
                "an agent is a name like heuristic, file.py:Class, or {agent: pimc, name: mine} "
                f"with options; not {value!r}"
            )
        options = dict(value)
        agent, name = options.pop("agent"), options.pop("name", "")
        if not isinstance(name, str):
            raise BadOption(f"the name of an agent is a text, not {name!r}")
        return cls(agent, name, options)

    def to_plain(self) -> dict[str, Any]:
        """As `from_plain` takes it."""
        return {"agent": agents.written(self.agent), "name": self.name, **self.options}

    def make(self, seed: int) -> agents.Agent:
        """The agent; a stochastic one with this seed, and that of its options mixed in."""
        options = dict(self.options)
        if "seed" in options:
            seed = derive_seed(seed, options.pop("seed"))
        try:
            return agents.make_seeded(self.agent, seed, **options)
        except DominoError:
            raise
        except (TypeError, ValueError) as error:
            raise BadOption(f"{self.name}: {error}") from error

    @property
    def packed(self) -> Entrant:
        """The same with all that it reads from files, so that it can be made on machines that do
        not have them, and is the same all through a tournament."""
        options = agents.packed(self.agent, **self.options)
        return replace(self, agent=agents.source(self.agent), options=options)

    @property
    def code_sum(self) -> str | None:
        """A checksum of the code of an agent from outside this package, if it is known."""
        if (code_sum := getattr(agents.found(self.agent), "code_sum", None)) is not None:
            return str(code_sum(**self.options))
        found = agents.source(self.agent)
        return sha256(found.code).hexdigest() if isinstance(found, Source) else None

    @property
    def built_in(self) -> bool:
        """Is it an agent of this package?"""
        return agents.is_ours(agents.found(self.agent))

    def limit_of_calls(self, usual: float | None) -> float | None:
        """The seconds that a call of the agent may take; None for one that keeps its own clock."""
        keeps_time = getattr(agents.found(self.agent), "keeps_time", False)
        return None if keeps_time else usual

    @property
    def time_limited(self) -> bool:
        """Has it a budget of time, so that what it plays depends on how fast the machine is?"""
        return self.options.get("seconds") is not None

    def must_play(self, rules: Any) -> None:
        """Refuses a game that the agent does not play."""
        if not agents.plays(self.make(0), rules):
            others = ", ".join(agents.names(rules))
            raise BadOption(f"{self.name} does not play {rules.id}; these do: {others}")


def as_entrants(values: Iterable[Any]) -> tuple[Entrant, ...]:
    """Entrants, some of them perhaps as plain data of a file."""
    return tuple(
        value if isinstance(value, Entrant) else Entrant.from_plain(value) for value in values
    )


@dataclass(frozen=True)
class _One:
    agent: Entrant


def read_entrant(text: str) -> Entrant:
    """An agent as it is written in a command: a name, or a mapping with options."""
    return load(_One, None, [f"agent={text}"]).agent


def derive_seed(*parts: object) -> int:
    """A seed that depends on some parts: a hash of them."""
    text = "/".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")
