"""The scoresheet of a tournament: which chunk of which pairing to play next, and the score so far.

A tournament is cut into *chunks*, each a number of deals of one pairing, and the outcome of a chunk
depends on nothing but the chunk. So chunks may run anywhere and in any order: the scoresheet counts
those of a pairing in their order, and stops a pairing early when its confidence interval is narrow
enough. Chunks beyond that point may have been played; they do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from domino_env.evaluate.pairing import ChunkResult, Pairing, Standing
from domino_env.record import Record

if TYPE_CHECKING:
    from domino_env.evaluate.tournament import TournamentSettings

ChunkCallback = Callable[[int, int, ChunkResult], None]
"""Is called with the number of a pairing, the number of its chunk, and the outcome."""
MIN_DEALS_TO_STOP = 200  # before this, a confidence interval is not trusted enough to stop


@dataclass(frozen=True)
class Chunk:
    """Deals of a pairing that are played as one batch: a task for an executor."""

    pairing: int
    """Its number in the tournament."""
    number: int
    first: int
    """The first of its deals, counted from 0."""
    deals: int
    recorded: int
    """The games of so many deals are recorded."""


def chunks(settings: TournamentSettings, pairing: int) -> Iterator[Chunk]:
    """All chunks that a pairing may need."""
    first = number = 0
    while first < settings.deals:
        left = settings.deals - first
        # A single deal at the end joins the chunk before it: one sample has no variance.
        deals = left if left <= settings.chunk_size + 1 else settings.chunk_size
        yield Chunk(pairing, number, first, deals, max(0, settings.records - first))
        first, number = first + deals, number + 1


def play_chunk(pairings: Sequence[Pairing], chunk: Chunk) -> ChunkResult:
    """Plays a chunk: the task function of a tournament."""
    return pairings[chunk.pairing].play_deals(chunk.first, chunk.deals, chunk.recorded)


def is_over(standing: Standing, settings: TournamentSettings) -> bool:
    """Has a pairing had all its deals, or is it stopped early? Only the width of its interval
    decides, never who is ahead: optional stopping would bias the result."""
    if standing.deals >= settings.deals or settings.target_half_width is None:
        return standing.deals >= settings.deals
    return standing.deals >= MIN_DEALS_TO_STOP and standing.within < settings.target_half_width


class _Line:
    """The line of one pairing on the scoresheet."""

    def __init__(self, pairing: Pairing, number: int, settings: TournamentSettings) -> None:
        self.pairing, self.settings = pairing, settings
        self.on_chunk: ChunkCallback | None = None
        self._number = number
        self.standing: Standing | None = None
        self.over = False
        self._remaining = chunks(settings, number)
        self._next = next(self._remaining, None)
        self._counted = 0  # chunks
        self._started: list[Chunk] = []  # and not counted
        self._waiting: dict[int, ChunkResult] = {}  # for a chunk before them

    @property
    def in_flight(self) -> int:
        """How many chunks have been started and not counted."""
        return len(self._started)

    @property
    def open(self) -> bool:
        """Is there a chunk to start?"""
        return self._next is not None and not self.over

    def start_next(self) -> Chunk | None:
        """The next chunk."""
        started, self._next = self._next, next(self._remaining, None)
        if started is not None:
            self._started.append(started)
        return started

    def restore(self, known: Mapping[tuple[int, int], ChunkResult]) -> Iterator[Standing]:
        """Counts chunks that an earlier run has played."""
        while self.open and self._next and (self._number, self._next.number) in known:
            chunk = self._next
            self.start_next()
            yield from self.add(chunk, known[self._number, chunk.number])
        self.unneeded()

    def add(self, chunk: Chunk, result: ChunkResult) -> Iterator[Standing]:
        """Takes a chunk, and counts all whose turn it is; the standing after each."""
        if self.over or chunk.number < self._counted:
            return  # beyond the stop, or a duplicate
        self._waiting[chunk.number] = result
        while not self.over and self._counted in self._waiting:
            counted = self._waiting.pop(self._counted)
            self.pairing.add(counted)
            if self.on_chunk is not None:
                self.on_chunk(self._number, self._counted, counted)
            self._counted += 1
            if self.pairing.deals >= 2:
                yield self._update()

    def _update(self) -> Standing:
        self.standing = self.pairing.standing
        self.over = is_over(self.standing, self.settings)
        return self.standing

    def unneeded(self) -> list[Chunk]:
        """Chunks that are in flight and no longer needed, once the pairing is over."""
        left = [chunk for chunk in self._started if chunk.number >= self._counted]
        self._started = [] if self.over else left
        return left if self.over else []


class Scoresheet:
    """The task source of a tournament. `on_progress` is called with the standing of a pairing after
    each chunk that counts."""

    def __init__(
        self,
        settings: TournamentSettings,
        pairings: Sequence[Pairing],
        on_progress: Callable[[Standing], None],
    ) -> None:
        self._lines = [_Line(each, number, settings) for number, each in enumerate(pairings)]
        self._on_progress = on_progress

    def resume(self, known: Mapping[tuple[int, int], ChunkResult], on_chunk: ChunkCallback) -> None:
        """Counts the chunks of an earlier run, of each pairing up to the first that is missing.
        From then on `on_chunk` is called for each chunk that counts."""
        for line in self._lines:
            for standing in line.restore(known):
                self._on_progress(standing)
            line.on_chunk = on_chunk

    @property
    def done(self) -> bool:
        """Are all pairings over?"""
        return all(line.over for line in self._lines)

    def next_task(self) -> Chunk | None:
        """The next chunk of the pairing with the fewest in flight: chunks beyond a possible early
        stop are played only when there is nothing surer to do."""
        lines = [line for line in self._lines if line.open]
        return min(lines, key=lambda line: line.in_flight).start_next() if lines else None

    def add_outcome(self, chunk: Chunk, result: ChunkResult) -> list[Chunk]:
        """Counts it, in its turn."""
        line = self._lines[chunk.pairing]
        for standing in line.add(chunk, result):
            self._on_progress(standing)
        return line.unneeded()

    @property
    def standings(self) -> list[Standing]:
        """The standings of all pairings of which a chunk has been counted."""
        return [line.standing for line in self._lines if line.standing is not None]

    @property
    def records(self) -> list[Record]:
        """All recorded games."""
        return [record for line in self._lines for record in line.pairing.records]
