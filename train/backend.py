"""What one iteration of a training run is about, whoever plays its rounds and learns from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from domino_env import agents
from domino_env.agents.heuristic import Heuristic
from domino_env.agents.heuristic_prior import Leaning
from domino_env.agents.policy import Layer
from domino_env.evaluate.watchdog import checked
from domino_env.games import Game
from domino_env.train.oracle_teacher import foresee
from domino_env.train.self_play import Rival, SelfPlay, Teacher
from domino_env.train.settings import TrainSettings


@dataclass(frozen=True)
class Step:
    """How the learner goes about the rounds of an iteration."""

    rate: float
    entropy: float
    """What variety is worth."""
    minibatch: int
    epochs: int


@dataclass(frozen=True)
class Guest:
    """An agent that is asked to play against the learner in a share of the rounds: its name, or
    its code."""

    agent: Any
    share: float
    options: Mapping[str, Any] = field(default_factory=dict)

    def seated(self, seed: int) -> Rival:
        """Takes a seat, with luck of its own."""
        return Rival(checked(agents.make_seeded(self.agent, seed, **self.options)), self.share)


@dataclass(frozen=True)
class Lesson:
    """One iteration.

    Attributes:
        part: of the run: imitate, foresee or reinforce.
        step: how the learner goes about it.
        guests: who plays against the learner.
        seed: of what the guests draw.
        deals: the seed of the first deal.
    """

    part: str
    step: Step
    guests: Sequence[Guest]
    seed: int
    deals: int


@dataclass(frozen=True)
class Course:
    """What stays the same from lesson to lesson.

    Attributes:
        settings: of the run.
        game: with its house rules.
        num_players: the seats at a table.
        scale: how far apart rounds usually end: rewards are measured by it.
        leans: what the learner leans on, if on anything.
    """

    settings: TrainSettings
    game: Game
    num_players: int
    scale: float
    leans: Leaning | None

    def table(self, lanes: int) -> SelfPlay:
        """Where so many rounds are played side by side."""
        smoothing = self.settings.smoothing
        return SelfPlay(self.game, self.num_players, lanes, self.scale, smoothing, self.leans)

    def teacher(self, part: str) -> Teacher | None:
        """Who tells the learner about its decisions, in the parts where anybody does."""
        if part == "imitate":
            return Heuristic().act
        if part == "foresee":
            return lambda batch, lanes: foresee(batch, lanes) / np.float32(self.scale)
        return None

    def tell(self, log: Log, lesson: Lesson, worth: float) -> None:
        """Notes how well the learner follows its teacher."""
        if lesson.part == "foresee":
            log.record("lessons/gained", worth * self.scale)
        else:
            log.record("lessons/log_chance_of_the_same", worth)


class Log(Protocol):
    """Where losses and margins are told, like the logger of stable-baselines3."""

    def record(self, key: str, value: Any) -> None:
        """Notes a figure."""
        ...

    def dump(self, step: int = 0) -> None:
        """Writes what was noted."""
        ...


class School(Protocol):
    """Where lessons take place."""

    @property
    def engine(self) -> str:
        """What it is called on the command line."""
        ...

    @property
    def log(self) -> Log:
        """Where it tells how it goes."""
        ...

    def take(self, lesson: Lesson, chance: np.random.Generator) -> int:
        """Plays the rounds of a lesson and learns from them; answers with how many decisions there
        were to learn from."""
        ...

    def layers(self) -> list[Layer]:
        """What the learner plays by: the weights and biases of its layers."""
        ...

    def spent(self, seconds: float) -> str:
        """What the time went to, in words, of so many seconds."""
        ...

    def write_to(self, folder: str) -> None:
        """Writes what is logged for TensorBoard."""
        ...

    def state(self) -> dict[str, Any]:
        """All that it needs to go on: tensors, numbers and texts."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state."""
        ...

    def close(self) -> None:
        """Leaves nothing behind."""
        ...
