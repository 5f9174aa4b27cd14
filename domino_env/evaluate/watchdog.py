"""Calls of agents from outside this package, with a time limit, and with every answer checked.

A `Watchdog` calls an agent, and says for each game what was wrong with the answer: that the agent
raised, did not answer in time, answered with something that is no array of actions, moved
illegally, or changed the game that it was to look at. `CheckedAgent` raises that, where a game
cannot be forfeited. The agents of this package are called directly.
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
from domino_env.agents.custom.loading import told
from domino_env.agents.custom.per_decision import PerDecision
from domino_env.agents.language.usage import Usage
from domino_env.batches import Batch
from domino_env.errors import BadOption

Whole = npt.NDArray[np.int64]
_LATE = object()
SHOWN = ("observation", "mask", "legal", "num_legal", "seat")


@dataclass
class CheckedActions:
    """An agent's answer: an action for each lane, and the faults in some of them.

    Attributes:
        actions: for each lane that was asked about; -1 where something is wrong.
        faults: why, by the number of the lane; also in lanes that were not asked about, if it has
            changed anything there.
        hung: it has not answered in time, and is lost to all games.
    """

    actions: Whole
    faults: dict[int, str] = field(default_factory=dict)
    hung: bool = False


class Watchdog:
    """Calls an agent, with a time limit. One with an `attempt` says itself in which games it has
    failed; its code is ours, and so nobody looks whether it has changed anything.

    Args:
        make: makes the agent, before its first decision; again after it has hung.
        time_limit: the seconds that a call, or one decision of an agent that is asked for each by
            itself, may take; None: as long as it likes, and in our own thread.
    """

    def __init__(self, make: Callable[[], Any], time_limit: float | None) -> None:
        self._make, self._time_limit = make, time_limit
        self._agent: Any = None
        self._worker: _Worker | None = None
        self._began = 0.0
        self._spent = Usage()

    @property
    def usage(self) -> Usage:
        """What the agent has spent on a language model, if it counts that."""
        return self._spent + self._of_agent()

    def _of_agent(self) -> Usage:
        found = getattr(self._agent, "usage", None)
        return found if isinstance(found, Usage) else Usage()

    def ask(self, batch: Batch, lanes: Whole) -> CheckedActions:
        """The agent's actions, and its faults."""
        if self._time_limit is None and (attempted := self._attempt(batch, lanes)):
            return attempted
        before = _Snapshot(batch)
        given = self._call_in_time(batch, lanes)
        if given is _LATE:
            return self._timed_out(batch, lanes)
        answer = given if isinstance(given, CheckedActions) else _read(given, lanes)
        _refuse_illegal(batch, lanes, answer, before.mask)
        for lane in before.changed(batch):
            answer.faults[lane] = (
                "changed the batch that it was to look at: batch.clone() is its own to change"
            )
        answer.actions[np.isin(lanes, [*answer.faults])] = -1
        return answer

    def _attempt(self, batch: Batch, lanes: Whole) -> CheckedActions | None:
        """What comes of asking an agent that knows its own faults; None: it is none of these."""
        try:
            if self._agent is None:
                self._agent = self._make()
        except (Exception, SystemExit):
            return None  # it is tried again, and then it counts
        attempt = getattr(self._agent, "attempt", None)
        if attempt is None:
            return None
        actions, faults = attempt(batch, lanes)
        return CheckedActions(actions, dict(faults))

    def tell_end(self, batch: Batch, lanes: Whole) -> None:
        """Games are over: an agent with `ended` is told."""
        if (told := getattr(self._agent, "ended", None)) is not None:
            told(batch, lanes)

    def _call_in_time(self, batch: Batch, lanes: Whole) -> Any:
        """Its answer, checked already where it is asked for each decision, or `_LATE`."""
        if self._time_limit is None:
            return self._call(batch, lanes)
        if self._worker is None:
            self._worker = _Worker()
        self._began = monotonic()
        return self._worker.run(partial(self._call, batch, lanes), self._time_left)

    def _time_left(self) -> float:
        assert self._time_limit is not None
        return self._began + self._time_limit - monotonic()

    def _call(self, batch: Batch, lanes: Whole) -> Any:
        try:
            if self._agent is None:
                self._agent = self._make()
            if isinstance(self._agent, PerDecision):
                return self._one_by_one(self._agent, batch, lanes)
            return self._agent.act(batch, lanes.copy())
        except (Exception, SystemExit) as error:
            return CheckedActions(
                _no_actions(lanes), dict.fromkeys(lanes.tolist(), f"raised {told(error)}")
            )

    def _one_by_one(self, agent: PerDecision, batch: Batch, lanes: Whole) -> CheckedActions:
        """An agent that is asked for each decision fails in the one game only."""
        answer = CheckedActions(_no_actions(lanes))
        for place, lane in enumerate(lanes.tolist()):
            self._began = monotonic()
            try:
                answer.actions[place] = agent.choose(batch, lane)
            except (Exception, SystemExit) as error:
                answer.faults[lane] = f"raised {told(error)}"
        return answer

    def _timed_out(self, batch: Batch, lanes: Whole) -> CheckedActions:
        self.close()
        self._spent, self._agent = self.usage, None
        why = f"gave no answer within {self._time_limit:g} seconds, asked for {len(lanes)} actions"
        return CheckedActions(_no_actions(lanes), dict.fromkeys(lanes.tolist(), why), hung=True)

    def close(self) -> None:
        """Lets go of its thread, or of its process: there will be no more calls."""
        if self._agent is not None and hasattr(self._agent, "attempt"):
            self._agent.close()
        if self._worker is not None:
            self._worker.abandon()
            self._worker = None


