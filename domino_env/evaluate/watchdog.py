"""Agents of one's own are asked with care: what they do wrong is found out, and does no harm.

A `Guard` asks an agent for its actions, and says for each game what was wrong with the answer: that
the agent raised, did not answer in time, answered with something that is no array of actions, moved
illegally, or changed the game that it was to look at. `Checked` raises that, where nobody can
forfeit. The agents of this package are asked directly.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import agents
from domino_env.actions import decode
from domino_env.agents.loading import told
from domino_env.agents.per_decision import PerDecision
from domino_env.batches import Batch
from domino_env.errors import BadOption

Whole = npt.NDArray[np.int64]
_LATE = object()
SHOWN = ("observation", "mask", "legal", "num_legal", "seat")


@dataclass
class Verdict:
    """What came of asking: an action for each lane, and what is wrong in some of them.

    Attributes:
        actions: for each lane that was asked about; -1 where something is wrong.
        faults: why, by the number of the lane; also in lanes that were not asked about, if it has
            changed anything there.
        hung: it has not answered in time, and is lost to all games.
    """

    actions: Whole
    faults: dict[int, str] = field(default_factory=dict)
    hung: bool = False


class Guard:
    """Asks an agent.

    Args:
        make: makes the agent, before its first decision; again after it has hung.
        limit: the seconds that a call, or one decision of an agent that is asked for each by
            itself, may take; None: as long as it likes, and in our own thread.
    """

    def __init__(self, make: Callable[[], Any], limit: float | None) -> None:
        self._make, self._limit = make, limit
        self._agent: Any = None
        self._worker: _Worker | None = None
        self._began = 0.0

    def ask(self, batch: Batch, lanes: Whole) -> Verdict:
        """The agent's actions, and what is wrong with them."""
        before = _Before(batch)
        answer = self._answered(batch, lanes)
        if answer is _LATE:
            return self._lost(batch, lanes)
        verdict = answer if isinstance(answer, Verdict) else _read(answer, lanes)
        _refuse_illegal(batch, lanes, verdict, before.mask)
        for lane in before.changed(batch):
            verdict.faults[lane] = (
                "changed the batch that it was to look at: batch.clone() is its own to change"
            )
        verdict.actions[np.isin(lanes, [*verdict.faults])] = -1
        return verdict

    def _answered(self, batch: Batch, lanes: Whole) -> Any:
        """Its answer, a verdict of its own making, or `_LATE`."""
        if self._limit is None:
            return self._call(batch, lanes)
        if self._worker is None:
            self._worker = _Worker()
        self._began = monotonic()
        return self._worker.do(partial(self._call, batch, lanes), self._time_left)

    def _time_left(self) -> float:
        assert self._limit is not None
        return self._began + self._limit - monotonic()

    def _call(self, batch: Batch, lanes: Whole) -> Any:
        try:
            if self._agent is None:
                self._agent = self._make()
            if isinstance(self._agent, PerDecision):
                return self._one_by_one(self._agent, batch, lanes)
            return self._agent.act(batch, lanes.copy())
        except (Exception, SystemExit) as error:
            return Verdict(_nothing(lanes), dict.fromkeys(lanes.tolist(), f"raised {told(error)}"))

    def _one_by_one(self, agent: PerDecision, batch: Batch, lanes: Whole) -> Verdict:
        """An agent that is asked for each decision fails in the one game only."""
        verdict = Verdict(_nothing(lanes))
        for place, lane in enumerate(lanes.tolist()):
            self._began = monotonic()
            try:
                verdict.actions[place] = agent.choose(batch, lane)
            except (Exception, SystemExit) as error:
                verdict.faults[lane] = f"raised {told(error)}"
        return verdict

    def _lost(self, batch: Batch, lanes: Whole) -> Verdict:
        self.close()
        self._agent = None
        why = f"gave no answer within {self._limit:g} seconds, asked for {len(lanes)} actions"
        return Verdict(_nothing(lanes), dict.fromkeys(lanes.tolist(), why), hung=True)

    def close(self) -> None:
        """Nothing more will be asked."""
        if self._worker is not None:
            self._worker.leave()
            self._worker = None


