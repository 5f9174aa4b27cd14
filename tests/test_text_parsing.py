"""Moves read from answers: what people and models write, and nothing that was not meant."""

from __future__ import annotations

import json
from typing import Any

import pytest

import domino_env
from domino_env import text
from domino_env.batches import Batch
from domino_env.errors import GameOver, IllegalMove, NotAMove, NotReset
from tests.text_differential import compare, every_setting

DEAL = {
    "hands": [[(6, 6), (5, 6), (0, 3), (3, 5), (2, 2)], [(1, 6), (1, 1), (0, 4), (4, 4), (0, 2)]],
    "boneyard": [],
}


def dealt(game: Any, deal: dict[str, Any], *answers: str, **options: Any) -> Batch:
    """A game with a given deal, after some answers; the other tiles are in the boneyard."""
    batch = domino_env.batch(game, 1, len(deal["hands"]), **options)
    named = {tuple(tile) for pile in (*deal["hands"], deal["boneyard"]) for tile in pile}
    rest = [tile for tile in batch.rules.tile_set.faces if tile not in named]
    batch.reset(options={"deal": {**deal, "boneyard": [*deal["boneyard"], *rest]}})
    for answer in answers:
        say(batch, answer)
    return batch


def say(batch: Batch, answer: str) -> None:
    """Plays what an answer says."""
    batch.step_one(domino_env.actions.encode(batch.rules, text.parse(batch, answer), batch.calls))


@pytest.fixture
def line() -> Batch:
    """A line that shows 1 at end 0 and 5 at end 1; seat 0 holds 0|3, 3|5 and 2|2."""
    return dealt("block_draw", DEAL, "1-6", "5-6 on end 1", "1-1")


@pytest.mark.parametrize(
    "answer",
    [
        "[3|5] → end 1",
        "[3|5] => 1",
        "[3|5] ==> 1",
        "5-3 on the 5",
        "play 3:5 right",
        "PLAY THE 3/5 ON THE RIGHT END",
        "3–5",
        "３－５ on end １",
        "[3 | 5] by 5 → end 1",
        "5\u2060-3 to the right",
        "(3, 5) at end 1",
        "five-three on the five",
        f"{chr(0x1F031 + 7 * 3 + 5)} on end 1",
        f"{chr(0x1F063 + 7 * 5 + 3)}, right",
        '{"tile": "5-3", "end": 1}',
        "{'tile': [3, 5], 'end': '1'}",
        '{"action": "play", "tile": "[3|5]", "on": 5}',
        '{"name": "play_tile", "arguments": {"tile": "3|5", "side": "right"}}',
        '{"tool_calls": [{"function": {"name": "play", "arguments": "{\\"tile\\": \\"3-5\\"}"}}]}',
        "play(tile='3-5', end=1)",
        "tile: 5|3\nend: 1",
        "end 1: 5|3",
        "I play the 5-3 on the 5, because seat 1 could not follow, and I keep 0-3.",
        "0-3 cannot be played. I'll go with the 5-3 on the right side.",
        "Hmm, [0|3]? No. My final answer is [3|5] → end 1.",
        '<think>play 2-2</think>\n```json\n{"move": "[3|5] → end 1"}\n```',
        "**Move:** `[3|5]` -> end 1",
        "Answer: \\boxed{[3|5] \\rightarrow \\text{end } 1}",
    ],
)
def test_an_answer_is_read_as_it_is_meant(answer: str, line: Batch) -> None:
    assert str(text.parse(line, answer)) == "[3|5] by 5 → end 1"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("", "empty"),
        ("hello", "names no tile"),
        ("5-3 or 2-2", "may be done"),
        ("I will not play 5-3", "names no tile"),
        ("[7|8]", "no tile 7|8"),
        ("[3|5] → end 9", "no end 9"),
        ("[3|5] by 6 → end 1", "no half 6"),
        ("3-5 end one two 7", "not understood"),
        ("3-5 on end 1 0", "not understood"),
        ("3-5 2-2", "more than one tile"),
        ("draw", "no move DRAW"),
        ("end 1", "names no tile"),
        ("<think>3-5", "middle of a thought"),
        ('{"tile": "3-5", "edn": 0}', "'edn' is not known"),
        ("3-5 turning left", "turn to no side"),
        ("3-5 on column 2", "not legal"),
    ],
)
def test_what_is_not_understood_is_said(answer: str, why: str, line: Batch) -> None:
    before = line.save(0)
    with pytest.raises((NotAMove, IllegalMove), match=why) as refused:
        text.parse(line, answer)
    assert refused.value.reason
    assert "legal:" not in refused.value.reason
    assert line.save(0) == before