class CheckedAgent:
    """An agent whose faults are raised as errors, with its name."""

    def __init__(self, make: Callable[[], Any], name: str, time_limit: float | None = None) -> None:
        self._watchdog, self.name = Watchdog(make, time_limit), name

    def act(self, batch: Batch, lanes: Whole) -> Whole:
        """A legal action for each of the lanes."""
        answer = self._watchdog.ask(batch, lanes)
        for lane, why in answer.faults.items():
            where = f" (game {lane} of {batch.num_games})" if batch.num_games > 1 else ""
            raise BadOption(f"{self.name} {why}{where}")
        return answer.actions


def checked(agent: Any) -> Any:
    """An agent with its answers checked, unless it is one of this package."""
    return agent if agents.is_ours(agent) else CheckedAgent(lambda: agent, agents.name_of(agent))


def _no_actions(lanes: Whole) -> Whole:
    return np.full(len(lanes), -1, np.int64)


def _read(answer: Any, lanes: Whole) -> CheckedActions:
    """An answer as an array, if it is one."""
    try:
        actions = np.asarray(answer)
    except Exception:
        actions = np.empty(0)
    what = f"{actions.dtype} of shape {actions.shape}" if actions.ndim else f"{answer!r:.40}"
    wrong = f"answered with {what}, not with a whole number for each of {len(lanes)} lanes"
    if actions.shape != lanes.shape or actions.dtype.kind not in "iu":
        return CheckedActions(_no_actions(lanes), dict.fromkeys(lanes.tolist(), wrong))
    return CheckedActions(actions.astype(np.int64))


def _refuse_illegal(batch: Batch, lanes: Whole, answer: CheckedActions, mask: Any) -> None:
    known = (answer.actions >= 0) & (answer.actions < batch.num_actions)
    legal = known & (mask[lanes, np.where(known, answer.actions, 0)] > 0)
    for place in np.flatnonzero(~legal).tolist():
        lane, action = int(lanes[place]), int(answer.actions[place])
        if lane not in answer.faults:
            answer.faults[lane] = f"moved illegally: {_illegal(batch, mask[lane], action)}"


def _illegal(batch: Batch, mask: Any, action: int) -> str:
    if not 0 <= action < batch.num_actions:
        return f"action {action} is none of 0 to {batch.num_actions - 1}"

    def said(number: int) -> str:
        return str(decode(batch.rules, number, batch.calls, batch.num_players))

    others = ", ".join(map(said, np.flatnonzero(mask).tolist()))
    return f"{said(action)} (action {action}) where these are legal: {others:.200}"


class _Snapshot:
    """A batch as it was before a call of an agent."""

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


class _Abandoned(BaseException):
    """Is raised in a thread that is abandoned."""


class _Worker:
    """A thread that can be abandoned."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._busy = False
        self._thread = Thread(target=self._loop, name="an agent of one's own", daemon=True)
        self._thread.start()

    def _loop(self) -> None:
        with suppress(_Abandoned):
            while (task := self._tasks.get()) is not None:
                task()

    def run(self, call: Callable[[], Any], time_left: Callable[[], float]) -> Any:
        """Runs a call; `_LATE` if its time is over first."""
        done, answers = Event(), []

        def task() -> None:
            answers.append(call())
            done.set()

        self._busy = True
        self._tasks.put(task)
        while not done.wait(max(0.0, time_left())):
            if time_left() <= 0:
                return _LATE
        self._busy = False
        return answers[0]

    def abandon(self) -> None:
        """Ends the thread; an endless loop of Python too, which would keep a core and hold up all
        others. One that sleeps, or is in compiled code, ends when it comes back from there. Until
        then a profiler (`sys.setprofile`) makes Python 3.11 hang."""
        self._tasks.put(None)
        if self._busy:
            ident = ctypes.c_ulong(self._thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_Abandoned))
