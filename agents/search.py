"""`search`: a search over determinizations that knows the trained policy of the game.

Like `pimc` it samples worlds from the seat's belief, and plays each legal move out in them. But of
the others it supposes that they play either like the trained policy or like `heuristic`: what they
have done weighs the worlds by both, and says by which of the two they play on. Many more worlds are
sampled and weighed than are played out, for the former costs little: those played out are drawn by
their likelihood. It looks at no tile that the seat to move has not seen.

Who knows how the others play, as somebody does who looks for what an agent loses at most, says so
by `opponents`; then nothing is supposed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from domino_env import agents
from domino_env.agents import parts
from domino_env.agents.heuristic import Heuristic, weights_of
from domino_env.agents.net import Net
from domino_env.agents.networks.player import PolicyPlayer
from domino_env.agents.networks.policy import Policy
from domino_env.agents.searching.likelihood import INVERSE_TEMPERATURE
from domino_env.agents.searching.model import (
    READS_HISTORIES,
    Model,
    linear_model,
    network_model,
    new_model_scratch,
    write_logits_of_lane,
)
from domino_env.agents.searching.model_playout import (
    LINEAR,
    MODELLED,
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
        file: of the policy that it knows; the one that comes with the package if none is given.
        policy: one that has been read already, instead of a file.
        opponents: an agent that all the others are known to be: `heuristic`, or one that plays a
            policy, like `net`; by its name, or as an object if it has options.
    """

    name = "search"

    def __init__(
        self,
        worlds: int = 256,
        seconds: float | None = None,
        seed: int | None = None,
        file: str | Path | None = None,
        policy: Policy | None = None,
        opponents: Any = None,
    ) -> None:
        super().__init__(worlds, seconds, seed)
        is_given = file is not None or policy is not None
        self._given = Net(file=file, policy=policy) if is_given else None
        if self._given is not None and self._given.reads_histories:
            raise BadOption(READS_HISTORIES)
        self._opponents = None if opponents is None else known_opponents(opponents)

    packed = staticmethod(PolicyPlayer.packed)

    def _new_search(self, batch: Batch, at_once: int) -> WorldSearch:
        policy = policy_for(batch) if self._given is None else self._given.policy_for(batch)
        return _Search(batch, at_once, self._seed, policy, self._opponents)


def can_be_known(agent: Any) -> TypeGuard[Heuristic | PolicyPlayer]:
    """Can a search know how an agent plays? It can if a model says in compiled code what the agent
    does."""
    if isinstance(agent, PolicyPlayer):
        return not agent.reads_histories
    return isinstance(agent, Heuristic)


def known_opponents(agent: Any) -> Heuristic | PolicyPlayer:
    """The agent that the others are known to be."""
    made = agents.make(agent)
    if not can_be_known(made):
        raise BadOption(
            "opponents can be heuristic, or an agent that plays a policy, like net or ppo: how "
            f"{agents.label(agent)} plays cannot be known"
        )
    return made


def policy_for(batch: Batch) -> Policy | None:
    """The strongest trained policy of a game, if one for these seats comes with the package."""
    try:
        return Net().policy_for(batch)
    except BadOption:
        return None


class _Search(WorldSearch):
    """A search with two models of the others, by `heuristic`, and by the policy if there is one;
    or with one of them, if it is known how they play."""

    def __init__(
        self,
        batch: Batch,
        at_once: int,
        seed: int | None,
        policy: Policy | None,
        opponents: Heuristic | PolicyPlayer | None,
    ) -> None:
        super().__init__(batch, at_once, seed, SAMPLED)
        self._prior = None if policy is None else network_model(policy, batch)
        self._players, self._supposing = _models(batch, self._prior, opponents)
        models = [*self._players, *([] if self._prior is None else [self._prior])]
        self._scratch = new_model_scratch(batch, *models)
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
        if not self._has_begun and self._prior is not None:
            self._add_prior(worlds, self._prior)
        self._has_begun = True
        prune(stats)

    def _weigh(self, worlds: int) -> None:
        """The log-likelihoods of the first so many worlds, by the models that are supposed."""
        self._supposed.log_likelihoods[:] = -np.inf
        for number in self._supposing:
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
                MODELLED,
                usual,
                waiting,
                part.start,
                part.stop,
            )

    def _add_prior(self, worlds: int, prior: Model) -> None:
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
            prior,
            self._scratch,
        )
        logits = self._scratch.logits[: len(self._moves)]
        behind = np.maximum(logits - logits.max(), LEAST_LOGIT)
        pairs = len(behind) * (len(behind) - 1) / 2
        stats.gained[:] += PRIOR * np.sqrt(stats.squares.sum() / pairs / worlds) * behind


def _models(
    batch: Batch, own: Model | None, opponents: Heuristic | PolicyPlayer | None
) -> tuple[Players, tuple[int, ...]]:
    """The models of the players, and the numbers of those that the others may be: one alone if they
    are known. Where they play a policy, our side's next choices are made by that one, too."""
    linear = linear_model(weights_of(batch.rules.id), INVERSE_TEMPERATURE)
    if isinstance(opponents, PolicyPlayer):
        theirs = network_model(opponents.policy_for(batch), batch)
        return Players(linear, theirs), (POLICY,)
    if isinstance(opponents, Heuristic):
        linear = linear_model(opponents.weights_for(batch), INVERSE_TEMPERATURE)
    players = Players(linear, linear if own is None else own)
    one_model = own is None or opponents is not None
    return players, (LINEAR,) if one_model else (LINEAR, POLICY)
