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
from domino_env.agents.networks.policy import legal_actions
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.seats import mate_of
from domino_env.games import Game
from domino_env.train.decisions import Decisions, Numbers, Whole, joined

PolicyValueFn = Callable[[Decisions], tuple[Numbers, Numbers]]
"""Logits of all rows, and the value of each decision."""
Teacher = Callable[[Batch, Whole], npt.NDArray[Any]]
"""Training targets for the decisions of some lanes: an action for each, or for each a number for
every action of the action space."""
NO_DECISION = -1


@dataclass(frozen=True)
class Rollout:
    """The learner's decisions, in the order in which they were made, with what came of them."""

    decisions: Decisions
    chosen: Whole
    """[n]: the place of the action among the legal ones."""
    log_probs: Numbers
    values: Numbers
    advantages: Numbers
    returns: Numbers
    rewards: Numbers
    """[n]: what the seat has earned before its next decision."""
    trajectories: Whole
    """[n]: of which seat of which lane each is: decisions of one stand in their order."""
    targets: npt.NDArray[Any] | None = None
    """Where there is a teacher: int64[n], the place of its action, or float32[R], a number for each
    row."""

    @property
    def actions(self) -> Whole:
        """[n]: the actions."""
        actions: Whole = self.decisions.legal[self.decisions.firsts + self.chosen]
        return actions

    def some(self, some: Whole) -> Rollout:
        """Some of the decisions, in this order."""
        targets = self.targets
        if targets is not None:
            of_rows = targets.dtype != np.int64
            targets = targets[self.decisions.rows_of(some) if of_rows else some]
        return Rollout(
            self.decisions.some(some),
            self.chosen[some],
            self.log_probs[some],
            self.values[some],
            self.advantages[some],
            self.returns[some],
            self.rewards[some],
            self.trajectories[some],
            targets,
        )


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
        prior: logits of `heuristic`, if the policy uses them.
        with_moves: does the network take the features of moves?
        with_graphs: does it take the graphs of moves?
        all_hands: does the critic see what all seats see?
        calls: as for `Batch`.
        with_histories: does the network read what has happened before?

    Attributes:
        seconds: what collecting has taken so far, by its parts; of the `clock`.
        steps: actions taken so far, by whomever, those without a choice included.
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None,
        lanes: int,
        reward_scale: float,
        gae_lambda: float,
        prior: HeuristicPrior | None = None,
        *,
        with_moves: bool = False,
        with_graphs: bool = False,
        all_hands: bool = False,
        calls: str = "automatic",
        with_histories: bool = False,
    ) -> None:
        self.batch = Batch(game, lanes, num_players, autoreset=False, calls=calls)
        self._reward_scale, self._gae_lambda = reward_scale, gae_lambda
        self.prior, self._all_hands = prior, all_hands
        self._with_moves, self._with_graphs = with_moves, with_graphs
        self._with_histories = with_histories
        # int[N, P]: the number of each seat's latest decision in the rollout.
        self._latest = np.zeros((lanes, self.batch.num_players), np.int64)
        phases = ("environment", "features", "opponents", "teacher", "learner")
        self.seconds = dict.fromkeys(phases, 0.0)
        self.clock: Callable[[], float] = perf_counter
        self.steps = 0

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
                lanes = live[mine]
                with self._timed("features"):
                    decisions = self.look(lanes)
                with self._timed("learner"):
                    actions[mine] = self._decide(policy_value, decisions, lanes, rng, buffer)
                if teacher is not None:
                    with self._timed("teacher"):
                        buffer.targets.append(as_targets(teacher(batch, lanes), decisions))
            with self._timed("environment"):
                batch.step(actions, live)
                self.steps += len(live)
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

    def look(self, lanes: Whole) -> Decisions:
        """What is seen where the learner decides."""
        batch = self.batch
        counts, legal = legal_actions(batch, lanes)
        moves, prior = np.zeros((len(legal), 0), np.float32), np.zeros(len(legal), np.float32)
        if self._with_moves:
            moves = batch.move_features(lanes)
        graphs = np.zeros((len(legal), 0, 0), np.int8)
        if self._with_graphs:
            graphs = batch.move_graphs(lanes)
        if self.prior is not None:
            owners = np.repeat(np.arange(len(lanes)), counts)
            prior = self.prior.logits(batch, lanes)[owners, legal]
        observations = batch.observation[lanes]
        critic = self._all_seen(lanes) if self._all_hands else observations
        histories = batch.histories(lanes) if self._with_histories else None
        return Decisions(observations, critic, counts, legal, moves, prior, graphs, histories)

    def _all_seen(self, lanes: Whole) -> Numbers:
        """What all seats see, the mover first and then clockwise."""
        batch, movers = self.batch, self.batch.seat[lanes].astype(np.int64)
        seats = [(movers + step) % batch.num_players for step in range(batch.num_players)]
        seen: Numbers = np.hstack([batch.observe_some(lanes, each) for each in seats])
        return seen

    def _decide(
        self,
        policy_value: PolicyValueFn,
        decisions: Decisions,
        lanes: Whole,
        rng: np.random.Generator,
        buffer: RolloutBuffer,
    ) -> Whole:
        batch = self.batch
        logits, values = policy_value(decisions)
        chosen = np.empty(len(lanes), np.int64)
        log_probs = np.empty(len(lanes), np.float32)
        uniforms = rng.random(len(lanes))
        sample_rows(logits, decisions.counts, uniforms, chosen, log_probs)
        seats = batch.seat[lanes].astype(np.int64)
        self._latest[lanes, seats] = buffer.count + np.arange(len(lanes))
        trajectories = lanes * batch.num_players + seats
        buffer.add(decisions, chosen, log_probs, values, trajectories)
        actions: Whole = decisions.legal[decisions.firsts + chosen]
        return actions

    def _finished(self, buffer: RolloutBuffer) -> Rollout:
        if not buffer.count:  # in no round was there a choice
            nobody, nothing = np.empty(0, np.int64), np.empty(0, np.float32)
            buffer.add(self.look(nobody), nobody, nothing, nothing, nobody)
        decisions, chosen, log_probs, values, trajectories = buffer.gathered()
        rewards = buffer.rewards[: len(chosen)].astype(np.float32)
        advantages = np.empty(len(chosen), np.float32)
        following = np.zeros((2, self.batch.num_games * self.batch.num_players))
        compute_gae(trajectories, rewards, values, self._gae_lambda, following, advantages)
        targets = np.concatenate(buffer.targets) if buffer.targets else None
        returns = advantages + values
        return Rollout(
            decisions,
            chosen,
            log_probs,
            values,
            advantages,
            returns,
            rewards,
            trajectories,
            targets,
        )

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        """Adds the time that a block takes to `seconds`."""
        began = self.clock()
        yield
        self.seconds[what] += self.clock() - began


