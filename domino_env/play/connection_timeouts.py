"""Connections that do not get to the point: a page is never locked out by them.

A connection may be opened and never used, or bring its request letter by letter, and nothing in
HTTP forbids it. So a request has to be complete some seconds after its connection could bring it,
and where there are many connections the one that has waited the longest without a request makes
room for a new one.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds in which a request must have come
MOST_OPEN = 48  # connections; more only if all of them are being answered


class Patient(H11Protocol):
    """HTTP, for so long."""

    def connection_made(self, transport: Any) -> None:
        """Somebody has connected."""
        self._deadline: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        waiting = [other for other in _in_order(self.connections) if other.waits]
        for other in waiting[: max(0, len(self.connections) - MOST_OPEN)]:
            other.hang_up()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._wait_no_more()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """The next request may come."""
        self._wait()
        super().on_response_complete()

    @property
    def waits(self) -> bool:
        """Is it the turn of the other side? A request that has come whole is ours to answer."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def hang_up(self) -> None:
        """Ends the connection at once, and lets nobody wait for what is still to be sent."""
        self._wait_no_more()
        self.connections.discard(self)
        self.transport.abort()

    def _wait(self) -> None:
        self._wait_no_more()
        self.since = self.loop.time()
        self._deadline = self.loop.call_later(PATIENCE, self._late)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        self._deadline = None
        if self.waits:
            self.hang_up()


def _in_order(connections: Any) -> list[Patient]:
    """Connections, those first that have waited the longest."""
    known = [each for each in connections if isinstance(each, Patient) and hasattr(each, "since")]
    return sorted(known, key=lambda each: each.since)
