"""What searches over determinizations have in common: the agent, and one search of it.

A search samples worlds from the belief of the seat to move, has all moves tried in them, and goes
on with more worlds until one move is left, or the worlds or the time are used up. How worlds are
weighed and played out is for its subclasses to say.
"""

from __future__ import annotations

import time
from math import inf

import numpy as np
import numpy.typing as npt

from domino_env.agents import Actions, Lanes, Shown, at_decisions, is_against_others, must_play
from domino_env.agents.searching.move_stats import new_stats
from domino_env.batches import Batch
from domino_env.belief import Belief
from domino_env.errors import BadOption, TooUncertain, is_whole

CHUNK = 64  # worlds that are sampled and tried before the clock is checked


class WorldSearch:
    """One search: its worlds, and the statistics of the moves."""

    def __init__(self, batch: Batch, at_once: int, seed: int | None, sampled: int = 1) -> None:
        """`sampled`: how many worlds are sampled for each in which the moves are tried."""
        self._batch, self._at_once = batch, at_once
        self._beliefs = Belief(batch, seed)
        self._worlds = self._beliefs.new_worlds(at_once * sampled)
        self._world_weights = np.zeros(at_once * sampled)
        self._stats = new_stats(0)
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
        self._stats = new_stats(len(self._moves))

    def undecided(self) -> bool:
        """Is more than one move left?"""
        return int(self._stats.tried.sum()) > 1

    def try_moves(self, most: int) -> bool:
        """Tries the moves in new worlds; False if none can be sampled."""
        try:
            self._beliefs._fill(self._worlds, [self._lane], [self._seat])
        except TooUncertain:  # rare; the best so far will have to do
            return False
        self._try_in(min(most, self._at_once))
        return True

    def _try_in(self, worlds: int) -> None:
        """Tries the moves in the first so many of the worlds."""
        raise NotImplementedError

    def best(self) -> int:
        """The best of the moves that are left."""
        stats = self._stats
        return int(self._moves[np.argmax(np.where(stats.tried, stats.gained, -inf))])

    def values(self) -> list[tuple[int, float]]:
        """The mean gain of each move, after one `try_moves`: all were tried in all worlds then."""
        gains = self._stats.gained / self._world_weights.sum()
        return [(int(move), float(gain)) for move, gain in zip(self._moves, gains, strict=True)]


class WorldSearcher(Shown):
    """An agent that searches."""

    searches = True

    plays = staticmethod(is_against_others)
    at_once = CHUNK

    def __init__(self, worlds: int, seconds: float | None, seed: int | None) -> None:
        if not is_whole(worlds) or not 1 <= worlds <= 100_000:
            raise BadOption(f"worlds must be a whole number from 1 to 100000, not {worlds!r}")
        if seconds is not None and not (isinstance(seconds, (int, float)) and 0 < seconds <= 3600):
            raise BadOption(f"seconds must be a number above 0, up to 3600, not {seconds!r}")
        self._worlds, self._seconds, self._seed = worlds, seconds, seed
        self._search: WorldSearch | None = None

    def _new_search(self, batch: Batch, at_once: int) -> WorldSearch:
        """A search for the decisions of a batch, with so many worlds at once."""
        raise NotImplementedError

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        if self._search is None or not self._search.serves(batch):
            at_once = self.at_once if self._seconds else min(self.at_once, self._worlds)
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

    def _choose(self, search: WorldSearch, lane: int) -> int:
        now = time.perf_counter()
        end = now + (self._seconds or 0.0)
        search.begin(lane)
        left, thinking = self._worlds, True
        while thinking and search.undecided():
            if self._seconds is None:
                thinking = search.try_moves(left)
                left -= self.at_once
                thinking &= left > 0
            else:
                began, thinking = now, search.try_moves(self.at_once)
                now = time.perf_counter()
                thinking &= now + (now - began) / 2 < end  # there is time for most of another
        return search.best()
