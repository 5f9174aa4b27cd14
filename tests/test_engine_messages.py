"""What engines are sent and what they answer, byte by byte: compiled code beside plain Python."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.errors import BadDeal
from domino_env.games import DEFAULT_GAME
from domino_env.protocol import Recollection
from domino_env.protocol.answers import MOST_DIGITS, common_moves
from domino_env.protocol.clocks import Clocks
from domino_env.protocol.spelling import spell
from domino_env.protocol.states import FIRST_PAGE, StateWriter
from domino_env.protocol.terms import NUMBER, OPTIONAL, terms_of
from tests.drawn_rules import Lot
from tests.games import AT_A_TABLE
from tests.protocol_reference import ReferenceWriter, as_seen
from tests.recollection_reference import ReferenceRecollection
from tests.test_observations import every_setting, random_states

Whole = Any
WRITER = StateWriter()  # one for all games: what it keeps of one must not come up in another


def to_move(batch: Batch, lanes: Whole) -> Whole:
    return batch._games["to_move"][lanes].astype(np.int64)


def assert_written_alike(batch: Batch, chance: random.Random) -> dict[str, Any]:
    """Writes some lanes of a batch in both ways; a state."""
    lanes = np.array(chance.sample(range(batch.num_games), chance.randint(1, batch.num_games)))
    seats, tiles = to_move(batch, lanes), batch.rules.num_tiles
    sizes = batch._games["log_size"][lanes] - tiles
    told = np.array([chance.randint(0, int(size)) for size in sizes])
    numbers = np.array([chance.randrange(10 ** chance.randint(1, 12)) for _ in lanes])
    rules = chance.choice([1, 2, 10, 345])
    clocks = Clocks(None, chance.choice([None, 0.25, 100, 1 / 3]), chance.choice([0, 0.1, 12]))
    clocks.charge(numbers[:1].tolist(), 0.01)
    said = clocks.told(numbers.tolist())
    found = bytes(WRITER.write(batch, lanes, seats, rules, numbers, told, said))
    events = as_seen(batch._logs[lanes, tiles:], seats)
    heads = [f'"game":{number},"rules":{rules}' for number in numbers]
    expected = ReferenceWriter(batch.setup).write(
        batch, lanes, seats, events, heads, told.tolist(), said or [""] * len(lanes)
    )
    assert found.decode("ascii") == ",".join(expected), batch.setup
    return dict(json.loads(expected[0]))


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_byte_is_as_plain_python_writes_it(variant: str) -> None:
    chance = random.Random(variant)
    settings = every_setting(variant)
    for setting in chance.sample(settings, min(3, len(settings))):
        for batch in random_states(setting, 3, looks=6, seed=chance.randrange(2**32)):
            assert_written_alike(batch, chance)


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_byte_in_every_way_to_play(variant: str) -> None:
    chance = random.Random(variant)
    for setting in every_setting(variant):
        for _ in range(2):
            for batch in random_states(setting, 4, looks=12, seed=chance.randrange(2**32)):
                assert_written_alike(batch, chance)


def drawn_batches(number: int) -> Iterator[Batch]:
    """Games by rules that are drawn by lot, at random moments."""
    for seed in range(number):
        chance, rules = random.Random(seed), Lot(seed).rules()
        batch = domino_env.batch(
            rules,
            3,
            chance.choice(rules.players),
            seed=seed,
            episode="match" if rules.has_matches and chance.random() < 0.5 else "round",
            calls="explicit" if rules.has_calls and chance.random() < 0.8 else "automatic",
        )
        try:
            batch.reset()
            for _ in range(5):
                for _ in range(chance.randint(1, 9)):
                    batch.step(batch.sample())
                yield batch
        except BadDeal:
            pass


@pytest.mark.slow
def test_every_byte_by_rules_drawn_by_lot() -> None:
    chance, fields = random.Random(0), set[str]()
    for batch in drawn_batches(300):
        fields |= assert_written_alike(batch, chance).keys()
    assert fields >= {*OPTIONAL}


def test_a_page_grows_with_what_is_written() -> None:
    batch = domino_env.batch(DEFAULT_GAME, 512, seed=0)
    batch.reset()
    for _ in range(6):
        batch.step(batch.sample())
    lanes, writer = np.arange(512), StateWriter()
    given = batch, lanes, to_move(batch, lanes), 1, lanes, np.zeros(512, np.int64), []
    found = bytes(writer.write(*given))
    assert len(found) > FIRST_PAGE
    assert [each["game"] for each in json.loads(b"[%b]" % found)] == lanes.tolist()
    assert bytes(writer.write(*given)) == found


@pytest.mark.parametrize("number", [0, 7, 10, 99, 100, -1, -10, 123456789, -(2**31), 2**31])
def test_numbers_are_spelled_out(number: int) -> None:
    batch = domino_env.batch(DEFAULT_GAME, 1)
    page = np.zeros(64, np.uint8)
    size = spell(terms_of(batch.setup), np.array([NUMBER + number]), 1, page, 3)
    assert page[3:size].tobytes().decode() == str(number)


@pytest.mark.parametrize("variant", ["block_draw", "fundomino", "blind"])
def test_what_an_engine_knows_is_as_plain_python_remembers_it(variant: str) -> None:
    chance = random.Random(variant)
    batch = domino_env.batch(variant, 6, seed=0, episode="match", autoreset=False)
    batch.reset()
    made: list[Callable[..., Any]] = [Recollection, ReferenceRecollection]
    both = [each(batch, iter(range(10**6)).__next__) for each in made]
    begun = gone = 0
    for turn in range(400):
        live = np.flatnonzero(batch.seat >= 0)
        asked = live[[chance.random() < 0.7 for _ in live]]
        seats = to_move(batch, asked)
        (known, over), (expected, others) = (each.look(batch, asked, seats) for each in both)
        assert known.numbers.tolist() == expected.numbers
        assert known.told.tolist() == expected.told
        assert over == others
        begun, gone = begun + known.told.tolist().count(0), gone + len(over)
        happen(batch, both, live, chance, turn)
    assert begun > 20
    assert gone > 5


def happen(batch: Batch, both: list[Any], live: Any, chance: random.Random, turn: int) -> None:
    """Something of what can happen between two requests."""
    kept = batch.save(0)
    if len(live):
        batch.step(batch.sample()[live], live)
    if chance.random() < 0.1:
        batch.restore(0, kept)
    if chance.random() < 0.05:
        batch.restart(np.array([chance.randrange(batch.num_games)]))
    if chance.random() < 0.05:
        lanes = np.array([chance.randrange(batch.num_games)])
        first, second = (each.forget(lanes) for each in both)
        assert first == second
    if turn % 90 == 89:
        for each in both:
            each.tell_again()


# Answers -----------------------------------------------------------------------------------------


def answer(moves: list[tuple[int, int]], request: int = 7, separators: Any = (",", ":")) -> bytes:
    said = [{"game": game, "id": chosen} for game, chosen in moves]
    message = {"type": "move", "request": request, "moves": said}
    return json.dumps(message, separators=separators).encode()


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (" , ", " : ")])
def test_answers_of_the_common_form_are_read_at_once(separators: Any) -> None:
    moves = [(3, 17), (8, 0), (10**6, 10**17), (0, 2)]
    said = answer(moves, separators=separators)
    assert common_moves(said, 7, 4) == dict(moves)
    assert common_moves(b"  " + said + b" ", 7, 9) == dict(moves)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b'{"type":"move","request":7,"moves":[]}',
        b'{"type":"move","request":8,"moves":[{"game":3,"id":17}]}',
        b'{"type":"info","request":7,"moves":[{"game":3,"id":17}]}',
        b'{"type":"mo ve","request":7,"moves":[{"game":3,"id":17}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":-1}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":017}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":1.0}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":1 7}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":17},]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":17}]',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":17}]}}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":17,"sure":true}]}',
        b'{"type":"move","request":7,"moves":[{"id":17,"game":3}]}',
        b'{"type":"move","request":7,"moves":[{"game":3,"id":17},{"game":3,"id":17}]}',
        answer([(3, 10**MOST_DIGITS)]),
        answer([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]),
    ],
)
def test_all_others_are_left_to_the_reader_of_json(line: bytes) -> None:
    assert common_moves(line, 7, 4) is None


def test_what_is_read_at_once_is_what_json_says() -> None:
    chance, read = random.Random(0), 0
    for _ in range(20_000):
        moves = [
            (chance.randrange(30), chance.randrange(2000)) for _ in range(chance.randint(1, 4))
        ]
        line = bytearray(answer(moves, separators=chance.choice([(",", ":"), (", ", ": ")])))
        for _ in range(chance.choice([0, 1, 1, 2])):
            spoil(line, chance)
        found = common_moves(bytes(line), 7, 4)
        if found is not None:
            read += 1
            said = json.loads(line)
            assert said == {"type": "move", "request": 7, "moves": said["moves"]}
            assert [*found.items()] == [(each["game"], each["id"]) for each in said["moves"]]
            assert all(len(each) == 2 for each in said["moves"])
    assert read > 5000


def spoil(line: bytearray, chance: random.Random) -> None:
    """Changes a byte of a line, leaves one out, or puts one in."""
    at, byte = chance.randrange(len(line)), chance.choice(b'{}[]":, 0123456789-+.eEx\t\\\xff')
    match chance.randrange(3):
        case 0:
            line[at] = byte
        case 1:
            del line[at]
        case _:
            line.insert(at, byte)
