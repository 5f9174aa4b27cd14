"""The setup of a game: its rules, and who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domino_env import agents
from domino_env.batches import Batch
from domino_env.config.game_settings import changed_rules
from domino_env.config.yaml_source import read
from domino_env.errors import BadOption, is_whole
from domino_env.evaluate.entrants import Entrant
from domino_env.games import rules_of

PERSON = "you"
"""The name of a seat that a person sits in."""

STRONGEST = ("pimc", "optimal", "determinised")
"""Agents from the strongest down. The first that can play a game gives hints in it, and is the
opponent where none is named."""


@dataclass(frozen=True, kw_only=True)
class GameSetup:
    """A game that can be dealt: its rules, who sits where, and how it is played."""

    rules: Any
    names: tuple[str, ...]
    """For each seat "you", or an agent with its options, like "pimc seconds=0.1"."""
    match: bool = False
    calls: str = "automatic"
    seed: int | None = None

    def __post_init__(self) -> None:
        if sum(name == PERSON for name in self.names) > 1:
            raise BadOption("only one seat can be yours: the others are for agents")
        for name in self.names:
            if name != PERSON:
                entrant(name).must_play(self.rules)

    def new_batch(self) -> Batch:
        """The game as a batch of one, dealt, at its first decision."""
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


def make_setup(
    game: str,
    *,
    num_players: int | None = None,
    seat: int | None = 0,
    against: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
    match: bool = False,
    calls: str = "automatic",
    seed: int | None = None,
) -> GameSetup:
    """The setup that a person asks for. Agents take the other seats in the order given, starting
    over if there are too few; with no seat for the person they take them all."""
    rules = changed_rules(game, changes or {})
    players = _num_players(rules, num_players, len(against) + (seat is not None))
    if seat is not None and (not is_whole(seat) or not 0 <= seat < players):
        raise BadOption(f"your seat must be from 0 to {players - 1}, not {seat!r}")
    others = [*against] or [strongest(rules)]
    names = [others[place % len(others)] for place in range(players - (seat is not None))]
    if len(others) > max(1, len(names)):
        raise BadOption(f"there are seats for {len(names)} agents, not for {len(others)}")
    if seat is not None:
        names.insert(seat, PERSON)
    return GameSetup(rules=rules, names=tuple(names), match=match, calls=calls, seed=seed)


def _num_players(rules: Any, asked: int | None, named: int) -> int:
    """The number asked for; else as many as are named, if the game allows it; else its usual."""
    if asked is None:
        return named if named in rules.players else int(rules.players[0])
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
    """The name of an agent and its options. A path to a file may contain blanks."""
    words = text.split(" ")
    first = next((place for place, word in enumerate(words) if "=" in word), len(words))
    return " ".join(words[:first]).strip(), " ".join(words[first:]).split()


def offered(rules: Any) -> list[str]:
    """The agents that can play a game without looking at hidden tiles, the strongest first."""
    honest = [name for name in agents.names(rules_of(rules)) if not agents.cheats(name)]
    best = [name for name in STRONGEST if name in honest]
    return best + [name for name in honest if name not in best]


def strongest(rules: Any) -> str:
    """The strongest agent that plays a game."""
    return offered(rules)[0]
