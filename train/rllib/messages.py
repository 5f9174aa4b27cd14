"""What is told to those on a cluster who play and learn, and how work is dealt out among them.

Rounds are played at a fixed number of tables. The tables belong to *groups*, and so do the rows of
every minibatch: a group is what one learner works on at the least, and a learner may have several.
How many there are follows from the settings of a run, never from the cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import sqrt
from typing import Any

import numpy as np

from domino_env.errors import BadOption
from domino_env.train.backend import Lesson
from domino_env.train.settings import PARTS, TrainSettings

LEARNER = "learner"  # the one module that learns: it sits in every seat of its own
LANES = 256  # about as many rounds are played at a table
FEWEST_LANES = 64  # with fewer, shares of the pool could not be dealt
ROWS_A_GROUP = 256  # of a minibatch: with fewer, multiplying takes longer than it should
MOST_GROUPS = 1024


class Luck(IntEnum):
    """Whose luck it is: each has its own."""

    TABLE = 1
    GUESTS = 2
    GROUP = 3


@dataclass(frozen=True)
class Order:
    """What an iteration needs to be told, to all.

    Attributes:
        lesson: what it is about.
        luck: what the luck of everyone is made of.
        network: the state of the network that plays.
        versions: of what the results depend on.
    """

    lesson: Lesson
    luck: int
    network: Mapping[str, Any]
    versions: Mapping[str, str]

    def chance(self, whose: Luck, number: int) -> np.random.Generator:
        """The luck of somebody."""
        return np.random.default_rng([self.luck, whose, number])


@dataclass(frozen=True)
class Played:
    """What was played at a table.

    Attributes:
        table: which.
        rounds: a reference to the decisions of its rounds.
        decisions: how many.
        advantages: the sum of them, and of their squares.
    """

    table: int
    rounds: Any
    decisions: int
    advantages: tuple[float, float]


@dataclass(frozen=True)
class Plan:
    """How the learners go through what was played.

    Attributes:
        groups: of all learners together.
        steps: of the optimizer, each time they go through.
        rows: of a group in each step.
        centre, spread: the mean and the deviation of all advantages.
    """

    groups: int
    steps: int
    rows: int
    centre: float
    spread: float


def plan_of(order: Order, played: Sequence[Played], groups: int) -> Plan:
    """The plan for all that was played, in the order of the tables."""
    decisions = sum(each.decisions for each in played)
    tables = len(played) // groups
    fewest = min(
        sum(each.decisions for each in played[first : first + tables])
        for first in range(0, len(played), tables)
    )
    if not fewest:
        raise BadOption("there was nothing to decide at some tables: play more deals")
    minibatch = order.lesson.step.minibatch
    steps = max(1, min(decisions // minibatch, fewest))
    rows = max(1, min(minibatch // groups, fewest // steps))
    total, squares = (sum(each.advantages[k] for each in played) for k in (0, 1))
    centre = total / decisions
    spread = sqrt(max(0.0, squares / decisions - centre * centre))
    return Plan(groups, steps, rows, centre, spread)


def num_groups(settings: TrainSettings) -> int:
    """So many groups are there: a power of two, so that the sums of some can be added up."""
    parts = [getattr(settings, part) for part in PARTS]
    rows = min(part.minibatch for part in parts if part.iterations)
    return power_of_two(min(rows // ROWS_A_GROUP, settings.deals // FEWEST_LANES, MOST_GROUPS))


def power_of_two(most: int) -> int:
    """The largest that is not more."""
    return 1 << (max(1, most).bit_length() - 1)


def lanes_of_tables(settings: TrainSettings) -> list[int]:
    """How many rounds are played at each table; every group has as many tables."""
    groups = num_groups(settings)
    tables = groups * max(1, round(settings.deals / (groups * LANES)))
    few, more = divmod(settings.deals, tables)
    return [few + (table < more) for table in range(tables)]
