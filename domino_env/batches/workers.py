"""Threads that share a batch: a kernel's work in parts, each with arguments of its own.

With the shipped object code they are the library's own (tools/object_code/workers.c): to hand out a
part takes them less than a microsecond, and Python's own threads twenty. Those do it where kernels
are compiled here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from domino_env.compiling import native_workers

_PATIENCE = 50_000  # nanoseconds for which a thread looks out for work before it sleeps

Parts = tuple[tuple[Any, ...], ...]


class Workers:
    """So many threads, with the one that calls. They begin when they are first needed, in a process
    that was forked too, for threads do not come along with a fork."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._run_native = native_workers(threads, _PATIENCE if threads <= _cores() else 0)
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    def run(self, kernel: Callable[..., Any], parts: Parts) -> list[Any]:
        """What the kernel answers for each part, when all are done; there are no more of them than
        threads."""
        run = self._run_native
        found: list[Any] | None = run and run(kernel, parts)
        return self._run_here(kernel, parts) if found is None else found

    def _run_here(self, kernel: Callable[..., Any], parts: Parts) -> list[Any]:
        process = os.getpid()
        if self._pool is None or self._pool[0] != process:
            self._pool = process, ThreadPoolExecutor(self._threads - 1, "domino")
        others: list[Future[Any]] = []
        try:
            others += [self._pool[1].submit(kernel, *part) for part in parts[1:]]
            first = kernel(*parts[0])
        finally:
            wait(others)  # whatever has come between: nobody else may touch the lanes before
        return [first, *(other.result() for other in others)]


def _cores() -> int:
    """How many this process may use. Where there are fewer of them than threads, those that look
    out for work would be in the way of the others."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
