"""Threads that share a batch: the same games, after forks, interrupts and failures too."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.batches.workers import Workers
from domino_env.compiling import native_workers, object_code
from domino_env.engine.lane_checks import first_refused

ROOT = Path(__file__).parent.parent
TASKS = Path("/proc/self/task")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
needs_native = pytest.mark.skipif(object_code.library() is None, reason="no object code")
needs_linux = pytest.mark.skipif(not TASKS.exists(), reason="threads are counted in /proc")


def playing(threads: int, games: int = 64, steps: int = 3, **options: Any) -> Batch:
    batch = domino_env.batch("five_up", games, seed=5, threads=threads, **options)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of its own, which must not hang."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=120,
    )


# The same games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("threads", [2, 3, 7, 64, 256])
def test_games_are_the_same_on_any_number_of_threads(
    threads: int, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than games too."""
    if not native:
        monkeypatch.setattr("domino_env.batches.workers.native_workers", lambda *_: None)
    one, many = playing(1), playing(threads)
    for _ in range(20):
        actions = one.sample()
        assert (many.sample() == actions).all()
        assert (many.move_features() == one.move_features()).all()
        assert (many.histories().events == one.histories().events).all()
        assert (many.move_graphs() == one.move_graphs()).all()
        one.step(actions)
        many.step(actions)
    assert many.state().tobytes() == one.state().tobytes()
    assert (many.observation == one.observation).all()


@pytest.mark.parametrize("wrong", [0, 31, 63])
def test_what_one_thread_refuses_none_has_taken(wrong: int) -> None:
    batch = playing(4)
    actions, before = batch.sample(), batch.state()
    actions[wrong] = np.flatnonzero(batch.mask[wrong] == 0)[0]
    with pytest.raises(domino_env.errors.IllegalMove, match=f"lane {wrong}:"):
        batch.step(actions)
    assert batch.state().tobytes() == before.tobytes()


KINDS = {"list": list, "uint16": np.uint16, "with gaps": lambda a: np.repeat(a, 2)[::2]}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_actions_of_every_kind_are_taken_alike(kind: Callable[[Any], Any]) -> None:
    one, many = playing(1), playing(2)
    for _ in range(10):
        actions = one.sample()
        one.step(actions)
        many.step(kind(actions))
    assert many.state().tobytes() == one.state().tobytes()


# Their parts --------------------------------------------------------------------------------------


def summing() -> tuple[Any, Callable[[int, int], Any]]:
    """A kernel that answers with a number, and its arguments for a range of lanes."""
    batch = domino_env.batch("five_up", 9, seed=0)
    batch.reset()
    legal, numbers, taken = batch._legal, batch._num_legal, np.zeros(9, np.int64)
    actions = batch.sample()
    actions[[4, 7]] = -5
    kernel = object_code.found(first_refused)
    return kernel, lambda start, stop: (legal, numbers, actions, taken, False, start, stop)


@needs_native
def test_answers_come_in_the_order_of_the_parts() -> None:
    kernel, part = summing()
    parts = (part(0, 3), part(3, 6), part(6, 9))
    for _ in range(100):
        assert Workers(3).run(kernel, parts) == [-1, 4, 7]
    native = native_workers(3, 0)
    assert native is not None
    assert native(kernel, parts) == [-1, 4, 7]


@needs_native
def test_what_is_no_object_code_is_not_run_by_its_threads() -> None:
    kernel, part = summing()
    native = native_workers(2, 0)
    assert native is not None
    assert native(sum, ((), ())) is None
    assert native(kernel, [part(0, 3)]) is None
    assert native(kernel, ()) is None
    assert native(kernel, (part(0, 3),) * 3) is None, "more parts than threads"
    assert native(kernel, (part(0, 3), (1, 2))) is None
    assert native(kernel, ((1, 2), part(0, 3))) is None
    assert native(kernel) is None
    for number in (0, -1, 10**6):
        with pytest.raises(ValueError, match="threads are 1 to"):
            native_workers(number, 0)


def test_kernels_that_are_compiled_here_are_run_by_threads_of_python() -> None:
    names: list[str] = []

    def kernel(start: int, stop: int) -> int:
        names.append(threading.current_thread().name)
        return stop - start

    assert Workers(3).run(kernel, ((0, 1), (1, 3), (3, 7))) == [1, 2, 4]
    assert sum(name.startswith("domino") for name in names) == 2


def test_an_error_in_one_part_is_raised_when_all_are_done() -> None:
    done: list[int] = []

    def kernel(number: int) -> None:
        if number == 0:
            raise ZeroDivisionError
        time.sleep(0.05)
        done.append(number)

    with pytest.raises(ZeroDivisionError):
        Workers(3).run(kernel, ((0,), (1,), (2,)))
    assert sorted(done) == [1, 2]


# Beginning and end --------------------------------------------------------------------------------


