"""Many hands: tasks that do not depend on each other, done several at a time.

A *plan* knows which task is worth being begun next, and takes what comes of each. A *crew* does
them: threads of this process here, the workers of a cluster in `cluster`. What comes of a task
depends on nothing but the task, so it does not matter who does it, when, or how often; whoever
counts the outcomes counts them in the order of the tasks.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from threading import get_ident
from types import TracebackType
from typing import Any, Protocol, TypeAlias

Work: TypeAlias = Callable[[Any], Any]
"""What is done for a task. It is sent to other machines: a function of a module, or a `partial`."""


_raise_in: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc


class Plan(Protocol):
    """What is to be done. Tasks can be keys of a dictionary."""

    @property
    def done(self) -> bool:
        """Is nothing left to be waited for?"""
        ...

    def next(self) -> Any:
        """The task that is best begun now; None if all that are worth it have been."""
        ...

    def put(self, task: Any, outcome: Any) -> Iterable[Any]:
        """Takes what came of a task; says which of those that were begun are of no use any more."""
        ...


class Hands(Protocol):
    """Those who do it."""

    @property
    def room(self) -> int:
        """How many more tasks they would take now."""
        ...

    def begin(self, task: Any) -> None:
        """Has a task done, now or as soon as somebody is free."""
        ...

    def finished(self) -> list[tuple[Any, Any]]:
        """Tasks with what came of them; waits until there is one. Raises what one has raised."""
        ...

    def drop(self, task: Any) -> None:
        """What comes of this task will not be needed."""
        ...


Crew: TypeAlias = Callable[[Work], AbstractContextManager[Hands]]
"""Gathers hands for some work; they go home when the context ends."""


def carry_out(plan: Plan, hands: Hands) -> None:
    """Has a plan done."""
    while not plan.done:
        while hands.room > 0 and (task := plan.next()) is not None:
            hands.begin(task)
        for task, outcome in hands.finished():
            for useless in plan.put(task, outcome):
                hands.drop(useless)


class Threads:
    """Threads of this process: kernels let each other run."""

    def __init__(self, work: Work, number: int) -> None:
        self._work, self._number = work, number
        self._pool = ThreadPoolExecutor(number, "domino")
        self._begun: dict[Future[Any], Any] = {}
        self._busy: set[int] = set()  # threads that work on a task

    def __enter__(self) -> Threads:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._stop()
        self._pool.shutdown(cancel_futures=True)

    @property
    def room(self) -> int:
        """As many as there are threads without a task."""
        return self._number - len(self._begun)

    def begin(self, task: Any) -> None:
        """A thread takes it at once."""
        self._begun[self._pool.submit(self._do, task)] = task

    def _do(self, task: Any) -> Any:
        """Does a task, in a thread."""
        self._busy.add(get_ident())
        try:
            return self._work(task)
        finally:
            self._busy.discard(get_ident())

    def _stop(self) -> None:
        """Stops what has begun: nobody waits for it any more. A thread is stopped like a program by
        Ctrl-C: between two steps of Python, so after the kernel that runs."""
        for thread in [*self._busy]:
            _raise_in(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))

    def finished(self) -> list[tuple[Any, Any]]:
        """Of all that are finished, in the order in which they were begun."""
        done = wait(self._begun, return_when=FIRST_COMPLETED).done
        ready = [future for future in self._begun if future in done]
        return [(self._begun.pop(future), future.result()) for future in ready]

    def drop(self, task: Any) -> None:
        """It has a thread already, and ends with its outcome."""


def threads(number: int) -> Crew:
    """A crew of so many threads."""
    return lambda work: Threads(work, number)
