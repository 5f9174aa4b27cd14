"""Nothing: games of two and four seats against agents and in self-play, by a streaming endpoint

The endpoint is a server on this machine that answers by what it is sent and no more. Rewards are
those of the games, all rollouts of a task have one deal, and no seat is sent another's words.
"""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from verifiers.v1.cli.eval.main import main
from verifiers.v1.clients import EvalClientConfig, ModelContext

from domino_env import text
from domino_env.adapters.verifiers import DominoEnv, DominoTaskset
from domino_env.adapters.verifiers_moves import DominoMovesEnv
from domino_env.errors import BadOption
from tests.clients.answering import any_move, legal_in
from tests.clients.examples import examples

Record = Callable[[str, float | str], None]
Say = Callable[[list[dict[str, Any]]], str]
TASKSET = "domino-verifiers"
PLAYED = [
    ("block_draw", 2, "greedy_pip"),
    ("five_up", 4, "heuristic"),
    ("five_up", 2, "self"),
    ("fours", 4, "self"),
    ("fundomino", 4, "self"),
]
GAMES = 4  # of each


def any_answer(messages: list[dict[str, Any]]) -> str:
    """A legal move, by the last prompt."""
    return any_move(messages[-1]["content"])


@dataclass
class Endpoint:
    """A chat endpoint that streams."""

    url: str = ""
    say: Say = any_answer
    heard: list[list[dict[str, Any]]] = field(default_factory=list)

    def chunks(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """An answer, a few letters at a time."""
        assert body["stream"]
        self.heard.append(body["messages"])
        said = self.say(body["messages"])
        head = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        for start in range(0, len(said), 7):
            delta = {"role": "assistant", "content": said[start : start + 7]}
            yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        read = sum(len(message["content"]) for message in body["messages"]) // 3
        usage = {"prompt_tokens": read, "completion_tokens": 9, "total_tokens": read + 9}
        yield {**head, "choices": [], "usage": usage}


@pytest.fixture(scope="module", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The module that the docs say to make."""
    folder = tmp_path_factory.mktemp("plugin")
    for example, name in (("verifiers", "domino_verifiers"), ("verifiers_moves", "domino_moves")):
        (code,) = examples(example)
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    told = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for chunk in told.chunks(body):
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *given: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield told
    server.shutdown()
    server.server_close()


def made(game: str, roles: dict[str, Any] | None = None, **options: Any) -> DominoEnv:
    taskset = {"id": TASKSET, "game": game, **options}
    config = vf.resolve_env_config({"taskset": taskset, **(roles or {})})
    env = vf.load_environment(config)
    assert isinstance(env, DominoEnv)
    return env


def play(env: vf.Env[Any], endpoint: Endpoint, games: int, rollouts: int = 1) -> list[vf.Episode]:
    """Episodes of the first tasks."""
    client = EvalClientConfig(base_url=endpoint.url, api_key_var="NO_KEY")
    ctx = ModelContext(client=client, model="m", sampling=vf.SamplingConfig())

    async def played() -> list[vf.Episode]:
        async with env.serving():
            return [
                await env.run_episode(task, ctx)
                for task in env.taskset.take(games)
                for _ in range(rollouts)
            ]

    return asyncio.run(played())


def own_game(episode: vf.Episode, say: Callable[[str], str]) -> text.TextEnv:
    """The game of an episode, played by the core."""
    data = episode.task.data
    own = text.TextEnv(data.game, **data.options)
    prompt, done = own.reset(data.seed), False
    while not done:
        prompt, _, done, _ = own.step(say(prompt))
    return own


def outcome(trace: Any) -> dict[str, float]:
    (reward,) = trace.rewards.values()
    return {"reward": reward.value, **trace.metrics}


@pytest.mark.parametrize(("game", "players", "opponents"), PLAYED)
def test_episodes_are_the_games_that_the_core_plays(
    endpoint: Endpoint, game: str, players: int, opponents: str
) -> None:
    env = made(game, num_players=players, opponents=opponents)
    episodes = play(env, endpoint, games=GAMES)
    for episode in episodes:
        assert episode.ok, (episode.errors, [trace.errors for trace in episode.traces])
        own = own_game(episode, any_move)
        assert episode.by_agent.keys() == {f"seat_{seat}" for seat in own.players.answering}
        for seat in own.players.answering:
            (trace,) = episode.by_agent[f"seat_{seat}"]
            assert outcome(trace) == own.outcome(seat)
            said = [(m.role, m.content) for m in trace.branches[-1].messages]
            told = [(m["role"], m["content"]) for m in own.messages(seat)]
            assert said == told[: len(said)]
            assert {role for role, _ in told[len(said) :]} <= {"user"}  # the last table
            assert trace.metrics["forfeits"] == trace.metrics["retries"] == 0


def test_how_many_were_played(record_figure: Record) -> None:
    record_figure("games", GAMES * len(PLAYED))


def test_all_rollouts_of_a_task_have_one_deal(endpoint: Endpoint) -> None:
    chance = random.Random(0)
    endpoint.say = lambda messages: chance.choice(legal_in(messages[-1]["content"]))
    episodes = play(made("matador"), endpoint, games=3, rollouts=3)
    firsts = [episode.traces[0].branches[-1].messages[0].content for episode in episodes]
    assert [len({*firsts[at : at + 3]}) for at in (0, 3, 6)] == [1, 1, 1]
    assert len({*firsts}) == 3


def test_no_seat_is_sent_the_words_of_another(endpoint: Endpoint) -> None:
    def say(messages: list[dict[str, Any]]) -> str:
        (seat,) = {told.split("You are seat ")[1][0] for told in asked(messages)}
        return f"(thought of {seat})\n{any_answer(messages)}"

    def asked(messages: list[dict[str, Any]]) -> list[str]:
        return [message["content"] for message in messages if message["role"] == "user"]

    endpoint.say = say
    (episode,) = play(made("five_up", num_players=4, opponents="self"), endpoint, games=1)
    assert episode.ok
    for messages in endpoint.heard:
        seats = {told.split("You are seat ")[1][0] for told in asked(messages)}
        said = "".join(m["content"] for m in messages if m["role"] == "assistant")
        assert len(seats) == 1
        assert said.count("(thought of ") == said.count(f"(thought of {seats.pop()})")


def test_retries_and_forfeits_are_apart_from_the_reward_of_the_game(endpoint: Endpoint) -> None:
    endpoint.say = lambda messages: "I do not know"
    (episode,) = play(made("block_draw", retries=1), endpoint, games=1)
    assert episode.ok
    told = outcome(episode.traces[0])
    assert (told["reward"], told["points"], told["won"], told["finished"]) == (-1, 0, 0, 0)
    assert (told["retries"], told["forfeits"]) == (1, 1)


def test_a_seat_that_has_had_all_its_turns_forfeits(endpoint: Endpoint) -> None:
    env = made("five_up", {"seat_0": {"max_turns": 2}}, opponents="self", num_players=2)
    (episode,) = play(env, endpoint, games=1)
    first, second = (outcome(episode.by_agent[f"seat_{seat}"][0]) for seat in (0, 1))
    assert (first["reward"], first["forfeits"], first["retries"]) == (-1, 1, 0)
    assert (second["reward"], second["forfeits"]) == (0, 0)


def test_an_endpoint_that_fails_voids_the_game(endpoint: Endpoint) -> None:
    endpoint.url = "http://127.0.0.1:9/v1"
    (episode,) = play(made("block_draw"), endpoint, games=1)
    assert not episode.ok
    assert not episode.traces[0].rewards


def test_what_cannot_be_played_is_refused_before_a_model_is_asked() -> None:
    with pytest.raises(BadOption):
        next(iter(made("fours", num_players=3).taskset))


def test_verifiers_command_evaluates_it(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    client = ["--client.base-url", endpoint.url, "--client.api-key-var", "NO_KEY"]
    game = ["--env.taskset.game", "five_up", "--env.taskset.opponents", "self"]
    run = ["-n", "2", "-r", "2", "--model", "m", "--no-push", "--no-rich", "-o", str(tmp_path)]
    main([TASKSET, *game, *client, *run, "--run.name", "one"])
    (file,) = tmp_path.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(episodes) == 4
    assert all(episode["ok"] for episode in episodes)


def test_the_taskset_has_deals_for_as_long_as_is_wanted() -> None:
    taskset = made("block_draw", first_seed=7).taskset
    assert isinstance(taskset, DominoTaskset)
    assert [task.data.seed for task in taskset.take(3)] == [7, 8, 9]
    assert len({task.key for task in taskset.take(50)}) == 50


# Single decisions ---------------------------------------------------------------------------------


def moves_env(**options: Any) -> DominoMovesEnv:
    config = vf.resolve_env_config({"taskset": {"id": "domino-moves", **options}})
    env = vf.load_environment(config)
    assert isinstance(env, DominoMovesEnv)
    return env


def test_a_position_is_a_task_and_its_reward_is_what_the_answer_gives_away(
    endpoint: Endpoint,
) -> None:
    episodes = play(moves_env(game="bergen"), endpoint, games=20)
    positions = list(text.positions("bergen"))[:20]
    for episode, position in zip(episodes, positions, strict=True):
        assert episode.ok, episode.errors
        (trace,) = episode.traces
        answer = any_move(position.prompt())
        assert outcome(trace)["reward"] == pytest.approx(-position.cost(answer))
        assert trace.metrics["best"] == (position.cost(answer) == 0)
        assert trace.metrics["illegal"] == 0


def test_an_answer_that_is_no_move_gives_away_as_much_as_the_worst(endpoint: Endpoint) -> None:
    endpoint.say = lambda messages: "I do not know"
    (episode,) = play(moves_env(game="matador", legal=False), endpoint, games=1)
    position = next(text.positions("matador"))
    told = outcome(episode.traces[0])
    assert told["reward"] == pytest.approx(-max(map(position.cost, position.values)))
    assert (told["best"], told["illegal"]) == (0, 1)
