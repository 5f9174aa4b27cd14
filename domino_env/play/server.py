"""The server: the page, and what it asks for and does, as JSON.

Starlette and uvicorn: small, old enough to be settled, kept by people who keep the web running, and
no more than is needed: a few routes, and a server that can answer many who wait.

    GET  /api/state?after=VERSION[&viewer=SEAT][&aspect=WIDTH/HEIGHT]
                                                  what there is to see, once it is newer than that
    GET  /api/busy                                is anything being compiled?
    GET  /api/start                               what can be played
    POST /api/act {"version": 3, "action": 17}    and the other deeds below; the answer is the state
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

import domino_env
from domino_env.errors import BadOption, DominoError, is_whole
from domino_env.plain import whole_of
from domino_env.play import views
from domino_env.play.compile_watch import compiling
from domino_env.play.connection_timeouts import Patient
from domino_env.play.guard import Guard
from domino_env.play.room import Room, Stale
from domino_env.play.setup import make_plan, offered
from domino_env.render.fold import ASPECT

PAGE = Path(__file__).parent / "page"
PATIENCE = 25.0  # seconds that a request waits for news
MOST_SAID = 2000  # letters of an error
NUMBER = re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?", re.ASCII)
Wish = dict[str, Any]


class Server:
    """A room with a door to it.

    Args:
        room: where the games are.
        port: to listen on; 0: any that is free.
        token: that every request must carry; by default one that nobody can guess.
    """

    def __init__(self, room: Room, port: int = 0, token: str | None = None) -> None:
        self.room = room
        self.token = token or secrets.token_urlsafe(24)
        self._socket = listen(port)
        self.port = int(self._socket.getsockname()[1])
        config = uvicorn.Config(
            application(room, self.port, self.token),
            log_level="error",
            access_log=False,
            server_header=False,
            ws="none",
            http=Patient,
            limit_concurrency=64,
            timeout_graceful_shutdown=2,
        )
        self._serving = _Serving(config, room)

    @property
    def address(self) -> str:
        """Where to look; the token is behind a #, which browsers keep to themselves."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"

    def run(self, browser: bool = True) -> None:
        """Serves until it is told to stop, by Ctrl-C or by `stop`."""
        if browser:
            threading.Thread(target=webbrowser.open, args=[self.address], daemon=True).start()
        with suppress(KeyboardInterrupt):
            self._serving.run([self._socket])

    def stop(self) -> None:
        """Ends the serving, from another thread."""
        self._serving.should_exit = True
        self.room.close()

    def close(self) -> None:
        """Gives the port back."""
        self._socket.close()


class _Serving(uvicorn.Server):
    """Lets nobody wait for news when it is told to stop."""

    def __init__(self, config: uvicorn.Config, room: Room) -> None:
        super().__init__(config)
        self._room = room

    def handle_exit(self, sig: int, frame: Any) -> None:
        """What happens at Ctrl-C."""
        super().handle_exit(sig, frame)
        threading.Thread(target=self._room.close).start()  # a handler must not wait for a lock


