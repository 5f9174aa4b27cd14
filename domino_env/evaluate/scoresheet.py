"""The score sheet of a tournament: which chunk of which meeting is to be played, and how everything
stands after those that have been.

A tournament is a list of *chunks*, each a number of deals of one meeting, and what comes of a chunk
depends on nothing but the chunk. They may be played anywhere and in any order; the sheet counts the
chunks of a meeting in theirs, and stops where its interval has become narrow enough. What lies
beyond has been played for nothing, and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from domino_env.evaluate.pairing import Meeting, Played, Standing
from domino_env.record import Record

if TYPE_CHECKING:
    from domino_env.evaluate.tournament import TournamentSettings

Note = Callable[[int, int, Played], None]
LEAST = 200  # deals, before an interval is trusted enough to stop


@dataclass(frozen=True)
class Chunk:
    """Deals of a meeting that are played side by side: a task by itself."""

    meeting: int
    """Which one, in the order of the tournament."""
    number: int
    first: int
    """The first of its deals, counted from 0."""
    deals: int
    recorded: int
    """Of so many deals the games are written down."""


def chunks(settings: TournamentSettings, meeting: int) -> Iterator[Chunk]:
    """All that a meeting may play."""
    first = number = 0
    while first < settings.deals:
        left = settings.deals - first
        # A last single deal would be a chunk for itself: nothing is measured by one alone.
        deals = left if left <= settings.chunk + 1 else settings.chunk
        yield Chunk(meeting, number, first, deals, max(0, settings.records - first))
        first, number = first + deals, number + 1


def play_chunk(meetings: Sequence[Meeting], chunk: Chunk) -> Played:
    """Plays one, wherever this is called."""
    return meetings[chunk.meeting].played(chunk.first, chunk.deals, chunk.recorded)


def is_over(standing: Standing, settings: TournamentSettings) -> bool:
    """Has a meeting had all its deals, or is its interval narrow enough to stop? Only its width
    counts, never who is ahead: otherwise looking again and again would find what it hopes for."""
    if standing.deals >= settings.deals or settings.width is None:
        return standing.deals >= settings.deals
    return standing.deals >= LEAST and standing.within < settings.width


class _Line:
    """One meeting on the sheet."""

    def __init__(self, meeting: Meeting, number: int, settings: TournamentSettings) -> None:
        self.meeting, self.settings = meeting, settings
        self.note: Note | None = None  # who is told of each chunk that counts
        self._number = number
        self.standing: Standing | None = None
        self.over = False
        self._to_come = chunks(settings, number)
        self._next = next(self._to_come, None)
        self._counted = 0  # chunks
        self._begun: list[Chunk] = []  # and not counted
        self._waiting: dict[int, Played] = {}  # for one that comes before them

    @property
    def ahead(self) -> int:
        """How many chunks have been begun beyond those that are counted."""
        return len(self._begun)

    @property
    def open(self) -> bool:
        """Is there a chunk to begin?"""
        return self._next is not None and not self.over

    def begin(self) -> Chunk | None:
        """The next chunk."""
        begun, self._next = self._next, next(self._to_come, None)
        if begun is not None:
            self._begun.append(begun)
        return begun

    def recall(self, known: Mapping[tuple[int, int], Played]) -> Iterator[Standing]:
        """Counts what was played before this tournament went on."""
        while self.open and self._next and (self._number, self._next.number) in known:
            chunk = self._next
            self.begin()
            yield from self.put(chunk, known[self._number, chunk.number])
        self.useless()

    def put(self, chunk: Chunk, played: Played) -> Iterator[Standing]:
        """Takes a chunk, and counts all whose turn it is; how it stands after each."""
        if self.over or chunk.number < self._counted:
            return  # played for nothing, or twice
        self._waiting[chunk.number] = played
        while not self.over and self._counted in self._waiting:
            counted = self._waiting.pop(self._counted)
            self.meeting.add(counted)
            if self.note is not None:
                self.note(self._number, self._counted, counted)
            self._counted += 1
            if self.meeting.deals >= 2:
                yield self._stand()

    def _stand(self) -> Standing:
        self.standing = self.meeting.standing
        self.over = is_over(self.standing, self.settings)
        return self.standing

    def useless(self) -> list[Chunk]:
        """Chunks that were begun and are not needed, once the meeting is over."""
        left = [chunk for chunk in self._begun if chunk.number >= self._counted]
        self._begun = [] if self.over else left
        return left if self.over else []


class Sheet:
    """The score sheet: a plan for a crew. `watch` is shown how a meeting stands after each chunk
    that counts."""

    def __init__(
        self,
        settings: TournamentSettings,
        meetings: Sequence[Meeting],
        watch: Callable[[Standing], None],
    ) -> None:
        self._lines = [_Line(each, number, settings) for number, each in enumerate(meetings)]
        self._watch = watch

    def go_on(self, known: Mapping[tuple[int, int], Played], note: Note) -> None:
        """Counts chunks that were played before, as far as none is missing before them. From then
        on `note` is told of each: its meeting, its number, and what came of it."""
        for line in self._lines:
            for standing in line.recall(known):
                self._watch(standing)
            line.note = note

    @property
    def done(self) -> bool:
        """Are all meetings over?"""
        return all(line.over for line in self._lines)

    def next(self) -> Chunk | None:
        """The next chunk of the meeting that is the least ahead of what is known of it: so nobody
        plays beyond a possible stop while there is something surer to be done."""
        lines = [line for line in self._lines if line.open]
        return min(lines, key=lambda line: line.ahead).begin() if lines else None

    def put(self, chunk: Chunk, played: Played) -> list[Chunk]:
        """Counts what is to be counted."""
        line = self._lines[chunk.meeting]
        for standing in line.put(chunk, played):
            self._watch(standing)
        return line.useless()

    @property
    def standings(self) -> list[Standing]:
        """Of the meetings of which anything is known."""
        return [line.standing for line in self._lines if line.standing is not None]

    @property
    def records(self) -> list[Record]:
        """Of the games that were to be written down."""
        return [record for line in self._lines for record in line.meeting.records]
