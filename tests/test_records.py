"""Records: what has been played comes back exactly."""

import json
from collections.abc import Iterator
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
from domino_env.record import Recorder, parse, read, read_all, replay, to_batch
from tests.kept_games import FOLDER, GOLDEN, play, small_game

TWISTED: dict[str, Any] = {
    "turn": {"reversed_by": "double", "raised_by": "2|2"},
    "plays": {"by": "multiples", "multiples": [10], "called": True},
}
HOUSE: list[tuple[str, dict[str, Any]]] = [
    ("block_draw", {"set": "double_9", "hand_size": 9}),
    ("bergen", {"draw": {"forced": "none"}, "hand_size": [4, 5, 6]}),
    ("all_fives", {"set": "double_3", "hand_size": 2, "target": 20}),
    ("fundomino", {**TWISTED, "round": {"places": [50, 5]}}),
    (
        "fundomino",
        {
            "tiles": ["1|1", "1|2", "2|2", ">2|1", "+1|2", "*|2", "*|1", "+2|1", ">1|2"],
            "hand_size": 2,
        },
    ),
    ("fundomino_caribbean", {"turn": {"reversed_by": "double"}}),
    ("solitaire", {"moves": 30}),
]


class Setting(NamedTuple):
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


def tables() -> Iterator[Setting]:
    """Every game, as rounds with every number of seats, as matches, and with explicit calls; and
    house rules."""
    for game, changes in [*((game, {}) for game in variants()), *HOUSE]:
        played = rules(game, **changes)
        episode = "match" if played.has_matches else "round"
        for players in played.players:
            yield Setting(game, changes, players)
        if played.has_opponents:
            yield Setting(game, changes, played.players[0], episode)
        if played.has_calls:
            yield Setting(game, changes, played.players[-1], episode, "explicit")


every_table = pytest.mark.parametrize(
    "table",
    [
        pytest.param(
            table, marks=[pytest.mark.slow] if table.episode == "match" else [], id=str(table)
        )
        for table in tables()
    ],
)


# There and back ----------------------------------------------------------------------------------


@every_table
def test_a_game_comes_back_as_it_was_played(table: Setting) -> None:
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


@pytest.mark.slow
@every_table
def test_a_game_that_goes_on_has_the_future_that_it_would_have_had(table: Setting) -> None:
    rng = Random(str(table))
    for seed in range(3):
        batch = table.batch(seed, autoreset=seed > 0)
        record = play(batch, rng.randrange(40)).record
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
def test_a_move_taken_back_leaves_the_record_that_was_there_before_it(table: Setting) -> None:
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
        {"turn": {"reversed_by": "double"}},
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
