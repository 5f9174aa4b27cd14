"""What an engine is sent: all that its seat may know, nothing else, and each event once."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents
from domino_env.engine import state
from domino_env.engine.events import packed
from domino_env.engine.log import unpack
from domino_env.position import Event, Position
from domino_env.protocol.rules_message import read_rules
from tests.games import AT_A_TABLE
from tests.recorded_engine import Recorded, record
from tests.test_observations import every_setting, permute_hidden, random_states


def engine() -> Any:
    return agents.make("engine", command="recorded")


def shuffle_log(batch: Any, lane: int, seat: int, chance: random.Random) -> None:
    """Puts other tiles, and other reasons, wherever the log has what a seat has not seen."""
    tiles, size = batch.rules.num_tiles, int(batch._games["log_size"][lane])
    own = 0 if batch.rules.rows else batch.rules.hand_size_for(batch.num_players)
    hidden = [at for at in range(tiles) if not seat * own <= at < (seat + 1) * own]
    log = batch._logs[lane]
    log[hidden] = chance.sample(log[hidden].tolist(), len(hidden))
    for at in range(tiles, size):
        kind, who, tile, end, half = unpack(int(log[at]))
        if kind == state.DREW:
            tile = tile if who == seat else chance.randrange(tiles)
            log[at] = packed(kind, who, tile, chance.randrange(3), half)
        elif kind == state.TOOK and seat not in (who, end):
            log[at] = packed(kind, who, chance.randrange(tiles), end, half)


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_hidden_tiles_permuted_never_change_a_byte_of_what_is_sent(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(variant)
    started = record(monkeypatch)
    moved = 0
    for setting in chance.sample(every_setting(variant), min(6, len(every_setting(variant)))):
        for batch in random_states(setting, 3, looks=4, seed=chance.randrange(2**32)):
            for lane in range(batch.num_games):
                kept = batch._games[lane : lane + 1].copy(), batch._logs[lane].copy()
                engine().act(batch, np.array([lane]))
                moved += permute_hidden(batch, lane, int(batch.seat[lane]), chance)
                shuffle_log(batch, lane, int(batch.seat[lane]), chance)
                engine().act(batch, np.array([lane]))
                assert started[-1].sent == started[-2].sent, setting
                batch._games[lane : lane + 1], batch._logs[lane] = kept
    assert moved > 50 or domino_env.rules(variant).rows


def test_whether_a_game_goes_on_is_told_by_nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, (batch, seat) = random.Random(0), (domino_env.batch("all_fives", 1, 2, seed=4), 0)
    batch.reset()
    started = record(monkeypatch)
    agent = engine()
    agent.act(batch, np.arange(1))
    seat = int(batch.seat[0])
    shuffle_log(batch, 0, seat, chance)
    agent.act(batch, np.arange(1))
    one, other = started[0].states
    assert one["game"] == other["game"]


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_a_state_says_what_a_position_says(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started = record(monkeypatch)
    chance = random.Random(variant)
    for setting in chance.sample(every_setting(variant), min(4, len(every_setting(variant)))):
        for batch in random_states(setting, 3, looks=6, seed=5):
            engine().act(batch, np.arange(3))
            for lane, said in enumerate(started[-1].states):
                shown = batch.position(lane).seen_by(int(batch.seat[lane]))
                assert_same(said, shown, batch)


def assert_same(said: dict[str, Any], shown: Position, batch: Any) -> None:
    """A state and a position tell the same."""
    assert said["seat"] == shown.to_move == shown.viewer
    for name in ("turn", "round", "question", "scores"):
        assert said[name] == getattr(shown, name), name
    own = [] if shown.rules.rows else shown.hands[shown.to_move]
    assert said["hand"] == [str(tile) for tile in own]
    assert said["held"] == [len(hand) for hand in shown.hands]
    assert said["boneyard"] == len(shown.boneyard)
    assert said["drawable"] <= said["boneyard"]
    assert said["first"] == 0
    assert [event_of(event) for event in said["events"]] == [map_of(e) for e in shown.events]
    laid = [event for event in shown.events if event.kind in ("play", "start")]
    assert [event_of(event) for event in said["table"]] == [map_of(event) for event in laid]
    moves = [
        (move["kind"], move.get("tile"), move.get("end"), move.get("half"))
        for move in said["moves"]
    ]
    assert moves == [
        (move.kind, None if move.tile is None else str(move.tile), move.end, move.half)
        for move in shown.legal
    ]
    assert [move["id"] for move in said["moves"]] == shown.legal_actions
    assert_same_ends(said, shown)
    course = {
        "markers": shown.markers,
        "out": shown.finished,
        "direction": shown.direction,
        "stakes": shown.stakes,
        "claim": shown.claim,
        "pending": shown.pending,
        "due": None if shown.due is None else {"tile": str(shown.due), "left": shown.due_left},
    }
    for name, value in course.items():
        assert said.get(name, value) == value, name
    if shown.rules.rows:
        rows = [[None if tile is None else str(tile) for tile in hand] for hand in shown.hands]
        assert said["rows"] == rows


def assert_same_ends(said: dict[str, Any], shown: Position) -> None:
    known = [end for end in shown.ends if end.value is not None]
    assert [end["end"] for end in said["ends"]] == [end.number for end in known]
    for end, other in zip(said["ends"], known, strict=True):
        assert end["tile"] == str(other.tile)
        assert end.get("counts", other.counts) == other.counts
        if shown.rules.is_curved:
            ways = {"open": [0, 1], "right": [0], "left": [1], "dead": []}[other.fit]
            assert [way["half"] for way in end["turns"]] == ways or len(end["turns"]) < len(ways)
        else:
            assert end["open"] == other.offered
            assert end.get("owner") == other.owner


def event_of(event: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(event.get(name) for name in ("kind", "seat", "tile", "end", "half", "giver"))


def map_of(event: Event) -> tuple[Any, ...]:
    tile = None if event.tile is None else str(event.tile)
    return (event.kind, event.seat, tile, event.end, event.half, event.giver)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["block_draw", "fundomino", "mexican_train", "blind"])
def test_every_event_of_a_match_is_told_once_in_its_order(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = record(monkeypatch)
    batch = domino_env.batch(variant, 2, seed=3, episode="match", autoreset=False)
    batch.reset()
    agent = engine()
    told: dict[tuple[int, int, int], list[Any]] = {}
    for _ in range(600):
        asked = np.flatnonzero(batch.seat >= 0)
        if not len(asked):
            break
        actions = batch.sample()
        agent.act(batch, asked)
        request = started[0].messages[-1]
        for lane, said in zip(asked, request["games"], strict=True):
            known = told.setdefault((lane, said["seat"], said["round"]), [])
            assert said["first"] == len(known)
            known += map(event_of, said["events"])
            shown = batch.position(int(lane)).seen_by(said["seat"])
            assert known == [map_of(event) for event in shown.events]
        batch.step(actions)
    numbers = {(s["game"]) for s in started[0].states}
    assert len(numbers) == 2 * batch.num_players
    rounds = {number for _, _, number in told}
    assert len(rounds) > 1 or (batch.seat < 0).all()  # some matches are one round


def test_rules_are_told_once_before_the_first_game_and_can_be_read_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = record(monkeypatch)
    agent = engine()
    for name in AT_A_TABLE:
        batch = domino_env.batch(name, 2, seed=0)
        batch.reset()
        agent.act(batch, np.arange(2))
        agent.act(batch, np.arange(2))
    kinds = [each["type"] for each in started[0].messages]
    assert kinds == ["hello", "setup"] + ["rules", "move", "move"] * len(AT_A_TABLE)
    told = [each for each in started[0].messages if each["type"] == "rules"]
    assert [each["rules"] for each in told] == [*range(1, len(told) + 1)]
    for each in told:
        assert read_rules(each) == domino_env.rules(each["variant"])
        assert not each["house_rules"]


def test_house_rules_are_told() -> None:
    from domino_env.engine.game_setup import Setup
    from domino_env.protocol.rules_message import rules_message

    changed = domino_env.rules(AT_A_TABLE[0], hand_size=6)
    said = json.loads(json.dumps(rules_message(Setup(changed, 2, "round", "points", "automatic"))))
    assert said["house_rules"]
    assert said["hand"] == 6
    assert read_rules(said) == changed


def test_a_game_that_is_replaced_or_over_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started = record(monkeypatch)
    agent = engine()
    batch = domino_env.batch(AT_A_TABLE[0], 2, seed=0, autoreset=False)
    batch.reset()
    agent.act(batch, np.arange(2))
    agent.ended(batch, np.array([0]))
    before = batch.seat.tolist()
    seed = next(seed for seed in range(100, 200) if seats_of(batch, seed) == before)
    batch.reset(seed=seed)
    agent.act(batch, np.arange(2))
    ended = [
        each
        for message in started[0].messages
        if message["type"] == "end"
        for each in message["games"]
    ]
    first = [each["game"] for each in started[0].states[:2]]
    assert [each["game"] for each in ended] == first
    assert ended[0]["scores"] == [0, 0]
    assert "scores" not in ended[1]
    assert not {*first} & {each["game"] for each in started[0].states[2:]}


def seats_of(batch: Any, seed: int) -> list[int]:
    """Who begins in the games of a seed."""
    batch.reset(seed=seed)
    return list(batch.seat.tolist())


def test_what_is_sent_is_as_the_page_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Recorded] = record(monkeypatch)
    batch = domino_env.batch(AT_A_TABLE[0], 3, seed=0)
    batch.reset()
    engine().act(batch, np.arange(3))
    for said in started[0].sent:
        assert said.isascii()
        for line in said.splitlines():
            assert line.startswith(b'{"type":"')
            assert json.dumps(json.loads(line), separators=(",", ":")).encode() == line
