"""Training a policy: lessons first, then play against itself and others.

    from domino_env.train.settings import TrainSettings
    from domino_env.config.loader import load
    from domino_env.train.training import Training

    training = Training(load(TrainSettings, "configs/train/block_draw.yaml"))
    training.iterate()

An iteration deals many rounds, plays them to their end, and learns from every decision in them. A
run has three parts, each a number of iterations: it imitates `heuristic`; it learns from what each
move would have gained (`foresight`); and it plays against itself, past selves and rivals, by PPO.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from domino_env import agents
from domino_env.agents.heuristic import Heuristic, weights_of
from domino_env.agents.heuristic_prior import Leaning, leaning
from domino_env.agents.policy import Policy
from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Meeting
from domino_env.evaluate.rollout import play_out
from domino_env.evaluate.tournament import house_rules
from domino_env.games import mark_of
from domino_env.train.backend import Course, Guest, Lesson, School, Step
from domino_env.train.local_backend import Alone
from domino_env.train.rng_state import restore_chance, state_of
from domino_env.train.settings import PARTS, Pair, TrainSettings


@dataclass(frozen=True)
class Point:
    """How strong the policy was at some time of a run."""

    iteration: int
    part: str
    decisions: int
    margins: Mapping[str, Pair]
    """Points a round over each opponent, and half the 95 % interval."""


class Training:
    """A run in its course; equal settings, equal course.

    Args:
        settings: what is trained, and how.
        school: where; in this process if nothing is said.

    Attributes:
        iteration: how many are done.
        decisions: how many the learner has learned from.
        curve: how strong it was, from time to time.
    """

    def __init__(self, settings: TrainSettings, school: Callable[[Course], School] = Alone) -> None:
        self.settings = settings
        self.rules = house_rules(settings.game, settings.rules)
        self.num_players = settings.num_players or self.rules.players[0]
        self.iteration, self.decisions = 0, 0
        self.curve: list[Point] = []
        self._past: list[Policy] = []
        rivals = settings.pool.rivals.items()
        self._rivals = [(agents.source(name), share) for name, share in rivals]
        self._chance = np.random.default_rng(settings.seed)
        scale = _usual_margin(self.rules, self.num_players, settings.seed)
        self._course = Course(
            settings, self.rules, self.num_players, scale, self._what_to_lean_on()
        )
        self._found = school
        self.school = school(self._course)

    def _what_to_lean_on(self) -> Leaning | None:
        weights, settings = weights_of(self.rules.id), self.settings
        if not settings.lean:
            return None
        return leaning(self.rules, self.num_players, weights, settings.lean, settings.seed)

    @property
    def part(self) -> str:
        """The part that comes next, or that was the last."""
        return self._part_of(self.iteration)

    def _part_of(self, iteration: int) -> str:
        for name in PARTS:
            iteration -= getattr(self.settings, name).iterations
            if iteration < 0:
                return name
        return PARTS[-1]

    @property
    def over(self) -> bool:
        """Have all iterations been done?"""
        return self.iteration >= self.settings.iterations

    def iterate(self) -> None:
        """Plays the rounds of one iteration, and learns from them."""
        lesson = self._lesson()
        decisions = self.school.take(lesson, self._chance)
        self.decisions += decisions
        self.iteration += 1
        log = self.school.log
        log.record("train/entropy_weight", lesson.step.entropy)
        log.record("train/decisions", self.decisions)
        log.record("train/decisions_an_iteration", decisions)
        log.dump(self.iteration)

    def _lesson(self) -> Lesson:
        """What this iteration is about."""
        part, guests, seed = self.part, [], 0
        if part == "reinforce":
            seed = int(self._chance.integers(2**31))
            guests = self._guests()
            if self._reinforced % self.settings.pool.every == 0:
                self._past = [*self._past, self.policy()][-self.settings.pool.kept :]
        return Lesson(part, self._step(part), guests, seed, int(self._chance.integers(2**40)))

    @property
    def _reinforced(self) -> int:
        """How many iterations of PPO have been done."""
        return self.iteration - self.settings.imitate.iterations - self.settings.foresee.iterations

    def _step(self, name: str) -> Step:
        """How the learner goes about this iteration."""
        part, before = getattr(self.settings, name), 0
        for other in PARTS[: PARTS.index(name)]:
            before += getattr(self.settings, other).iterations
        done = (self.iteration - before) / part.iterations
        rate, entropy = (
            first + (last - first) * done for first, last in (part.learning_rate, part.entropy)
        )
        return Step(rate, entropy, part.minibatch, part.epochs)

    def _guests(self) -> list[Guest]:
        """Who sits against the learner in this iteration."""
        pool = self.settings.pool
        guests = [Guest(rival, share) for rival, share in self._rivals]
        if self._past and pool.past:
            past = self._past[int(self._chance.integers(len(self._past)))]
            guests.append(Guest("ppo", pool.past, {"policy": past, "temperature": 1.0}))
        return guests

    def evaluate(self) -> Point:
        """Measures how strong it is, and notes it."""
        evaluation = self.settings.evaluation
        margins = {}
        for name in evaluation.against:
            ours = Entrant("ppo", "trained", {"policy": self.policy()})
            meeting = Meeting(
                self.rules, self.num_players, ours, Entrant(name), evaluation.seed, limit=None
            )
            meeting.play(evaluation.deals)
            if meeting.forfeits:  # nothing is measured by them
                raise BadOption(f"{name} {meeting.forfeits[0].why}: it cannot be measured against")
            margins[name] = (meeting.standing.margin, meeting.standing.within)
            self.school.log.record(f"margin/{name}", margins[name][0])
        self.curve.append(
            Point(self.iteration, self._part_of(self.iteration - 1), self.decisions, margins)
        )
        self.school.log.dump(self.iteration)
        return self.curve[-1]

    def policy(self) -> Policy:
        """What it plays by now."""
        last = self.curve[-1] if self.curve else None
        notes = {
            "iterations": self.iteration,
            "decisions": self.decisions,
            "seed": self.settings.seed,
            "margins": {} if last is None else {name: list(m) for name, m in last.margins.items()},
        }
        return Policy(
            self.rules.id,
            dict(self.settings.rules),
            mark_of(self.rules),
            self.num_players,
            self.school.layers(),
            notes,
            self._course.leans,
        )

    # Keeping ------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that it needs to go on as if it had never stopped."""
        return {
            "iteration": self.iteration,
            "decisions": self.decisions,
            "leans": None if self._course.leans is None else asdict(self._course.leans),
            "chance": state_of(self._chance),
            "learner": self.school.state(),
            "past": [_as_tensors(policy) for policy in self._past],
            "curve": [
                [point.iteration, point.part, point.decisions, dict(point.margins)]
                for point in self.curve
            ],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state."""
        self.iteration, self.decisions = state["iteration"], state["decisions"]
        restore_chance(self._chance, state["chance"])
        self._lean_on(None if state["leans"] is None else Leaning(**state["leans"]))
        self.school.restore(state["learner"])
        current = self.policy()
        self._past = [replace(current, layers=_layers(each)) for each in state["past"]]
        self.curve[:] = [Point(*point) for point in state["curve"]]

    def _lean_on(self, leans: Leaning | None) -> None:
        """What a run leans on stays what it was when it began, even if `heuristic` has changed."""
        if leans != self._course.leans:
            self._course = replace(self._course, leans=leans)
            self.school.close()
            self.school = self._found(self._course)

    def close(self) -> None:
        """Leaves nothing behind."""
        self.school.close()


def _as_tensors(policy: Policy) -> list[list[torch.Tensor]]:
    return [[torch.as_tensor(part) for part in layer] for layer in policy.layers]


def _layers(tensors: list[list[torch.Tensor]]) -> list[Any]:
    return [(weights.numpy(), biases.numpy()) for weights, biases in tensors]


def _usual_margin(rules: Any, players: int, seed: int) -> float:
    """How far apart rounds usually end: rewards are measured by it."""
    batch = Batch(rules, 1000, players, seed=seed, autoreset=False)
    batch.reset()
    returns: npt.NDArray[np.float64] = play_out(batch, [Heuristic()] * players)
    return float(returns.std()) or 1.0
