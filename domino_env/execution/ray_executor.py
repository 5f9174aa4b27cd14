"""A crew on a Ray cluster: `domino tournament ... --engine ray`.

    from domino_env.execution.ray_executor import cluster
    from domino_env.evaluate.tournament import TournamentSettings, play

    play(TournamentSettings(deals=100_000), crew=cluster("auto"))

Each task goes to a core of its own, somewhere in the cluster. One whose worker or node dies is done
again elsewhere, and comes out the same. What all tasks share, policies for example, is sent to each
node once.
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
from domino_env.execution.executor import Crew, Work
from domino_env.execution.versions import must_be_same, versions

RETRIES = 20  # of one task: a worker that dies so often dies of the task
WAITING = 2  # tasks for each core, so that none waits for us
PATIENCE = 5.0  # seconds, for a cluster to answer
ASKED = 5.0  # seconds, after which the cluster may have grown


def cluster(address: str | None = None) -> Crew:
    """A crew of all cores of a cluster.

    Args:
        address: of the cluster, or "auto" for one that this machine is part of; by default that of
            the variable `RAY_ADDRESS`, or else Ray is started on this machine alone.
    """
    ray_itself()

    @contextmanager
    def gather(work: Work) -> Iterator[Cluster]:
        with connected(address):
            hands = Cluster(work)
            try:
                yield hands
            finally:
                hands.go_home()

    return gather


def ray_itself() -> Any:
    """The package, if it is there."""
    try:
        import ray
    except ImportError as error:
        raise BadOption("ray is missing: pip install 'domino-env[ray]'") from error
    return ray


@contextmanager
def connected(address: str | None = None) -> Iterator[None]:
    """Connects to a cluster, if this process is not part of one already; addresses are those of
    `cluster`."""
    ray = ray_itself()
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    if ray.is_initialized():
        yield
        return
    _must_answer(address)
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    except (OSError, ValueError, RuntimeError) as error:
        told = " ".join(str(error).split())
        raise BadOption(f"no Ray cluster at {address}: {told:.300}") from error
    try:
        yield
    finally:
        ray.shutdown()


def cores_of_cluster() -> int:
    """How many cores all nodes have together."""
    return max(1, int(ray_itself().cluster_resources().get("CPU", 1)))


def all_nodes_must_be_alike(*packages: str) -> None:
    """Refuses a cluster with other versions on a node than here, of these packages too."""
    ray = ray_itself()
    check = ray.remote(num_cpus=0, max_retries=0)(must_be_same)
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
        outcome_of(each)


@contextmanager
def hushed() -> Iterator[None]:
    """What Ray's core says on the terminal meanwhile, beside Python, is shown only if it fails."""
    sys.stderr.flush()
    usual = os.dup(2)
    with tempfile.TemporaryFile() as heard:
        os.dup2(heard.fileno(), 2)
        try:
            yield
        except BaseException:
            heard.seek(0)
            os.write(usual, heard.read())
            raise
        finally:
            sys.stderr.flush()
            os.dup2(usual, 2)
            os.close(usual)


def _must_answer(address: str) -> None:
    """Knocks at the door of a cluster: Ray itself goes on doing so for ten minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or "://" in host or not port.isdecimal():
        return  # no door that we know; Ray says what is wrong with it
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise BadOption(f"no Ray cluster answers at {address}: {error}") from error


def do(wanted: dict[str, str], work: Work, task: Any) -> Any:
    """Does a task, on whatever node this is called."""
    must_be_same(wanted)
    return work(task)


def outcome_of(begun: Any) -> Any:
    """What comes of a task that was begun; what it refuses is refused here."""
    ray = ray_itself()
    try:
        return ray.get(begun)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, DominoError):
            raise error.cause from None
        if "No module named" in str(error):
            raise BadOption(f"domino-env must be on every node, too: {error.cause}") from error
        raise


class Cluster:
    """The cores of the cluster that this process is connected to."""

    def __init__(self, work: Work) -> None:
        self._ray = ray_itself()
        self._do = self._ray.remote(num_cpus=1, max_retries=RETRIES)(do)
        self._work = self._ray.put(work)
        self._begun: dict[Any, Any] = {}
        self._cores, self._asked = 1, -ASKED

    @property
    def room(self) -> int:
        """Some tasks for each core, so that none waits for us; nodes may come and go."""
        if time.monotonic() - self._asked >= ASKED:
            self._cores = cores_of_cluster()
            self._asked = time.monotonic()
        return WAITING * self._cores - len(self._begun)

    def begin(self, task: Any) -> None:
        """Some core takes it."""
        self._begun[self._do.remote(versions(), self._work, task)] = task

    def finished(self) -> list[tuple[Any, Any]]:
        """Of all that are finished by now."""
        self._ray.wait([*self._begun], num_returns=1)
        ready, _ = self._ray.wait([*self._begun], num_returns=len(self._begun), timeout=0)
        return [(self._begun.pop(each), self._outcome(each)) for each in ready]

    def _outcome(self, begun: Any) -> Any:
        try:
            return outcome_of(begun)
        except self._ray.exceptions.RayTaskError:
            raise
        except self._ray.exceptions.RayError as error:
            raise BadOption(f"{RETRIES} workers have died of the same task: {error}") from error

    def drop(self, task: Any) -> None:
        """Its core is free for another."""
        for begun in [each for each, its in self._begun.items() if its == task]:
            del self._begun[begun]
            self._ray.cancel(begun)

    def go_home(self) -> None:
        """Leaves nothing behind that still plays."""
        for begun in self._begun:
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(begun)
        self._begun.clear()
