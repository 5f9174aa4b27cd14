"""ESCHER: deep counterfactual regret minimisation without importance sampling.

A player's regret for an action is what it would have earned by it, less what its policy earns, each
time that it comes there of its own will or not. Deep CFR finds that out by playing all actions out,
which a game of full size has no time for, and dividing by sampling probabilities makes
figures that are too noisy to learn from. Here a network that is shown all hands, in training alone,
says what each action is worth where the players go on by their policies. One side explores all its
actions alike, so every information state is met as often in one iteration as in another, and no
figure has to be divided by anything; the other plays by the regrets so far.

Three networks: values of actions by all hands; regrets, fitted to all iterations, by which the
policy of an iteration plays (regret matching); and the average policy, which is the result. Later
iterations count for more, in proportion to their number (linear CFR).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from domino_env.train.algorithms.arena import Arena
from domino_env.train.algorithms.contract import NetworkAlgorithm
from domino_env.train.algorithms.fitted import FittedNetwork, as_probabilities, as_values
from domino_env.train.algorithms.hyperparameters import AlgorithmSettings
from domino_env.train.algorithms.reservoir import Reservoir
from domino_env.train.algorithms.sampled import SampledPolicy
from domino_env.train.algorithms.tree_backup import best_rows, per_decision, tree_backup
from domino_env.train.decisions import Decisions, Numbers
from domino_env.train.networks import ActorCritic
from domino_env.train.self_play import Opponent, Rollout

NEVER = -20.0  # the logit of an action that is not played


class Escher(NetworkAlgorithm):
    """Regret minimisation by networks."""

    def __init__(self, arena: Arena, settings: AlgorithmSettings) -> None:
        super().__init__(arena, settings)
        self._values = FittedNetwork(self._network(0, sees_all=True), settings.max_grad_norm)
        self._regrets = FittedNetwork(self._network(1), settings.max_grad_norm)
        self._average = FittedNetwork(self._network(2), settings.max_grad_norm)
        self._of_regrets = Reservoir(settings.escher.memory, self._rng)
        self._of_policies = Reservoir(settings.escher.memory, self._rng)

    def _learn(self) -> None:
        player = SampledPolicy(self.self_play, self._current_logits, self._rng)
        rollout = self._rollout(_any_action, [Opponent(player, 1.0)])
        weight = float(self.iterations + 1)
        shown = _all_shown(rollout.decisions)
        current = np.exp(self._current_logits(rollout.decisions))
        self._learn_values(rollout, shown, current)
        self._of_regrets.add(rollout.decisions, self._regrets_in(shown, current), weight)
        for decisions, probs in player.noted:
            self._of_policies.add(decisions, probs, weight)
        own = self.settings.escher
        self._fit_reservoir(self._regrets, self._of_regrets, as_values, own.regret_batches)
        self._fit_reservoir(self._average, self._of_policies, as_probabilities, own.average_batches)

    def _learn_values(self, rollout: Rollout, shown: Decisions, probs: Numbers) -> None:
        """What actions are worth where both sides go on by the policy of this iteration."""
        worth = tree_backup(rollout, self._values.logits(shown), probs)
        self._fit_chosen(self._values, rollout, worth, shown, self.settings.escher.value_epochs)

    def _regrets_in(self, shown: Decisions, probs: Numbers) -> Numbers:
        """What each action is worth beyond the policy."""
        values = self._values.logits(shown)
        found: Numbers = values - per_decision(shown, values * probs)[shown.owners]
        return found

    def _current_logits(self, decisions: Decisions) -> Numbers:
        """Regret matching: actions in proportion to what they are regretted; where none is, the
        one that is regretted least."""
        regrets = self._regrets.logits(decisions)
        above = np.maximum(regrets, 0.0)
        totals = per_decision(decisions, above)[decisions.owners]
        best = best_rows(decisions, regrets)
        probs = np.where(totals > 0, above / np.maximum(totals, 1e-12), best)
        return np.log(np.maximum(probs, np.exp(NEVER))).astype(np.float32)

    def _learned(self) -> ActorCritic:
        return self._average.network


def _any_action(decisions: Decisions) -> tuple[Numbers, Numbers]:
    """All actions alike."""
    return np.zeros(len(decisions.legal), np.float32), np.zeros(len(decisions), np.float32)


def _all_shown(decisions: Decisions) -> Decisions:
    """The same with what the critic sees as observations."""
    return replace(decisions, observations=decisions.seen_by_critic)
