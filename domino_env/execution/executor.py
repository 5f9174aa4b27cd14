"""Executors: independent tasks, run several at a time on threads or on a cluster.

A *task source* says which task to start next, and takes the outcome of each. An *executor* runs
them: the threads of this process here, the cores of a Ray cluster in `ray_executor`. The outcome of
a task depends on the task alone, so it does not matter where it runs, when, or how often; a source
that counts outcomes counts them in the order of its tasks, and every executor gives the same
results.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from threading import get_ident
from types import TracebackType
from typing import Any, Protocol, TypeAlias

TaskFunction: TypeAlias = Callable[[Any], Any]
"""Runs one task. It is pickled for other machines: a module's function, or a `partial` of one."""


_raise_in: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc


class TaskSource(Protocol):
    """Gives out tasks, and takes their outcomes. A task can be a key of a dictionary."""

    @property
    def done(self) -> bool:
        """Has every outcome that is needed come in?"""
        ...

    def next_task(self) -> Any:
        """The task to start now; None if there is none left, or none worth starting yet."""
        ...

    def add_outcome(self, task: Any, outcome: Any) -> Iterable[Any]:
        """Takes the outcome of a task; returns running tasks that are no longer needed."""
        ...


class Executor(Protocol):
    """Runs tasks."""

    @property
    def free_slots(self) -> int:
        """How many more tasks can be submitted now."""
        ...

    def submit(self, task: Any) -> None:
        """Starts a task, or queues it."""
        ...

    def completed(self) -> list[tuple[Any, Any]]:
        """Completed tasks, each with its outcome; waits for the first. Raises a task's error."""
        ...

    def cancel(self, task: Any) -> None:
        """The outcome of this task will not be needed."""
        ...


ExecutorFactory: TypeAlias = Callable[[TaskFunction], AbstractContextManager[Executor]]
"""Makes an executor for a task function, as a context that shuts it down at its end."""


def run_tasks(source: TaskSource, executor: Executor) -> None:
    """Runs all tasks of a source."""
    while not source.done:
        while executor.free_slots > 0 and (task := source.next_task()) is not None:
            executor.submit(task)
        for task, outcome in executor.completed():
            for unneeded in source.add_outcome(task, outcome):
                executor.cancel(unneeded)


class InOrder:
    """A task source whose tasks are all needed. `count` is called with each task and its outcome,
    in the order of the tasks."""

    def __init__(self, tasks: Iterable[Any], count: Callable[[Any, Any], None]) -> None:
        self._waiting, self._count = iter(tasks), count
        self._started: deque[Any] = deque()  # and not counted
        self._found: dict[Any, Any] = {}
        self._next = next(self._waiting, None)

    @property
    def done(self) -> bool:
        """Have all been counted?"""
        return self._next is None and not self._started

    def next_task(self) -> Any:
        """The next in their order."""
        task, self._next = self._next, next(self._waiting, None)
        if task is not None:
            self._started.append(task)
        return task

    def add_outcome(self, task: Any, outcome: Any) -> list[Any]:
        """Counts all whose turn it is."""
        self._found[task] = outcome
        while self._started and self._started[0] in self._found:
            first = self._started.popleft()
            self._count(first, self._found.pop(first))
        return []


class ThreadExecutor:
    """Threads of this process: compiled kernels release the GIL."""

    def __init__(self, function: TaskFunction, num_threads: int) -> None:
        self._function, self._num_threads = function, num_threads
        self._pool = ThreadPoolExecutor(num_threads, "domino")
        self._running: dict[Future[Any], Any] = {}
        self._busy: set[int] = set()  # identifiers of threads that run a task

    def __enter__(self) -> ThreadExecutor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._interrupt()
        self._pool.shutdown(cancel_futures=True)

    @property
    def free_slots(self) -> int:
        """The number of idle threads."""
        return self._num_threads - len(self._running)

    def submit(self, task: Any) -> None:
        """Starts a task on an idle thread."""
        self._running[self._pool.submit(self._run, task)] = task

    def _run(self, task: Any) -> Any:
        """Runs a task, in a thread."""
        self._busy.add(get_ident())
        try:
            return self._function(task)
        finally:
            self._busy.discard(get_ident())

    def _interrupt(self) -> None:
        """Stops running tasks: nobody waits for them any more. A thread is stopped as Ctrl-C stops
        a program, between two steps of Python, so after the kernel that it is in."""
        for thread in [*self._busy]:
            _raise_in(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))

    def completed(self) -> list[tuple[Any, Any]]:
        """In the order in which they were submitted."""
        done = wait(self._running, return_when=FIRST_COMPLETED).done
        ready = [future for future in self._running if future in done]
        return [(self._running.pop(future), future.result()) for future in ready]

    def cancel(self, task: Any) -> None:
        """Does nothing: the task is running already, and a thread cannot be stopped."""


def thread_executor(num_threads: int) -> ExecutorFactory:
    """A factory of executors with so many threads."""
    return lambda function: ThreadExecutor(function, num_threads)
