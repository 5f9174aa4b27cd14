"""Values of moves: the points that each legal move of a decision is worth, and how surely.

    from domino_env.evaluate.move_values import values_of

    for move in values_of(batch, lane=0, within=0.15):
        print(batch.rules.id, move.action, move.value, move.error)

A decision is one of an information set. So a move is worth the mean over the worlds of the seat's
belief, every deal that agrees with what it has seen being as likely as any other, of its margin
until the round is over, if then all go on by the weights of `heuristic`. All moves are tried in the
same worlds, as `pimc` tries them. Where all worlds can be listed the values are exact; else worlds
are sampled until the best two are told apart well enough.

One-player games have no beliefs. A game that `optimal` plays is solved; in one of columns the tiles
that lie face down are dealt again and again, and played on by `turn_first`.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from domino_env.agents.determinised import Determinised, determinize, lie_as, play_on
from domino_env.agents.heuristic import weights_of
from domino_env.agents.optimal import Optimal
from domino_env.agents.pimc import try_some
from domino_env.agents.searching.move_stats import MoveStats
from domino_env.agents.searching.playout import new_scratch
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.engine.state import Generators, records
from domino_env.errors import BadOption, TooUncertain
from domino_env.evaluate.paired_gains import PairedGains
from domino_env.puzzles.puzzle_state import PUZZLE

WITHIN = 0.15  # points: the standard error that is asked for
MOST_WORLDS = 400_000  # for one decision
AT_ONCE = 2048  # worlds that are sampled together
FIRST = 512  # worlds, before it is known how many it takes
HOPELESS = 1.25  # times as many worlds as there may be: then it is given up at once
MOST_NEW = 0.7  # of the samples: with more, worlds are too many to list them
SURELY = 12.0  # a world that none of the samples is has a chance of e to the minus this
DEPTH = 200  # moves of a playout of columns


class MoveValue(NamedTuple):
    """What a move is worth."""

    action: int
    value: float
    """Points that the seat gains over the mean of its opponents' gains, until the round is over."""
    error: float
    """The standard error of the points by which it is behind the best; 0 where it is exact."""


def values_of(
    batch: Batch, lane: int = 0, *, within: float = WITHIN, most: int = MOST_WORLDS, seed: int = 0
) -> list[MoveValue]:
    """The values of all legal moves of a lane, best first.

    Args:
        batch: any game.
        lane: a lane whose game is not over.
        within: the standard error, in points, of how far the second best is behind the best; a move
            that is behind by four standard errors of its own is let go before that.
        most: how many worlds may be tried. If that is too few the list is empty.
        seed: of the worlds.
    """
    if Optimal.plays(batch.rules):
        return [MoveValue(action, gain, 0.0) for action, gain in Optimal().weigh(batch, lane)]
    if batch.rules.has_opponents:
        return _searched(_Worlds(batch, lane, seed), within, most)
    if Determinised.plays(batch.rules):
        return _searched(_Arrangements(batch, lane, seed), within, most)
    raise BadOption(f"{batch.rules.id} has no moves to choose from, and so no values of them")


def _searched(tries: _Worlds | _Arrangements, within: float, most: int) -> list[MoveValue]:
    gains = PairedGains(len(tries.moves))
    if not tries.try_all(gains):
        wanted = FIRST
        while wanted:
            if gains.worlds + wanted > most or not tries.try_some(gains, wanted):
                return []
            gains.let_go()
            if gains.worlds + gains.wanted(within) > HOPELESS * most:
                return []
            wanted = gains.still_to_try(within)
    worths = zip(tries.moves, gains.values(), gains.errors(), strict=True)
    found = [MoveValue(int(move), float(value), float(error)) for move, value, error in worths]
    return sorted(found, key=lambda each: -each.value)


