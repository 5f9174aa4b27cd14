"""One iteration of training, and the backends that can run it: this process, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from domino_env import agents
from domino_env.agents.heuristic import Heuristic
from domino_env.agents.networks.heuristic_prior import HeuristicPrior
from domino_env.agents.networks.history_encoder import vocabulary_of
from domino_env.batches import Batch
from domino_env.evaluate.watchdog import checked
from domino_env.games import Game
from domino_env.train.encoders import EncoderSettings
from domino_env.train.networks import Weights
from domino_env.train.oracle_teacher import oracle_gains
from domino_env.train.search_teacher import SearchTeacher
from domino_env.train.self_play import Opponent, SelfPlay, Teacher
from domino_env.train.settings import SCORERS, TrainSettings


@dataclass(frozen=True)
class UpdateSettings:
    """Hyperparameters of the optimizer for one iteration, after annealing."""

    learning_rate: float
    ent_coef: float
    batch_size: int
    n_epochs: int


@dataclass(frozen=True)
class OpponentSpec:
    """An agent of the opponent pool, by its name or its code, and its share of the rounds."""

    agent: Any
    share: float
    options: Mapping[str, Any] = field(default_factory=dict)

    def make(self, seed: int) -> Opponent:
        """Builds the agent with a random stream of its own."""
        agent = agents.make_seeded(self.agent, seed, **self.options)
        return Opponent(checked(agent), self.share)


@dataclass(frozen=True)
class Iteration:
    """What one iteration consists of.

    Attributes:
        phase: imitate, distill or ppo.
        update: hyperparameters of the optimizer.
        opponents: the pool that plays against the learner in this iteration.
        opponent_seed: seeds the opponents' own choices.
        first_deal: the seed of the first deal; the next round has the next seed.
    """

    phase: str
    update: UpdateSettings
    opponents: Sequence[OpponentSpec]
    opponent_seed: int
    first_deal: int


@dataclass(frozen=True)
class RunContext:
    """What stays the same for the whole run.

    Attributes:
        settings: of the run.
        game: with its house rules.
        num_players: seats in a game.
        reward_scale: the usual margin of a round; rewards are divided by it.
        prior: logits that `heuristic` contributes to the policy, if any.
    """

    settings: TrainSettings
    game: Game
    num_players: int
    reward_scale: float
    prior: HeuristicPrior | None

    def self_play(self, lanes: int) -> SelfPlay:
        """An environment runner that plays so many rounds at once."""
        return SelfPlay(
            self.game,
            self.num_players,
            lanes,
            self.reward_scale,
            self.settings.gae_lambda,
            self.prior,
            with_moves=self.settings.network in SCORERS,
            with_graphs=self.settings.network == "graph",
            all_hands=self.settings.critic == "all_hands",
            calls=self.settings.calls,
            with_histories=self.settings.history != "none",
        )

    def encoder_for(self, batch: Batch) -> EncoderSettings | None:
        """How the histories of a batch are encoded, if the network reads them."""
        kind, size = self.settings.history, self.settings.history_size
        return None if kind == "none" else EncoderSettings(kind, size, vocabulary_of(batch))

    def teacher(self, phase: str, first_deal: int) -> Teacher | None:
        """The teacher whose targets the learner is trained on in a rollout that begins with some
        deal; PPO has none. What it says depends on no earlier rollout."""
        if phase == "imitate":
            return Heuristic().act
        if phase == "distill":
            gains, worlds = oracle_gains, self.settings.distill_worlds
            if worlds:
                gains = SearchTeacher(worlds, first_deal).gains
            return lambda batch, lanes: gains(batch, lanes) / np.float32(self.reward_scale)
        return None

    def log_objective(self, logger: Logger, phase: str, objective: float) -> None:
        """Logs how well the learner follows its teacher."""
        if phase == "distill":
            logger.record("train/expected_gain", objective * self.reward_scale)
        else:
            logger.record("train/imitation_log_prob", objective)


class Logger(Protocol):
    """Takes figures: `MetricLog`, or the logger of stable-baselines3."""

    def record(self, key: str, value: Any) -> None:
        """Logs a figure."""
        ...

    def dump(self, step: int = 0) -> None:
        """Writes what has been logged since the last dump."""
        ...


class Backend(Protocol):
    """Collects rollouts and updates the learner, here or on a cluster."""

    @property
    def engine(self) -> str:
        """Its name for `--engine`."""
        ...

    @property
    def logger(self) -> Logger:
        """Where losses are logged."""
        ...

    def run(self, iteration: Iteration, rng: np.random.Generator) -> int:
        """Collects the rollout of an iteration and trains on it; returns the number of decisions in
        the rollout."""
        ...

    def weights(self) -> Weights:
        """The weights of the policy network."""
        ...

    def start_from(self, weights: Weights) -> None:
        """Begins with the weights of a policy that was trained before."""
        ...

    def time_summary(self, seconds: float) -> str:
        """One line on how these seconds were spent."""
        ...

    def log_to(self, folder: str) -> None:
        """Writes TensorBoard logs into a folder."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything needed to continue the run: tensors, numbers and strings."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        ...

    def close(self) -> None:
        """Releases processes and files."""
        ...
