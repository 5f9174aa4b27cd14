"""The rungs of the ladder: a game by its rules and seats, and the agents that play it there.

They are every game as it is usually played, what a config `ladder_*.yaml` adds, and whatever else
a shipped policy was trained for: other seats, other house rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from domino_env import agents
from domino_env.agents.net import Net
from domino_env.agents.networks.player import PolicyPlayer, shipped
from domino_env.agents.ppo import FirstPpo
from domino_env.batches import Batch
from domino_env.config.game_settings import changed_rules
from domino_env.config.loader import load
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.tournament import TournamentSettings
from domino_env.games import mark_of, variants
from tools.architecture import ROOT
from tools.ladder.face_up import DoubleDummy, has_two_sides

CONFIGS = ROOT / "configs" / "tournaments"
NEWEST, FORMER = Net.name, FirstPpo.name


@dataclass(frozen=True)
class Rung:
    """A game on the ladder."""

    name: str
    rules: Any
    num_players: int
    entrants: Mapping[str, Entrant]
    deals: int
    """Of a pairing with a search."""
    seed: int
    """Of the first deal."""

    @property
    def stem(self) -> str:
        """Of its file."""
        return re.sub(r"\W+", "_", self.name)

    @cached_property
    def batch(self) -> Batch:
        """One game, begun: to look at."""
        batch = Batch(self.rules, 1, self.num_players, autoreset=False)
        batch.reset(seed=[self.seed])
        return batch

    def has(self, name: str) -> bool:
        """Does an agent of this name play here? A policy must have been trained for these very
        rules and seats."""
        return name in self.entrants and _is_at_home(self.entrants[name], self.batch)


def _is_at_home(entrant: Entrant, batch: Batch) -> bool:
    player = entrant.make(0)
    if isinstance(player, DoubleDummy):
        return has_two_sides(batch)
    if not agents.plays(player, batch.rules):
        return False
    try:
        return not isinstance(player, PolicyPlayer) or player.policy_for(batch).knows(batch)
    except BadOption:  # there is one for other seats
        return False


@cache
def rungs() -> dict[str, Rung]:
    """All of them by name, in the order of the games."""
    found: dict[tuple[str, int], Rung] = {}
    for rung in _all():
        found.setdefault((mark_of(rung.rules), rung.num_players), rung)
    order = {game: place for place, game in enumerate(variants())}
    return {rung.name: rung for rung in sorted(found.values(), key=lambda r: order[r.rules.id])}


def _all() -> Iterator[Rung]:
    usual = load(TournamentSettings, CONFIGS / "ladder.yaml")
    for rules in usual.all_rules:
        yield _rung(usual, rules, rules.players[0], {})
    for file in sorted(CONFIGS.glob("ladder_*.yaml")):
        own = load(TournamentSettings, file)
        for rules in own.all_rules:
            yield _rung(own, rules, own.num_players or rules.players[0], own.rules)
    for policy in [*shipped(NEWEST), *shipped(FORMER)]:
        rules = changed_rules(policy.game, policy.changes)
        yield _rung(usual, rules, policy.num_players, policy.changes)


def _rung(settings: TournamentSettings, rules: Any, seats: int, changes: Mapping[str, Any]) -> Rung:
    beside = (Entrant(FORMER), Entrant(DoubleDummy))
    entrants = {each.name: each for each in (*settings.agents, *beside)}
    name = _name(rules, seats, changes)
    return Rung(name, rules, seats, entrants, settings.deals, settings.seed)


def _name(rules: Any, seats: int, changes: Mapping[str, Any]) -> str:
    told = [rules.id]
    if seats != rules.players[0]:
        told.append(f"{seats} players")
    for setting, value in changes.items():
        told.append(f"{value} tiles" if setting == "hand_size" else f"{setting} {value}")
    return ", ".join(told)
