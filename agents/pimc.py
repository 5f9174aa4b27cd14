"""`pimc`: perfect-information Monte Carlo, a search over determinizations.

Worlds (determinizations) are sampled from the seat's belief (`domino_env.belief`) and weighted by
how likely the others' moves are in them (`likelihood`). Each legal move is made in each world, and
a playout by the weights of `heuristic` finishes the round, in compiled code. Moves are compared on
the same worlds, and those clearly behind are pruned. It looks at no tile that the seat to move has
not seen.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.agents import parts
from domino_env.agents.features.heuristic_features import Weights
from domino_env.agents.heuristic import as_row, weights_of
from domino_env.agents.searching.likelihood import log_likelihood
from domino_env.agents.searching.move_stats import (
    MoveStats,
    find_temper,
    note_gain,
    prune,
    thinned,
    weigh_worlds,
)
from domino_env.agents.searching.playout import Scratch, gain_of, new_scratch
from domino_env.agents.searching.world_search import CHUNK, WorldSearch, WorldSearcher
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.state import Game, Games, Logs, RuleTable, RuleTables

COMPILED = ("the agent pimc", 10)

LEAST_EFFECTIVE = 0.5  # of the worlds: the least effective sample size that weights may leave


class Pimc(WorldSearcher):
    """Searches over determinizations.

    Args:
        worlds: determinizations for each decision, if `seconds` is not given.
        seconds: time budget for each decision: as many worlds as fit.
        weights: of the playout policy, by the names of features; by default those of `heuristic`.
        seed: of the worlds.
    """

    name = "pimc"
    searches = True

    def __init__(
        self,
        worlds: int = 256,
        seconds: float | None = None,
        weights: dict[str, float] | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(worlds, seconds, seed)
        self._weights = None if weights is None else as_row(weights)

    def _new_search(self, batch: Batch, at_once: int) -> WorldSearch:
        row = weights_of(batch.rules.id) if self._weights is None else self._weights
        return _Search(batch, row, at_once, self._seed)


class _Search(WorldSearch):
    """A search that plays out, and weighs, by the weights of `heuristic`."""

    def __init__(self, batch: Batch, weights: Weights, at_once: int, seed: int | None) -> None:
        super().__init__(batch, at_once, seed)
        self._weights, self._scratch = weights, new_scratch(batch)

    def _try_in(self, worlds: int) -> None:
        try_worlds(
            self._batch._rule_table,
            self._worlds._games[:worlds],
            self._worlds._logs,
            self._seat,
            self._moves,
            self._weights,
            self._scratch,
            self._world_weights,
            self._stats,
        )


def try_worlds(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seat: int,
    moves: npt.NDArray[np.int16],
    weights: Weights,
    scratch: Scratch,
    world_weights: Weights,
    stats: MoveStats,
) -> None:
    """Tries moves in worlds. Of the less likely worlds only some are played out, with the weight of
    the others (systematic resampling). After some worlds Ctrl-C takes effect."""
    for part in parts(len(worlds), CHUNK):
        fill_log_likelihoods(
            rule_tables, worlds, logs, seat, weights, scratch, world_weights, part.start, part.stop
        )
    if stats.likelihood_temper[0] == 0.0:
        stats.likelihood_temper[0] = find_temper(world_weights, len(worlds), LEAST_EFFECTIVE)
    usual = weigh_worlds(len(worlds), world_weights, stats)
    waiting = usual / 2.0
    for part in parts(len(worlds), CHUNK):
        waiting = try_some(
            *(rule_tables, worlds, seat, moves, weights, scratch, world_weights, stats),
            *(usual, waiting, part.start, part.stop),
        )
    prune(stats)


@kernel
def fill_log_likelihoods(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seat: int,
    weights: Weights,
    scratch: Scratch,
    log_likelihoods: Weights,
    first: int,
    last: int,
) -> None:
    """The log-likelihoods of some worlds."""
    for world in range(first, last):
        log_likelihoods[world] = log_likelihood(
            rule_tables[0], worlds[world], logs[world], seat, weights, scratch
        )


@kernel
def try_some(
    rule_tables: RuleTables,
    worlds: Games,
    seat: int,
    moves: npt.NDArray[np.int16],
    weights: Weights,
    scratch: Scratch,
    world_weights: Weights,
    stats: MoveStats,
    usual: float,
    waiting: float,
    first: int,
    last: int,
) -> float:
    """Tries moves in some worlds; `waiting`, which is returned too, is the weight passed over."""
    rules = rule_tables[0]
    for world in range(first, last):
        weight, waiting = thinned(world_weights[world], usual, waiting)
        if weight == 0.0:
            continue
        try_world(rules, worlds[world], seat, moves, weight, weights, scratch, stats)
    return waiting


@kernel
def try_world(
    rules: RuleTable,
    world: Game,
    seat: int,
    moves: npt.NDArray[np.int16],
    weight: float,
    weights: Weights,
    scratch: Scratch,
    stats: MoveStats,
) -> None:
    """A playout of one world after each move."""
    for move in range(len(moves)):
        if not stats.tried[move]:
            continue
        gain = weight * gain_of(rules, world, seat, int(moves[move]), weights, scratch)
        note_gain(stats, move, gain)
