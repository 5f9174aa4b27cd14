"""Records: what has been played comes back exactly, and what cannot have been is refused."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from domino_env.actions import decode
from domino_env.actions import size as num_actions
from domino_env.batches import Batch
from domino_env.errors import BadOption, BadRecord, DominoError, GameOver, IllegalMove
from domino_env.games import changes_of, mark_of, rules, variants
from domino_env.record import Record, Recorder, parse, read, read_all, replay, to_batch
from domino_env.ruleset import TWISTS

FOLDER = Path(__file__).parent / "records"
GOLDEN = sorted(FOLDER.glob("*.json"))
TWISTED = dict.fromkeys(TWISTS, True)
FEW_TILES = ["1|1", "1|2", "2|2", ">2|1", "+1|2", "*|2", "*|1", "+2|1", ">1|2"]
HOUSE: list[tuple[str, dict[str, Any]]] = [
    ("block_draw", {"set": "double_9", "hand_size": 9}),
    ("bergen", {"draw": {"forced": "none"}, "hand_size": [4, 5, 6]}),
    ("all_fives", {"set": "double_3", "hand_size": 2, "target": 20}),
    ("fundomino", {**TWISTED, "scoring": {"places": [50, 5]}}),
    (
        "fundomino",
        {
            "tiles": ["1|1", "1|2", "2|2", ">2|1", "+1|2", "*|2", "*|1", "+2|1", ">1|2"],
            "hand_size": 2,
        },
    ),
    ("fundomino_caribbean", {"double_back": True}),
    ("solitaire", {"moves": 30}),
]


class Table(NamedTuple):
    """What is played, and how."""

    game: str
    changes: dict[str, Any]
    players: int
    episode: str = "round"
    calls: str = "automatic"

    def __str__(self) -> str:
        house = "-".join(self.changes)
        return "-".join(filter(None, [self.game, house, *map(str, self[2:])]))

    def batch(self, seed: int, **options: Any) -> Batch:
        played = rules(self.game, **self.changes)
        kind = {"episode": self.episode, "calls": self.calls}
        batch = Batch(played, 1, self.players, seed, **kind, **options)
        batch.reset()
        return batch


def tables() -> Iterator[Table]:
    """Every game, as rounds with every number of seats, as matches, and with explicit calls; and
    house rules."""
    for game, changes in [*((game, {}) for game in variants()), *HOUSE]:
        played = rules(game, **changes)
        episode = "match" if played.has_matches else "round"
        for players in played.players:
            yield Table(game, changes, players)
        if played.has_opponents:
            yield Table(game, changes, played.players[0], episode)
        if played.has_calls:
            yield Table(game, changes, played.players[-1], episode, "explicit")


every_table = pytest.mark.parametrize("table", [*tables()], ids=str)


def play(batch: Batch, moves: int = 10**6, names: tuple[str, ...] = ()) -> Recorder:
    """Plays lane 0 at random for some moves, beside a recorder."""
    recorder = Recorder(batch, 0, names)
    while moves and not recorder.over:
        actions = batch.sample()
        recorder.note(int(actions[0]))
        batch.step(actions)
        moves -= 1
    return recorder


def small_game(game: str = "block_draw", moves: int = 10**6, **options: Any) -> Record:
    batch = Batch(game, 1, seed=3, autoreset=False, **options)
    batch.reset()
    return play(batch, moves).record


# There and back ----------------------------------------------------------------------------------


@every_table
def test_a_game_comes_back_as_it_was_played(table: Table) -> None:
    for seed in range(3):
        batch = table.batch(seed, autoreset=False, reward="points")
        recorder, seen = Recorder(batch), []
        while batch.seat[0] >= 0:
            action = int(batch.sample()[0])
            seen.append((batch.position(), action, batch.reward[0].tolist()))
            batch.step([action])  # the recorder may be told before the step or after it
            recorder.note(action)
        record = recorder.record
        again = parse(record.text())
        assert again == record == parse(record.line())
        assert again.text() == record.text()
        *steps, last = (
            (step.batch.position(), step.action, step.batch.reward[0].tolist())
            for step in replay(again, reward="points")
        )
        assert steps == seen
        assert last == (batch.position(), None, batch.reward[0].tolist())
        assert record.moves == len(seen)
        assert record.result.scores == tuple(batch.position().scores)
        assert record.result.winners == tuple(batch.position().winners)
        points = zip(*(each.points for each in record.rounds), strict=True)
        assert record.result.scores == tuple(map(sum, points))


@every_table
def test_a_game_that_goes_on_has_the_future_that_it_would_have_had(table: Table) -> None:
    luck = Random(str(table))
    for seed in range(3):
        batch = table.batch(seed, autoreset=seed > 0)
        record = play(batch, luck.randrange(40)).record
        if record.result.over:
            continue
        resumed = to_batch(parse(record.text()), autoreset=seed > 0)
        for _ in range(100):  # into later rounds, and later episodes
            assert resumed.position() == batch.position()
            assert resumed.games["rng"][0] == batch.games["rng"][0]
            assert (resumed.observation == batch.observation).all()
            if batch.seat[0] < 0:
                break
            action = batch.sample()
            batch.step(action)
            resumed.step(action)
            assert (resumed.reward == batch.reward).all()


@every_table
def test_a_move_taken_back_leaves_the_record_that_was_there_before_it(table: Table) -> None:
    batch = table.batch(5, autoreset=False)
    recorder = Recorder(batch)
    records = [recorder.record]
    for _ in range(12):
        if recorder.over:
            break
        recorder.note(int(recorder.batch.legal[0, 0]))
        records.append(recorder.record)
    for back, record in enumerate(reversed(records)):
        assert records[-1].without_last(back) == record
    assert Recorder.resume(records[-1]).record == records[-1]


def test_a_match_that_is_dealt_on_shows_the_next_deal_before_its_first_move() -> None:
    batch = Batch("block_draw", 1, seed=1, episode="match", autoreset=False)
    batch.reset()
    recorder = Recorder(batch)
    while recorder.round == 1:
        recorder.note(int(recorder.batch.legal[0, 0]))
    first, second = recorder.record.rounds
    assert sum(first.points) == sum(recorder.record.result.scores) > 0
    assert second.moves == ()
    assert parse(recorder.record.text()) == recorder.record
    assert recorder.record.without_last().rounds[0].points == (0, 0)


def test_lanes_that_deal_anew_are_recorded_to_the_end_of_their_episode() -> None:
    batch = Batch("five_up", 4, seed=7, episode="match")
    batch.reset()
    recorders = [Recorder(batch, lane) for lane in range(4)]
    while not all(recorder.over for recorder in recorders):
        actions = batch.sample()
        for action, recorder in zip(actions, recorders, strict=True):
            if not recorder.over:
                recorder.note(int(action))
        batch.step(actions)
    for recorder in recorders:
        assert parse(recorder.record.text()).result.over


def test_an_explicit_deal_is_recorded_too() -> None:
    for game in ("block_draw", "fours", "yourturnmyturn", "knock_out", "fundomino"):
        shown = Batch(game, 1, seed=4)
        shown.reset()
        batch = Batch(game, 1, seed=99, autoreset=False)
        batch.reset(options={"deal": shown.position().deal})
        record = play(batch).record
        assert parse(record.text()) == record
        assert to_batch(record).position() == batch.position()


def test_house_rules_are_told_as_what_differs() -> None:
    assert small_game().rules == {}
    for game, changes in HOUSE:
        plain = json.loads(json.dumps(changes_of(rules(game, **changes))))
        assert plain == changes
        assert rules(game, **plain) == rules(game, **changes)
        assert mark_of(rules(game, **plain)) != mark_of(game)


def test_every_action_of_a_game_has_words_of_its_own() -> None:
    for game in [*variants(), rules("fundomino", **TWISTED)]:
        played = rules(game) if isinstance(game, str) else game
        calls = "explicit" if played.has_calls else "automatic"
        actions = [
            action
            for action in range(num_actions(played, calls))
            if not played.has_ends or not is_second_half_of_a_double(played, action)
        ]
        words = {str(decode(played, action, calls)) for action in actions}
        assert len(words) == len(actions), played.id


def is_second_half_of_a_double(played: Any, action: int) -> bool:
    """Such an action is never legal with straight tiles."""
    move = decode(played, action, "explicit" if played.has_calls else "automatic")
    if move.tile is None or played.layout.tiles == "curved":
        return False
    return move.tile.is_double and move.half == 1


# Keeping -----------------------------------------------------------------------------------------


def test_a_recorder_begins_with_the_episode() -> None:
    for game in ("block_draw", "blind", "elimination"):
        batch = Batch(game, 2, seed=0, autoreset=False)
        batch.reset()
        batch.step(batch.sample())
        with pytest.raises(BadOption, match="lane 1 has been played on"):
            Recorder(batch, 1)


def test_a_recorder_refuses_what_the_game_refuses_and_notes_nothing_of_it() -> None:
    batch = Batch("block_draw", 1, seed=0, autoreset=False)
    batch.reset()
    recorder = Recorder(batch)
    before = recorder.record
    with pytest.raises(IllegalMove):
        recorder.note(int(np.flatnonzero(batch.mask[0] == 0)[0]))
    with pytest.raises(DominoError):
        recorder.note(10**6)
    assert recorder.record == before
    while not recorder.over:
        recorder.note(int(recorder.batch.legal[0, 0]))
    with pytest.raises(GameOver, match="new Recorder"):
        recorder.note(0)


def test_names_are_one_for_each_seat() -> None:
    batch = Batch("block_draw", 1, seed=0)
    batch.reset()
    assert Recorder(batch).record.names == ("seat 0", "seat 1")
    assert Recorder(batch, names=("Ann", "Bob → β")).record.names == ("Ann", "Bob → β")
    for names in (("one",), "ab", (1, 2)):
        with pytest.raises(BadOption, match="2 texts"):
            Recorder(batch, names=names)  # type: ignore[arg-type]


def test_no_more_moves_are_taken_back_than_were_made() -> None:
    record = small_game(moves=3)
    for moves in (4, -1, 1.5, "all"):
        with pytest.raises(BadOption, match="0 to 3 moves"):
            record.without_last(moves)  # type: ignore[arg-type]


# Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_record_reads_and_writes_as_ever(file: Path) -> None:
    record = read(file)
    assert record.text() == file.read_text(encoding="utf-8")
    assert to_batch(record).position().scores == [*record.result.scores]


def test_the_golden_records_are_of_all_kinds() -> None:
    records = {file.stem: read(file) for file in GOLDEN}
    assert [*records] == ["explicit_calls", "match_of_two", "row_alone"]
    calls = records["explicit_calls"]
    assert (calls.calls, calls.result.over, calls.rules) == (
        "explicit",
        False,
        {"double_back": True},
    )
    assert records["match_of_two"].episode == "match"
    assert len(records["match_of_two"].rounds) > 1
    assert records["row_alone"].num_players == 1


def test_a_record_is_laid_out_to_be_read() -> None:
    lines = read(FOLDER / "match_of_two.json").text().splitlines()
    assert max(len(line) for line in lines if "boneyard" not in line) <= 100
    assert sum(": [" in line and " → end " in line for line in lines) > 100  # a move a line


def test_a_file_of_many_records_names_the_line_that_is_wrong(tmp_path: Path) -> None:
    records = [small_game(), small_game("blind"), small_game("knock_out")]
    file = tmp_path / "records.jsonl"
    file.write_text("".join(record.line() for record in records), encoding="utf-8")
    assert [*read_all(file)] == records
    file.write_text(records[0].line() + records[1].line().replace("PASS", "PAS", 1)[1:])
    with pytest.raises(BadRecord, match=r"records\.jsonl, line 2: line 1, column"):
        [*read_all(file)]


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
    ('{"format": "\\ud800"}', "half a character"),
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


def damaged_value(text: str, luck: Random) -> str:
    """A part of a record changed, dropped, doubled or shuffled."""
    value = json.loads(text)
    *path, name = luck.choice([*paths(value)])
    inside = value
    for part in path:
        inside = inside[part]
    kind = luck.randrange(4)
    if kind == 0:
        del inside[name]
    elif kind == 1 and isinstance(inside, list):
        luck.shuffle(inside)
    elif kind == 2 and isinstance(inside[name], str) and inside[name]:
        at = luck.randrange(len(inside[name]))
        inside[name] = inside[name][:at] + luck.choice("0159| x→[]") + inside[name][at + 1 :]
    else:
        inside[name] = luck.choice(JUNK)
    return json.dumps(value)


def damaged_rules(text: str, luck: Random) -> str:
    """A record of house rules that nobody has thought of."""
    value = json.loads(text)
    played = rules(value["game"])
    for _ in range(luck.randrange(1, 4)):
        name = luck.choice([*played.__dataclass_fields__])
        part = getattr(played, name)
        if hasattr(part, "__dataclass_fields__"):
            value["rules"][name] = {luck.choice([*part.__dataclass_fields__]): luck.choice(JUNK)}
        else:
            value["rules"][name] = luck.choice([*JUNK, 3, 7, 14, "double_2", "all", [2, 3]])
    with suppress(DominoError):
        value["rules_version"] = mark_of(rules(value["game"], **value["rules"]))
    return json.dumps(value)


def damaged_text(text: str, luck: Random) -> str:
    """Letters lost, added or doubled."""
    start = luck.randrange(len(text))
    stop = start + luck.choice([0, 1, 1, 30])
    middle = luck.choice(["", '"', "{", "9", "\n", text[start:stop] * 2])
    return text[:start] + middle + text[stop:]


@pytest.mark.parametrize("damage", [damaged_value, damaged_rules, damaged_text])
def test_a_damaged_record_is_refused_or_is_another_good_one(
    damage: Callable[[str, Random], str],
) -> None:
    luck = Random(damage.__name__)
    texts = [file.read_text(encoding="utf-8") for file in GOLDEN]
    texts += [small_game(game).text() for game in ("blind", "matador", "solitaire", "fruitominoes")]
    good = 0
    for _ in range(1500):
        with suppress(BadRecord):
            record = parse(damage(luck.choice(texts), luck))
            text = record.text()
            good += parse(text).text() == text
    assert good < 750
