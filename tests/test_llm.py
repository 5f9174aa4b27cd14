"""The agent `llm`, against an endpoint on this machine: what is asked, how answers are read, and
what a model's faults and an endpoint's cost."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, text
from domino_env.agents.language import endpoint
from domino_env.agents.language.usage import Usage
from domino_env.agents.llm import NoLegalMove
from domino_env.errors import BadOption
from domino_env.evaluate.tournament import TournamentSettings, play_tournament
from domino_env.evaluate.watchdog import Watchdog

Answer = Callable[[dict[str, Any]], Any]


def first_legal(body: dict[str, Any]) -> str:
    """A model that plays the first move of the list, or gives the first answer."""
    told = body["messages"][0]["content"].splitlines()
    if told[-1].startswith("Answer "):
        return str(told[-1].split()[1])
    return str(told[told.index("Legal moves:") + 1])


@dataclass
class Server:
    """A chat endpoint on this machine."""

    url: str = ""
    answer: Answer = first_legal
    status: list[int] = field(default_factory=list)
    """Of the next responses; 200 of all after them."""
    finish: str = "stop"
    seen: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def respond(self, body: dict[str, Any]) -> tuple[int, Any]:
        """The status and the body of a response."""
        self.seen.append(body)
        status = self.status.pop(0) if self.status else 200
        message = {"role": "assistant", "content": self.answer(body)}
        usage = {"prompt_tokens": 100, "completion_tokens": 7}
        choice = {"message": message, "finish_reason": self.finish}
        told = {"choices": [choice], "usage": usage}
        return status, told if status == 200 else {"error": "no: s3cret"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A running endpoint; requests that failed are repeated at once."""
    monkeypatch.setattr(endpoint, "wait", lambda seconds: None)
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.paths.append(self.path)
            told.headers.append(dict(self.headers))
            status, found = told.respond(body)
            content = found if isinstance(found, bytes) else json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{running.server_port}/v1"
    yield told
    running.shutdown()
    running.server_close()
    thread.join()


def game(name: str = "block_draw") -> Any:
    batch = domino_env.batch(name, 2, 2, seed=0, autoreset=False)
    batch.reset()
    return batch


def llm(server: Server, **options: Any) -> Any:
    return agents.make("llm", base_url=server.url, model="mini", **options)


def test_it_is_asked_with_a_prompt_and_moves_as_it_answers(server: Server) -> None:
    batch, agent = game(), llm(server, temperature=0.5, max_tokens=99)
    actions = agent.act(batch, np.arange(2))
    assert actions.tolist() == [min(batch.position(lane).legal_actions) for lane in range(2)]
    assert server.paths == ["/v1/chat/completions"] * 2
    assert server.seen[0] == {
        "model": "mini",
        "max_tokens": 99,
        "stream": False,
        "temperature": 0.5,
        "messages": [{"role": "user", "content": text.prompt(batch, 0)}],
    }
    assert "Authorization" not in server.headers[0]
    assert (agent.usage.requests, agent.usage.prompt_tokens) == (2, 200)
    assert agent.usage.completion_tokens == 14
    assert agent.usage.seconds > 0
    assert "temperature" not in llm(server)._endpoint._body
    assert "model='mini'" in repr(agent)


def test_a_refused_answer_is_asked_for_again_with_the_reason(server: Server) -> None:
    server.answer = lambda body: "[9|9]" if len(body["messages"]) == 1 else first_legal(body)
    batch, agent = game(), llm(server)
    agent.act(batch, np.arange(1))
    question, answer, refusal = server.seen[1]["messages"]
    assert question == server.seen[0]["messages"][0]
    assert answer == {"role": "assistant", "content": "[9|9]"}
    assert "refused: there is no tile 9|9 in this game." in refusal["content"]
    assert (agent.usage.retries, agent.usage.forfeits, agent.usage.requests) == (1, 0, 2)


@pytest.mark.parametrize("said", ["pass the salt", None, "", [{"type": "text", "text": "hm"}]])
def test_it_gives_up_after_its_retries(server: Server, said: Any) -> None:
    server.answer = lambda body: said
    agent = llm(server, retries=1)
    with pytest.raises(NoLegalMove, match="no legal move in 2 answers; of the last: "):
        agent.act(game(), np.arange(1))
    assert (agent.usage.retries, agent.usage.forfeits, agent.usage.requests) == (1, 1, 2)
    assert agent.usage.failures == 0


def test_an_answer_that_is_cut_off_is_not_read(server: Server) -> None:
    server.finish = "length"
    with pytest.raises(NoLegalMove, match="cut off at max_tokens"):
        llm(server).act(game(), np.arange(1))


def test_answers_in_parts_are_read(server: Server) -> None:
    server.answer = lambda body: [{"type": "text", "text": first_legal(body)}]
    assert llm(server).act(game(), np.arange(1)).shape == (1,)


def test_a_request_that_fails_is_repeated_and_counted_apart(server: Server) -> None:
    server.status = [503, 429]
    agent = llm(server)
    agent.act(game(), np.arange(1))
    usage = agent.usage
    assert (usage.failures, usage.retries, usage.forfeits, usage.requests) == (2, 0, 0, 3)


@pytest.mark.parametrize(("status", "asked"), [(401, 1), (404, 1), (302, 1), (500, 3)])
def test_a_failing_endpoint_is_no_answer_of_the_model(
    server: Server, status: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "s3cret")
    server.status = [status] * 9
    agent = llm(server, api_key_env="MY_KEY")
    with pytest.raises(endpoint.EndpointFailed, match=f"status {status}") as failed:
        agent.act(game(), np.arange(1))
    assert len(server.seen) == agent.usage.failures == asked
    assert agent.usage.forfeits == 0
    assert server.headers[0]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in f"{failed.value} {agent!r}"
    assert set(server.paths) == {"/v1/chat/completions"}  # no redirect is followed


