"""What is seen of a one-player game: its observation, its position, and what both hide."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Move, Tile, tile_number
from domino_env.batches import Batch
from domino_env.solo import SoloPosition
from tests.reference import puzzles
from tests.solo_games import (
    COLUMNS,
    WHOLE_SET,
    at_the_end_of,
    every_variant,
    golden,
    look,
    make,
    playing,
    put,
    upright,
    ways_to_play,
)
from tests.test_observations import named, one_hot
from tests.test_states import LANES, is_over

# What is seen -------------------------------------------------------------------------------------


@every_variant
def test_the_fields_describe_the_whole_observation(variant: str) -> None:
    batch = playing(variant)
    names = [field.name for field in batch.fields]
    assert sum(field.size for field in batch.fields) == batch.num_features
    assert batch.observation.shape == (LANES, batch.num_features)
    assert len({*names}) == len(names)
    assert all(field.size > 0 and field.meaning for field in batch.fields)


def random_states(variant: str, looks: int, seed: int) -> Iterator[Batch]:
    """A batch at random moments of its games."""
    chance = random.Random(seed)
    for rules in ways_to_play(variant):
        batch = domino_env.batch(rules, 4, seed=chance.randrange(2**32))
        batch.reset()
        for _ in range(looks):
            for _ in range(chance.randrange(1, 12)):
                batch.step(batch.sample())
            yield batch
    if variant == "solitaire":  # random play seldom wins
        for before in range(8):
            yield at_the_end_of("solitaire/one_column_and_the_whole_bonus", before)


def check_fields(batch: Batch, lane: int, expected: dict[str, Any]) -> None:
    """Compares every field of an observation with what it should be."""
    seen = named(batch, batch.observation[lane])
    assert {*seen} == {*expected}
    wrong = [
        f"{name}: {seen[name]}, not {numbers}"
        for name, numbers in expected.items()
        if np.abs(seen[name] - np.array(numbers, float)).max() > 1e-6
    ]
    assert not wrong, f"{wrong}\n{batch.position(lane)}"


def test_every_field_of_knock_out_says_what_the_position_says() -> None:
    for batch in random_states("knock_out", looks=60, seed=1):
        for lane in range(batch.num_games):
            row = look(batch, lane).row
            expected: dict[str, Any] = {"tiles": [len(row) / 28]}
            for place in range(28):
                left, right = row[place] if place < len(row) else (None, None)
                expected[f"left[{place}]"] = one_hot(left, 7)
                expected[f"right[{place}]"] = one_hot(right, 7)
            check_fields(batch, lane, expected)


def test_every_field_of_solitaire_says_what_the_position_says() -> None:
    for batch in random_states("solitaire", looks=60, seed=2):
        for lane in range(batch.num_games):
            check_fields(batch, lane, fields_of_columns(batch, look(batch, lane)))


def fields_of_columns(batch: Batch, position: SoloPosition) -> dict[str, Any]:
    """What a position says of its columns."""
    moves = position.moves / batch.rules.moves
    expected: dict[str, Any] = {"won": [float(position.won)], "moves": [moves]}
    for low, high in WHOLE_SET:
        for what, size in (("column", COLUMNS), ("depth", 1), ("turned", 1)):
            expected[f"[{low}|{high}].{what}"] = [0.0] * size
    for number, (column, up) in enumerate(zip(position.columns, position.face_up, strict=True)):
        expected[f"column[{number}].down"] = [(len(column) - up) / 28]
        expected[f"column[{number}].up"] = [up / 28]
        expected[f"column[{number}].ends"] = one_hot(column[-1][1] if column else None, 7)
        for place in range(up):
            tile = column[len(column) - 1 - place]
            name = f"[{upright(tile)}]"
            expected[f"{name}.column"] = one_hot(number, COLUMNS)
            expected[f"{name}.depth"] = [(place + 1) / 28]
            expected[f"{name}.turned"] = [float(tile[0] > tile[1])]
    return expected


def test_every_field_of_elimination_says_where_the_count_is() -> None:
    """Beside the reference, which knows of passes."""
    batch = domino_env.batch("elimination", 6, seed=4, autoreset=False)
    batch.reset()
    games = [puzzles.new_game("elimination") for _ in range(6)]
    for lane, game in enumerate(games):
        game.start([tuple(tile) for tile in look(batch, lane).deal])
    most_idle = 0
    while not is_over(batch):
        for lane, game in enumerate(games):
            if not game.over:
                check_fields(batch, lane, fields_of_count(look(batch, lane), game))
                most_idle = max(most_idle, game.idle_passes)
                game.apply(("go_on",))
        batch.step(batch.sample())
    assert most_idle > 3


def fields_of_count(position: SoloPosition, game: Any) -> dict[str, Any]:
    """What a position says of its row, and a reference game of its passes."""
    pips = [(sum(tile) + 1) / 13 for tile in position.row]
    return {
        "row": pips + [0.0] * (28 - len(pips)),
        "place": one_hot(position.place, 28),
        "number": one_hot(position.number, 13),
        "idle": [game.idle_passes / 13],
        "removed": [float(game.removed_this_pass > 0)],
    }


@every_variant
def test_the_legal_moves_can_be_told_from_the_observation(variant: str) -> None:
    for batch in random_states(variant, looks=60, seed=3):
        for lane in range(batch.num_games):
            seen = named(batch, batch.observation[lane])
            told = {"elimination": count_seen, "knock_out": pairs_seen, "solitaire": runs_seen}
            if not batch.done[lane] or batch.autoreset:
                moves = {*told[variant](seen)}
                assert moves == {*look(batch, lane).legal}, batch.position(lane)


def count_seen(seen: dict[str, Any]) -> Iterator[Move]:
    if seen["row"].any():
        yield Move("go_on")


def pairs_seen(seen: dict[str, Any]) -> Iterator[Move]:
    """The junctions at which the same number is seen on both sides."""
    for place in range(27):
        if (seen[f"right[{place}]"] * seen[f"left[{place + 1}]"]).any():
            yield Move("knock", place=place)


def runs_seen(seen: dict[str, Any]) -> Iterator[Move]:
    """Every tile that is seen, to every column that ends in its upper half, or is seen empty."""
    ends = [seen[f"column[{number}].ends"] for number in range(COLUMNS)]
    heights = [
        round(float(seen[f"column[{n}].down"][0] + seen[f"column[{n}].up"][0]) * 28)
        for n in range(COLUMNS)
    ]
    for tile in WHOLE_SET:
        lies = seen[f"[{tile}].column"].nonzero()[0].tolist()
        top = max(tile) if seen[f"[{tile}].turned"][0] else min(tile)
        depth = round(float(seen[f"[{tile}].depth"][0]) * 28)
        for column in lies:
            for other in range(COLUMNS):
                if other != column and ends[other][top]:
                    yield Move("move", tile, place=other)
            if depth < heights[column] and 0 in heights:
                yield Move("move", tile)
    if seen["won"][0]:
        yield Move("stop")


@pytest.mark.parametrize("variant", ["solitaire", "knock_out"])
def test_equal_observations_have_equal_masks(variant: str) -> None:
    """Many games of a few deals: the same observation comes up again and again."""
    masks, met = defaultdict(set), 0
    batch = domino_env.batch(variant, 400, seed=0, autoreset=False)
    batch.reset()
    batch.reset(options={"deals": [look(batch, lane).deal for lane in range(4)] * 100})
    for _ in range(40):
        for lane in np.flatnonzero(batch.seat >= 0).tolist():
            masks[batch.observation[lane].tobytes()].add(batch.mask[lane].tobytes())
            met += 1
        if not is_over(batch):
            batch.step(batch.sample())
    assert {*map(len, masks.values())} == {1}
    assert met - len(masks) > 400


# What is not --------------------------------------------------------------------------------------


def face_down(position: SoloPosition) -> list[tuple[int, int]]:
    """Where tiles lie face down: column and place."""
    return [
        (number, place)
        for number, column in enumerate(position.columns)
        for place in range(len(column) - position.face_up[number])
    ]


def permute_hidden(batch: Batch, lane: int, chance: random.Random) -> int:
    """Shuffles the tiles that lie face down, and how they lie; tells how many now are others."""
    position, record = look(batch, lane), batch._games[lane]
    places = face_down(position)
    tiles = [position.columns[column][place] for column, place in places]
    mixed = [Tile(*chance.sample(tile, 2)) for tile in chance.sample(tiles, len(tiles))]
    for (column, place), tile in zip(places, mixed, strict=True):
        put(record, tile_number(batch.rules, tile), column, place, tile)
    return sum(old != new for old, new in zip(tiles, mixed, strict=True))


def test_tiles_face_down_permuted_leave_the_observation_alone() -> None:
    chance, moved = random.Random("face down"), 0
    for batch in random_states("solitaire", looks=60, seed=5):
        for lane in range(batch.num_games):
            before, legal = batch.observe(lane, 0), look(batch, lane).legal
            columns = look(batch, lane).columns
            changed = permute_hidden(batch, lane, chance)
            assert (look(batch, lane).columns != columns) == (changed > 0)
            batch._show(lane)
            assert batch.observation[lane].tobytes() == before.tobytes()
            assert look(batch, lane).legal == legal
            moved += changed
    assert moved > 1000


def test_deals_that_differ_face_down_look_the_same_until_a_tile_turns_up() -> None:
    chance, compared = random.Random("deals"), 0
    for seed in range(30):
        game = domino_env.batch("solitaire", 1, seed=seed, autoreset=False)
        game.reset()
        deal = list(look(game).deal)
        lowest = {6, 12, 17, 21, 24, 26, 27}
        hidden = [place for place in range(28) if place not in lowest]
        mixed = [Tile(*chance.sample(deal[place], 2)) for place in chance.sample(hidden, 21)]
        for place, tile in zip(hidden, mixed, strict=True):
            deal[place] = tile
        other = domino_env.batch("solitaire", 1, seed=0, autoreset=False)
        other.reset(options={"deal": deal})
        while not any(event.kind == "turn_up" for event in look(game).events):
            assert other.observation.tobytes() == game.observation.tobytes()
            assert other.mask.tobytes() == game.mask.tobytes()
            compared += 1
            taken = game.sample()
            if game.done[0]:
                break
            game.step(taken)
            other.step(taken)
        assert look(game).columns != look(other).columns
    assert compared >= 30


# Words --------------------------------------------------------------------------------------------


def test_a_position_of_columns_reads_like_the_table() -> None:
    batch = at_the_end_of("solitaire/part_of_a_run_and_an_empty_column", before=4)
    assert str(look(batch)).splitlines() == [
        "Domino Solitaire  1 points",
        "  column 0  [   ] [   ] [   ] [   ] [   ] [   ] [0|3] [3|4] [4|5]",
        "  column 1  [   ] [   ] [   ] [   ] [   ] [0|6]",
        "  column 2  [   ] [   ] [   ] [   ] [1|6]",
        "  column 3  [   ] [   ] [   ] [1|5]",
        "  column 4  [   ] [   ] [2|5]",
        "  column 5  [2|6]",
        "  column 6  empty",
        "  last      [4|5] goes to column 0",
        "  legal     [0|3] → empty column, [0|6] → empty column, [1|5] → empty column, "
        "[1|6] → empty column, [2|5] → empty column, [3|4] → empty column, [4|5] → empty column",
    ]


def test_a_position_of_a_row_reads_like_the_table() -> None:
    batch = at_the_end_of("knock_out/everything_is_knocked_out", before=1)
    assert str(look(batch)).splitlines() == [
        "Knock-Out  26 points",
        "  row       [6|6] [6|0]",
        "  last      [0|2] and [2|5] are knocked out",
        "  legal     KNOCK 0",
    ]
    make(batch, "KNOCK 0")
    assert str(look(batch)).splitlines() == [
        "Knock-Out  28 points",
        "  row       empty",
        "  last      all is done",
        "  over      won",
    ]


def test_a_position_of_a_count_says_what_comes_next() -> None:
    game = golden("elimination/stuck_with_twenty_six_tiles")
    batch = domino_env.batch("elimination", 1, autoreset=False)
    batch.reset(options={"deal": game["deal"]})
    for _ in range(27):
        batch.step([0])
    lines = str(look(batch)).splitlines()
    assert lines[2:] == [
        "  counting  1 on [0|1]",
        "  last      [0|0] is removed",
        "  legal     GO ON",
    ]
    for _ in range(27):
        batch.step([0])
    assert str(look(batch)).splitlines()[2:] == [
        "  last      nothing more can be done",
        "  over      not won",
    ]
