"""An engine without a process: it plays the first legal move, and keeps all that it is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domino_env.protocol import session

Choose = Callable[[dict[str, Any]], int]


def first_move(state: dict[str, Any]) -> int:
    return int(state["moves"][0]["id"])


class Recorded:
    """Stands in for `EngineProcess`."""

    def __init__(self, choose: Choose = first_move) -> None:
        self.sent: list[bytes] = []
        self.choose = choose
        self.end = self

    alive = True

    def __call__(self) -> None:
        """As the finalizer that it also stands in for."""

    def exchange(self, said: bytes, deadline: Any, most: int) -> Iterator[bytes]:
        self.sent.append(said)
        for line in said.splitlines():
            message = json.loads(line)
            if message["type"] == "hello":
                yield b'{"type":"hello","protocol":1,"name":"Recorded"}'
            elif message["type"] == "setup":
                yield b'{"type":"ready"}'
            elif message["type"] == "move":
                moves = [
                    {"game": each["game"], "id": self.choose(each)} for each in message["games"]
                ]
                answer = {"type": "move", "request": message["request"], "moves": moves}
                yield json.dumps(answer).encode()

    def quit(self) -> None:
        """There is nothing to end."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All that it was sent."""
        return [json.loads(line) for said in self.sent for line in said.splitlines()]

    @property
    def states(self) -> list[dict[str, Any]]:
        """The states of all requests."""
        requests = [each for each in self.messages if each["type"] == "move"]
        return [state for request in requests for state in request["games"]]


def record(monkeypatch: pytest.MonkeyPatch, choose: Choose = first_move) -> list[Recorded]:
    """Has engines started as these; the list has each that was."""
    started: list[Recorded] = []

    def start(command: Any, limits: Any) -> Recorded:
        started.append(Recorded(choose))
        return started[-1]

    monkeypatch.setattr(session, "EngineProcess", start)
    return started
