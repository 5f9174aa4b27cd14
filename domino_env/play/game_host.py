"""The host of a game: it runs one game at a time and its agents, and tells listeners of changes.

Every change raises `version` and calls the listeners. Agents think in a thread of their own, on a
copy of the game; what they choose is played only if nothing has changed meanwhile.
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

from domino_env.agents import Agent, names_with_options
from domino_env.agents.custom.loading import is_reference
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError
from domino_env.evaluate.entrants import derive_seed
from domino_env.evaluate.watchdog import CheckedAgent
from domino_env.play.hints import Hint, hint
from domino_env.play.saved_games import SavedGame, SavedGames
from domino_env.play.session import Session
from domino_env.play.setup import PERSON, GameSetup, entrant, split
from domino_env.record import Record

MOVE_SECONDS = 60.0  # that an agent of one's own may think about a move


class Stale(DominoError):
    """A request was made on an old version of the game."""


@dataclass
class HostedGame:
    """The game that is played, watched or stepped through, and the agents in it.

    Attributes:
        session: the game itself: its state, and all decisions so far.
        mode: "play" against agents, "watch" agents, or step through a "record".
        file: where it is saved; None: nowhere.
        agents: the agent of each seat; None for the person's seat, empty for a record.
        scratch: the copy of the game that agents think on.
        recorded_actions: all decisions of a record that is stepped through.
        decisions_left: how many decisions the agents may still make before they pause.
        error: why an agent cannot go on.
    """

    session: Session
    mode: str
    file: Path | None = None
    agents: tuple[Agent | None, ...] = ()
    scratch: Batch | None = None
    recorded_actions: tuple[int, ...] = ()
    decisions_left: float = float("inf")
    error: str = ""

    @property
    def agent_to_move(self) -> Agent | None:
        """The agent that has to decide now, if it is an agent's turn and not paused."""
        seat = self.session.to_move
        if not self.agents or self.error or self.decisions_left <= 0 or seat is None:
            return None
        return self.agents[seat]

    @property
    def is_thinking(self) -> bool:
        """Is an agent choosing its move?"""
        return self.agent_to_move is not None


def make_player(name: str, seed: int) -> Agent:
    """The agent of that name; one that is not ours is checked at every move."""
    found = entrant(name)
    if found.built_in:
        return found.make(seed)
    limit = found.limit_of_calls(MOVE_SECONDS)
    return CheckedAgent(partial(found.make, seed), found.name, limit)


def _is_foreign(agent: str) -> bool:
    """Does an agent run code of somebody's, or a program, or ask a server that it is given?"""
    return is_reference(agent) or agent in names_with_options()


