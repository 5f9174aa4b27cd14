"""The executor on a Ray cluster: `domino tournament ... --engine ray`.

    from domino_env.execution.ray_executor import ray_executor
    from domino_env.evaluate import TournamentSettings, play_tournament

    play_tournament(TournamentSettings(deals=100_000), executor=ray_executor("auto"))

Each task runs on a core of its own, somewhere in the cluster. If its worker or node dies it is
retried elsewhere, with the same outcome. What all tasks share, policies for example, is sent to
each node once.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from domino_env.errors import BadOption, DominoError
from domino_env.execution.executor import ExecutorFactory, TaskFunction
from domino_env.execution.versions import must_have_same_versions, versions

MAX_RETRIES = 20  # of one task: if that many workers die, the task itself kills them
TASKS_PER_CORE = 2  # submitted at a time, so that no core waits for this process
CONNECT_TIMEOUT = 5.0  # seconds
CORES_CHECK_INTERVAL = 5.0  # seconds: clusters grow and shrink


def ray_executor(address: str | None = None) -> ExecutorFactory:
    """A factory of executors that use all cores of a cluster.

    Args:
        address: of the cluster, or "auto" for one that this machine is part of; by default that of
            the variable `RAY_ADDRESS`, or else Ray is started on this machine alone.
    """
    import_ray()

    @contextmanager
    def make(function: TaskFunction) -> Iterator[RayExecutor]:
        with connected(address):
            executor = RayExecutor(function)
            try:
                yield executor
            finally:
                executor.shutdown()

    return make


def import_ray() -> Any:
    """The package, if it is installed."""
    try:
        import ray
    except ImportError as error:
        raise BadOption("ray is missing: pip install 'domino-env[ray]'") from error
    return ray


@contextmanager
def connected(address: str | None = None) -> Iterator[None]:
    """Connects to a cluster, if this process is not part of one already; addresses are those of
    `ray_executor`."""
    ray = import_ray()
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    if ray.is_initialized():
        yield
        return
    _must_be_reachable(address)
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    except (OSError, ValueError, RuntimeError) as error:
        told = " ".join(str(error).split())
        raise BadOption(f"no Ray cluster at {address}: {told:.300}") from error
    try:
        yield
    finally:
        ray.shutdown()


def cluster_cores() -> int:
    """How many cores all nodes have together."""
    return max(1, int(import_ray().cluster_resources().get("CPU", 1)))


def nodes_must_have_same_versions(*packages: str) -> None:
    """Refuses a cluster with other versions on a node than here, of these packages too."""
    ray = import_ray()
    check = ray.remote(num_cpus=0, max_retries=0)(must_have_same_versions)
    wanted = versions(*packages)
    nodes = [
        node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")
    ]
    asked = [
        check.options(
            scheduling_strategy=ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
                node, soft=False
            )
        ).remote(wanted)
        for node in nodes
    ]
    for each in asked:
        get_result(each)


@contextmanager
def without_core_output() -> Iterator[None]:
    """Holds back what Ray's C++ core writes to stderr; it is shown only if the block fails."""
    sys.stderr.flush()
    usual = os.dup(2)
    with tempfile.TemporaryFile() as captured:
        os.dup2(captured.fileno(), 2)
        try:
            yield
        except BaseException:
            captured.seek(0)
            os.write(usual, captured.read())
            raise
        finally:
            sys.stderr.flush()
            os.dup2(usual, 2)
            os.close(usual)


def _must_be_reachable(address: str) -> None:
    """Tries the port of a cluster first: Ray itself would go on trying for ten minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or "://" in host or not port.isdecimal():
        return  # not host:port; Ray says what is wrong with it
    try:
        socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise BadOption(f"no Ray cluster answers at {address}: {error}") from error


def run_task(wanted: dict[str, str], function: TaskFunction, task: Any) -> Any:
    """Runs a task, on whatever node this is called."""
    must_have_same_versions(wanted)
    return function(task)


def get_result(reference: Any) -> Any:
    """The outcome of a submitted task; an error of ours is raised here as it was there."""
    ray = import_ray()
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, DominoError):
            raise error.cause from None
        if "No module named" in str(error):
            raise BadOption(f"domino-env must be on every node, too: {error.cause}") from error
        raise


class RayExecutor:
    """The cores of the cluster that this process is connected to."""

    def __init__(self, function: TaskFunction) -> None:
        self._ray = import_ray()
        self._remote = self._ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(run_task)
        self._function = self._ray.put(function)
        self._running: dict[Any, Any] = {}
        self._cores, self._checked = 1, -CORES_CHECK_INTERVAL

    @property
    def free_slots(self) -> int:
        """The number of tasks to submit now: a few for each core of the nodes that are there."""
        if time.monotonic() - self._checked >= CORES_CHECK_INTERVAL:
            self._cores = cluster_cores()
            self._checked = time.monotonic()
        return TASKS_PER_CORE * self._cores - len(self._running)

    def submit(self, task: Any) -> None:
        """Queues a task for the next free core."""
        self._running[self._remote.remote(versions(), self._function, task)] = task

    def completed(self) -> list[tuple[Any, Any]]:
        """All tasks that are completed by now."""
        self._ray.wait([*self._running], num_returns=1)
        ready, _ = self._ray.wait([*self._running], num_returns=len(self._running), timeout=0)
        return [(self._running.pop(each), self._outcome(each)) for each in ready]

    def _outcome(self, reference: Any) -> Any:
        try:
            return get_result(reference)
        except self._ray.exceptions.RayTaskError:
            raise
        except self._ray.exceptions.RayError as error:
            raise BadOption(f"{MAX_RETRIES} workers have died of the same task: {error}") from error

    def cancel(self, task: Any) -> None:
        """Cancels a task, which frees its core for another."""
        for reference in [each for each, its in self._running.items() if its == task]:
            del self._running[reference]
            self._ray.cancel(reference)

    def shutdown(self) -> None:
        """Cancels whatever still runs."""
        for reference in self._running:
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(reference)
        self._running.clear()
