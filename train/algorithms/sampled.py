"""A policy that is being learned as an agent: it takes seats against the learner in a rollout."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch

from domino_env.batches import Batch
from domino_env.train.algorithms.tree_backup import log_probs_of
from domino_env.train.decisions import Decisions, Numbers, Whole
from domino_env.train.networks import ActorCritic, as_inputs
from domino_env.train.self_play import SelfPlay, sample_rows

Logits = Callable[[Decisions], Numbers]
"""A logit for each row of some decisions."""


class SampledPolicy:
    """Samples actions by the logits that it is told.

    Attributes:
        noted: the decisions that it has made, with the chance of each action in each of them.
    """

    name = "sampled"

    def __init__(self, self_play: SelfPlay, logits: Logits, rng: np.random.Generator) -> None:
        self._self_play, self._logits, self._rng = self_play, logits, rng
        self.noted: list[tuple[Decisions, Numbers]] = []

    def act(self, batch: Batch, lanes: Whole) -> npt.NDArray[np.int64]:
        """A legal action for each of the lanes of the rollout."""
        decisions = self._self_play.look(lanes)
        logits = self._logits(decisions)
        chosen, log_probs = np.empty(len(lanes), np.int64), np.empty(len(lanes), np.float32)
        sample_rows(logits, decisions.counts, self._rng.random(len(lanes)), chosen, log_probs)
        self.noted.append((decisions, np.exp(log_probs_of(decisions, logits))))
        actions: Whole = decisions.legal[decisions.firsts + chosen]
        return actions


def logits_of(network: ActorCritic) -> Logits:
    """The logits of a network as it is now, and whenever it has learned more."""

    def logits(decisions: Decisions) -> Numbers:
        with torch.no_grad():
            found: Numbers = network.policy_logits(as_inputs(decisions)).numpy()
        return found

    return logits