@needs_native
@needs_linux
def test_threads_begin_when_they_are_needed_and_end_with_their_batch() -> None:
    done = python(
        """
import os, time
import domino_env
def threads():
    return len(os.listdir("/proc/self/task"))
before = threads()
batch = domino_env.batch("five_up", 64, threads=9)
assert threads() == before
batch.reset()
assert threads() == before + 8
batch.step(batch.sample())
assert threads() == before + 8
del batch
end = time.monotonic() + 30
while threads() > before and time.monotonic() < end:
    time.sleep(0.001)
assert threads() == before
"""
    )
    assert done.returncode == 0, done.stderr


def test_many_batches_come_and_go() -> None:
    expected = playing(1, 8).state().tobytes()
    for _ in range(100):
        assert playing(5, 8).state().tobytes() == expected


def test_batches_with_threads_are_stepped_side_by_side() -> None:
    expected, found = playing(1, steps=200).state().tobytes(), []

    def play() -> None:
        found.append(playing(3, steps=200).state().tobytes())

    threads = [threading.Thread(target=play) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 6


@pytest.mark.parametrize("pause", [0, 0.01])
def test_threads_that_have_gone_to_sleep_are_woken(pause: float) -> None:
    one, many = playing(1), playing(4)
    for _ in range(100):
        actions = one.sample()
        one.step(actions)
        many.step(actions)
        time.sleep(pause)
    assert many.state().tobytes() == one.state().tobytes()


@needs_fork
def test_a_child_and_its_child_begin_threads_of_their_own() -> None:
    batch = playing(4)
    child = forked(lambda: in_a_child(batch))
    assert os.waitpid(child, 0)[1] == 0
    twin = batch.clone()
    batch.step(batch.sample())
    twin.step(twin.sample())
    assert batch.state().tobytes() == twin.state().tobytes()


def forked(then: Callable[[], bool]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12: there are threads
        child = os.fork()
    if child == 0:
        signal.alarm(60)  # kills a child that hangs
        try:
            os._exit(0 if then() else 1)
        finally:
            os._exit(2)
    return child


def in_a_child(batch: Batch) -> bool:
    same = steps_as_its_clone(batch)
    grandchild = forked(lambda: steps_as_its_clone(batch))
    return same and os.waitpid(grandchild, 0)[1] == 0 and steps_as_its_clone(batch)


def steps_as_its_clone(batch: Batch) -> bool:
    twin = batch.clone()
    for _ in range(20):
        batch.step(batch.sample())
        twin.step(twin.sample())
    return batch.state().tobytes() == twin.state().tobytes()


@needs_fork
def test_a_child_may_forget_a_batch_whose_threads_are_its_parents() -> None:
    batch = playing(4)
    held = [batch]
    del batch

    def forget() -> bool:
        held.clear()
        gc.collect()
        return playing(4).state().tobytes() == playing(1).state().tobytes()

    assert os.waitpid(forked(forget), 0)[1] == 0
    held[0].step(held[0].sample())


# Interpreters that end, and are interrupted -------------------------------------------------------

STEPPING = """
import sys, threading, time
import domino_env
batch = domino_env.batch("five_up", 4096, seed=0, threads=4)
batch.reset()
def play():
    while True:
        batch.step(batch.sample())
"""


def test_an_interpreter_ends_while_threads_sleep_or_look_out() -> None:
    for pause in (0, 0.1):
        done = python(f"{STEPPING}\nbatch.step(batch.sample())\ntime.sleep({pause})\nprint('end')")
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_an_interpreter_ends_while_a_daemon_steps() -> None:
    begins = "threading.Thread(target=play, daemon=True).start()\ntime.sleep(0.2)\nprint('end')"
    done = python(f"{STEPPING}\n{begins}")
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are not sent there")
def test_ctrl_c_stops_a_loop_of_steps_between_two() -> None:
    interrupted = """
import os, signal
def soon():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
for _ in range(3):
    threading.Thread(target=soon).start()
    try:
        play()
    except KeyboardInterrupt:
        twin = batch.clone()
        batch.step(batch.sample())
        twin.step(twin.sample())
        assert batch.state().tobytes() == twin.state().tobytes()
print('end')
"""
    done = python(f"{STEPPING}\n{interrupted}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited there alone")
def test_without_room_for_threads_it_is_said_and_nothing_is_lost() -> None:
    done = python(
        """
import resource, threading
import domino_env
batch = domino_env.batch("five_up", 64, seed=0, threads=64)
threading.stack_size(1 << 28)
usual = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, usual[1]))
try:
    batch.reset()
except RuntimeError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, usual)
threading.stack_size(0)
batch.reset(seed=0)
one = domino_env.batch("five_up", 64, seed=0)
one.reset()
for _ in range(5):
    actions = one.sample()
    assert (batch.sample() == actions).all()
    one.step(actions)
    batch.step(actions)
assert batch.state().tobytes() == one.state().tobytes()
"""
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "can't start new thread\n", "")
