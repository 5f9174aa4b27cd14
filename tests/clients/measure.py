"""How good a policy is against random play, and what a learner has really scored, whatever client
has trained it.

A policy that beats random play does not prove that its trainer was given every reward: in Matador
it learns as much from the rounds that it has ended itself. So what a trainer has recorded is
compared with the scores of the games, too.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from domino_env.adapters.single import SingleVectorEnv

Policy = Callable[[Any, Any], Any]  # (observations, masks) to actions


def scored(batch: Any, lane: int, seat: int) -> float:
    """A seat's points in a game that is over, over the mean of the others'."""
    points = batch.position(lane).scores
    others = [each for other, each in enumerate(points) if other != seat]
    return float(points[seat] - np.mean(others))


class Watched(SingleVectorEnv):
    """Keeps what the learner has scored in each game, in the order in which they have ended."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.scored: list[float] = []

    def step(self, actions: Any) -> Any:
        told = super().step(actions)
        for lane in np.flatnonzero(told[2] | told[3]):
            self.scored.append(scored(self.batch, lane, int(self.table.learner[lane])))
        return told


class Margin(NamedTuple):
    """Points a round over a random opponent's: the mean, and its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {self.error:.1f}"


def margin_against_random(policy: Policy, game: Any, rounds: int = 2000, seed: int = 1) -> Margin:
    """Plays so many rounds, in a seat that is drawn for each; an illegal action raises."""
    env = SingleVectorEnv(game, 100, illegal="raise")
    observations, infos = env.reset(seed=seed)
    earned = np.zeros(100)
    finished: list[list[float]] = [[] for _ in range(100)]
    while min(map(len, finished)) < rounds // 100:  # as many of each: short rounds are not favoured
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(np.asarray(actions))
        earned += rewards
        for lane in np.flatnonzero(terminated | truncated):
            finished[lane].append(float(earned[lane]))
            earned[lane] = 0
    margins = np.concatenate([lane[: rounds // 100] for lane in finished])
    return Margin(float(margins.mean()), float(margins.std() / len(margins) ** 0.5))