def test_a_move_that_is_not_legal_is_illegal_and_not_unreadable(line: Batch) -> None:
    with pytest.raises(IllegalMove, match=r"not legal for seat 0 now; open ends: .* legal: "):
        text.parse(line, "[2|2] → end 0")
    with pytest.raises(IllegalMove):
        text.parse(line, "[3|5] on the 6")


def test_an_answer_that_fits_two_moves_is_refused_with_both_named() -> None:
    batch = domino_env.batch("block_draw", 64, 2, seed=5)
    batch.reset()
    seen = 0
    for _ in range(40):
        for lane in range(64):
            legal = batch.position(lane).legal
            twice = [m for m in legal if sum(o.tile == m.tile for o in legal) > 1]
            if twice and twice[0].tile is not None:
                first, second = twice[0].tile
                with pytest.raises(NotAMove) as refused:
                    text.parse(batch, f"{second}-{first}", lane)
                assert all(str(move) in str(refused.value) for move in twice[:2])
                assert text.parse(batch, f"{second}-{first} end {twice[1].end}", lane) == twice[1]
                seen += 1
        batch.step(batch.sample())
    assert seen > 50


def test_a_double_without_an_end_is_refused_where_another_end_takes_it_only_turning_left() -> None:
    batch = domino_env.batch("bendomino", 256, 2, seed=5)
    batch.reset()
    seen = 0
    for _ in range(60):
        for lane in range(256):
            legal = batch.position(lane).legal
            doubles = [each for each in legal if each.tile is not None and each.tile.is_double]
            right = [each for each in doubles if each.half == 0]
            left = [each for each in doubles if each.half == 1]
            if len(right) == 1 and any(
                each.tile == right[0].tile and each.end != right[0].end for each in left
            ):
                with pytest.raises(NotAMove, match="fits 2 moves"):
                    text.parse(batch, f"{right[0].tile}".replace("|", "-"), lane)
                assert text.parse(batch, str(right[0]), lane) == right[0]
                seen += 1
        batch.step(batch.sample())
    assert seen > 3


def test_ends_that_are_alike_are_one() -> None:
    batch = dealt("block_draw", DEAL)
    meant = text.parse(batch, "[1|6] → end 0")
    assert text.parse(batch, "[1|6] → end 1") == meant == text.parse(batch, "1-6 right")


WITHOUT_A_TILE = {
    "fundomino": "CALL SILENT CLOCKWISE COUNTER REVERSE KEEP RAISE HOLD ACCEPT REFUSE DRAW",
    "bendomino": "DRAW PASS",
    "fours": "END_TURN",
    "jamaican_partner": "LEAD YIELD",
    "elimination": "GO_ON",
    "solitaire": "STOP",
}


@pytest.mark.parametrize("name", WITHOUT_A_TILE)
def test_answers_of_questions_and_moves_without_a_tile_are_read(name: str) -> None:
    wanted, rules = {*WITHOUT_A_TILE[name].lower().split()}, domino_env.rules(name)
    if rules.set == "listed":
        rules = domino_env.rules(name, double_back=True, double_stakes=True, perfect_ten=True)
    if name == "jamaican_partner":
        rules = domino_env.rules(name, lead="team")
    calls = "explicit" if rules.has_calls else "automatic"
    batch = domino_env.batch(
        rules,
        64,
        rules.players[-1],
        seed=1,
        calls=calls,
        episode="match" if "LEAD" in WITHOUT_A_TILE[name] else "round",
    )
    batch.reset()
    for _ in range(600):
        for lane, action in enumerate(batch.sample()):
            move = domino_env.actions.decode(rules, int(action), calls)
            if move.kind in wanted:
                assert text.parse(batch, f"I would {str(move).lower()}", lane) == move
                wanted.discard(move.kind)
        batch.step(batch.sample())
        if not wanted:
            return
    raise AssertionError(wanted)


