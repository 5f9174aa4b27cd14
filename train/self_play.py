"""Self-play rollouts: many rounds at once, every decision of the learner's seats, GAE advantages.

Every lane is dealt a round and played to its end, so no value has to be bootstrapped. In most lanes
the learner sits in every seat and learns from each decision; in the others an opponent from the
pool takes the seats against it. Decisions with a single legal action are taken without asking the
network and are not part of the rollout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.agents.networks.heuristic_prior import HeuristicPrior
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.seats import mate_of
from domino_env.games import Game

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]
PolicyValueFn = Callable[[Numbers], tuple[Numbers, Numbers]]
"""Logits of all actions, and values, for rows of observations."""
Teacher = Callable[[Batch, Whole], npt.NDArray[Any]]
"""Training targets for the decisions of some lanes: a row for each."""
NO_DECISION = -1


@dataclass
class Rollout:
    """The learner's decisions, in the order in which they were made, with what came of them."""

    observations: Numbers
    masks: npt.NDArray[np.bool_]
    actions: Whole
    log_probs: Numbers
    values: Numbers
    advantages: Numbers
    returns: Numbers
    targets: npt.NDArray[Any] | None = None
    """The teacher's target for each decision, where there is a teacher."""


@dataclass(frozen=True)
class Opponent:
    """An agent that plays against the learner in a share of the lanes."""

    agent: Agent
    share: float