class GameHost:
    """Runs one game at a time, for any number of pages or a terminal.

    Args:
        saved_games: where games are saved; None: nowhere.
        pace: least seconds between the moves of agents, so that a person can follow.
        extra_agents: agents that may be chosen besides the ones offered for every game: those
            named on the command line.
    """

    def __init__(
        self,
        saved_games: SavedGames | None = None,
        pace: float = 0.0,
        extra_agents: Iterable[str] = (),
    ) -> None:
        self.saved_games, self.pace, self.extra_agents = saved_games, pace, frozenset(extra_agents)
        self.version = 0
        self.game: HostedGame | None = None
        self.closed = False
        self.condition = threading.Condition(threading.RLock())
        self._listeners: list[Callable[[], None]] = []
        self._thinker = threading.Thread(target=self._think, name="thinker", daemon=True)
        self._thinker.start()

    # Listeners ----------------------------------------------------------------------------------

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Calls a function at each change, in the thread that makes the change."""
        with self.condition:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self.condition:
                self._listeners.remove(listener)

    def _changed(self) -> None:
        self.version += 1
        self.condition.notify_all()
        for listener in self._listeners:
            listener()

    def close(self) -> None:
        """Stops the agents; whoever waits for a change is woken."""
        with self.condition:
            self.closed = True
            self._changed()
        self._thinker.join(timeout=10)

    # Which game ---------------------------------------------------------------------------------

    def begin(self, setup: GameSetup) -> None:
        """Deals a new game."""
        self._seat(Session.begun(setup), self._new_file(setup.rules.id, setup.names))

    def resume(self, saved: SavedGame) -> None:
        """Resumes a game that was not finished."""
        if self.saved_games is None:
            raise BadOption("no games are saved here")
        for name in saved.record.names:  # what a record names is never imported, nor started
            if _is_foreign(split(name)[0]) and name not in self.extra_agents:
                raise BadOption(
                    f"{saved.file} was played against {name}: to resume it, start domino play with "
                    f'--against "{name}"'
                )
        self._seat(Session.resumed(saved.record), self.saved_games.folder / saved.file)

    def open(self, record: Record) -> None:
        """Steps through a record, from its deal on."""
        recorded_actions = tuple(Session.resumed(record).actions)
        game = HostedGame(
            Session(record.without_last(record.moves)),
            "record",
            recorded_actions=recorded_actions,
            decisions_left=0,
        )
        with self.condition:
            self.game = game
            self._changed()

    def leave(self) -> None:
        """Closes the game; it stays among the saved games."""
        with self.condition:
            self.game = None
            self._changed()

    def deal(self) -> None:
        """Begins a new game with the same rules and players."""
        game = self._hosted("play", "watch")
        was = game.session.batch
        setup = GameSetup(
            rules=was.rules,
            names=game.session.names,
            match=was.episode == "match",
            calls=was.calls,
        )
        self.begin(setup)
        with self.condition:
            if self.game is not None:
                self.game.decisions_left = game.decisions_left

    def _new_file(self, game: str, names: tuple[str, ...]) -> Path | None:
        if self.saved_games is None or PERSON not in names:
            return None
        return self.saved_games.new_file(game)

    def _seat(self, session: Session, file: Path | None) -> None:
        seed = derive_seed(session.record.generator)
        playing, tried = (
            tuple(
                None if name == PERSON else make_player(name, derive_seed(seed, seat))
                for seat, name in enumerate(session.names)
            )
            for _ in range(2)
        )
        scratch = session.batch.clone()
        for agent in tried:  # one that does not play with these rules and seats says so
            if agent is not None and scratch.seat[0] >= 0:
                agent.act(scratch, np.array([0]))
        mode = "play" if PERSON in session.names else "watch"
        with self.condition:
            self.game = HostedGame(session, mode, file, playing, scratch)
            self._changed()

    # Decisions and time -------------------------------------------------------------------------

    def _hosted(self, *modes: str) -> HostedGame:
        if self.game is None:
            raise BadOption("there is no game: begin one first")
        if self.game.mode not in modes:
            raise BadOption(f"this is for mode {' or '.join(modes)}, not for {self.game.mode}")
        return self.game

    def require_version(self, version: int) -> None:
        """Refuses a request that was made on an older version."""
        if version != self.version:
            raise Stale("the game has changed meanwhile: look again, then decide")

    def act(self, action: int) -> None:
        """Plays the person's decision."""
        with self.condition:
            session = self._hosted("play").session
            if session.to_move is None or session.to_move != session.person:
                raise BadOption("it is not your turn")
            if session.batch.is_illegal(0, action) or action >= session.batch.num_actions:
                raise BadOption(f"action {action} is not legal now")
            session.step(action)
            self._save()

    def undo(self) -> None:
        """Takes back the person's last decision and everything after it."""
        with self.condition:
            game = self._hosted("play")
            game.session.undo()
            game.error = ""
            self._save()

    def next_round(self) -> None:
        """Goes on to the next round of a match."""
        with self.condition:
            self._hosted("play", "watch").session.next_round()
            self._changed()

    def watch(self, decisions: float) -> None:
        """Lets the agents make so many decisions; 0 pauses them."""
        with self.condition:
            game = self._hosted("watch")
            game.decisions_left = decisions
            if decisions > 0:
                game.session.next_round()
            self._changed()

    def seek(self, decisions: int) -> None:
        """Shows a record after so many decisions."""
        with self.condition:
            game = self._hosted("record")
            if not 0 <= decisions <= len(game.recorded_actions):
                raise BadOption(
                    f"this record has {len(game.recorded_actions)} decisions, not {decisions}"
                )
            start = game.session.record
            session = Session(start.without_last(start.moves), game.recorded_actions[:decisions])
            self.game = replace(game, session=session)
            self._changed()

    def hint(self) -> Hint:
        """What the strongest agent expects of each of the person's moves."""
        with self.condition:
            session = self._hosted("play").session
            if session.to_move is None or session.to_move != session.person:
                raise BadOption("it is not your turn")
            copy = session.batch.clone()
        return hint(copy)

    def _save(self) -> None:
        """Saves the game before anybody hears of the change."""
        game = self.game
        if game is not None and game.file is not None and self.saved_games is not None:
            self.saved_games.save(game.file, game.session.record)
        self._changed()

    # The agents ---------------------------------------------------------------------------------

    def _think(self) -> None:
        """What the agents' thread does until the host is closed."""
        while True:
            with self.condition:
                self.condition.wait_for(lambda: self.closed or self._is_agents_turn())
                if self.closed:
                    return
                game, version = self.game, self.version
                assert game is not None
                agent, saved = game.agent_to_move, game.session.batch.save(0)
            began = time.monotonic()
            action = self._choose(game, agent, saved)
            with self.condition:
                changed = self._wait_out(version, began + self.pace - time.monotonic())
                if not changed and action is not None:
                    self._take(game, action)

    def _is_agents_turn(self) -> bool:
        return self.game is not None and self.game.is_thinking

    def _wait_out(self, version: int, seconds: float) -> bool:
        """Waits so long, or until something changes; has it?"""
        return self.condition.wait_for(
            lambda: self.closed or self.version != version, timeout=max(0.0, seconds)
        )

    def _choose(self, game: HostedGame, agent: Any, saved: bytes) -> int | None:
        """Asks an agent, without holding the lock; None if it fails."""
        assert game.scratch is not None
        game.scratch.restore(0, saved)
        try:
            return int(agent.act(game.scratch, np.array([0]))[0])
        except Exception as error:  # whatever it is, the person should read it
            explained = isinstance(agent, CheckedAgent)
            with self.condition:
                game.error = str(error) if explained else f"{agent.name} failed: {error}"
                game.scratch = game.session.batch.clone()  # it may still be busy with the other
                self._changed()
            return None

    def _take(self, game: HostedGame, action: int) -> None:
        game.session.step(action)
        game.decisions_left -= 1
        self._save()
