"""What is played and by whom, before anybody has sat down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import domino_env
from domino_env import agents
from domino_env.batches import Batch
from domino_env.config.loader import with_changes
from domino_env.config.yaml_source import read
from domino_env.errors import BadOption, is_whole
from domino_env.evaluate.entrants import Entrant
from domino_env.games import rules_of

PERSON = "you"
"""The name of a seat that a person sits in."""

STRONGEST = ("pimc", "optimal", "determinised")
"""Who is asked for a hint, and plays where nobody else is named: the first that plays the game."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A game that can be begun: its rules, who sits where, and how it is played."""

    rules: Any
    names: tuple[str, ...]
    """For each seat "you", or an agent with its options, like "pimc seconds=0.1"."""
    match: bool = False
    calls: str = "automatic"
    seed: int | None = None

    def __post_init__(self) -> None:
        if sum(name == PERSON for name in self.names) > 1:
            raise BadOption("one page is for one person: the other seats are for agents")
        for name in self.names:
            if name != PERSON:
                entrant(name).must_play(self.rules)

    def deal(self) -> Batch:
        """A batch of one at the first decision of this game."""
        batch = Batch(
            self.rules,
            1,
            len(self.names),
            seed=self.seed,
            episode="match" if self.match else "round",
            reward="points",
            calls=self.calls,
            autoreset=False,
        )
        batch.reset()
        return batch


def make_plan(
    game: str,
    *,
    players: int | None = None,
    seat: int | None = 0,
    against: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
    match: bool = False,
    calls: str = "automatic",
    seed: int | None = None,
) -> Plan:
    """A plan from what a person asks for. The agents take the other seats in their order, again and
    again if they are too few; with no seat for the person they take them all."""
    rules = with_changes(domino_env.rules(game), changes or {}, "rules")
    players = _players(rules, players, len(against) + (seat is not None))
    if seat is not None and (not is_whole(seat) or not 0 <= seat < players):
        raise BadOption(f"your seat is one from 0 to {players - 1}, not {seat!r}")
    others = [*against] or [strongest(rules)]
    names = [others[place % len(others)] for place in range(players - (seat is not None))]
    if len(others) > max(1, len(names)):
        raise BadOption(f"there are seats for {len(names)} agents, not for {len(others)}")
    if seat is not None:
        names.insert(seat, PERSON)
    return Plan(rules=rules, names=tuple(names), match=match, calls=calls, seed=seed)


def _players(rules: Any, asked: int | None, wanted: int) -> int:
    """How many play: as many as are asked for, or as are named, or the game's usual number."""
    if asked is None:
        return wanted if wanted in rules.players else int(rules.players[0])
    if asked not in rules.players:
        raise BadOption(
            f"{rules.id} is for {' or '.join(map(str, rules.players))} players, not {asked!r}"
        )
    return asked


def entrant(text: str) -> Entrant:
    """The agent that a text like "pimc seconds=0.1" names."""
    agent, options = split(text)
    return Entrant(agent, text, read(None, options).plain)


def split(text: str) -> tuple[str, list[str]]:
    """An agent and its options; a path may have blanks."""
    words = text.split(" ")
    first = next((place for place, word in enumerate(words) if "=" in word), len(words))
    return " ".join(words[:first]).strip(), " ".join(words[first:]).split()


def offered(rules: Any) -> list[str]:
    """The agents that play a game and look at no hidden tile, the strongest first."""
    honest = [name for name in agents.names(rules_of(rules)) if not agents.cheats(name)]
    best = [name for name in STRONGEST if name in honest]
    return best + [name for name in honest if name not in best]


def strongest(rules: Any) -> str:
    """The agent that knows most about a game."""
    return offered(rules)[0]
