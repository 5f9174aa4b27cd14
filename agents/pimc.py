"""`pimc`: perfect-information Monte Carlo, a search over determinizations.

Worlds (determinizations) are sampled from the seat's belief (`domino_env.belief`) and weighted by
how likely the others' moves are in them (`likelihood`). Each legal move is made in each world, and
a playout by the weights of `heuristic` finishes the round, in compiled code. Moves are compared on
the same worlds, and those clearly behind are pruned. It looks at no tile that the seat to move has
not seen.
"""

from __future__ import annotations

import time
from math import exp, inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents import (
    Actions,
    Lanes,
    Shown,
    at_decisions,
    is_against_others,
    must_play,
    parts,
)
from domino_env.agents.features.heuristic_features import Weights
from domino_env.agents.heuristic import as_row, weights_of
from domino_env.agents.search.likelihood import log_likelihood
from domino_env.agents.search.playout import Scratch, gain_of, new_scratch
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.compiling import kernel, small
from domino_env.engine.state import Game, Games, Logs, RuleTable, RuleTables
from domino_env.errors import BadOption, TooUncertain, is_whole

COMPILED = ("the agent pimc", 10)

CHUNK = 64  # worlds that are sampled and tried before the clock is checked
LEAST_EFFECTIVE = 0.5  # of the worlds: the least effective sample size that weights may leave
PRUNED_AT = 3.0**2  # a move is pruned when it is three standard errors behind; squared


class Pimc(Shown):
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
        if not is_whole(worlds) or not 1 <= worlds <= 100_000:
            raise BadOption(f"worlds must be a whole number from 1 to 100000, not {worlds!r}")
        if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds <= 3600):
            raise BadOption(f"seconds must be a number above 0, up to 3600, not {seconds!r}")
        self._worlds, self._seconds = worlds, seconds
        self._weights = None if weights is None else as_row(weights)
        self._seed = seed
        self._search: _Search | None = None

    plays = staticmethod(is_against_others)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        if self._search is None or not self._search.serves(batch):
            at_once = CHUNK if self._seconds is not None else min(CHUNK, self._worlds)
            self._search = self._new_search(batch, at_once)
        chosen = batch._legal[lanes, 0].astype(np.int64)
        for place in np.flatnonzero(batch._num_legal[lanes] > 1):
            chosen[place] = self._choose(self._search, int(lanes[place]))
        return chosen

    def weigh(self, batch: Batch, lane: int) -> list[tuple[int, float]]:
        """The value of each legal move, best first: points over the opponents' until the round is
        over. All are tried in the same worlds; if none can be sampled the list is empty."""
        must_play(self, batch)
        search = self._new_search(batch, self._worlds)
        search.begin(lane)
        values = search.values() if search.try_moves(self._worlds) else []
        return sorted(values, key=lambda value: -value[1])

    def _new_search(self, batch: Batch, at_once: int) -> _Search:
        row = weights_of(batch.rules.id) if self._weights is None else self._weights
        return _Search(batch, row, at_once, self._seed)

    def _choose(self, search: _Search, lane: int) -> int:
        end = time.perf_counter() + (self._seconds or 0.0)
        search.begin(lane)
        left, thinking = self._worlds, True
        while thinking and search.undecided():
            if self._seconds is None:
                thinking = search.try_moves(left)
                left -= CHUNK
                thinking &= left > 0
            else:
                thinking = search.try_moves(CHUNK) and time.perf_counter() < end
        return search.best()


class MoveStats(NamedTuple):
    """Statistics of the moves of a decision, over worlds weighted by their likelihood."""

    gained: Weights  # [M]: weighted sum of gains
    squares: Weights  # [M, M]: sum of squared differences of two moves
    tried: npt.NDArray[np.bool_]  # [M]: not pruned yet
    latest: Weights  # [M]: gains in one world
    likelihood_temper: Weights  # [1]: exponent of likelihoods, up to 1; 0: not chosen yet
    highest: Weights  # [1]: the log-likelihood that has weight 1


def _new_stats(moves: int) -> MoveStats:
    return MoveStats(
        gained=np.zeros(moves),
        squares=np.zeros((moves, moves)),
        tried=np.ones(moves, np.bool_),
        latest=np.zeros(moves),
        likelihood_temper=np.zeros(1),
        highest=np.full(1, -inf),
    )


