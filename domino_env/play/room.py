"""The room: one game at a time, the agents that play in it, and whoever looks on.

Everything that changes raises `version`, and everyone who listens is told. The agents think in a
thread of their own, on a copy of the game; what they choose counts only if nothing has changed
meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from domino_env.agents import Agent
from domino_env.agents.loading import is_reference
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate.entrants import derive_seed
from domino_env.evaluate.watchdog import CheckedAgent
from domino_env.play.hints import Hint, hint
from domino_env.play.saved_games import Kept, Shelf
from domino_env.play.session import Session
from domino_env.play.setup import PERSON, Plan, entrant, split
from domino_env.record import Record

PATIENCE = 60.0  # seconds that an agent of one's own may think about a move


class Stale(DominoError):
    """Something was asked for on the strength of what is no longer so."""


@dataclass
class Table:
    """A game in the room.

    Attributes:
        mode: "play" by the person, "watch" agents, or step through a "record".
        file: where it is kept; None: nowhere.
        agents: who plays in each seat; of the person's, and of a record's, there is none.
        desk: the copy of the game that the agents think on.
        whole: all decisions of a record that is stepped through.
        going: of agents that are watched, do they play on, or make so many decisions more?
        trouble: why an agent cannot go on.
    """

    session: Session
    mode: str
    file: Path | None = None
    agents: tuple[Agent | None, ...] = ()
    desk: Batch | None = None
    whole: tuple[int, ...] = ()
    going: float = float("inf")
    trouble: str = ""

    @property
    def asked(self) -> Agent | None:
        """The agent that has a decision now."""
        seat = self.session.to_move
        if not self.agents or self.trouble or self.going <= 0 or seat is None:
            return None
        return self.agents[seat]

    @property
    def is_thinking(self) -> bool:
        """Is it an agent's turn, and not paused?"""
        return self.asked is not None


def player(name: str, seed: int) -> Agent:
    """Who is called so; what an agent of one's own does wrong is found out."""
    found = entrant(name)
    if found.built_in:
        return found.make(seed)
    return CheckedAgent(partial(found.make, seed), found.name, PATIENCE)


