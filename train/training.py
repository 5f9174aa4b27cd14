"""A training run: supervised phases first, then PPO against the learner itself and a pool.

    from domino_env.config.loader import load
    from domino_env.train.settings import TrainSettings
    from domino_env.train.training import Training

    training = Training(load(TrainSettings, "configs/train/block_draw.yaml"))
    training.iterate()

Each iteration collects a rollout of whole rounds by self-play and trains on every decision in it.
A run has three phases, each a number of iterations:

    imitate   behaviour cloning of `heuristic`
    distill   the gains of an oracle teacher, which sees all tiles (`oracle_teacher`)
    ppo       PPO against itself, past selves and the agents of the pool
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from domino_env import agents
from domino_env.agents.heuristic import Heuristic, weights_of
from domino_env.agents.networks.graph_layers import GraphWeights
from domino_env.agents.networks.heuristic_prior import HeuristicPrior, heuristic_prior
from domino_env.agents.networks.policy import Policy, read_policy
from domino_env.batches import Batch
from domino_env.config.game_settings import house_rules
from domino_env.errors import BadOption
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.evaluate.rollout import play_episodes
from domino_env.games import mark_of
from domino_env.train.backend import Backend, Iteration, OpponentSpec, RunContext, UpdateSettings
from domino_env.train.local_backend import LocalBackend
from domino_env.train.networks import Weights
from domino_env.train.rng_state import restore_rng, rng_state
from domino_env.train.settings import PHASES, Pair, TrainSettings


@dataclass(frozen=True)
class Point:
    """A point of the learning curve."""

    iteration: int
    phase: str
    decisions: int
    margins: Mapping[str, Pair]
    """Points a round over each opponent, and half the 95 % interval."""


class Training:
    """A training run. The same settings give the same run, byte for byte.

    Args:
        settings: of the run.
        backend: makes the backend that collects rollouts and updates the learner; by default this
            process.

    Attributes:
        iterations_done: iterations completed so far.
        decisions: decisions in all rollouts so far.
        curve: the learning curve so far.
    """

    def __init__(
        self, settings: TrainSettings, backend: Callable[[RunContext], Backend] = LocalBackend
    ) -> None:
        self.settings = settings
        self.rules = house_rules(settings.game, settings.rules)
        self.num_players = settings.num_players or self.rules.players[0]
        self.iterations_done, self.decisions = 0, 0
        self.curve: list[Point] = []
        self._past: list[Policy] = []
        self._pool = [
            (agents.source(agent), share) for agent, share in settings.pool.opponents.items()
        ]
        self._rng = np.random.default_rng(settings.seed)
        self._context = RunContext(
            settings,
            self.rules,
            self.num_players,
            usual_margin(self.rules, self.num_players, settings.seed),
            self._heuristic_prior(),
        )
        self._make_backend = backend
        self.backend = backend(self._context)
        if settings.start is not None:
            self.backend.start_from(self._policy_to_start(Path(settings.start)))

    def _heuristic_prior(self) -> HeuristicPrior | None:
        weight, seed = self.settings.prior_weight, self.settings.seed
        if not weight:
            return None
        return heuristic_prior(
            self.rules, self.num_players, weights_of(self.rules.id), weight, seed
        )

    def _policy_to_start(self, file: Path) -> Weights:
        """The weights of the policy that the run begins with."""
        policy = read_policy(file)
        if policy.game != self.rules.id or policy.num_players != self.num_players:
            raise BadOption(
                f"start: {file} is a policy for {policy.game} with {policy.num_players} players"
            )
        if policy.prior is not None or self._context.prior is not None:
            raise BadOption("start: a run goes on from policies without a prior: prior_weight=0")
        return Weights(list(policy.layers), policy.move_weights, policy.graph, policy.history)

    @property
    def phase(self) -> str:
        """The phase of the next iteration; after the run, the last phase."""
        return self._phase_of(self.iterations_done)

    def _phase_of(self, iteration: int) -> str:
        for name in PHASES:
            iteration -= getattr(self.settings, name).iterations
            if iteration < 0:
                return name
        return PHASES[-1]

    @property
    def over(self) -> bool:
        """Are all iterations done?"""
        return self.iterations_done >= self.settings.iterations

    def iterate(self) -> None:
        """One iteration: collects a rollout and updates the learner."""
        iteration = self._next_iteration()
        decisions = self.backend.run(iteration, self._rng)
        self.decisions += decisions
        self.iterations_done += 1
        logger = self.backend.logger
        logger.record("train/ent_coef", iteration.update.ent_coef)
        logger.record("train/decisions", self.decisions)
        logger.record("train/decisions_per_iteration", decisions)
        logger.dump(self.iterations_done)

    def _next_iteration(self) -> Iteration:
        phase, opponents, seed = self.phase, [], 0
        if phase == "ppo":
            seed = int(self._rng.integers(2**31))
            opponents = self._opponents()
            if self._ppo_iterations_done % self.settings.pool.every == 0:
                self._past = [*self._past, self.policy()][-self.settings.pool.kept :]
        first_deal = int(self._rng.integers(2**40))
        return Iteration(phase, self._update_settings(phase), opponents, seed, first_deal)

    @property
    def _ppo_iterations_done(self) -> int:
        before = self.settings.imitate.iterations + self.settings.distill.iterations
        return self.iterations_done - before

    def _update_settings(self, name: str) -> UpdateSettings:
        """Hyperparameters of the next iteration, linearly annealed over its phase."""
        phase, before = getattr(self.settings, name), 0
        for other in PHASES[: PHASES.index(name)]:
            before += getattr(self.settings, other).iterations
        done = (self.iterations_done - before) / phase.iterations
        learning_rate, ent_coef = (
            first + (last - first) * done for first, last in (phase.learning_rate, phase.ent_coef)
        )
        return UpdateSettings(learning_rate, ent_coef, phase.batch_size, phase.n_epochs)

    def _opponents(self) -> list[OpponentSpec]:
        """The pool of this iteration: the agents, and one of the past selves."""
        pool = self.settings.pool
        opponents = [OpponentSpec(agent, share) for agent, share in self._pool]
        if self._past and pool.past:
            past = self._past[int(self._rng.integers(len(self._past)))]
            opponents.append(OpponentSpec("ppo", pool.past, {"policy": past, "temperature": 1.0}))
        return opponents

    def evaluate(self) -> Point:
        """Adds a point to the learning curve: margins on duplicate deals."""
        evaluation = self.settings.evaluation
        margins = {}
        for name in evaluation.against:
            ours = Entrant("ppo", "trained", {"policy": self.policy()})
            pairing = Pairing(
                self.rules,
                self.num_players,
                ours,
                Entrant(name),
                evaluation.seed,
                time_limit=None,
                calls=self.settings.calls,
            )
            pairing.play(evaluation.deals)
            if pairing.forfeits:  # nothing is measured by them
                raise BadOption(f"{name} {pairing.forfeits[0].why}: it cannot be measured against")
            margins[name] = (pairing.standing.margin, pairing.standing.within)
            self.backend.logger.record(f"margin/{name}", margins[name][0])
        phase = self._phase_of(self.iterations_done - 1)
        self.curve.append(Point(self.iterations_done, phase, self.decisions, margins))
        self.backend.logger.dump(self.iterations_done)
        return self.curve[-1]

    def policy(self) -> Policy:
        """The current policy."""
        last = self.curve[-1] if self.curve else None
        notes = {
            "iterations": self.iterations_done,
            "decisions": self.decisions,
            "seed": self.settings.seed,
            "margins": {} if last is None else {name: list(m) for name, m in last.margins.items()},
        }
        weights = self.backend.weights()
        return Policy(
            self.rules.id,
            dict(self.settings.rules),
            mark_of(self.rules),
            self.num_players,
            weights.layers,
            notes,
            self._context.prior,
            weights.moves,
            weights.graph,
            weights.history,
        )

    # Checkpoints --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to continue as if the run had never stopped."""
        prior = self._context.prior
        return {
            "iteration": self.iterations_done,
            "decisions": self.decisions,
            "prior": None if prior is None else prior.to_plain(),
            "rng": rng_state(self._rng),
            "learner": self.backend.state(),
            "past": [_as_tensors(policy) for policy in self._past],
            "curve": [
                [point.iteration, point.phase, point.decisions, dict(point.margins)]
                for point in self.curve
            ],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continues from a saved state."""
        self.iterations_done, self.decisions = state["iteration"], state["decisions"]
        restore_rng(self._rng, state["rng"])
        prior = state["prior"]
        self._restore_prior(None if prior is None else HeuristicPrior.from_plain(prior))
        self.backend.restore(state["learner"])
        current = self.policy()
        self._past = [_with_weights(current, each) for each in state["past"]]
        self.curve[:] = [Point(*point) for point in state["curve"]]

    def _restore_prior(self, prior: HeuristicPrior | None) -> None:
        """A run keeps the prior it began with, even if the weights of `heuristic` have changed."""
        if prior != self._context.prior:
            self._context = replace(self._context, prior=prior)
            self.backend.close()
            self.backend = self._make_backend(self._context)

    def close(self) -> None:
        """Releases what the backend holds."""
        self.backend.close()


def _as_tensors(policy: Policy) -> list[list[torch.Tensor]]:
    """The weights of a policy: those of each layer, then those of a scorer for moves, and last
    those for graphs; and those for histories, if it reads them."""
    moves = [] if policy.move_weights is None else [policy.move_weights]
    parts: list[Sequence[Any]] = [*policy.layers, moves, policy.graph or ()]
    if policy.history is not None:
        parts.append([*policy.history.arrays().values()])
    return [[torch.as_tensor(array) for array in part] for part in parts]


def _with_weights(policy: Policy, tensors: list[list[torch.Tensor]]) -> Policy:
    parts, history = [[tensor.numpy() for tensor in part] for part in tensors], policy.history
    if history is not None:
        history = history.with_arrays(parts.pop())
    *layers, moves, graph = parts
    pairs = [(weights, biases) for weights, biases in layers]
    return replace(
        policy,
        layers=pairs,
        move_weights=moves[0] if moves else None,
        graph=GraphWeights(*graph) if graph else None,
        history=history,
    )


def usual_margin(rules: Any, players: int, seed: int) -> float:
    """The standard deviation of a round's margin, by which rewards are scaled."""
    batch = Batch(rules, 1000, players, seed=seed, autoreset=False)
    batch.reset()
    returns: npt.NDArray[np.float64] = play_episodes(batch, [Heuristic()] * players)
    return float(returns.std()) or 1.0
