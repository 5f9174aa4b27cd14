"""The HTTP server of the page: its files, and the JSON API that docs/playing.md describes.

Starlette and uvicorn: small, settled, well maintained, and no more than is needed: a few routes,
and a server that can hold many requests open.

    GET  /api/state?after=VERSION[&viewer=SEAT][&aspect=WIDTH/HEIGHT]
                                                  the state, once it is newer than that version
    GET  /api/games                               the games and agents, and the saved games
    GET  /api/compiling                           is anything being compiled?
    POST /api/hint {"version": 3}                 what each legal move is worth
    POST /api/act {"version": 3, "action": 17}    and the other OPERATIONS; the answer is the state
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
from domino_env.play.connection_timeouts import TimedProtocol
from domino_env.play.game_host import GameHost, Stale
from domino_env.play.guard import Guard
from domino_env.play.setup import make_setup, offered
from domino_env.render.fold import ASPECT

PAGE = Path(__file__).parent / "page"
POLL_SECONDS = 25.0  # that a request for the state is held open
MAX_ERROR_LENGTH = 2000  # characters
NUMBER = re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?", re.ASCII)
Body = dict[str, Any]  # of a request


class Server:
    """Serves the page and the API of a host.

    Args:
        host: what runs the game.
        port: to listen on; 0: any that is free.
        token: what every request must carry; by default one that nobody can guess.
    """

    def __init__(self, host: GameHost, port: int = 0, token: str | None = None) -> None:
        self.host = host
        self.token = token or secrets.token_urlsafe(24)
        self._socket = listen(port)
        self.port = int(self._socket.getsockname()[1])
        config = uvicorn.Config(
            application(host, self.port, self.token),
            log_config=None,  # logging belongs to the program that serves the page
            log_level="error",
            access_log=False,
            server_header=False,
            ws="none",
            http=TimedProtocol,
            limit_concurrency=64,
            timeout_graceful_shutdown=2,
        )
        self._serving = _Serving(config, host)

    @property
    def address(self) -> str:
        """The URL to open. The token is behind a #, which browsers do not send."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"

    def run(self, browser: bool = True) -> None:
        """Serves until Ctrl-C or `stop`."""
        if browser:
            threading.Thread(target=webbrowser.open, args=[self.address], daemon=True).start()
        with suppress(KeyboardInterrupt):
            self._serving.run([self._socket])

    def stop(self) -> None:
        """Stops the server, from another thread."""
        self._serving.should_exit = True
        self.host.close()

    def close(self) -> None:
        """Frees the port."""
        self._socket.close()


class _Serving(uvicorn.Server):
    """Closes the host first, so that no request is held open when it stops."""

    def __init__(self, config: uvicorn.Config, host: GameHost) -> None:
        super().__init__(config)
        self._host = host

    def handle_exit(self, sig: int, frame: Any) -> None:
        """What Ctrl-C does."""
        super().handle_exit(sig, frame)
        threading.Thread(target=self._host.close).start()  # a handler must not wait for a lock