class RolloutBuffer:
    """Collects the columns of a rollout while it is played."""

    def __init__(self) -> None:
        self._decisions: list[Decisions] = []
        self._columns: list[tuple[Any, ...]] = []
        self.targets: list[npt.NDArray[Any]] = []
        self.count = 0
        self.rewards = np.zeros(1 << 14)

    def add(self, decisions: Decisions, *columns: Any) -> None:
        """Appends the decisions of one step."""
        self._decisions.append(decisions)
        self._columns.append(columns)
        self.count += len(decisions)
        if self.count > len(self.rewards):
            self.rewards = np.concatenate([self.rewards, np.zeros(self.count)])

    def gathered(self) -> tuple[Any, ...]:
        """All decisions, and all columns, each as one array."""
        columns = [np.concatenate(each) for each in zip(*self._columns, strict=True)]
        return joined(self._decisions), *columns


def as_targets(told: npt.NDArray[Any], decisions: Decisions) -> npt.NDArray[Any]:
    """A teacher's targets: the places of its actions, or the numbers of the rows."""
    if told.ndim == 2:
        return told[decisions.owners, decisions.legal]
    rows = np.flatnonzero(decisions.legal == told[decisions.owners])
    places: Whole = rows - decisions.firsts
    return places


@kernel
def sample_rows(logits: Any, counts: Any, uniforms: Any, chosen: Any, log_probs: Any) -> None:
    """Samples one of the rows of each decision from the softmax of their logits."""
    first = 0
    for place in range(len(counts)):
        last = first + counts[place]
        highest, total = logits[first], 0.0
        for row in range(first + 1, last):
            highest = max(highest, logits[row])
        for row in range(first, last):
            total += np.exp(logits[row] - highest)
        left, found = uniforms[place] * total, first
        for row in range(first, last):
            found = row
            left -= np.exp(logits[row] - highest)
            if left < 0.0:
                break
        chosen[place] = found - first
        log_probs[place] = logits[found] - highest - np.log(total)
        first = last


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
