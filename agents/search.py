"""`search`: a search over determinizations that knows the trained policy of the game.

Like `pimc` it samples worlds from the seat's belief, and plays each legal move out in them. But of
the others it supposes that they play either like the trained policy or like `heuristic`: what they
have done weighs the worlds by both, and says by which of the two they play on. Many more worlds are
sampled and weighed than are played out, for the former costs little: those played out are drawn by
their likelihood. It looks at no tile that the seat to move has not seen.
"""

from __future__ import annotations

import numpy as np

from domino_env.agents import parts
from domino_env.agents.heuristic import weights_of
from domino_env.agents.net import Net
from domino_env.agents.networks.player import shipped_for
from domino_env.agents.networks.policy import Policy
from domino_env.agents.searching.likelihood import INVERSE_TEMPERATURE
from domino_env.agents.searching.model import (
    linear_model,
    network_model,
    new_model_scratch,
    write_logits_of_lane,
)
from domino_env.agents.searching.model_playout import (
    LINEAR,
    POLICY,
    Players,
    fill_model_likelihoods,
    new_supposed,
    suppose,
    try_some_by_models,
)
from domino_env.agents.searching.move_stats import find_temper, prune, weigh_worlds
from domino_env.agents.searching.world_search import CHUNK, WorldSearch, WorldSearcher
from domino_env.batches import Batch
from domino_env.errors import BadOption

COMPILED = ("the agent search", 15)

SAMPLED = 2  # worlds for each that is played out
LEAST_EFFECTIVE = 0.25  # of the worlds sampled: the least effective sample size
PRIOR = 1.5  # worlds by whose spread a logit of the policy counts
LEAST_LOGIT = -10.0  # below the best; a policy is not surer than that


class Search(WorldSearcher):
    """Searches over determinizations, with the trained policy as a model of the others.

    Args:
        worlds: determinizations that are played out for each decision, if `seconds` is not given.
        seconds: time budget for each decision: as many worlds as fit.
        seed: of the worlds.
    """

    name = "search"

    def __init__(
        self, worlds: int = 256, seconds: float | None = None, seed: int | None = None
    ) -> None:
        super().__init__(worlds, seconds, seed)

    def _new_search(self, batch: Batch, at_once: int) -> WorldSearch:
        return _Search(batch, at_once, self._seed)


def policy_for(batch: Batch) -> Policy | None:
    """The strongest trained policy of a game, if one for these seats comes with the package."""
    try:
        policy = shipped_for(Net.folders, batch)
        policy.must_fit(batch)
    except BadOption:
        return None
    return policy


class _Search(WorldSearch):
    """A search with two models of the others: by `heuristic`, and by the policy if there is one."""

    def __init__(self, batch: Batch, at_once: int, seed: int | None) -> None:
        super().__init__(batch, at_once, seed, SAMPLED)
        linear = linear_model(weights_of(batch.rules.id), INVERSE_TEMPERATURE)
        policy = policy_for(batch)
        self._knows_policy = policy is not None
        self._players = Players(linear, linear if policy is None else network_model(policy))
        self._scratch = new_model_scratch(batch, *self._players)
        self._supposed = new_supposed(at_once * SAMPLED)
        self._has_begun = False

    def begin(self, lane: int) -> None:
        """Begins the search for a lane's decision."""
        super().begin(lane)
        self._has_begun = False

    def _try_in(self, worlds: int) -> None:
        """Tries the moves in so many worlds, sampled from `SAMPLED` times as many."""
        sampled, stats = worlds * SAMPLED, self._stats
        self._weigh(sampled)
        if not self._has_begun:
            temper = find_temper(self._world_weights, sampled, LEAST_EFFECTIVE)
            stats.likelihood_temper[0] = temper
        usual = weigh_worlds(sampled, self._world_weights, stats) * SAMPLED
        self._play_out(sampled, usual)
        if not self._has_begun and self._knows_policy:
            self._add_prior(worlds)
        self._has_begun = True
        prune(stats)

    def _weigh(self, worlds: int) -> None:
        """The log-likelihoods of the first so many worlds, by both models."""
        self._supposed.log_likelihoods[POLICY] = -np.inf
        for number in (LINEAR, POLICY) if self._knows_policy else (LINEAR,):
            for part in parts(worlds, CHUNK):
                fill_model_likelihoods(
                    self._batch._rule_table,
                    self._worlds._games,
                    self._worlds._logs,
                    self._seat,
                    self._players[number],
                    self._scratch,
                    self._supposed.log_likelihoods[number],
                    part.start,
                    part.stop,
                )
        suppose(self._supposed, worlds, self._world_weights)

    def _play_out(self, sampled: int, usual: float) -> None:
        """Plays the moves out in some of the worlds. Between two parts Ctrl-C takes effect."""
        waiting = usual / 2.0
        for part in parts(sampled, CHUNK):
            waiting = try_some_by_models(
                self._batch._rule_table,
                self._worlds._games,
                self._worlds._logs,
                self._seat,
                self._moves,
                self._players,
                self._supposed,
                self._scratch,
                self._world_weights,
                self._stats,
                usual,
                waiting,
                part.start,
                part.stop,
            )

    def _add_prior(self, worlds: int) -> None:
        """Adds to what the moves have gained what the policy holds of them: as if it had been seen
        in a few worlds, by the spread that gains have in these."""
        batch, stats = self._batch, self._stats
        write_logits_of_lane(
            batch._rule_table,
            batch._games,
            batch._logs,
            batch._legal,
            batch._num_legal,
            self._lane,
            self._players.policy,
            self._scratch,
        )
        logits = self._scratch.logits[: len(self._moves)]
        behind = np.maximum(logits - logits.max(), LEAST_LOGIT)
        pairs = len(behind) * (len(behind) - 1) / 2
        stats.gained[:] += PRIOR * np.sqrt(stats.squares.sum() / pairs / worlds) * behind
