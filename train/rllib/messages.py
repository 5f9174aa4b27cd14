"""Messages between the algorithm, its runners and its learners, and how work is divided.

An iteration's rounds are played in a fixed number of *shards*. Shards belong to *groups*, and so do
the rows of every minibatch: a group is the smallest unit of a learner's work, and a learner may
have several. Their number follows from the settings of the run, never from the cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import sqrt
from typing import Any

import numpy as np

from domino_env.errors import BadOption
from domino_env.train.backend import Iteration
from domino_env.train.settings import PHASES, TrainSettings

LEARNER = "learner"  # RLlib's id of the one module, which plays every seat of the learner
LANES_PER_SHARD = 256  # about
LEAST_LANES = 64  # with fewer, the shares of the pool could not be dealt
ROWS_PER_GROUP = 256  # of a minibatch; with fewer, small matrix products waste time
MOST_GROUPS = 1024


class RngStream(IntEnum):
    """Independent random streams."""

    ROLLOUT = 1
    OPPONENTS = 2
    GROUP = 3


@dataclass(frozen=True)
class IterationMessage:
    """What every worker is sent for one iteration.

    Attributes:
        iteration: what it consists of.
        seed: of all random streams.
        network: weights of the policy that plays.
        versions: of the packages that the result depends on.
    """

    iteration: Iteration
    seed: int
    network: Mapping[str, Any]
    versions: Mapping[str, str]

    def rng(self, stream: RngStream, number: int) -> np.random.Generator:
        """The generator of one shard or group."""
        return np.random.default_rng([self.seed, stream, number])


@dataclass(frozen=True)
class ShardResult:
    """What came of one shard.

    Attributes:
        shard: its number.
        rollout: a Ray reference to its decisions.
        decisions: how many.
        advantages: their sum, and the sum of their squares.
    """

    shard: int
    rollout: Any
    decisions: int
    advantages: tuple[float, float]


@dataclass(frozen=True)
class UpdatePlan:
    """How the learners go through the rollout.

    Attributes:
        groups: of all learners together.
        steps: gradient steps in an epoch.
        rows: of a group in each minibatch.
        mean, std: of all advantages.
    """

    groups: int
    steps: int
    rows: int
    mean: float
    std: float


def plan_updates(
    message: IterationMessage, shards: Sequence[ShardResult], groups: int
) -> UpdatePlan:
    """The plan for a rollout, its shards in their order."""
    decisions = sum(each.decisions for each in shards)
    per_group = len(shards) // groups
    fewest = min(
        sum(each.decisions for each in shards[first : first + per_group])
        for first in range(0, len(shards), per_group)
    )
    if not fewest:
        raise BadOption("some shards had no decisions: raise rounds_per_iteration")
    batch_size = message.iteration.update.batch_size
    steps = max(1, min(decisions // batch_size, fewest))
    rows = max(1, min(batch_size // groups, fewest // steps))
    total, squares = (sum(each.advantages[k] for each in shards) for k in (0, 1))
    mean = total / decisions
    std = sqrt(max(0.0, squares / decisions - mean * mean))
    return UpdatePlan(groups, steps, rows, mean, std)


def num_groups(settings: TrainSettings) -> int:
    """The number of groups: a power of two, so that partial sums can be combined in pairs."""
    phases = [getattr(settings, phase) for phase in PHASES]
    rows = min(phase.batch_size for phase in phases if phase.iterations)
    rounds = settings.rounds_per_iteration
    return power_of_two(min(rows // ROWS_PER_GROUP, rounds // LEAST_LANES, MOST_GROUPS))


def power_of_two(most: int) -> int:
    """The largest power of two that is not above `most`."""
    return 1 << (max(1, most).bit_length() - 1)


def lanes_of_shards(settings: TrainSettings) -> list[int]:
    """The number of rounds in each shard; every group has equally many shards."""
    groups, rounds = num_groups(settings), settings.rounds_per_iteration
    shards = groups * max(1, round(rounds / (groups * LANES_PER_SHARD)))
    few, more = divmod(rounds, shards)
    return [few + (shard < more) for shard in range(shards)]