class _Search:
    """One search: its worlds, scratch memory for playouts, and the statistics of the moves."""

    def __init__(self, batch: Batch, weights: Weights, at_once: int, seed: int | None) -> None:
        self._batch, self._weights = batch, weights
        self._beliefs = Belief(batch, seed)
        self._worlds = self._beliefs.new_worlds(at_once)
        self._world_weights = np.zeros(at_once)
        self._scratch = new_scratch(batch)
        self._stats = _new_stats(0)
        self._moves: npt.NDArray[np.int16] = batch._legal[0, :0]
        self._lane, self._seat = 0, 0

    def serves(self, batch: Batch) -> bool:
        """Was it made for this batch?"""
        return self._batch is batch

    def begin(self, lane: int) -> None:
        """Begins the search for a lane's decision."""
        batch = self._batch
        self._lane, self._seat = lane, int(batch._seat[lane])
        self._moves = batch._legal[lane, : batch._num_legal[lane]]
        self._stats = _new_stats(len(self._moves))

    def undecided(self) -> bool:
        """Is more than one move left?"""
        return int(self._stats.tried.sum()) > 1

    def try_moves(self, most: int) -> bool:
        """Tries the moves in new worlds; False if none can be sampled."""
        try:
            self._beliefs._fill(self._worlds, [self._lane], [self._seat])
        except TooUncertain:  # rare; the best so far will have to do
            return False
        worlds = min(most, self._worlds.num_games)
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
        return True

    def best(self) -> int:
        """The best of the moves that are left."""
        stats = self._stats
        return int(self._moves[np.argmax(np.where(stats.tried, stats.gained, -inf))])

    def values(self) -> list[tuple[int, float]]:
        """The mean gain of each move, after one `try_moves`: all were tried in all worlds then."""
        gains = self._stats.gained / self._world_weights.sum()
        return [(int(move), float(gain)) for move, gain in zip(self._moves, gains, strict=True)]


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
        stats.likelihood_temper[0] = find_temper(world_weights, len(worlds))
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
        weight = world_weights[world]
        if weight < usual:
            waiting += weight
            if waiting < usual:
                continue
            waiting -= usual
            weight = usual
        try_world(rules, worlds[world], seat, moves, weight, weights, scratch, stats)
    return waiting


@kernel
def find_temper(log_likelihoods: Weights, worlds: int) -> float:
    """The largest exponent of the likelihoods that keeps the effective sample size up: untempered,
    after many decisions of others, one or two worlds would have all the weight."""
    temper = 1.0
    least = LEAST_EFFECTIVE * worlds
    while temper > 0.01 and effective_sample_size(log_likelihoods, worlds, temper) < least:
        temper *= 0.8
    return temper


@kernel
def effective_sample_size(log_likelihoods: Weights, worlds: int, temper: float) -> float:
    """Kish's effective sample size of tempered likelihoods."""
    highest, total, squares = -inf, 0.0, 0.0
    for world in range(worlds):
        highest = max(highest, log_likelihoods[world])
    for world in range(worlds):
        weight = exp(temper * (log_likelihoods[world] - highest))
        total += weight
        squares += weight * weight
    return total * total / squares


@kernel
def weigh_worlds(worlds: int, world_weights: Weights, stats: MoveStats) -> float:
    """Turns log-likelihoods into weights, 1 for the likeliest world so far; returns their mean."""
    highest = stats.highest[0]
    for world in range(worlds):
        world_weights[world] *= stats.likelihood_temper[0]
    for world in range(worlds):
        highest = max(highest, world_weights[world])
    rescale(stats, exp(stats.highest[0] - highest))
    stats.highest[0] = highest
    total = 0.0
    for world in range(worlds):
        world_weights[world] = exp(world_weights[world] - highest)
        total += world_weights[world]
    return total / worlds


@small
def rescale(stats: MoveStats, factor: float) -> None:
    """Rescales all gains so far to a new unit of weight."""
    for move in range(len(stats.gained)):
        stats.gained[move] *= factor
        for other in range(len(stats.gained)):
            stats.squares[move, other] *= factor * factor


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
        stats.gained[move] += gain
        stats.latest[move] = gain
        for other in range(move):
            stats.squares[move, other] += (gain - stats.latest[other]) ** 2


@kernel
def prune(stats: MoveStats) -> None:
    """Prunes moves that are clearly behind the best, or equal to it in every world."""
    best = -1
    for move in range(len(stats.gained)):
        if stats.tried[move] and (best < 0 or stats.gained[move] > stats.gained[best]):
            best = move
    for move in range(len(stats.gained)):
        behind = stats.gained[best] - stats.gained[move]
        squares = stats.squares[max(move, best), min(move, best)]
        if move != best and behind * behind >= PRUNED_AT * squares:
            stats.tried[move] = False
