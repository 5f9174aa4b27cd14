"""What the page does, without the page: its requests, by Starlette's test client."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import domino_env
from domino_env.play.game_host import GameHost
from domino_env.play.saved_games import SavedGames
from domino_env.play.server import application
from tests.served import must_hide

TOKEN, PORT = "the token", 4321
LONGEST = 3000  # requests that no game needs


class Page:
    """What the page does, without the page; every answer is searched for hidden tiles."""

    def __init__(self, host: GameHost) -> None:
        self.host = host
        self.client = TestClient(
            application(host, PORT, TOKEN),
            base_url=f"http://127.0.0.1:{PORT}",
            headers={"x-domino-token": TOKEN},
        )
        self.state: dict[str, Any] = {"version": host.version}

    def ask(self, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
        if body is None:
            answer = self.client.get(f"/api/{path}")
        else:
            answer = self.client.post(f"/api/{path}", json=body)
        assert answer.status_code == status, answer.text[:300]
        must_hide(self.host, answer.text)
        return answer.json()

    def look(self) -> Any:
        self.state = self.ask("state")
        return self.state

    def send(self, operation: str, status: int = 200, **body: Any) -> Any:
        answer = self.ask(operation, {"version": self.state["version"], **body}, status)
        if status == 200:
            self.state = answer
        return answer

    def actions(self) -> list[int]:
        plays = [each["action"] for pick in self.state["picks"] for each in pick["targets"]]
        return sorted({*plays, *(extra["action"] for extra in self.state["extras"])})

    def wait(self) -> None:
        """Until it is the person's turn."""
        while not self.actions() and not self.state["result"]:
            self.state = self.ask(f"state?after={self.state['version']}")
            assert not self.host.game or not self.host.game.error

    def play_on(self, chance: random.Random, most: int = LONGEST) -> int:
        """Plays at random to the end, or for so many decisions; how many there were."""
        for decisions in range(most):
            self.wait()
            if self.state["result"] and self.state["result"]["over"]:
                return decisions
            if self.state["can"]["next"]:
                self.send("next")
            else:
                self.send("act", action=chance.choice(self.actions()))
        return most


def opened_page(tmp_path: Path) -> Iterator[Page]:
    """A page and its host, until they are no longer used."""
    host = GameHost(SavedGames(tmp_path))
    opened = Page(host)
    with opened.client:  # one event loop for all its requests
        yield opened
    host.close()


def against(game: str) -> list[str]:
    return ["greedy_pip"] if domino_env.rules(game).has_opponents else []


def begin(page: Page, game: str, **body: Any) -> None:
    seat = body.pop("seat", 0)
    page.send("begin", game=game, against=body.pop("against", against(game)), seat=seat, **body)
