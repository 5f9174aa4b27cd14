"""Scores of agents in one-player games: means over many deals, the same for every agent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.batches import Batch
from domino_env.evaluate.rollout import play_episodes
from domino_env.evaluate.statistics import ci95_half_width
from domino_env.games import Game, rules_of, variants

CHUNK = 500  # deals that are played together: results do not depend on how many threads there are


@dataclass(frozen=True)
class Score:
    """An agent's mean score at a one-player game; `within` is half the width of a 95 % interval."""

    game: str
    agent: str
    deals: int
    points: float
    points_within: float
    won: float
    """The share of games that are won: all tiles removed, or face up."""
    won_within: float


def score(game: Game, agent: str, deals: int, seed: int = 0) -> Score:
    """Lets an agent play so many deals, on two threads."""
    rules = rules_of(game)
    starts = range(0, deals, CHUNK)
    with ThreadPoolExecutor(2) as pool:
        played = pool.map(lambda at: _play(rules, agent, min(CHUNK, deals - at), seed + at), starts)
        points, won = np.concatenate([*played], axis=1)
    return Score(
        rules.id,
        agent,
        deals,
        points.mean(),
        ci95_half_width(points),
        won.mean(),
        ci95_half_width(won),
    )


def pairs(only: list[str] | None = None) -> list[tuple[str, str]]:
    """The games, each with the agents that play it; or those whose names hold one of some words."""
    found = [(game, agent) for game in variants(num_players=1) for agent in agents.names(game)]
    return [
        pair for pair in found if not only or any(word in name for word in only for name in pair)
    ]


def _play(rules: Game, agent: str, deals: int, seed: int) -> npt.NDArray[np.float64]:
    """The points of each deal, and whether it was won."""
    batch = Batch(rules, deals, seed=seed, autoreset=False, reward="points")
    batch.reset()
    points = play_episodes(batch, [agents.make_seeded(agent, seed)])[:, 0]
    return np.stack([points, batch.games["won"] > 0])
