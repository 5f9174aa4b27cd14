"""Our agents as engines: a game rebuilt from what a seat is told is the same game to that seat."""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.evaluate.entrants import Entrant
from domino_env.evaluate.pairing import Pairing
from domino_env.protocol.serving.rebuilding import CannotRebuild, Rebuilder
from domino_env.protocol.serving.serve import serve
from tests.games import AT_A_TABLE
from tests.recorded_engine import record
from tests.test_observations import differing, every_setting, random_states

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_a_rebuilt_game_is_the_same_to_its_seat(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, started = random.Random(variant), record(monkeypatch)
    for setting in chance.sample(every_setting(variant), min(6, len(every_setting(variant)))):
        known, table = None, None
        for batch in random_states(setting, 4, looks=5, seed=chance.randrange(2**32)):
            agents.make("engine", command="recorded").act(batch, np.arange(4))
            if known is None or table is None:
                rules = next(m for m in started[-1].messages if m["type"] == "rules")
                known = Rebuilder(rules)
                table = known.new_batch(1)
                table.reset()
            for lane, said in enumerate(started[-1].states):
                table.restore(0, known.rebuild(said, said["events"]))
                assert table.seat[0] == batch.seat[lane]
                assert (table.mask[0] == batch.mask[lane]).all(), setting
                one, other = batch.observation[lane], table.observation[0]
                assert not (names := differing(batch, one, other)), (setting, names)
                own, there = (
                    each.position(place).seen_by(said["seat"]).events
                    for each, place in ((batch, lane), (table, 0))
                )
                assert own == there


def test_a_state_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    started = record(monkeypatch)
    batch = domino_env.batch("block_draw", 1, 2, seed=0)
    batch.reset()
    agents.make("engine", command="recorded").act(batch, np.arange(1))
    said = started[0].states[0]
    rules = next(m for m in started[0].messages if m["type"] == "rules")
    said["events"][0]["seat"] = 1 - said["events"][0]["seat"]
    with pytest.raises((CannotRebuild, ValueError)):
        Rebuilder(rules).rebuild(said, said["events"])
    messages = [each for each in started[0].messages if each["type"] != "move"]
    move = {"type": "move", "request": 1, "games": [said]}
    *_, info, answer = conversation("heuristic", {}, *messages, move)
    assert info["text"].startswith("the first legal move: ")
    assert answer["moves"] == [{"game": said["game"], "id": said["moves"][0]["id"]}]


def conversation(agent: str, options: dict[str, Any], *messages: dict[str, Any]) -> list[Any]:
    """What an agent that is served answers."""
    out = io.StringIO()
    serve(agent, options, io.StringIO("\n".join(map(json.dumps, messages))), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_served_agent_describes_itself() -> None:
    hello = {"type": "hello", "protocol": 1}
    setup = {"type": "setup", "options": {"seed": 3}}
    told, ready = conversation(
        "random", {}, hello, setup, {"type": "news"}, {"type": "quit"}, hello
    )
    assert told["name"] == "random"
    assert {*told["games"]} == {*AT_A_TABLE}
    assert [each["name"] for each in told["options"]] == ["tells", "seed"]
    assert ready == {"type": "ready"}


def test_a_served_agent_tells_what_it_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    started = record(monkeypatch)
    batch = domino_env.batch("block_draw", 2, 2, seed=0)
    batch.reset()
    agents.make("engine", command="recorded").act(batch, np.arange(2))
    messages = started[0].messages
    messages[1]["options"] = {"tells": True}
    told = conversation("pimc", {"worlds": 16}, *messages)
    infos = [each for each in told if each["type"] == "info"]
    assert [each["game"] for each in infos] == [each["game"] for each in told[-1]["moves"]]
    for info, state in zip(infos, started[0].states, strict=True):
        assert {each["id"] for each in info["values"]} == {m["id"] for m in state["moves"]}


def served(agent: str) -> list[str]:
    """The command that serves an agent."""
    return [sys.executable, "-m", "domino_env", "engine", "serve", "--agent", agent]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["heuristic", "ppo"])
def test_an_agent_plays_as_an_engine_as_it_does_itself(
    agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    rules = domino_env.rules("all_fives")
    other = Entrant("greedy_pip")
    itself = Pairing(rules, 2, Entrant(agent), other).play_deals(0, 10)
    engine = Entrant("engine", "served", {"command": served(agent), "seconds": 5.0})
    come = Pairing(rules, 2, engine, other).play_deals(0, 10)
    assert not come.forfeits
    assert (come.margins == itself.margins).all()
