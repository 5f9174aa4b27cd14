"""Rounds that a learner plays with itself and with others, and what it can learn from them.

Every lane is dealt a round and played to its end, so nothing has to be guessed of what would have
come. The learner sits in every seat of most lanes, and so learns from each decision; in the others
a rival takes the seats against it. Decisions with one legal action are taken for it, and are no
part of what it learns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents import Agent
from domino_env.agents.heuristic_prior import Leaning
from domino_env.batches import Batch
from domino_env.engine.compiling import kernel
from domino_env.engine.seats import mate_of
from domino_env.games import Game

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]
Judge = Callable[[Numbers], tuple[Numbers, Numbers]]
"""What a learner thinks of rows of observations: scores of the actions, and what it expects."""
Teacher = Callable[[Batch, Whole], npt.NDArray[Any]]
"""What a teacher says of the decisions of some lanes: a row for each."""
NOTHING_YET = -1


@dataclass
class Rounds:
    """The learner's decisions, in the order in which they were made, and what came of them."""

    observations: Numbers
    masks: npt.NDArray[np.bool_]
    actions: Whole
    log_chances: Numbers
    """The logarithm of how likely it was to do that."""
    values: Numbers
    """What it expected to earn from there."""
    advantages: Numbers
    returns: Numbers
    lessons: npt.NDArray[Any] | None = None
    """What the teacher said of each, if there is one."""


@dataclass(frozen=True)
class Rival:
    """Somebody who plays against the learner in a share of the lanes."""

    agent: Agent
    share: float


class SelfPlay:
    """A table for a learner.

    Args:
        game, num_players: as of `Batch`.
        lanes: rounds that are played side by side.
        scale: rewards are divided by this, so that they are about as large as 1.
        smoothing: the lambda of generalised advantage estimation.
        leans: what the learner leans on, if on anything: then a row of its observations goes on
            with what that adds to the score of each action.
    """

    def __init__(
        self,
        game: Game,
        num_players: int | None,
        lanes: int,
        scale: float,
        smoothing: float,
        leans: Leaning | None = None,
    ) -> None:
        self.batch = Batch(game, lanes, num_players, autoreset=False)
        self._scale, self._smoothing = scale, smoothing
        self.leans = leans
        self._last = np.zeros((lanes, self.batch.num_players), np.int64)
        self.seconds = {"environment": 0.0, "rivals": 0.0, "teacher": 0.0, "learner": 0.0}

    def play(
        self,
        judge: Judge,
        rivals: Sequence[Rival],
        teach: Teacher | None,
        deals: int,
        chance: np.random.Generator,
    ) -> Rounds:
        """Plays the rounds of some deals; `deals` is the seed of the first."""
        batch = self.batch
        with self._timed("environment"):
            batch.reset(seed=deals)
        who = self._seat(rivals)
        self._last[:] = NOTHING_YET
        notes = _Notes()
        while len(live := np.flatnonzero(batch.seat >= 0)):
            actions = batch.legal[live, 0].astype(np.int64)
            owner = who[live, batch.seat[live]]
            free = batch.num_legal[live] > 1
            with self._timed("rivals"):
                for number, rival in enumerate(rivals):
                    theirs = np.flatnonzero(free & (owner == number))
                    if len(theirs):
                        actions[theirs] = rival.agent.act(batch, live[theirs])
            mine = np.flatnonzero(free & (owner < 0))
            if len(mine):
                with self._timed("learner"):
                    lanes = live[mine]
                    actions[mine] = self._decide(judge, lanes, chance, notes)
                if teach is not None:
                    with self._timed("teacher"):
                        notes.lessons.append(teach(batch, lanes))
            with self._timed("environment"):
                batch.step(actions, live)
                credit(batch._reward, self._last, live, notes.earned, self._scale)
        return self._finished(notes)

    def _seat(self, rivals: Sequence[Rival]) -> Whole:
        """Who sits where: the number of a rival, or -1 for the learner. The learner's seat moves on
        from lane to lane; in teams its partner is the learner too."""
        lanes, players = self.batch.num_games, self.batch.num_players
        who = np.full((lanes, players), -1, np.int64)
        last = lanes
        for number, rival in enumerate(rivals):
            first = max(0, last - round(rival.share * lanes))  # two halves may be rounded up
            who[first:last] = number
            for lane in range(first, last):
                seat = lane % players
                who[lane, seat] = -1
                if self.batch.rules.teams:
                    who[lane, mate_of(seat)] = -1
            last = first
        return who

    def _decide(
        self, judge: Judge, lanes: Whole, chance: np.random.Generator, notes: _Notes
    ) -> Whole:
        batch = self.batch
        observations = self._seen(lanes)
        scores, values = judge(observations)
        actions = np.empty(len(lanes), np.int64)
        log_chances = np.empty(len(lanes), np.float32)
        luck = chance.random(len(lanes))
        draw_actions(scores, batch._legal, batch._num_legal, lanes, luck, actions, log_chances)
        seats = batch.seat[lanes].astype(np.int64)
        self._last[lanes, seats] = notes.count + np.arange(len(lanes))
        notes.add(
            observations,
            batch.mask[lanes].astype(np.bool_),
            actions,
            log_chances,
            values,
            lanes * batch.num_players + seats,
        )
        return actions

    def _seen(self, lanes: Whole) -> Numbers:
        observations = self.batch.observation[lanes]
        if self.leans is None:
            return observations
        return np.hstack([observations, self.leans.scores(self.batch, lanes)])

    def _finished(self, notes: _Notes) -> Rounds:
        observations, masks, actions, log_chances, values, whose = notes.gathered()
        earned = notes.earned[: len(actions)].astype(np.float32)
        advantages = np.empty(len(actions), np.float32)
        seats = self.batch.num_games * self.batch.num_players
        estimate(whose, earned, values, self._smoothing, np.zeros((2, seats)), advantages)
        lessons = np.concatenate(notes.lessons) if notes.lessons else None
        return Rounds(
            observations,
            masks,
            actions,
            log_chances,
            values,
            advantages,
            advantages + values,
            lessons,
        )

    def _timed(self, what: str) -> _Timed:
        return _Timed(self.seconds, what)


