"""Timeouts for connections that send no request, so that they cannot lock the page out.

HTTP lets a client open a connection and never use it, or send its request byte by byte. Here a
request must be complete some seconds after its connection was ready for it, and when many
connections are open the one that has been idle the longest is closed for a new one.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0  # in which a request must be complete
MAX_OPEN = 48  # connections; more only if all of them are being answered


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with a deadline for each request."""

    def connection_made(self, transport: Any) -> None:
        """A client has connected."""
        self._deadline: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        waiting = [other for other in _in_order(self.connections) if other.waits]
        for other in waiting[: max(0, len(self.connections) - MAX_OPEN)]:
            other.hang_up()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._wait_no_more()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """An answer is complete: the next request may come."""
        self._wait()
        super().on_response_complete()

    @property
    def waits(self) -> bool:
        """Is the client to send something? A complete request is ours to answer."""
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def hang_up(self) -> None:
        """Closes the connection at once, without sending what is left."""
        self._wait_no_more()
        self.connections.discard(self)
        self.transport.abort()

    def _wait(self) -> None:
        self._wait_no_more()
        self.since = self.loop.time()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._late)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        self._deadline = None
        if self.waits:
            self.hang_up()


def _in_order(connections: Any) -> list[TimedProtocol]:
    """Connections, the one that has waited the longest first."""
    known = [
        each for each in connections if isinstance(each, TimedProtocol) and hasattr(each, "since")
    ]
    return sorted(known, key=lambda each: each.since)