@pytest.mark.parametrize("body", [b"<html>", b"{}", b'{"choices": []}', b"[1]"])
def test_what_is_no_chat_endpoint_is_said(server: Server, body: bytes) -> None:
    server.respond = lambda _: (200, body)  # type: ignore[method-assign]
    with pytest.raises(endpoint.EndpointFailed, match="not the answer of a chat endpoint"):
        llm(server).act(game(), np.arange(1))


def test_nothing_goes_by_a_proxy_of_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    llm(server).act(game(), np.arange(1))
    assert len(server.seen) == 1


def test_an_endpoint_that_is_not_there_is_said(server: Server) -> None:
    agent = agents.make("llm", base_url="http://127.0.0.1:1/v1", model="mini", retries=1)
    with pytest.raises(endpoint.EndpointFailed, match="ConnectionRefusedError"):
        agent.act(game(), np.arange(1))
    assert agent.usage.failures == 2
    assert not server.seen


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "must be given base_url, model"),
        ({"base_url": "http://h/v1"}, "must be given model"),
        ({"base_url": "ftp://h", "model": "m"}, "base_url is the address"),
        ({"base_url": "http://user:key@h/v1", "model": "m"}, "without a key"),
        ({"base_url": 5, "model": "m"}, "base_url is the address"),
        ({"base_url": "http://h:99999", "model": "m"}, "base_url is the address"),
        ({"base_url": "http://h", "model": ""}, "model is what"),
        ({"base_url": "http://h", "model": "m", "temperature": float("nan")}, "temperature"),
        ({"base_url": "http://h", "model": "m", "retries": -1}, "retries must be"),
        ({"base_url": "http://h", "model": "m", "timeout": 0}, "timeout is"),
        ({"base_url": "http://h", "model": "m", "max_tokens": 0}, "max_tokens must be"),
        ({"base_url": "http://h", "model": "m", "api_key_env": "NO_SUCH_KEY"}, "'NO_SUCH_KEY'"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        agents.make("llm", **options)


def test_a_key_that_is_no_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "abc\ndef")
    with pytest.raises(BadOption) as refused:
        agents.make("llm", base_url="http://h", model="m", api_key_env="MY_KEY")
    assert "abc" not in str(refused.value)


def test_it_is_not_among_the_agents_that_play_as_they_are() -> None:
    assert "llm" not in agents.names()
    assert agents.names_with_options() == ["engine", "llm"]
    assert not agents.is_ours(agents.found("llm"))


def settings(server: Server, out: Path | None = None, **options: Any) -> TournamentSettings:
    entrant = {"agent": "llm", "base_url": server.url, "model": "mini", "name": "mini", **options}
    plain: Any = ("random", entrant)
    return TournamentSettings(games=("block_draw",), agents=plain, deals=2, threads=1)


def test_a_tournament_counts_what_a_model_has_cost(server: Server) -> None:
    results = play_tournament(settings(server))
    (count,) = results.usage
    assert (count.agent, count.game) == ("mini", "block_draw")
    asked = len(server.seen) - 1  # one before it begins
    assert count.usage.requests == asked > 4
    assert count.usage.prompt_tokens == 100 * asked
    assert count.usage.forfeits == count.usage.retries == 0
    assert not results.forfeits
    (standing,) = results.standings
    assert standing.reversed.usage == standing.usage[::-1]


def test_a_model_that_names_no_legal_move_forfeits_its_games(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from domino_env.evaluate import report

    server.answer = lambda body: "resign"
    results = play_tournament(settings(server, retries=1))
    (lost,) = results.forfeits
    assert (lost.agent, lost.forfeited, lost.games) == ("mini", 4, 4)
    assert "no legal move in 2 answers" in lost.why
    (count,) = results.usage
    assert (count.usage.forfeits, count.usage.retries) == (4, 4)
    assert "forfeits its first game" in capsys.readouterr().err
    report.write(results, tmp_path, 1.0)
    figures = json.loads((tmp_path / report.FIGURES).read_text())
    assert figures["usage"][0]["usage"]["requests"] == 8
    assert "## Language models" in (tmp_path / report.MARKDOWN).read_text()


def test_a_journal_keeps_what_a_model_has_cost(server: Server, tmp_path: Path) -> None:
    from domino_env.evaluate.journal import Journal

    chosen = settings(server)
    journal = Journal(tmp_path, chosen, resumed=False)
    first = play_tournament(chosen, journal=journal)
    journal.close()
    again = Journal(tmp_path, chosen, resumed=True)
    asked = len(server.seen)
    assert play_tournament(chosen, journal=again).usage == first.usage
    again.close()
    assert len(server.seen) == asked + 1  # the question before a tournament


def test_counts_can_be_added_and_told() -> None:
    both = Usage(requests=2, retries=1) + Usage(requests=3, seconds=1.5)
    assert both == Usage(requests=5, retries=1, seconds=1.5)
    assert not Usage()
    assert str(both).startswith("5 requests, 0 failures, 1 retries, 0 forfeits, 0 prompt tokens")


def test_a_model_that_hangs_is_given_up_and_what_it_cost_is_kept(server: Server) -> None:
    released = threading.Event()
    watchdog = Watchdog(lambda: llm(server), 2.0)
    assert not watchdog.ask(game(), np.arange(1)).hung
    server.answer = lambda body: str(released.wait(20))
    answer = watchdog.ask(game(), np.arange(1))
    released.set()
    watchdog.close()
    assert answer.hung
    assert watchdog.usage.requests == 1
