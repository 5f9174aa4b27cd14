"""A game that is being played: every decision so far, whose turn it is, and what it has come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.play.setup import PERSON, Plan
from domino_env.position import Position
from domino_env.record import Record, Recorder, replay


@dataclass(frozen=True)
class Score:
    """Points that a seat has made, right after an event of the round."""

    after: int
    """How many events had happened, with the one that scored."""
    seat: int
    points: int


class Session:
    """A game from its deal on.

    It is told of every decision, and keeps the record. Where a round of a match has ended it stops
    there, to be looked at, until `next_round`; the next round has been dealt by then, as the record
    says. It does not think: `Room` asks the agents.

    Attributes:
        names: who sits where, "you" for the person.
        actions: all that has been decided, in its order.
        scores: the points made in this round so far, as the log tells them.
        ended: the last position of a round that is over, until the next is begun.
    """

    def __init__(self, start: Record, actions: Iterable[int] = ()) -> None:
        self.names = start.names
        self._start = start
        self._begin()
        self._play(actions)

    @classmethod
    def begun(cls, plan: Plan) -> Session:
        """A game that has just been dealt."""
        return cls(Recorder(plan.deal(), names=plan.names).record)

    @classmethod
    def resumed(cls, record: Record) -> Session:
        """A game that goes on where its record ends."""
        actions = [step.action for step in replay(record) if step.action is not None]
        return cls(record.without_last(record.moves), actions)

    def _begin(self) -> None:
        self._recorder = Recorder.resume(self._start)
        rules, players = self.batch.rules, self.batch.num_players
        self._aside = None
        if self.batch.episode == "match":  # where the last decision of a round is made once more
            self._aside = Batch(rules, 1, players, calls=self.batch.calls, autoreset=False)
        self.actions: list[int] = []
        self._choices: list[int] = []  # how many decisions came before each of the person's
        self.ended: Position | None = None
        self.scores: list[Score] = []
        self._score((0,) * players, self._totals("scores"), 1)

    # How it stands ------------------------------------------------------------------------------

    @property
    def batch(self) -> Batch:
        """The game as it stands, a batch of one, to look at."""
        return self._recorder.batch

    @property
    def record(self) -> Record:
        """What is kept of it."""
        return self._recorder.record

    @property
    def position(self) -> Position:
        """What there is to see: of a round that is over its end."""
        return self.ended or self.batch.position()

    @property
    def person(self) -> int | None:
        """Where the person sits."""
        return self.names.index(PERSON) if PERSON in self.names else None

    @property
    def to_move(self) -> int | None:
        """Who has a decision now."""
        seat = int(self.batch.seat[0])
        return None if seat < 0 or self.ended is not None else seat

    @property
    def over(self) -> bool:
        """Is it all over, the whole match if it is one?"""
        return self._recorder.over

    @property
    def can_undo(self) -> bool:
        """Has the person decided anything yet?"""
        return bool(self._choices)

    # Going on -----------------------------------------------------------------------------------

    def step(self, action: int) -> None:
        """Takes a decision of the seat to move; refused, with nothing changed, if it is illegal."""
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
        """Takes back all that has happened since before the person's last decision."""
        if not self.can_undo:
            raise BadOption("you have decided nothing yet that could be taken back")
        kept = self.actions[: self._choices[-1]]
        self._begin()
        self._play(kept)
        self.next_round()

    def _play(self, actions: Iterable[int]) -> None:
        for action in actions:
            self.next_round()
            self.step(action)

    # Inside -------------------------------------------------------------------------------------

    @property
    def _round(self) -> int:
        return self.batch.round_number(0)

    def _totals(self, column: str) -> tuple[int, ...]:
        """What each seat has."""
        totals: list[int] = self.batch.games[column][0].reshape(-1).tolist()
        return tuple(totals[: self.batch.num_players])

    def _score(self, before: Sequence[int], after: Sequence[int], event: int) -> None:
        """Notes what a decision has made, at its event, or at the last one of a round."""
        for seat, (then, now) in enumerate(zip(before, after, strict=True)):
            if now != then:
                self.scores.append(Score(event, seat, now - then))

    def _end_of_round(self, action: int) -> Position | None:
        """The end of the round that this decision of a match brings about, if it does: the next is
        dealt in the same step."""
        if self._aside is None:
            return None
        aside = self._aside
        aside._games[:] = self.batch._games
        aside._logs[:] = self.batch._logs
        aside._show_anew()
        if not aside.mask[0, action]:
            return None
        aside.step_one(action)
        return aside.position() if aside.done[0] else None
