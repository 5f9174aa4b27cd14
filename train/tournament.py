"""Agents against each other on the same deals.

Luck decides most single rounds, so every deal is played several times: the agent under test takes
each seat in turn, and its opponents the others. What is compared is the mean over a deal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.batches import Batch
from domino_env.games import Game, rules_of
from domino_env.train.play import play_out, within


@dataclass(frozen=True)
class Standing:
    """How an agent did against an opponent: mean margin a round, and half its 95 % interval."""

    game: str
    title: str
    players: int
    deals: int
    margin: float
    within: float

    @property
    def verdict(self) -> str:
        """Who is better, if the interval says."""
        if abs(self.margin) <= self.within:
            return "even"
        return "ahead" if self.margin > 0 else "behind"


def margins_by_deal(
    game: Game, agent: str, opponent: str, deals: int, seed: int
) -> npt.NDArray[np.float64]:
    """The agent's margin on each deal, averaged over the seats it takes."""
    rules = rules_of(game)
    players = rules.players[0]
    total = np.zeros(deals)
    for seat in range(players):
        batch = Batch(rules, deals, players, seed=seed, autoreset=False)
        batch.reset()
        tested, other = (
            agents.make_seeded(agent, seed + seat),
            agents.make_seeded(opponent, seed + players + seat),
        )
        seats = [tested if place == seat else other for place in range(players)]
        total += play_out(batch, seats)[:, seat]
    return total / players


def stand(game: Game, agent: str, opponent: str, deals: int, seed: int) -> Standing:
    """One line of a tournament."""
    rules = rules_of(game)
    margins = margins_by_deal(rules, agent, opponent, deals, seed)
    mean = float(margins.mean())
    return Standing(rules.id, rules.title, rules.players[0], deals, mean, within(margins))