class _Timed:
    """Adds the time that a block takes to a sum."""

    def __init__(self, sums: dict[str, float], what: str) -> None:
        self._sums, self._what = sums, what

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._sums[self._what] += perf_counter() - self._began


class _Notes:
    """What is written down while rounds are played."""

    def __init__(self) -> None:
        self._parts: list[tuple[Any, ...]] = []
        self.lessons: list[npt.NDArray[Any]] = []
        self.count = 0
        self.earned = np.zeros(1 << 14)

    def add(self, *part: Any) -> None:
        self._parts.append(part)
        self.count += len(part[0])
        if self.count > len(self.earned):
            self.earned = np.concatenate([self.earned, np.zeros(self.count)])

    def gathered(self) -> list[Any]:
        return [np.concatenate(each) for each in zip(*self._parts, strict=True)]


@kernel
def draw_actions(
    scores: Any,
    legal: Any,
    num_legal: Any,
    lanes: Any,
    luck: Any,
    actions: Any,
    log_chances: Any,
) -> None:
    """Draws a legal action for each of some lanes, as likely as its score says."""
    for row in range(len(lanes)):
        lane = lanes[row]
        highest = scores[row, legal[lane, 0]]
        for k in range(1, num_legal[lane]):
            highest = max(highest, scores[row, legal[lane, k]])
        total = 0.0
        for k in range(num_legal[lane]):
            total += np.exp(scores[row, legal[lane, k]] - highest)
        left, chosen = luck[row] * total, legal[lane, 0]
        for k in range(num_legal[lane]):
            chosen = legal[lane, k]
            left -= np.exp(scores[row, chosen] - highest)
            if left < 0.0:
                break
        actions[row] = chosen
        log_chances[row] = scores[row, chosen] - highest - np.log(total)


@kernel
def credit(rewards: Any, last: Any, lanes: Any, earned: Any, scale: float) -> None:
    """What each seat has just earned goes to the last decision it has made."""
    for place in range(len(lanes)):
        lane = lanes[place]
        for seat in range(rewards.shape[1]):
            if last[lane, seat] >= 0:
                earned[last[lane, seat]] += rewards[lane, seat] / scale


@kernel
def estimate(
    whose: Any, earned: Any, values: Any, smoothing: float, later: Any, advantages: Any
) -> None:
    """How much better each decision was than expected, by generalised advantage estimation. `later`
    has, for each seat of each lane, what was expected at its next decision, and that decision's
    advantage; both are nothing after the last."""
    for k in range(len(whose) - 1, -1, -1):
        seat = whose[k]
        surprise = earned[k] + later[0, seat] - values[k]
        advantages[k] = surprise + smoothing * later[1, seat]
        later[0, seat] = values[k]
        later[1, seat] = advantages[k]
