"""What the page does, without the page: its requests, by Starlette's test client."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import domino_env
from domino_env.play.room import Room
from domino_env.play.saved_games import Shelf
from domino_env.play.server import application
from tests.served import must_hide

TOKEN, PORT = "the token", 4321
LONGEST = 3000  # requests that no game needs


class Page:
    """What the page does, without the page; every answer is searched for hidden tiles."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.client = TestClient(
            application(room, PORT, TOKEN),
            base_url=f"http://127.0.0.1:{PORT}",
            headers={"x-domino-token": TOKEN},
        )
        self.state: dict[str, Any] = {"version": room.version}

    def ask(self, path: str, wish: dict[str, Any] | None = None, status: int = 200) -> Any:
        if wish is None:
            answer = self.client.get(f"/api/{path}")
        else:
            answer = self.client.post(f"/api/{path}", json=wish)
        assert answer.status_code == status, answer.text[:300]
        must_hide(self.room, answer.text)
        return answer.json()

    def look(self) -> Any:
        self.state = self.ask("state")
        return self.state

    def tell(self, deed: str, status: int = 200, **wish: Any) -> Any:
        told = self.ask(deed, {"version": self.state["version"], **wish}, status)
        if status == 200:
            self.state = told
        return told

    def actions(self) -> list[int]:
        plays = [each["action"] for pick in self.state["picks"] for each in pick["goes"]]
        return sorted({*plays, *(extra["action"] for extra in self.state["extras"])})

    def wait(self) -> None:
        """Until it is for the person to go on."""
        while not self.actions() and not self.state["result"]:
            self.state = self.ask(f"state?after={self.state['version']}")
            assert not self.room.table or not self.room.table.trouble

    def play_on(self, chance: random.Random, most: int = LONGEST) -> int:
        """Plays at random to the end, or for so many decisions; how many there were."""
        for decisions in range(most):
            self.wait()
            if self.state["result"] and self.state["result"]["over"]:
                return decisions
            if self.state["can"]["next"]:
                self.tell("next")
            else:
                self.tell("act", action=chance.choice(self.actions()))
        return most


def opened_page(tmp_path: Path) -> Iterator[Page]:
    """A page and its room, until they are no longer used."""
    room = Room(Shelf(tmp_path))
    opened = Page(room)
    with opened.client:  # one event loop for all its requests
        yield opened
    room.close()


def against(game: str) -> list[str]:
    return ["greedy_pip"] if domino_env.rules(game).has_opponents else []


def begin(page: Page, game: str, **wish: Any) -> None:
    seat = wish.pop("seat", 0)
    page.tell("begin", game=game, against=wish.pop("against", against(game)), seat=seat, **wish)