class SelfPlay:
    """Collects rollouts.

    Args:
        game, num_players: as for `Batch`.
        lanes: rounds that are played side by side.
        reward_scale: rewards are divided by this, so that returns are about as large as 1.
        gae_lambda: lambda of generalised advantage estimation; the discount is 1.
        prior: logits of `heuristic`, if the policy uses them; each observation row then ends with
            them.
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None,
        lanes: int,
        reward_scale: float,
        gae_lambda: float,
        prior: HeuristicPrior | None = None,
    ) -> None:
        self.batch = Batch(game, lanes, num_players, autoreset=False)
        self._reward_scale, self._gae_lambda = reward_scale, gae_lambda
        self.prior = prior
        # int[N, P]: the number of each seat's latest decision in the rollout.
        self._latest = np.zeros((lanes, self.batch.num_players), np.int64)
        self.seconds = {"environment": 0.0, "opponents": 0.0, "teacher": 0.0, "learner": 0.0}

    def play(
        self,
        policy_value: PolicyValueFn,
        opponents: Sequence[Opponent],
        teacher: Teacher | None,
        first_deal: int,
        rng: np.random.Generator,
    ) -> Rollout:
        """Collects one rollout: a round in every lane, lane i from the deal of `first_deal + i`."""
        batch = self.batch
        with self._timed("environment"):
            batch.reset(seed=first_deal)
        owner_of = self._seat(opponents)
        self._latest[:] = NO_DECISION
        buffer = RolloutBuffer()
        while len(live := np.flatnonzero(batch.seat >= 0)):
            actions = batch.legal[live, 0].astype(np.int64)
            owner = owner_of[live, batch.seat[live]]
            free = batch.num_legal[live] > 1
            with self._timed("opponents"):
                for number, opponent in enumerate(opponents):
                    theirs = np.flatnonzero(free & (owner == number))
                    if len(theirs):
                        actions[theirs] = opponent.agent.act(batch, live[theirs])
            mine = np.flatnonzero(free & (owner < 0))
            if len(mine):
                with self._timed("learner"):
                    lanes = live[mine]
                    actions[mine] = self._decide(policy_value, lanes, rng, buffer)
                if teacher is not None:
                    with self._timed("teacher"):
                        buffer.targets.append(teacher(batch, lanes))
            with self._timed("environment"):
                batch.step(actions, live)
                credit_rewards(
                    batch._reward, self._latest, live, buffer.rewards, self._reward_scale
                )
        return self._finished(buffer)

    def _seat(self, opponents: Sequence[Opponent]) -> Whole:
        """int[N, P]: the number of the opponent in each seat, -1 for the learner. The learner's
        seat moves on from lane to lane; in teams its partner is the learner too."""
        lanes, seats = self.batch.num_games, self.batch.num_players
        owner_of = np.full((lanes, seats), -1, np.int64)
        last = lanes
        for number, opponent in enumerate(opponents):
            first = max(0, last - round(opponent.share * lanes))  # two halves may be rounded up
            owner_of[first:last] = number
            for lane in range(first, last):
                seat = lane % seats
                owner_of[lane, seat] = -1
                if self.batch.rules.teams:
                    owner_of[lane, mate_of(seat)] = -1
            last = first
        return owner_of

    def _decide(
        self,
        policy_value: PolicyValueFn,
        lanes: Whole,
        rng: np.random.Generator,
        buffer: RolloutBuffer,
    ) -> Whole:
        batch = self.batch
        observations = self._observe(lanes)
        logits, values = policy_value(observations)
        actions = np.empty(len(lanes), np.int64)
        log_probs = np.empty(len(lanes), np.float32)
        uniforms = rng.random(len(lanes))
        sample_actions(logits, batch._legal, batch._num_legal, lanes, uniforms, actions, log_probs)
        seats = batch.seat[lanes].astype(np.int64)
        self._latest[lanes, seats] = buffer.count + np.arange(len(lanes))
        buffer.add(
            observations,
            batch.mask[lanes].astype(np.bool_),
            actions,
            log_probs,
            values,
            lanes * batch.num_players + seats,
        )
        return actions

    def _observe(self, lanes: Whole) -> Numbers:
        observations = self.batch.observation[lanes]
        if self.prior is None:
            return observations
        return np.hstack([observations, self.prior.logits(self.batch, lanes)])

    def _finished(self, buffer: RolloutBuffer) -> Rollout:
        observations, masks, actions, log_probs, values, trajectories = buffer.gathered()
        rewards = buffer.rewards[: len(actions)].astype(np.float32)
        advantages = np.empty(len(actions), np.float32)
        following = np.zeros((2, self.batch.num_games * self.batch.num_players))
        compute_gae(trajectories, rewards, values, self._gae_lambda, following, advantages)
        targets = np.concatenate(buffer.targets) if buffer.targets else None
        return Rollout(
            observations,
            masks,
            actions,
            log_probs,
            values,
            advantages,
            advantages + values,
            targets,
        )

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        """Adds the time that a block takes to `seconds`."""
        began = perf_counter()
        yield
        self.seconds[what] += perf_counter() - began


class RolloutBuffer:
    """Collects the columns of a rollout while it is played."""

    def __init__(self) -> None:
        self._columns: list[tuple[Any, ...]] = []
        self.targets: list[npt.NDArray[Any]] = []
        self.count = 0
        self.rewards = np.zeros(1 << 14)

    def add(self, *columns: Any) -> None:
        """Appends the decisions of one step."""
        self._columns.append(columns)
        self.count += len(columns[0])
        if self.count > len(self.rewards):
            self.rewards = np.concatenate([self.rewards, np.zeros(self.count)])

    def gathered(self) -> list[Any]:
        """All columns, each as one array."""
        return [np.concatenate(each) for each in zip(*self._columns, strict=True)]


@kernel
def sample_actions(
    logits: Any,
    legal: Any,
    num_legal: Any,
    lanes: Any,
    uniforms: Any,
    actions: Any,
    log_probs: Any,
) -> None:
    """Samples a legal action for each of some lanes from the softmax of its logits."""
    for row in range(len(lanes)):
        lane = lanes[row]
        highest = logits[row, legal[lane, 0]]
        for k in range(1, num_legal[lane]):
            highest = max(highest, logits[row, legal[lane, k]])
        total = 0.0
        for k in range(num_legal[lane]):
            total += np.exp(logits[row, legal[lane, k]] - highest)
        left, chosen = uniforms[row] * total, legal[lane, 0]
        for k in range(num_legal[lane]):
            chosen = legal[lane, k]
            left -= np.exp(logits[row, chosen] - highest)
            if left < 0.0:
                break
        actions[row] = chosen
        log_probs[row] = logits[row, chosen] - highest - np.log(total)


@kernel
def credit_rewards(rewards: Any, latest: Any, lanes: Any, credited: Any, scale: float) -> None:
    """Credits what each seat has just earned to its latest decision."""
    for place in range(len(lanes)):
        lane = lanes[place]
        for seat in range(rewards.shape[1]):
            if latest[lane, seat] >= 0:
                credited[latest[lane, seat]] += rewards[lane, seat] / scale


@kernel
def compute_gae(
    trajectories: Any,
    rewards: Any,
    values: Any,
    gae_lambda: float,
    following: Any,
    advantages: Any,
) -> None:
    """Generalised advantage estimation, discount 1, for interleaved trajectories: decision k is one
    of trajectory `trajectories[k]` (a seat of a lane). `following` is scratch: the value and the
    advantage of each trajectory's next decision, zero after its last."""
    for k in range(len(trajectories) - 1, -1, -1):
        trajectory = trajectories[k]
        delta = rewards[k] + following[0, trajectory] - values[k]
        advantages[k] = delta + gae_lambda * following[1, trajectory]
        following[0, trajectory] = values[k]
        following[1, trajectory] = advantages[k]
