"""Who may ask the server of the page, how fast it answers, and what it refuses."""

from __future__ import annotations

import http.client
import random
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest
from starlette.testclient import TestClient

from domino_env.errors import DominoError
from domino_env.play import connection_timeouts, views
from domino_env.play import server as served
from domino_env.play.game_host import GameHost
from domino_env.play.guard import MAX_BODY_BYTES
from domino_env.play.server import PAGE, Server, listen
from domino_env.render.fold import ASPECT
from tests.pages import PORT, TOKEN, Page, begin
from tools.architecture import ROOT

# Who may ask -------------------------------------------------------------------------------------

ASKED = {"host": f"127.0.0.1:{PORT}", "x-domino-token": TOKEN}


@pytest.mark.parametrize(
    "changes",
    [
        {"x-domino-token": "another"},
        {"x-domino-token": ""},
        {"x-domino-token": "the tokén".encode()},
        {"host": f"dominoes.example:{PORT}"},
        {"host": "127.0.0.1"},
        {"host": f"127.0.0.1:{PORT + 1}"},
        {"host": f"[::1]:{PORT}"},
        {"origin": "https://dominoes.example"},
        {"origin": "null"},
        {"origin": f"http://localhost:{PORT}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_nobody_else_may_ask_or_do_anything(changes: dict[str, Any], page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    before = page.look()
    headers = {**ASKED, **changes}
    client = TestClient(page.client.app)
    for method, path in (("GET", "state"), ("GET", "games"), ("POST", "act"), ("POST", "deal")):
        body = {"version": before["version"], "action": page.actions()[0]}
        sent = {"json": body} if method == "POST" else {}
        answer = client.request(method, f"/api/{path}", headers=headers, **sent)
        assert answer.status_code == 403
        assert set(answer.json()) == {"error"}
    assert page.look() == before


def test_the_page_asks_by_either_name_of_this_machine(page: Page) -> None:
    client = TestClient(page.client.app)
    for name in ("127.0.0.1", "localhost"):
        headers = {**ASKED, "host": f"{name}:{PORT}", "origin": f"http://{name}:{PORT}"}
        assert client.get("/api/state", headers=headers).status_code == 200


def test_a_browser_is_told_to_let_nobody_in(page: Page) -> None:
    for path in ("/", "/page/play.js", "/page/play.css", "/api/state", "/nowhere"):
        headers = page.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"
        assert not [name for name in headers if name.startswith("access-control")]
    asked = {"origin": "https://dominoes.example", "access-control-request-method": "POST"}
    assert page.client.options("/api/act", headers=asked).status_code == 403
    assert page.client.options("/api/act").status_code == 405


def test_the_page_needs_nothing_from_elsewhere_and_has_nothing_inline() -> None:
    for file in PAGE.iterdir():
        text = file.read_text(encoding="utf-8")
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        if file.suffix == ".html":
            assert "<style" not in text
            assert " style=" not in text
            assert " on" not in "".join(part.split(">")[0] for part in text.split("<")[1:])


def test_requests_that_are_too_long_or_no_requests_are_refused(page: Page) -> None:
    begin(page, "block_draw")
    long = b'{"version": ' + b" " * MAX_BODY_BYTES + b"1}"
    json = {"content-type": "application/json"}
    assert page.client.post("/api/act", content=long, headers=json).status_code == 413
    assert page.client.post("/api/act", content=iter([long]), headers=json).status_code == 400
    deep = b"[" * 30000
    for content in (b"", b"{", b"[]", b"7", b"\xff\xfe", deep, b'{"version": NaN}'):
        assert page.client.post("/api/act", content=content, headers=json).status_code == 400
    assert page.client.post("/api/act", data={"version": "1"}).status_code == 415
    assert page.client.get("/api/act").status_code == 405
    assert page.client.get("/page/../server.py").status_code == 404
    assert page.client.get("/page/%2e%2e/server.py").status_code == 404
    assert page.look()["hand"]


def test_it_listens_on_this_machine_only() -> None:
    with listen(0) as opened:
        assert opened.getsockname()[0] == "127.0.0.1"
        with pytest.raises(DominoError, match="cannot be used"):
            listen(opened.getsockname()[1])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"game": "block_drew"}, "did you mean"),
        ({"game": 7}, "string"),
        ({"game": "block_draw", "num_players": 7}, "for 2 or 3 or 4 players"),
        ({"game": "block_draw", "seat": 2}, "from 0 to 1"),
        ({"game": "block_draw", "against": ["clairvoyant"]}, "not offered"),
        ({"game": "block_draw", "against": ["ppo file=/etc/passwd"]}, "not offered"),
        ({"game": "block_draw", "against": "random"}, "a list"),
        ({"game": "yourturnmyturn", "against": ["random", "random"]}, "not for 2"),
        ({"game": "knock_out", "against": ["pimc"]}, "not offered"),
        ({"game": "block_draw", "set": "double_7"}, "did you mean"),
        ({"game": "matador", "calls": True, "against": ["random"]}, "nothing to call"),
        ({"game": "knock_out", "match": True}, "not played in matches"),
    ],
)
def test_games_that_cannot_be_played_are_refused_with_the_reason(
    body: dict[str, Any], message: str, page: Page
) -> None:
    answer = page.send("begin", status=400, **{"seat": 0, "against": [], **body})
    assert message in answer["error"]
    assert page.look()["mode"] == "start"


