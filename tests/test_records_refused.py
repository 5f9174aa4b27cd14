"""Records that are damaged or false are refused, and the error says where."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domino_env.batches import Batch
from domino_env.errors import BadRecord, DominoError
from domino_env.games import mark_of, rules
from domino_env.record import Record, Recorder, parse, read
from tests.kept_games import GOLDEN, small_game

# Refused -----------------------------------------------------------------------------------------

Change = Callable[[Any], Any]


def changed(record: Record, change: Change) -> str:
    value = json.loads(record.text())
    change(value)
    return json.dumps(value)


def moves_of(value: Any, number: int = 0) -> list[str]:
    return value["rounds"][number]["moves"]


def swap(tiles: str, one: str, other: str) -> str:
    return tiles.replace(one, "x").replace(other, one).replace("x", other)


def put(*path: Any, to: Any) -> Change:
    def change(value: Any) -> None:
        for part in path[:-1]:
            value = value[part]
        value[path[-1]] = to

    return change


def drop(*path: Any) -> Change:
    def change(value: Any) -> None:
        for part in path[:-1]:
            value = value[part]
        del value[path[-1]]

    return change


EDITS: list[tuple[Change, str]] = [
    (put("format", to="domino record 2"), "'format' must be 'domino record 1', not 'domino record"),
    (drop("format"), "'format' must be"),
    (drop("players"), "'players' is missing"),
    (put("namse", to=[]), "unknown key 'namse'; did you mean 'names'?"),
    (drop("result", "over"), "result: 'over' is missing"),
    (put("rounds", 0, "move", to=[]), "round 1: unknown key 'move'; did you mean 'moves'?"),
    (put("game", to="matchador"), "game: unknown variant 'matchador'; did you mean 'matador'?"),
    (put("game", to=7), "game: unknown variant 7"),
    (
        put("rules_version", to="0" * 16),
        "rules of another version, with the mark '000",
    ),
    (
        put("rules", to={"hand_sise": 7}),
        "rules: block_draw has no option 'hand_sise'; did",
    ),
    (put("rules", to={"draw": {"forced": "often"}}), "rules: draw.forced must be one of"),
    (put("rules", to={"draw": {"force": "one"}}), "block_draw.draw has no option 'force'; did you"),
    (put("rules", to={"hand_size": 7}), "rules of another version"),
    (put("players", to=5), "block_draw is for 2 or 3 or 4 players, not 5"),
    (put("players", to="two"), "players: must be a whole number, not 'two'"),
    (put("episode", to="game"), "episode must be one of round, match, not 'game'"),
    (put("calls", to="explicit"), "block_draw has nothing to call"),
    (put("generator", to="12"), "generator: must be sixteen digits from 0 to f, not '12'"),
    (put("names", to=["one"]), "names are 2 texts, one for each seat"),
    (put("rounds", to=[]), "rounds: a record has one at least"),
    (
        put("rounds", 0, "deal", "hands", to=["0|1", "0|2"]),
        "round 1, deal: block_draw deals 5",
    ),
    (put("rounds", 0, "deal", "boneyard", to="0|7"), "round 1, deal: double_6 has no tile '0|7'"),
    (put("rounds", 0, "deal", "boneyard", to=""), "round 1, deal: a deal names all 28 tiles"),
    (put("rounds", 0, "deal", "starter", to=1), "round 1, deal: in block_draw the tiles say who"),
    (put("rounds", 0, "deal", to="0|0 0|1"), "round 1, deal: must be a mapping of hands, boneyard"),
    (put("rounds", 0, "moves", 2, to=5), "round 1, move 3: must be a text, not 5"),
    (put("rounds", 0, "moves", 2, to="?"), r"round 1, move 3: '?' is not legal; seat 0 may play"),
    (put("rounds", 0, "points", to=[0, 0]), "round 1, points: the moves come to ["),
    (put("rounds", 0, "points", to=[0.5, 0]), "round 1, points, each: must be a whole number"),
    (put("result", "scores", to=[99, 0]), "result, scores: the moves come to ["),
    (put("result", "winners", to=[0, 1]), "result, winners: the moves come to ["),
    (put("result", "over", to=False), "result, over: the moves come to True, not to False"),
    (put("result", "over", to=1), "result, over: must be true or false, not 1"),
    (lambda v: moves_of(v).pop(), "round 1, points: the moves come to"),
    (lambda v: moves_of(v).append("0: PASS"), "'0: PASS' comes after the end of the game"),
    (lambda v: moves_of(v).insert(1, moves_of(v)[0]), "round 1, move 2: "),
    (lambda v: v["rounds"].append(v["rounds"][0]), "round 2 comes after the end of the game"),
]


@pytest.mark.parametrize(("edit", "said"), EDITS, ids=[said[:50] for _, said in EDITS])
def test_an_edited_record_is_refused_with_the_place_and_the_reason(edit: Change, said: str) -> None:
    record = small_game()
    with pytest.raises(BadRecord) as refusal:
        parse(changed(record, edit), "mine.json")
    assert str(refusal.value).startswith("mine.json: ")
    assert said in str(refusal.value)


def test_a_move_out_of_turn_says_whose_turn_it_is() -> None:
    record = small_game(moves=4)
    seat, _, move = record.rounds[0].moves[2].partition(": ")
    out_of_turn = f"{1 - int(seat)}: {move}"
    with pytest.raises(
        BadRecord, match=rf"round 1, move 3: .* out of turn: seat {seat} is to move"
    ):
        parse(changed(record, put("rounds", 0, "moves", 2, to=out_of_turn)))


def test_an_illegal_move_says_what_would_have_been_legal() -> None:
    record = small_game(moves=4)
    said = record.rounds[0].moves[2]
    text = changed(record, put("rounds", 0, "moves", 2, to=f"{said[0]}: PASS"))
    with pytest.raises(BadRecord) as refusal:
        parse(text)
    assert f"round 1, move 3: '{said[0]}: PASS' is not legal; seat" in str(refusal.value)
    assert said.partition(": ")[2] in str(refusal.value)


def two_rounds() -> Record:
    batch = Batch("block_draw", 1, seed=3, episode="match", autoreset=False)
    batch.reset()
    recorder = Recorder(batch)
    while recorder.round < 2 or len(recorder.record.rounds[1].moves) < 3:
        recorder.note(int(recorder.batch.legal[0, 0]))
    return recorder.record


def test_rounds_follow_from_the_one_before() -> None:
    record = two_rounds()
    assert len(record.rounds) == 2

    def refused(change: Change) -> str:
        with pytest.raises(BadRecord) as refusal:
            parse(changed(record, change))
        return str(refusal.value)

    number = len(record.rounds[0].moves)
    assert "round 2 comes before round 1 is over" in refused(lambda v: moves_of(v).pop())
    late = refused(lambda v: moves_of(v).append(moves_of(v, 1)[0]))
    assert f"round 1, move {number + 1}: " in late
    assert "comes after the end of the round" in late
    assert "round 2 is missing" in refused(drop("rounds", 1))
    hands = record.rounds[1].deal["hands"]
    one, other = hands[0][0], hands[1][0]
    swapped = [swap(" ".join(hand), one, other) for hand in hands]
    assert "round 2, deal: this is not what the generator deals" in refused(
        put("rounds", 1, "deal", "hands", to=swapped)
    )
    assert "this is not what the generator deals" in refused(put("generator", to="0" * 16))


def test_a_deal_that_does_not_name_the_starter_is_refused_where_lots_are_drawn() -> None:
    record = small_game("fours")
    with pytest.raises(BadRecord, match="round 1, deal: it does not name the 'starter'"):
        parse(changed(record, drop("rounds", 0, "deal", "starter")))


TEXTS = [
    ("", "line 1, column 1: this is not JSON"),
    ("{", "line 1, column 2: this is not JSON"),
    ('{\n "format": "domino record 1",\n}', "line 3, column 1: this is not JSON"),
    ("[]", "a record is a mapping"),
    ("null", "a record is a mapping"),
    ('{"format": NaN}', "NaN is no number"),
    ('{"format": 1, "format": 2}', "'format' is given twice"),
    ('{"format": "\\ud800"}', "half of a character"),
    ('{"format": ' + "9" * 10_000 + "}", "a number is too long"),
    ("[" * 1_000_000, "nested too deeply"),
    (" " * 4_000_001, "more than 4000000 letters"),
]


@pytest.mark.parametrize(("text", "said"), TEXTS, ids=[said for _, said in TEXTS])
def test_a_text_that_is_no_record_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        parse(text)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for file, said in (
        (tmp_path, "cannot be read"),
        (tmp_path / "none.json", "cannot be read"),
        (tmp_path / "picture.json", "not a text in UTF-8"),
        (tmp_path / "huge.json", "more than 4000000 letters"),
    ):
        if file.name == "picture.json":
            file.write_bytes(b"\x89PNG\r\n")
        if file.name == "huge.json":
            file.write_bytes(b" " * 5_000_000)
        with pytest.raises(BadRecord, match=said) as refusal:
            read(file)
        assert str(file) in str(refusal.value)


def test_a_game_without_an_end_is_cut_off_by_the_recorder() -> None:
    endless = rules("block_draw", target=100_000)
    batch = Batch(endless, 1, seed=0, episode="match", autoreset=False)
    batch.reset()
    recorder = Recorder(batch)
    for _ in range(20_000):
        recorder.note(int(recorder.batch.legal[0, 0]))
    with pytest.raises(BadRecord, match="20000 moves"):
        recorder.note(int(recorder.batch.legal[0, 0]))
    assert parse(recorder.record.text()).moves == 20_000


# Damaged at random -------------------------------------------------------------------------------

JUNK = [
    *(
        None,
        True,
        0,
        -1,
        2,
        10**30,
        1.5,
        "",
        "x",
        "double_6",
        "0|0",
        "3|5 0|0",
        "match",
        "lot",
        "any",
    ),
    *([], [1], [[]], ["1|5", "2|2"], {}, {"a": 1}, {"tiles": "0|0"}, "\x00"),
]


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, (dict, list)):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(part, (*path, name))


def damaged_value(text: str, rng: Random) -> str:
    """A part of a record changed, dropped, doubled or shuffled."""
    value = json.loads(text)
    *path, name = rng.choice([*paths(value)])
    inside = value
    for part in path:
        inside = inside[part]
    kind = rng.randrange(4)
    if kind == 0:
        del inside[name]
    elif kind == 1 and isinstance(inside, list):
        rng.shuffle(inside)
    elif kind == 2 and isinstance(inside[name], str) and inside[name]:
        at = rng.randrange(len(inside[name]))
        inside[name] = inside[name][:at] + rng.choice("0159| x→[]") + inside[name][at + 1 :]
    else:
        inside[name] = rng.choice(JUNK)
    return json.dumps(value)


def damaged_rules(text: str, rng: Random) -> str:
    """A record of house rules that nobody has thought of."""
    value = json.loads(text)
    played = rules(value["game"])
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice([*played.__dataclass_fields__])
        part = getattr(played, name)
        if hasattr(part, "__dataclass_fields__"):
            value["rules"][name] = {rng.choice([*part.__dataclass_fields__]): rng.choice(JUNK)}
        else:
            value["rules"][name] = rng.choice([*JUNK, 3, 7, 14, "double_2", "all", [2, 3]])
    with suppress(DominoError):
        value["rules_version"] = mark_of(rules(value["game"], **value["rules"]))
    return json.dumps(value)


def damaged_text(text: str, rng: Random) -> str:
    """Letters lost, added or doubled."""
    start = rng.randrange(len(text))
    stop = start + rng.choice([0, 1, 1, 30])
    middle = rng.choice(["", '"', "{", "9", "\n", text[start:stop] * 2])
    return text[:start] + middle + text[stop:]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [damaged_value, damaged_rules, damaged_text])
def test_a_damaged_record_is_refused_or_is_another_good_one(
    damage: Callable[[str, Random], str],
) -> None:
    rng = Random(damage.__name__)
    texts = [file.read_text(encoding="utf-8") for file in GOLDEN]
    texts += [small_game(game).text() for game in ("blind", "matador", "solitaire", "fruitominoes")]
    good = 0
    for _ in range(1500):
        with suppress(BadRecord):
            record = parse(damage(rng.choice(texts), rng))
            text = record.text()
            good += parse(text).text() == text
    assert good < 750