class Checked:
    """An agent where nobody can forfeit: what it does wrong is raised, with its name."""

    def __init__(self, make: Callable[[], Any], name: str, limit: float | None = None) -> None:
        self._guard, self.name = Guard(make, limit), name

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        """A legal action for each of the lanes."""
        verdict = self._guard.ask(batch, lanes)
        for lane, why in verdict.faults.items():
            where = f" (game {lane} of {batch.num_games})" if batch.num_games > 1 else ""
            raise BadOption(f"{self.name} {why}{where}")
        return verdict.actions


def checked(agent: Any) -> Any:
    """An agent whose answers are looked at, unless it is one of this package."""
    return agent if agents.is_ours(agent) else Checked(lambda: agent, agents.name_of(agent))


def _nothing(lanes: Whole) -> Whole:
    return np.full(len(lanes), -1, np.int64)


def _read(answer: Any, lanes: Whole) -> Verdict:
    """An answer as an array, if it is one."""
    try:
        actions = np.asarray(answer)
    except Exception:
        actions = np.empty(0)
    what = f"{actions.dtype} of shape {actions.shape}" if actions.ndim else f"{answer!r:.40}"
    wrong = f"answered with {what}, not with a whole number for each of {len(lanes)} lanes"
    if actions.shape != lanes.shape or actions.dtype.kind not in "iu":
        return Verdict(_nothing(lanes), dict.fromkeys(lanes.tolist(), wrong))
    return Verdict(actions.astype(np.int64))


def _refuse_illegal(batch: Batch, lanes: Whole, verdict: Verdict, mask: Any) -> None:
    known = (verdict.actions >= 0) & (verdict.actions < batch.num_actions)
    legal = known & (mask[lanes, np.where(known, verdict.actions, 0)] > 0)
    for place in np.flatnonzero(~legal).tolist():
        lane, action = int(lanes[place]), int(verdict.actions[place])
        if lane not in verdict.faults:
            verdict.faults[lane] = f"moved illegally: {_illegal(batch, mask[lane], action)}"


def _illegal(batch: Batch, mask: Any, action: int) -> str:
    if not 0 <= action < batch.num_actions:
        return f"action {action} is none of 0 to {batch.num_actions - 1}"

    def said(number: int) -> str:
        return str(decode(batch.rules, number, batch.calls))

    others = ", ".join(map(said, np.flatnonzero(mask).tolist()))
    return f"{said(action)} (action {action}) where these are legal: {others:.200}"


class _Before:
    """What a batch was like before an agent was asked."""

    def __init__(self, batch: Batch) -> None:
        self._shown = {name: getattr(batch, name).copy() for name in SHOWN}
        self._games = _rows(batch.state())
        self.mask = self._shown["mask"]

    def changed(self, batch: Batch) -> list[int]:
        """The lanes in which anything is different. What is shown of a game that is as it was is
        put back, where it can be written into at all; one that has changed is given up."""
        moved = (_rows(batch.state()) != self._games).any(1)
        different = moved.copy()
        for name, shown in self._shown.items():
            rows = (getattr(batch, name) != shown).reshape(len(shown), -1).any(1)
            different |= rows
            if (written := rows & ~moved).any():
                getattr(batch, name)[written] = shown[written]
        lanes: list[int] = np.flatnonzero(different).tolist()
        return lanes


def _rows(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    return records.view(np.uint8).reshape(len(records), -1)


class _Left(BaseException):
    """Is raised in a thread that is given up."""


class _Worker:
    """A thread that can be given up."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._busy = False
        self._thread = Thread(target=self._work, name="an agent of one's own", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        with suppress(_Left):
            while (task := self._tasks.get()) is not None:
                task()

    def do(self, what: Callable[[], Any], time_left: Callable[[], float]) -> Any:
        """Has something done; `_LATE` if the time is over before it is."""
        done, came = Event(), []

        def task() -> None:
            came.append(what())
            done.set()

        self._busy = True
        self._tasks.put(task)
        while not done.wait(max(0.0, time_left())):
            if time_left() <= 0:
                return _LATE
        self._busy = False
        return came[0]

    def leave(self) -> None:
        """Ends the thread; an endless loop of Python too, which would keep a core and hold up all
        others. One that sleeps, or is in compiled code, ends when it comes back from there."""
        self._tasks.put(None)
        if self._busy:
            ident = ctypes.c_ulong(self._thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_Left))
