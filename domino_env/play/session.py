"""A game that is being played: every decision so far, whose turn it is, the scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.play.setup import PERSON, GameSetup
from domino_env.position import Position
from domino_env.record import Record, Recorder, replay


@dataclass(frozen=True)
class ScoreEntry:
    """Points that a seat made, right after an event of the round."""

    after: int
    """How many events had happened, including the one that scored."""
    seat: int
    points: int


class Session:
    """A game from its deal on.

    `step` takes every decision, and the record grows with it. When a round of a match ends, the
    session stops there for people to look, until `next_round`; in the record the next round has
    been dealt by then. It asks no agents: `GameHost` does.

    Attributes:
        names: who sits where; "you" is the person.
        actions: all decisions so far, in order.
        scores: the points made in this round so far, for the log.
        ended: the last position of a round that is over, until `next_round`.
    """

    def __init__(self, start: Record, actions: Iterable[int] = ()) -> None:
        self.names = start.names
        self._start = start
        self._begin()
        self._play(actions)

    @classmethod
    def begun(cls, setup: GameSetup) -> Session:
        """A game that has just been dealt."""
        return cls(Recorder(setup.new_batch(), names=setup.names).record)

    @classmethod
    def resumed(cls, record: Record) -> Session:
        """A game that goes on where its record ends."""
        actions = [step.action for step in replay(record) if step.action is not None]
        return cls(record.without_last(record.moves), actions)

    def _begin(self) -> None:
        self._recorder = Recorder.resume(self._start)
        rules, players = self.batch.rules, self.batch.num_players
        self._preview = None
        if self.batch.episode == "match":  # plays the last decision of a round, to show its end
            self._preview = Batch(rules, 1, players, calls=self.batch.calls, autoreset=False)
        self.actions: list[int] = []
        self._choices: list[int] = []  # how many decisions came before each of the person's
        self.ended: Position | None = None
        self.scores: list[ScoreEntry] = []
        self._score((0,) * players, self._totals("scores"), 1)

    # How it stands ------------------------------------------------------------------------------

    @property
    def batch(self) -> Batch:
        """The game as it stands, a batch of one, to look at."""
        return self._recorder.batch

    @property
    def record(self) -> Record:
        """The record of all that has happened."""
        return self._recorder.record

    @property
    def position(self) -> Position:
        """The position to show: the end of a round that is over, until the next begins."""
        return self.ended or self.batch.position()

    @property
    def person(self) -> int | None:
        """The person's seat."""
        return self.names.index(PERSON) if PERSON in self.names else None

    @property
    def to_move(self) -> int | None:
        """The seat that has to decide now."""
        seat = int(self.batch.seat[0])
        return None if seat < 0 or self.ended is not None else seat

    @property
    def over(self) -> bool:
        """Is the game over: the whole match, if it is one?"""
        return self._recorder.over

    @property
    def can_undo(self) -> bool:
        """Has the person decided anything yet?"""
        return bool(self._choices)

    # Going on -----------------------------------------------------------------------------------

    def step(self, action: int) -> None:
        """Plays a decision of the seat to move; an illegal one is refused and changes nothing."""
        if self.to_move is None:
            raise BadOption("nobody is to move: the round is over")
        seat, before = self.to_move, self._totals("scores")
        events, number = len(self.batch.position().events), self._round
        last = self._end_of_round(action)
        self._recorder.note(action)
        if seat == self.person:
            self._choices.append(len(self.actions))
        self.actions.append(action)
        if self._round > number and last is not None:
            now = self._totals("banked")
            self.ended = replace(last, scores=list(now))
        else:
            now = self._totals("scores")
        last_event = len(self.position.events) if self.to_move is None else events + 1
        self._score(before, now, last_event)

    def next_round(self) -> None:
        """Leaves a round that is over for the next, if there is one."""
        if self.ended is not None:
            self.ended = None
            self.scores = []
            self._score(self._totals("banked"), self._totals("scores"), 1)

    def undo(self) -> None:
        """Takes back the person's last decision and everything after it."""
        if not self.can_undo:
            raise BadOption("there is nothing yet to undo")
        before = self.actions[: self._choices[-1]]
        self._begin()
        self._play(before)
        self.next_round()

    def _play(self, actions: Iterable[int]) -> None:
        for action in actions:
            self.next_round()
            self.step(action)

    # Inside -------------------------------------------------------------------------------------

    @property
    def _round(self) -> int:
        return 1 if self.batch.rules.alone else int(self.batch.games["round_number"][0])

    def _totals(self, column: str) -> tuple[int, ...]:
        """What each seat has."""
        column = "score" if self.batch.rules.alone else column
        totals: list[int] = self.batch.games[column][0].reshape(-1).tolist()
        return tuple(totals[: self.batch.num_players])

    def _score(self, before: Sequence[int], after: Sequence[int], event: int) -> None:
        """Notes the points that a decision made, at its event."""
        for seat, (then, now) in enumerate(zip(before, after, strict=True)):
            if now != then:
                self.scores.append(ScoreEntry(event, seat, now - then))

    def _end_of_round(self, action: int) -> Position | None:
        """The end of the round, if this decision of a match ends one: the game itself deals the
        next round in the same step."""
        if self._preview is None:
            return None
        preview = self._preview
        preview._games[:] = self.batch._games
        preview._logs[:] = self.batch._logs
        preview._show_anew()
        if not preview.mask[0, action]:
            return None
        preview.step_one(action)
        return preview.position() if preview.done[0] else None
