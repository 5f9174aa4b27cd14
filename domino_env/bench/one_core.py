"""The processor: its name, and one core of it for all who are compared, so that none is helped by
a second one or moved about."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keeps this thread, and processes that it starts, on one core. Where the system cannot do that
    nothing changes: what is measured is CPU time."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def processor() -> str:
    """Its name, as exactly as the system says it."""
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return f"{line.partition(':')[2].strip()} ({platform.machine()})"
    return platform.processor() or platform.machine()