# How fast it answers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "tiles"), [("five_up", "double_15"), ("fundomino", None), ("solitaire", None)]
)
def test_a_click_is_answered_within_fifty_milliseconds(
    game: str, tiles: str | None, page: Page
) -> None:
    begin(page, game, set=tiles)
    chance, taken = random.Random(9), []
    for _ in range(60):
        page.wait()
        if page.state["result"]:
            break
        body = {"version": page.state["version"], "action": chance.choice(page.actions())}
        began = time.perf_counter()
        answer = page.client.post("/api/act", json=body)
        taken.append(time.perf_counter() - began)
        page.state = answer.json()
    # Others may be at work on this machine: a slow server is slow every time.
    assert statistics.quantiles(taken)[0] < 0.05


def test_no_answer_is_held_back_on_its_way() -> None:
    host, taken = GameHost(), []
    server = Server(host)
    thread = threading.Thread(target=server.run, args=[False])
    thread.start()
    line = http.client.HTTPConnection("127.0.0.1", server.port)
    for _ in range(20):
        began = time.perf_counter()
        line.request("GET", "/api/state", headers={"X-Domino-Token": server.token})
        assert line.getresponse().read()
        taken.append(time.perf_counter() - began)
    line.close()
    server.stop()
    thread.join(timeout=30)
    server.close()
    assert min(taken) < 0.02


# Who connects and does not ask -------------------------------------------------------------------


@contextmanager
def serving() -> Iterator[Server]:
    host = GameHost()
    server = Server(host)
    thread = threading.Thread(target=server.run, args=[False])
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(timeout=30)
        server.close()


def asked(server: Server) -> int:
    """The status that a page is answered with, which has to come soon."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    with closing(line):
        line.request("GET", "/api/state", headers={"X-Domino-Token": server.token})
        return line.getresponse().status


HALF_OPEN = {
    "silent": b"",
    "slow headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
    "slow body": b"POST /api/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n{",
}


@pytest.mark.parametrize("message", HALF_OPEN.values(), ids=HALF_OPEN)
def test_connections_that_never_ask_lock_nobody_out(message: bytes) -> None:
    """Before, 64 of them were enough: everybody else was answered with 503."""
    with serving() as server, ExitStack() as stack:
        assert asked(server) == 200
        for _ in range(100):
            held = socket.create_connection(("127.0.0.1", server.port), timeout=5)
            stack.enter_context(closing(held))
            held.sendall(message)
        assert [asked(server) for _ in range(5)] == [200] * 5


def test_a_connection_that_brings_no_request_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_timeouts, "REQUEST_SECONDS", 0.2)
    with serving() as server:
        for message in HALF_OPEN.values():
            with closing(socket.create_connection(("127.0.0.1", server.port), timeout=20)) as held:
                held.sendall(message)
                answer = b""
                with suppress(ConnectionError):
                    while piece := held.recv(4096):  # an answer to the half that came, then the end
                        answer += piece
                assert b" 200 " not in answer


def test_who_waits_for_news_is_not_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that has come is ours to answer, however long that takes."""
    monkeypatch.setattr(connection_timeouts, "REQUEST_SECONDS", 0.2)
    monkeypatch.setattr(served, "POLL_SECONDS", 1.0)
    with serving() as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        with closing(line):
            path = f"/api/state?after={server.host.version}"
            line.request("GET", path, headers={"X-Domino-Token": server.token})
            assert line.getresponse().status == 200


# The shape of the table --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "aspect", ["", "0", "0.1", "99", "-1", "nan", "inf", "1e1", "²", "1" * 5000]
)
def test_a_table_of_no_sensible_shape_is_refused_in_one_line(aspect: str, page: Page) -> None:
    begin(page, "block_draw")
    page.wait()
    before = page.look()
    body = {"version": before["version"], "action": page.actions()[0]}
    answer = page.ask(f"act?aspect={aspect}", body, status=400)
    assert page.look() == before
    assert page.ask(f"state?aspect={aspect}", status=400) == answer
    assert answer["error"].startswith("'aspect' is a number from 0.2 to 8")
    assert "\n" not in answer["error"]
    assert len(answer["error"]) < 100


def test_the_shape_of_the_table_reaches_whoever_draws_it(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    drawn = views.compose

    def compose(position: Any, *, aspect: float, **how: Any) -> Any:
        asked.append(aspect)
        return drawn(position, **how)

    monkeypatch.setattr(views, "compose", compose)
    begin(page, "block_draw")
    page.wait()
    page.ask("state?aspect=0.8")
    action = page.actions()[0]
    page.ask("act?aspect=2.5", {"version": page.host.version, "action": action})
    assert asked[0] == ASPECT
    assert asked[-2:] == [0.8, 2.5]


# The description of the API ----------------------------------------------------------------------


def test_the_docs_describe_every_route_and_every_field(page: Page) -> None:
    text = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    api = text.partition("## The HTTP API")[2]
    for name in served.OPERATIONS:
        assert f"`POST /api/{name}`" in api
    for name in ("state", "games", "compiling"):
        assert f"`GET /api/{name}`" in api
    begin(page, "block_draw")
    page.wait()
    page.ask("act", {"version": page.host.version, "action": page.actions()[0]})  # saved by now
    games = page.ask("games")
    for part in (page.state, page.state["game"], page.state["seats"][0], games, games["games"][0]):
        for field in part:
            assert f"`{field}`" in api, field
    for field in games["saved"][0]:
        assert f"`{field}`" in api, field