class _Worlds:
    """The moves of a decision, tried in worlds of the seat's belief."""

    def __init__(self, batch: Batch, lane: int, seed: int) -> None:
        batch.must_be_reset("values_of")
        self._batch, self._lane = batch, batch._lane(lane)
        self._seat = int(batch._seat[self._lane])
        self.moves = batch._legal[self._lane, : batch._num_legal[self._lane]].copy()
        self._belief = Belief(batch, seed)
        self._worlds = self._belief.new_worlds(AT_ONCE)
        self._weights = weights_of(batch.rules.id)
        self._scratch = new_scratch(batch)
        self._ones = np.ones(AT_ONCE)

    def try_some(self, gains: PairedGains, wanted: int) -> bool:
        """Tries the moves that are left in so many new worlds; False if none can be sampled."""
        for first in range(0, wanted, AT_ONCE):
            if not self._sample():
                return False
            self._play(gains, self._worlds._games, min(AT_ONCE, wanted - first))
        return True

    def try_all(self, gains: PairedGains) -> bool:
        """Tries all moves in every world there is, once; False if there are too many, or if chance
        decides more than the deal."""
        table = self._batch._rule_table[0]
        if table.effects or table.says_domino:
            return False
        worlds = self._listed()
        if worlds is not None:
            for first in range(0, len(worlds), AT_ONCE):
                some = worlds[first : first + AT_ONCE]
                self._play(gains, some, len(some))
            gains.is_exact = True
        return worlds is not None

    def _listed(self) -> Any:
        """All worlds, if samples repeat so soon that they can be listed. So many are drawn that
        none is missing."""
        found: dict[bytes, Any] = {}
        drawn = 0
        while drawn < _draws(len(found)):
            if not self._sample():
                return None
            games = self._worlds._games.copy()
            found.update(zip(_deals(games), games, strict=True))
            drawn += len(games)
            if len(found) > MOST_NEW * drawn:
                return None
        return _as_records(list(found.values()))

    def _sample(self) -> bool:
        try:
            self._belief._fill(self._worlds, [self._lane], [self._seat])
        except TooUncertain:
            return False
        return True

    def _play(self, gains: PairedGains, worlds: Any, number: int) -> None:
        stats = gains.new_stats()
        try_some(
            self._batch._rule_table,
            worlds,
            self._seat,
            self.moves,
            self._weights,
            self._scratch,
            self._ones,
            stats,
            *(1.0, 0.0, 0, number),
        )
        gains.add(stats, number)


def _draws(worlds: int) -> float:
    """How many samples it takes until each of so many worlds is among them."""
    return worlds * (log(worlds) + SURELY) if worlds else 1.0


def _deals(games: Any) -> list[bytes]:
    """What tells one world from another: who holds what, and in which order the rest lies."""
    parts = [games[name].reshape(len(games), -1).view(np.uint8) for name in ("hands", "deck")]
    return [row.tobytes() for row in np.concatenate(parts, axis=1)]


def _as_records(games: list[Any]) -> Any:
    listed = records(len(games), games[0].dtype)
    for place, game in enumerate(games):
        listed[place] = game
    return listed


class _Arrangements:
    """The moves of a game of columns, tried with the face-down tiles dealt in many ways."""

    def __init__(self, batch: Batch, lane: int, seed: int) -> None:
        batch.must_be_reset("values_of")
        self._batch, lane = batch, batch._lane(lane)
        self.moves = batch._legal[lane, : batch._num_legal[lane]].copy()
        self._games = records(3, PUZZLE)  # as it is; with other tiles face down; being played on
        self._games[0] = batch._games[lane]
        self._log = np.zeros_like(batch._logs[0])
        self._rng: Generators = np.zeros(1, np.uint64)
        self._rng[0] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def try_all(self, gains: PairedGains) -> bool:
        """There are too many, and the playouts are random."""
        return False

    def try_some(self, gains: PairedGains, wanted: int) -> bool:
        """Tries the moves that are left, with the face-down tiles dealt so often."""
        stats = gains.new_stats()
        for _ in range(wanted):
            self._games[1] = self._games[0]
            determinize(self._games[1], self._rng)
            self._try_moves(stats)
        gains.add(stats, wanted)
        return True

    def _try_moves(self, stats: MoveStats) -> None:
        """With the same luck for each move."""
        luck = self._rng.copy()
        for place in np.flatnonzero(stats.tried):
            self._rng[:] = luck
            gain = self._gain_of(int(self.moves[place]))
            stats.gained[place] += gain
            stats.latest[place] = gain
            stats.squares[place, :place] += (gain - stats.latest[:place]) ** 2

    def _gain_of(self, action: int) -> float:
        self._games[2] = self._games[0]
        lie_as(self._games[2], self._games[1])
        rules = self._batch._rule_table[0]
        return float(play_on(rules, self._games[2], self._log, action, DEPTH, self._rng))
