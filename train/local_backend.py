"""Lessons in this process: a table, and sb3-contrib's MaskablePPO."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger

from domino_env.agents.policy import Layer
from domino_env.train.backend import Course, Lesson
from domino_env.train.local_learner import Learner
from domino_env.train.self_play import Rounds


class Alone:
    """A school of one machine; equal lessons, equal learner."""

    engine = "threads"

    def __init__(self, course: Course) -> None:
        settings = course.settings
        torch.set_num_threads(settings.threads)
        self._course = course
        self.table = course.table(settings.deals)
        self.learner = Learner(
            course.game,
            course.num_players,
            settings.widths,
            clip=settings.clip,
            value_weight=settings.value_weight,
            steepest=settings.steepest,
            seed=settings.seed,
            leans=course.leans is not None,
        )

    @property
    def log(self) -> Logger:
        """Where MaskablePPO tells its losses."""
        return self.learner.logger

    def take(self, lesson: Lesson, chance: np.random.Generator) -> int:
        """Plays the rounds of a lesson and learns from them."""
        rounds = self.table.play(
            self.learner.judge,
            [guest.seated(lesson.seed) for guest in lesson.guests],
            self._course.teacher(lesson.part),
            lesson.deals,
            chance,
        )
        self._learn(lesson, rounds)
        return len(rounds.actions)

    def _learn(self, lesson: Lesson, rounds: Rounds) -> None:
        if lesson.part == "reinforce":
            self.learner.reinforce(rounds, lesson.step)
            return
        follow = self.learner.foresee if lesson.part == "foresee" else self.learner.imitate
        self._course.tell(self.log, lesson, follow(rounds, lesson.step))

    def layers(self) -> list[Layer]:
        """What the learner plays by."""
        return self.learner.layers()

    def spent(self, seconds: float) -> str:
        """What the time went to."""
        spent = self.table.seconds
        share = 100 * (spent["environment"] + spent["rivals"]) / seconds
        return f"of {seconds:.0f} seconds the environment and its opponents took {share:.1f} %"

    def write_to(self, folder: str) -> None:
        """Writes what is logged for TensorBoard."""
        self.learner.write_to(folder)

    def state(self) -> dict[str, Any]:
        """All that it needs to go on."""
        return self.learner.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state."""
        self.learner.restore(state)

    def close(self) -> None:
        """Leaves nothing behind."""