@pytest.fixture
def trains() -> Batch:
    """Trains of three seats; seat 0 holds 3|12, which fits everybody's train and its own."""
    batch = domino_env.batch("mexican_train", 1, 3, seed=0)
    batch.reset()
    for seed in range(100):
        batch.reset(seed=seed)
        legal = [str(move) for move in batch.position().legal]
        if batch.seat[0] == 1 and any(move.endswith("end 0") for move in legal):
            return batch
    raise AssertionError


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ("on my train", 2),
        ("on my own train", 2),
        ("→ my train", 2),
        ("to my train", 2),
        ("onto the Mexican train", 0),
        ("on everybody's train", 0),
        ("at the train of everybody", 0),
        ("on seat 1's train", 2),
        ("on seat 1’s train", 2),
        ("on the train of seat 1", 2),
        ("(end 2, my train)", 2),
    ],
)
def test_trains_are_named_by_whose_they_are(said: str, end: int, trains: Batch) -> None:
    move = next(move for move in trains.position().legal if move.end == 0)
    assert move.tile is not None
    first, second = move.tile
    read = text.parse(trains, f"I play {second}-{first} {said}.")
    assert (read.tile, read.end) == (move.tile, end)
    with pytest.raises(NotAMove, match=r"fits 2 moves"):
        text.parse(trains, f"{second}-{first}")


@pytest.mark.parametrize(
    ("named", "end"),
    [
        ({"train": "mine"}, 2),
        ({"train": "my train"}, 2),
        ({"train": "Mexican"}, 0),
        ({"on": "the Mexican train"}, 0),
        ({"end": "seat 1's train"}, 2),
    ],
)
def test_objects_name_trains(named: dict[str, Any], end: int, trains: Batch) -> None:
    tile = next(move.tile for move in trains.position().legal if move.end == 0)
    assert text.parse(trains, json.dumps({"tile": tile, **named})).end == end


@pytest.mark.parametrize(
    "said",
    [
        "on seat 0's train",
        "on seat 9's train",
        "on train 2",
        "on the train",
        "on your train",
        "on my train and on the Mexican train",
        "on end 0, my train",
        "on player 1's train",
    ],
)
def test_other_trains_and_unclear_ones_are_refused(said: str, trains: Batch) -> None:
    tile = next(move.tile for move in trains.position().legal if move.end == 0)
    with pytest.raises((NotAMove, IllegalMove)):
        text.parse(trains, f"I play {tile.first}-{tile.second} {said}")
    with pytest.raises(NotAMove, match="no such train"):
        text.parse(dealt("block_draw", DEAL), "1-6 on my train")


def test_a_pair_is_named_by_its_place_or_its_tiles() -> None:
    batch = domino_env.batch("knock_out", 1, seed=3)
    batch.reset()
    place = batch.position().legal[0].place
    left, right = batch.position().row[place : place + 2]
    for answer in (f"knock {place}", f"Knock out {left} and {right}", f'{{"knock": {place}}}'):
        assert text.parse(batch, answer).place == place


def test_nothing_is_read_before_a_game_or_after_it(line: Batch) -> None:
    with pytest.raises(NotReset):
        text.parse(domino_env.batch("block_draw", 1), "3-5")
    alone = domino_env.batch("block_draw", 1, seed=0, autoreset=False)
    alone.reset()
    while alone.seat[0] >= 0:
        alone.step(alone.sample())
    with pytest.raises(GameOver):
        text.parse(alone, "3-5")


def test_no_answer_breaks_the_parser(line: Batch) -> None:
    for answer in (None, 5, b"3-5", "{" * 5000, "[" * 30000, "\ud800", "<think>" * 999):
        with pytest.raises(NotAMove):
            text.parse(line, answer)  # type: ignore[arg-type]


@pytest.mark.parametrize("setting", every_setting()[::7], ids=str)
def test_moves_in_any_dress_are_read_back_and_garbled_ones_never_misread(setting: Any) -> None:
    counts = compare(setting, seed=7, moves=60, broken=30)
    assert counts.moves >= 60
    assert counts.garbled >= 30
