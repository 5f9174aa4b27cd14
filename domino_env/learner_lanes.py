"""Loops over lanes for environments with one learner in each game: the seat that it is given, and
the reward that it earns between two turns of its own (`adapters.learner_seat`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env import engine
from domino_env.compiling import kernel
from domino_env.engine.rng import pick_from
from domino_env.engine.state import Earnings, Generators, Rewards, WholeNumbers

COMPILED = engine.COMPILED


@kernel
def pick_some(states: Generators, lanes: WholeNumbers, choices: int, picked: WholeNumbers) -> None:
    """A number below `choices` for each of some lanes, from generators of their own."""
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        picked[lane] = pick_from(states, lane, choices)


@kernel
def collect(reward: Rewards, lanes: WholeNumbers, learner: WholeNumbers, owed: Earnings) -> None:
    """Adds what the learner of each of some lanes has earned by the last step."""
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        owed[lane] += reward[lane, np.uint64(learner[lane])]


@kernel
def settle(owed: Earnings, lanes: WholeNumbers, earned: Earnings) -> None:
    """Pays what is owed in some lanes, and nothing in the others."""
    for lane in range(len(earned)):
        earned[lane] = 0
    for place in range(len(lanes)):
        chosen: Any = np.uint64(lanes[place])
        earned[chosen] = owed[chosen]
        owed[chosen] = 0
