"""Policy-space response oracles: a pool of policies, and how they should be mixed.

The pool begins with one that has learned nothing. Again and again PPO trains a best response to the
pool, mixed as it should be now; it joins the pool, rounds are played to measure what it earns over
the others, and the mix is the equilibrium of these payoffs: of the game of choosing a member. The
result is the mix: a member is drawn before a round and plays all of it.

Best responses are learned, on the batch, as they would have to be in a game of any size; in a mini
game the tree would know exact ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env import solve
from domino_env.agents import Agent
from domino_env.batches import Batch
from domino_env.solve.tree import Tree
from domino_env.train.algorithms.arena import SEATS, Arena
from domino_env.train.algorithms.contract import NetworkAlgorithm, learner_settings
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.decisions import Whole
from domino_env.train.local_learner import LocalLearner
from domino_env.train.networks import ActorCritic
from domino_env.train.self_play import Opponent

Floats = npt.NDArray[np.float64]
LEAST = 0.01  # members that are drawn less often than this are left out of a rollout
SWEEPS = 3000  # of the solver of the game of choosing a member


class Psro(NetworkAlgorithm):
    """PPO against a pool that its best responses join."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        super().__init__(arena, settings)
        made = learner_settings(settings)
        self._learner = LocalLearner(self._network(), made, settings.seed)
        self.pool: list[Agent] = [super().player()]
        self.payoffs: Floats = np.zeros((1, 1))
        self.mix: Floats = np.ones(1)
        self._plans: list[solve.Policy] = []

    def _learn(self) -> None:
        if len(self.pool) >= self.settings.psro.members:
            return
        rollout = self._rollout(self._learner.policy_value, self._opponents())
        self._learner.learn("ppo", rollout, self._update())
        if (self.iterations + 1) % self.settings.psro.response_iterations == 0:
            self._join()

    def _opponents(self) -> list[Opponent]:
        """The members in the shares of the mix."""
        shares = np.where(self.mix >= LEAST, self.mix, 0.0)
        shares /= shares.sum()
        some = np.flatnonzero(shares)
        return [Opponent(self.pool[number], float(shares[number])) for number in some]

    def _join(self) -> None:
        """The best response joins the pool, and the next one begins where it ended."""
        new = super().player()
        earned = np.array([self._payoff(new, member) for member in self.pool])
        self.payoffs = np.block([[self.payoffs, -earned[:, None]], [earned[None, :], np.zeros(1)]])
        self.pool.append(new)
        self.mix = equilibrium(self.payoffs)

    def _payoff(self, a: Agent, b: Agent) -> float:
        """What one earns over the other, on duplicate deals."""
        first_deal, deals = (
            int(self._rng.integers(2**40)),
            self.settings.psro.payoff_rounds // SEATS,
        )
        return float(self.arena.duplicate_margins(a, b, first_deal, deals).mean())

    def _learned(self) -> ActorCritic:
        return self._learner.network

    def policy(self, tree: Tree) -> solve.Policy:
        """The mix, as one policy."""
        for member in self.pool[len(self._plans) :]:
            self._plans.append(solve.policy_of(tree, member))
        return solve.mixture(tree, self._plans, self.mix)

    def player(self) -> Agent:
        """The mix, as an agent."""
        return Mixture(self.pool, self.mix)


class Mixture:
    """Draws one of several agents for each game, which plays all of it."""

    name = "mixture"

    def __init__(self, pool: list[Agent], mix: Floats, seed: int = 0) -> None:
        self._pool, self._mix = [*pool], mix
        self._rng = np.random.default_rng(seed)
        self._drawn: tuple[Batch, Whole] | None = None

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        """A legal action for each of the lanes."""
        if self._drawn is None or self._drawn[0] is not batch:
            members = self._rng.choice(len(self._pool), batch.num_games, p=self._mix)
            self._drawn = batch, members
        playing = self._drawn[1][lanes]
        actions = np.empty(len(lanes), np.int64)
        for number in np.unique(playing):
            at = np.flatnonzero(playing == number)
            actions[at] = self._pool[number].act(batch, lanes[at])
        return actions


def equilibrium(payoffs: Floats) -> Floats:
    """How to mix the rows of a symmetric zero-sum game, by regret matching, averaged linearly."""
    regrets = np.zeros(len(payoffs))
    total = np.zeros(len(payoffs))
    for sweep in range(SWEEPS):
        above = np.maximum(regrets, 0.0)
        mix = above / above.sum() if above.any() else np.full(len(above), 1 / len(above))
        total += sweep * mix
        earned = payoffs @ mix
        regrets = np.maximum(regrets + earned - mix @ earned, 0.0)
    found: Floats = total / total.sum()
    return found