def listen(port: int) -> socket.socket:
    """A socket on the loopback interface, which no other machine can reach. It names TCP as its
    protocol: only then does asyncio turn off Nagle's algorithm, which delays answers by 40 ms."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(("127.0.0.1", port))
        opened.listen()
    except (OSError, OverflowError) as error:
        opened.close()
        raise BadOption(f"port {port} cannot be used: {error}") from error
    return opened


def application(host: GameHost, port: int, token: str) -> ASGIApp:
    """The routes, behind the guard."""
    operations = [
        Route(f"/api/{name}", _operation(host, name), methods=["POST"]) for name in OPERATIONS
    ]
    routes = [
        Route("/", lambda _: FileResponse(PAGE / "index.html")),
        Route("/api/state", _state(host)),
        Route("/api/games", _games(host)),
        Route("/api/compiling", lambda _: JSONResponse({"compiling": compiling.now})),
        Route("/api/hint", _hint(host), methods=["POST"]),
        *operations,
        Mount("/page", StaticFiles(directory=PAGE)),
    ]
    return Guard(Starlette(routes=routes), port, token)


# Questions ---------------------------------------------------------------------------------------


def _state(host: GameHost) -> Callable[[Request], Any]:
    async def state(request: Request) -> Response:
        after = whole_of(request.query_params.get("after", ""))
        if after is not None:
            await _newer(host, after, POLL_SECONDS)
        return _answer(lambda: views.view(host, **_view_options(request)))

    return state


async def _newer(host: GameHost, version: int, seconds: float) -> None:
    """Waits until there is something newer than a version, for so long at most."""
    loop, heard = asyncio.get_running_loop(), asyncio.Event()

    def hear() -> None:
        loop.call_soon_threadsafe(heard.set)

    with host.listening(hear):
        if host.version == version and not host.closed:
            with suppress(TimeoutError):
                await asyncio.wait_for(heard.wait(), seconds)


def _view_options(request: Request) -> Body:
    """Whose view is asked for, and the aspect ratio of the box that the table is drawn for."""
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


def _games(host: GameHost) -> Callable[[Request], Any]:
    async def games(request: Request) -> Response:
        return await run_in_threadpool(_answer, lambda: views.games_view(host))

    return games


def _hint(host: GameHost) -> Callable[[Request], Any]:
    async def hint(request: Request) -> Response:
        def found() -> Any:
            host.require_version(_whole(body, "version"))
            return views.hint_view(host.hint())

        try:
            body = await _body(request)
        except DominoError as error:
            return _refusal(error)
        return await run_in_threadpool(_answer, found)

    return hint


# Operations --------------------------------------------------------------------------------------


def _operation(host: GameHost, name: str) -> Callable[[Request], Any]:
    """The handler of an operation; it answers with the state afterwards."""
    do = OPERATIONS[name]

    async def operation(request: Request) -> Response:
        def versioned() -> Any:
            with host.condition:
                host.require_version(_whole(body, "version"))
                return unversioned()

        def unversioned() -> Any:
            do(host, body)
            return views.view(host, **options)

        try:
            body, options = await _body(request), _view_options(request)
        except DominoError as error:
            return _refusal(error)
        if name in VERSIONED:
            return _answer(versioned)
        return await run_in_threadpool(_answer, unversioned)

    return operation


def _answer(result: Callable[[], Any]) -> Response:
    """The result as JSON, or the error."""
    try:
        return JSONResponse(result())
    except Stale as error:
        return _refusal(error, 409)
    except DominoError as error:
        return _refusal(error)


def _refusal(error: Exception, status: int = 400) -> Response:
    """The error as JSON. Half a character (a lone surrogate), as JSON can write one, is escaped."""
    message = str(error).encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"error": message[:MAX_ERROR_LENGTH]}, status)


async def _body(request: Request) -> Body:
    """The body of a request: a JSON object."""
    try:
        body = await request.json()
    except ClientDisconnect as error:
        raise BadOption("the request is too long") from error
    except (ValueError, RecursionError) as error:
        raise BadOption("the request is not valid JSON") from error
    if not isinstance(body, dict):
        raise BadOption("the request must be a JSON object")
    return body


def _whole(body: Body, name: str) -> int:
    if not is_whole(body.get(name)):
        raise BadOption(f"{name!r} must be a whole number")
    return int(body[name])


def _text(body: Body, name: str) -> str:
    if not isinstance(body.get(name), str):
        raise BadOption(f"{name!r} must be a string")
    return str(body[name])


def _begin(host: GameHost, body: Body) -> None:
    """Begins a new game, against agents offered for it or named on the command line."""
    game, against = _text(body, "game"), body.get("against", [])
    if not isinstance(against, list) or not all(isinstance(name, str) for name in against):
        raise BadOption("'against' must be a list of agents")
    known = {*offered(domino_env.rules(game)), *host.extra_agents}
    for name in against:  # before anything is done about its options, which may name files
        if name not in known:
            raise BadOption(f"{name!r} is not offered here; these are: {', '.join(sorted(known))}")
    setup = make_setup(
        game,
        num_players=None if body.get("num_players") is None else _whole(body, "num_players"),
        seat=None if body.get("seat") is None else _whole(body, "seat"),
        against=against,
        changes={"set": _text(body, "set")} if body.get("set") else {},
        match=body.get("match") is True,
        calls="explicit" if body.get("calls") is True else "automatic",
    )
    host.begin(setup)


def _open(host: GameHost, body: Body) -> None:
    """Opens a saved game: an unfinished one is resumed, one that is over is stepped through."""
    if host.saved_games is None:
        raise BadOption("no games are saved here")
    saved = host.saved_games.load(_text(body, "file"))
    if saved.can_resume:
        host.resume(saved)
    else:
        host.open(saved.record)


def _watch(host: GameHost, body: Body) -> None:
    """Lets the agents play on, pause, or make one decision."""
    steps = {"go": float("inf"), "pause": 0.0, "step": 1.0}
    how = _text(body, "how")
    if how not in steps:
        raise BadOption(f"'how' must be go, pause or step, not {how!r}")
    host.watch(steps[how])


OPERATIONS: dict[str, Callable[[GameHost, Body], None]] = {
    "act": lambda host, body: host.act(_whole(body, "action")),
    "begin": _begin,
    "deal": lambda host, _: host.deal(),
    "open": _open,
    "leave": lambda host, _: host.leave(),
    "next": lambda host, _: host.next_round(),
    "seek": lambda host, body: host.seek(_whole(body, "at")),
    "undo": lambda host, _: host.undo(),
    "watch": _watch,
}
VERSIONED = ("act", "next", "undo")
"""Operations that need the latest version: they mean something else once an agent has moved. The
others run in a thread of the pool: they may take long, since a new agent has to be compiled."""
