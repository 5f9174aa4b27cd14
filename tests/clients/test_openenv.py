"""Nothing: games over a real server and OpenEnv's client on loopback, eight sessions at a time

The server is `domino serve openenv`; OpenEnv's own `validate` finds nothing to say against the
package nor against the running server.
"""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import domino_env
from domino_env import text
from domino_env.adapters import openenv as adapter
from domino_env.adapters.openenv import DominoAction, DominoClient, DominoEnvironment
from domino_env.errors import BadOption
from tests.clients.answering import legal_in
from tests.clients.examples import examples, run

Record = Callable[[str, float | str], None]
PACKAGE = Path(adapter.__file__).parent
SECONDS = 180  # to start in, on a busy machine


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def served(game: str, *options: str) -> Iterator[str]:
    """The command in a process of its own, once it listens."""
    port = free_port()
    command = [sys.executable, "-m", "domino_env", "serve", "openenv", game, "--port", str(port)]
    process = subprocess.Popen([*command, *options])
    try:
        wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def wait_for(port: int, process: Any) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, "the server has stopped"
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not listen")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served("five_up") as address:
        yield address


def play(env: Any, seed: int, **seating: Any) -> tuple[str, list[float], Any]:
    """A game by what a client is shown and no more: its first prompt, rewards and last answer."""
    chance = random.Random(seed)
    seen = env.reset(seed=seed, **seating).observation
    first, earned, done = seen.prompt, [0.0] * len(seen.points), False
    while not done:
        result = env.step(DominoAction(answer=chance.choice(legal_in(seen.prompt))))
        seen, done = result.observation, result.done
        earned = [a + b for a, b in zip(earned, seen.rewards, strict=True)]
    return first, earned, seen


def test_the_first_answer_does_not_wait_for_a_compiler(url: str) -> None:
    with DominoClient(base_url=url).sync() as env:
        began = time.monotonic()
        seen = env.reset(seed=0, num_players=4)
        env.step(DominoAction(answer=legal_in(seen.observation.prompt)[0]))
        assert time.monotonic() - began < 10


def test_a_session_is_the_game_that_the_core_plays(url: str) -> None:
    own, chance = text.TextEnv("five_up", reward="win"), random.Random(3)
    prompt, done = own.reset(3), False
    with DominoClient(base_url=url).sync() as env:
        seen = env.reset(seed=3)
        while not done:
            assert seen.observation.prompt == prompt
            assert seen.observation.seat == own.to_move
            answer = chance.choice(legal_in(prompt))
            prompt, reward, done, info = own.step(answer)
            seen = env.step(DominoAction(answer=answer))
            assert (seen.reward, seen.done) == (reward, done)
            assert seen.observation.points == info["points"]
        assert seen.observation.seat == -1
        state = env.state()
        assert (state.game, state.seed, state.num_players) == ("five_up", 3, own.batch.num_players)
        assert state.step_count == sum(m["role"] == "assistant" for m in own.transcript)


def test_many_sessions_play_at_a_time_and_a_group_shares_its_deals(
    url: str, record_figure: Record
) -> None:
    def one(number: int) -> list[str]:
        with DominoClient(base_url=url).sync() as env:
            return [play(env, seed)[0] for seed in range(5)]

    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(one, range(8)))
    assert all(each == told[0] for each in told)
    assert len({*told[0]}) == 5
    record_figure("games over the wire", 40)
    record_figure("seconds", time.monotonic() - began)


def test_sessions_may_answer_for_every_seat_or_for_some(url: str) -> None:
    with DominoClient(base_url=url).sync() as env:
        for players in domino_env.rules("five_up").players:
            _, earned, last = play(env, 1, num_players=players, self_play=True)
            assert len(earned) == players
            assert sorted({*earned}) in ([-1.0, 1.0], [0.0])
            assert env.state().answering == [*range(players)]
            assert last.forfeits == 0
        play(env, 2, num_players=4, seat=[1, 3])
        assert env.state().answering == [1, 3]
        play(env, 2)
        assert len(env.state().answering) == 1


def test_a_refused_answer_is_asked_for_again_and_a_forfeit_ends_the_game(url: str) -> None:
    with DominoClient(base_url=url).sync() as env:
        env.reset(seed=4)
        for tries in (1, 2):
            result = env.step(DominoAction(answer="I do not know"))
            assert (result.reward, result.done) == (0.0, False)
            assert result.observation.retries == tries
            assert "names no tile" in result.observation.refused
        result = env.step(DominoAction(answer="nor now"))
        assert (result.reward, result.done, result.observation.forfeits) == (-1.0, True, 1)
        assert env.reset(seed=4).observation.retries == 0


def test_what_cannot_be_played_is_refused_and_the_session_lives_on(url: str) -> None:
    with DominoClient(base_url=url).sync() as env:
        for wrong in ({"num_players": 9}, {"seat": 7}, {"opponents": "somebody.py"}, {"seed": -1}):
            with pytest.raises(RuntimeError, match="Server error"):
                env.reset(**wrong)
        play(env, 5)


def test_only_the_server_says_who_the_opponents_are() -> None:
    """An agent may be code and files of the machine."""
    with pytest.raises(BadOption, match="reset takes no opponents"):
        DominoEnvironment("fours").reset(opponents="greedy_pip")


def test_answers_have_no_other_fields() -> None:
    with pytest.raises(ValueError, match="move"):
        DominoAction(answer="pass", move=3)


def validate(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "openenv"), "validate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_openenv_finds_the_package_valid() -> None:
    done = validate(str(PACKAGE), "--level", "static", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["verdict"] == "pass"


def test_openenv_finds_the_running_server_valid(url: str) -> None:
    done = validate("--url", url, "--json", "--timeout", "30")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["passed"]


def test_the_application_of_the_manifest_is_a_server() -> None:
    port = free_port()
    manifest = (PACKAGE / "openenv.yaml").read_text(encoding="utf-8")
    name = next(line[5:] for line in manifest.splitlines() if line.startswith("app: "))
    command = [sys.executable, "-m", "uvicorn", name, "--port", str(port)]
    process = subprocess.Popen(command, env={**os.environ, "DOMINO_GAME": "fours"})
    try:
        wait_for(port, process)
        told = urllib.request.urlopen(f"http://127.0.0.1:{port}/metadata").read()
        assert json.loads(told)["name"] == "domino"
        with DominoClient(base_url=f"http://127.0.0.1:{port}").sync() as env:
            play(env, 0)
            assert env.state().game == "fours"
    finally:
        process.terminate()
        process.wait(30)


def test_the_example_in_the_docs_runs() -> None:
    (code,) = examples("openenv")
    with served("block_draw", "--opponents", "greedy_pip") as address:
        made = run(code.replace("http://localhost:8000", address))
    assert made["seen"].done
