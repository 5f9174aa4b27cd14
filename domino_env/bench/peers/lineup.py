"""The peers that take part in a run of the benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from domino_env.bench.peers.catalogue import PEERS, Peer
from domino_env.bench.peers.environments import ENVIRONMENTS
from domino_env.bench.peers.rates import Rates
from domino_env.bench.peers.setting_up import CannotMake
from domino_env.bench.peers.worker import Lost, Worker

NOT_HERE = "not installed"
WARM_UP = 0.05  # seconds, which are not counted
SLOW = 1.0  # seconds at least for those that play one game at a time


class Lineup:
    """Peers with their workers. One that is not there, or is lost on the way, is left out with all
    that it has done, and the reason is kept.

    Attributes:
        found: the rates of those who take part.
        left_out: why others do not, by their names.
    """

    def __init__(self, folder: Path) -> None:
        self.found: list[Rates] = []
        self.left_out: dict[str, str] = {}
        self._folder = folder
        self._workers: dict[str, Worker] = {}
        self._logs = TemporaryDirectory(prefix="domino-bench-")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers.values():
            worker.close()
        self._logs.cleanup()

    def start(self, peer: Peer, sizes: Iterable[int]) -> None:
        """Starts a peer's worker, and has it play in each size once, since it compiles then."""
        command = ENVIRONMENTS[peer.package].command(self._folder, peer.game)
        if command is None:
            self.left_out.setdefault(peer.name, NOT_HERE)
            return
        try:
            worker = Worker(command, Path(self._logs.name) / f"{peer.package}-{peer.game}.log")
            self._workers[peer.name] = worker
            for size in sizes:
                worker.measure(size, WARM_UP)
        except Lost as error:
            self._leave_out(peer, error)
            return
        self.left_out.pop(peer.name, None)
        by_size: dict[int, list[float]] = {size: [] for size in sizes}
        self.found.append(Rates(peer, worker.versions, by_size))

    def measure(self, size: int, seconds: float) -> None:
        """Measures all that play so many games at once, one after the other."""
        for rates in [each for each in self.found if size in each.by_size]:
            peer = rates.peer
            length = seconds if peer.has_batches else max(SLOW, seconds)
            try:
                rate = self._workers[peer.name].measure(size, length)
            except Lost as error:
                self._leave_out(peer, error)
            else:
                rates.by_size[size].append(rate)

    def _leave_out(self, peer: Peer, error: Lost) -> None:
        self.left_out[peer.name] = str(error)
        self.found = [rates for rates in self.found if rates.peer is not peer]


def set_up(folder: Path, tell: Callable[[str], None]) -> Mapping[str, str]:
    """Makes every environment that is not there yet; gives the reasons why some cannot be made, by
    the names of the peers that they are for."""
    folder.mkdir(parents=True, exist_ok=True)
    failed = {}
    for name, environment in ENVIRONMENTS.items():
        tell(f"setting up {name}")
        try:
            environment.make(folder)
        except CannotMake as error:
            failed.update({peer.name: str(error) for peer in PEERS if peer.package == name})
    return failed