def listen(port: int) -> socket.socket:
    """A socket on the loopback interface, which no other machine can reach. It says that it speaks
    TCP: else asyncio lets answers be held back for 40 ms (Nagle's algorithm)."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(("127.0.0.1", port))
        opened.listen()
    except (OSError, OverflowError) as error:
        opened.close()
        raise BadOption(f"port {port} cannot be used: {error}") from error
    return opened


def application(room: Room, port: int, token: str) -> ASGIApp:
    """The routes, behind the guard."""
    deeds = [Route(f"/api/{name}", _deed(room, name), methods=["POST"]) for name in DEEDS]
    routes = [
        Route("/", lambda _: FileResponse(PAGE / "index.html")),
        Route("/api/state", _state(room)),
        Route("/api/start", _start(room)),
        Route("/api/busy", lambda _: JSONResponse({"compiling": compiling.now})),
        Route("/api/hint", _hint(room), methods=["POST"]),
        *deeds,
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    return Guard(Starlette(routes=routes), port, token)


# What is asked for -------------------------------------------------------------------------------


def _state(room: Room) -> Callable[[Request], Any]:
    async def state(request: Request) -> Response:
        after = whole_of(request.query_params.get("after", ""))
        if after is not None:
            await _news(room, after, PATIENCE)
        return _answer(lambda: views.view(room, **_looks(request)))

    return state


async def _news(room: Room, version: int, seconds: float) -> None:
    """Waits until there is something newer than a version, for so long at the most."""
    loop, heard = asyncio.get_running_loop(), asyncio.Event()

    def hear() -> None:
        loop.call_soon_threadsafe(heard.set)

    with room.listening(hear):
        if room.version == version and not room.closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(heard.wait(), seconds)


def _looks(request: Request) -> Wish:
    """Who looks, and at a table of what shape."""
    return {"viewer": _viewer(request), "aspect": _aspect(request)}


def _aspect(request: Request) -> float:
    asked = request.query_params.get("aspect", str(ASPECT))
    if not NUMBER.fullmatch(asked) or not 0.2 <= float(asked) <= 8:
        raise BadOption(f"'aspect' is a number from 0.2 to 8, like 1.6, not {asked[:20]!r}")
    return float(asked)


def _viewer(request: Request) -> int | str | None:
    asked = request.query_params.get("viewer")
    seat = None if asked is None else whole_of(asked)
    return asked if seat is None else seat


def _start(room: Room) -> Callable[[Request], Any]:
    async def start(request: Request) -> Response:
        return await run_in_threadpool(_answer, lambda: views.start_view(room))

    return start


def _hint(room: Room) -> Callable[[Request], Any]:
    async def hint(request: Request) -> Response:
        def found() -> Any:
            room.must_be(_whole(wish, "version"))
            return views.hint_view(room.hint())

        try:
            wish = await _wish(request)
        except DominoError as error:
            return _refusal(error)
        return await run_in_threadpool(_answer, found)

    return hint


# What is done ------------------------------------------------------------------------------------


def _deed(room: Room, name: str) -> Callable[[Request], Any]:
    """A deed; the answer is how it stands then."""
    do = DEEDS[name]

    async def deed(request: Request) -> Response:
        def hasty() -> Any:
            with room.news:
                room.must_be(_whole(wish, "version"))
                do(room, wish)
                return views.view(room, **looks)

        def done() -> Any:
            do(room, wish)
            return views.view(room, **looks)

        try:
            wish, looks = await _wish(request), _looks(request)
        except DominoError as error:
            return _refusal(error)
        if name in HASTY:
            return _answer(hasty)
        return await run_in_threadpool(_answer, done)

    return deed


def _answer(told: Callable[[], Any]) -> Response:
    """An answer, or why there is none."""
    try:
        return JSONResponse(told())
    except Stale as error:
        return _refusal(error, 409)
    except DominoError as error:
        return _refusal(error)


def _refusal(error: Exception, status: int = 400) -> Response:
    """Why there is no answer. Half a character, as JSON can write one, has no place in it."""
    told = str(error).encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"error": told[:MOST_SAID]}, status)


async def _wish(request: Request) -> Wish:
    """What a request says: a mapping, in JSON."""
    try:
        wish = await request.json()
    except ClientDisconnect as error:
        raise BadOption("the request is too long") from error
    except (ValueError, RecursionError) as error:
        raise BadOption("the request is not JSON") from error
    if not isinstance(wish, dict):
        raise BadOption("a request is a mapping")
    return wish


def _whole(wish: Wish, name: str) -> int:
    if not is_whole(wish.get(name)):
        raise BadOption(f"{name!r} must be a whole number")
    return int(wish[name])


def _text(wish: Wish, name: str) -> str:
    if not isinstance(wish.get(name), str):
        raise BadOption(f"{name!r} must be a text")
    return str(wish[name])


def _begin(room: Room, wish: Wish) -> None:
    """A new game, against agents that are offered, or that were named when the server began."""
    game, against = _text(wish, "game"), wish.get("against", [])
    if not isinstance(against, list) or not all(isinstance(name, str) for name in against):
        raise BadOption("'against' is a list of agents")
    known = {*offered(domino_env.rules(game)), *room.guests}
    for name in against:  # before anything is done about its options, which may name files
        if name not in known:
            raise BadOption(f"{name!r} is not offered here; these are: {', '.join(sorted(known))}")
    plan = make_plan(
        game,
        players=None if wish.get("players") is None else _whole(wish, "players"),
        seat=None if wish.get("seat") is None else _whole(wish, "seat"),
        against=against,
        changes={"set": _text(wish, "set")} if wish.get("set") else {},
        match=wish.get("match") is True,
        calls="explicit" if wish.get("calls") is True else "automatic",
    )
    room.begin(plan)


def _go_on(room: Room, wish: Wish) -> None:
    """A game of the shelf: one that was left is played on, one that is over is stepped through."""
    if room.shelf is None:
        raise BadOption("no games are kept here")
    kept = room.shelf.take(_text(wish, "file"))
    if kept.goes_on:
        room.go_on(kept)
    else:
        room.open(kept.record)


def _watch(room: Room, wish: Wish) -> None:
    """Agents play on, pause, or make one decision."""
    steps = {"go": float("inf"), "pause": 0.0, "step": 1.0}
    how = _text(wish, "how")
    if how not in steps:
        raise BadOption(f"'how' is go, pause or step, not {how!r}")
    room.watch(steps[how])


DEEDS: dict[str, Callable[[Room, Wish], None]] = {
    "act": lambda room, wish: room.act(_whole(wish, "action")),
    "begin": _begin,
    "deal": lambda room, _: room.deal(),
    "go_on": _go_on,
    "leave": lambda room, _: room.leave(),
    "next": lambda room, _: room.next_round(),
    "seek": lambda room, wish: room.seek(_whole(wish, "at")),
    "undo": lambda room, _: room.undo(),
    "watch": _watch,
}
HASTY = ("act", "next", "undo")
"""What is done only by somebody who has seen the latest, and at once. The others mean the same
whatever an agent has played meanwhile, and may take their time: a new agent has to be compiled."""