class Room:
    """A room with a shelf of games.

    Args:
        shelf: where games are kept; None: nowhere.
        pace: seconds between the moves of agents, so that a person can follow.
        guests: agents beyond the ones that are offered, who may be asked to play.
    """

    def __init__(
        self, shelf: Shelf | None = None, pace: float = 0.0, guests: Iterable[str] = ()
    ) -> None:
        self.shelf, self.pace, self.guests = shelf, pace, frozenset(guests)
        self.version = 0
        self.table: Table | None = None
        self.closed = False
        self.news = threading.Condition(threading.RLock())
        self._listeners: list[Callable[[], None]] = []
        self._thinker = threading.Thread(target=self._think, name="thinker", daemon=True)
        self._thinker.start()

    # Who looks on -------------------------------------------------------------------------------

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Calls a function at each change, from whichever thread makes it."""
        with self.news:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self.news:
                self._listeners.remove(listener)

    def _changed(self) -> None:
        self.version += 1
        self.news.notify_all()
        for listener in self._listeners:
            listener()

    def close(self) -> None:
        """Nothing happens here any more; whoever waits is told."""
        with self.news:
            self.closed = True
            self._changed()
        self._thinker.join(timeout=10)

    # Who comes and goes -------------------------------------------------------------------------

    def begin(self, plan: Plan) -> None:
        """Deals a new game."""
        self._seat(Session.begun(plan), self._new_file(plan.rules.id, plan.names))

    def go_on(self, kept: Kept) -> None:
        """Goes on with a game that was left."""
        shelf = self._shelf()
        for name in kept.record.names:  # what a file names is not imported
            if is_reference(split(name)[0]) and name not in self.guests:
                raise BadOption(
                    f"{kept.file} was played against {name}: begin domino play with --against "
                    f'"{name}" to go on with it'
                )
        self._seat(Session.resumed(kept.record), shelf.folder / kept.file)

    def open(self, record: Record) -> None:
        """Steps through a record, from its deal on."""
        whole = tuple(Session.resumed(record).actions)
        table = Table(Session(record.without_last(record.moves)), "record", whole=whole, going=0)
        with self.news:
            self.table = table
            self._changed()

    def leave(self) -> None:
        """Leaves the table; the game stays on the shelf."""
        with self.news:
            self.table = None
            self._changed()

    def deal(self) -> None:
        """The same people begin a new game."""
        table = self._table("play", "watch")
        was = table.session.batch
        plan = Plan(
            rules=was.rules,
            names=table.session.names,
            match=was.episode == "match",
            calls=was.calls,
        )
        self.begin(plan)
        with self.news:
            if self.table is not None:
                self.table.going = table.going

    def _new_file(self, game: str, names: tuple[str, ...]) -> Path | None:
        return None if self.shelf is None or PERSON not in names else self.shelf.new_file(game)

    def _shelf(self) -> Shelf:
        if self.shelf is None:
            raise BadOption("no games are kept here")
        return self.shelf

    def _seat(self, session: Session, file: Path | None) -> None:
        seed = derive_seed(session.record.generator)
        playing, tried = (
            tuple(
                None if name == PERSON else player(name, derive_seed(seed, seat))
                for seat, name in enumerate(session.names)
            )
            for _ in range(2)
        )
        desk = session.batch.clone()
        for agent in tried:  # one that does not play with these rules and seats says so
            if agent is not None and desk.seat[0] >= 0:
                agent.act(desk, np.array([0]))
        mode = "play" if PERSON in session.names else "watch"
        with self.news:
            self.table = Table(session, mode, file, playing, desk)
            self._changed()

    # What is done at the table ------------------------------------------------------------------

    def _table(self, *modes: str) -> Table:
        if self.table is None:
            raise BadOption("nobody plays here: begin a game first")
        if self.table.mode not in modes:
            raise BadOption(f"this can be done to {' and '.join(modes)}, not to {self.table.mode}")
        return self.table

    def must_be(self, version: int) -> None:
        """Refuses what is asked for by somebody who has not seen the latest."""
        if version != self.version:
            raise Stale("the game has gone on: look again, and then decide")

    def act(self, action: int) -> None:
        """The person decides."""
        with self.news:
            session = self._table("play").session
            if session.to_move is None or session.to_move != session.person:
                raise BadOption("it is not your turn")
            if session.batch.is_illegal(0, action) or action >= session.batch.num_actions:
                raise BadOption(f"action {action} is not legal now")
            session.step(action)
            self._keep()

    def undo(self) -> None:
        """Takes back what has happened since before the person's last decision."""
        with self.news:
            table = self._table("play")
            table.session.undo()
            table.trouble = ""
            self._keep()

    def next_round(self) -> None:
        """Goes on to the next round of a match."""
        with self.news:
            self._table("play", "watch").session.next_round()
            self._changed()

    def watch(self, decisions: float) -> None:
        """Lets the agents that are watched make so many decisions; 0 is a pause."""
        with self.news:
            table = self._table("watch")
            table.going = decisions
            if decisions > 0:
                table.session.next_round()
            self._changed()

    def seek(self, decisions: int) -> None:
        """Shows a record after so many decisions."""
        with self.news:
            table = self._table("record")
            if not 0 <= decisions <= len(table.whole):
                raise BadOption(f"this record has {len(table.whole)} decisions, not {decisions}")
            start = table.session.record
            session = Session(start.without_last(start.moves), table.whole[:decisions])
            self.table = replace(table, session=session)
            self._changed()

    def hint(self) -> Hint:
        """What the strongest agent thinks of the person's moves."""
        with self.news:
            session = self._table("play").session
            if session.to_move is None or session.to_move != session.person:
                raise BadOption("it is not your turn")
            copy = session.batch.clone()
        return hint(copy)

    def _keep(self) -> None:
        """Writes the game down before anybody is told of the change."""
        table = self.table
        if table is not None and table.file is not None and self.shelf is not None:
            self.shelf.keep(table.file, table.session.record)
        self._changed()

    # The agents ---------------------------------------------------------------------------------

    def _think(self) -> None:
        """What the thread of the agents does, until the room is closed."""
        while True:
            with self.news:
                self.news.wait_for(lambda: self.closed or self._is_asked())
                if self.closed:
                    return
                table, version = self.table, self.version
                assert table is not None
                agent, saved = table.asked, table.session.batch.save(0)
            began = time.monotonic()
            action = self._choose(table, agent, saved)
            with self.news:
                past = self._passes(version, began + self.pace - time.monotonic())
                if not past and action is not None:
                    self._take(table, action)

    def _is_asked(self) -> bool:
        return self.table is not None and self.table.asked is not None

    def _passes(self, version: int, seconds: float) -> bool:
        """Waits so long; has anything changed meanwhile?"""
        return self.news.wait_for(
            lambda: self.closed or self.version != version, timeout=max(0.0, seconds)
        )

    def _choose(self, table: Table, agent: Any, saved: bytes) -> int | None:
        """An agent thinks, without holding anybody up."""
        assert table.desk is not None
        table.desk.restore(0, saved)
        try:
            return int(agent.act(table.desk, np.array([0]))[0])
        except Exception as error:  # whatever it is, the person shall read it
            mine = isinstance(agent, CheckedAgent)
            with self.news:
                table.trouble = str(error) if mine else f"{agent.name} cannot go on: {error}"
                table.desk = table.session.batch.clone()  # it may still be busy with the other
                self._changed()
            return None

    def _take(self, table: Table, action: int) -> None:
        table.session.step(action)
        table.going -= 1
        self._keep()
