"""Features of moves: a row for each legal action, of what a player sees who imagines it done."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Tile, decode, encode
from domino_env.batches import Batch
from domino_env.engine.move_features.columns import power
from domino_env.errors import BadOption, NotReset
from domino_env.position import Position
from tests.games import AT_A_TABLE
from tests.test_observations import every_setting, permute_hidden, random_states

Row = dict[str, float]
OF_PIPS = ("pips", "points", "heavy", "counts")  # what depends on how many pips a number has


def named(batch: Batch, row: Any) -> Row:
    """A row, by the names of its numbers."""
    return {field.name: float(n) for field, n in zip(batch.move_fields, row, strict=True)}


def begun(game: str, num_games: int = 16, steps: int = 5, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(game, num_games, seed=1, **options)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


# Which rows -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_each_legal_action_has_a_row_in_the_order_of_legal(variant: str) -> None:
    batch = begun(variant)
    rows = batch.move_features()
    assert rows.shape == (batch.num_legal.sum(), len(batch.move_fields))
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    plays = 2 * batch.rules.num_tiles * (batch.num_actions // (2 * batch.rules.num_tiles))
    told = rows[:, [field.name for field in batch.move_fields].index("plays")] == 1
    actions = np.concatenate(
        [batch.legal[lane, :number] for lane, number in enumerate(batch.num_legal)]
    )
    assert told.tolist() == (actions < plays).tolist()


def test_some_lanes_have_the_rows_that_they_have_among_all() -> None:
    batch = begun("five_up")
    rows = np.split(batch.move_features(), np.cumsum(batch.num_legal)[:-1])
    some = np.array([7, 2, 11, 2])
    assert np.array_equal(batch.move_features(some), np.concatenate([rows[lane] for lane in some]))
    assert batch.move_features([]).shape == (0, len(batch.move_fields))


def test_a_lane_that_is_over_has_no_rows() -> None:
    batch = begun("block_draw", autoreset=False)
    while batch.num_legal.all():
        batch.step(batch.sample())
    assert len(batch.move_features()) == batch.num_legal.sum()
    assert len(batch.move_features(np.flatnonzero(batch.num_legal == 0))) == 0


def test_rows_are_written_into_memory_that_is_given() -> None:
    batch = begun("all_fives")
    out = np.full((500, len(batch.move_fields)), -1, np.float32)
    rows = batch.move_features(out=out)
    assert np.shares_memory(rows, out)
    assert np.array_equal(rows, batch.move_features())
    assert (out[len(rows) :] == -1).all()


def test_threads_and_copies_see_the_same() -> None:
    batch, threaded = begun("bendomino"), begun("bendomino", threads=3)
    rows = batch.move_features()
    for other in (threaded, batch.clone(), pickle.loads(pickle.dumps(batch))):
        assert np.array_equal(other.move_features(), rows)


def test_wrong_calls_are_refused() -> None:
    batch = domino_env.batch("block_draw", 4)
    with pytest.raises(NotReset):
        batch.move_features()
    batch.reset()
    columns, read_only = len(batch.move_fields), np.zeros((90, len(batch.move_fields)), np.float32)
    read_only.flags.writeable = False
    for wrong in (
        np.zeros((90, columns)),
        np.zeros((90, columns + 1), np.float32),
        np.zeros((1, columns), np.float32),
        np.zeros((columns, 90), np.float32).T,
        np.zeros((180, columns), np.float32)[::2],
        read_only,
        [[0.0] * columns] * 90,
    ):
        with pytest.raises(BadOption, match=f"float32 array of {columns} columns"):
            batch.move_features(out=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="lanes are 0 to 3"):
        batch.move_features([4])


def test_one_player_games_have_none() -> None:
    batch = domino_env.batch("solitaire", 2, seed=0)
    batch.reset()
    assert batch.move_fields == ()
    with pytest.raises(BadOption, match="solitaire is for one player"):
        batch.move_features()


# What they say ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_hidden_tiles_permuted_leave_the_rows_alone(variant: str) -> None:
    chance, moved = random.Random(variant), 0
    for setting in every_setting(variant):
        for batch in random_states(setting, 4, looks=6, seed=chance.randrange(2**32)):
            for lane in range(batch.num_games):
                kept = batch._games[lane : lane + 1].copy()
                before = batch.move_features([lane])
                moved += permute_hidden(batch, lane, int(batch.seat[lane]), chance)
                after = batch.move_features([lane])
                batch._games[lane : lane + 1] = kept
                wrong = np.flatnonzero((before != after).any(0))
                names = [batch.move_fields[column].name for column in wrong]
                assert not names, f"{setting}: the mover sees hidden tiles in {names}"
    assert moved > 100


def games_to_compare(variant: str) -> Iterator[tuple[Batch, Position, int, Row, Position]]:
    """Moves of random games: before, the action, its row, and what really comes of it."""
    batch = begun(variant, 4, steps=0, autoreset=False)
    for _ in range(20):
        live = np.flatnonzero(batch.num_legal)
        for lane in live.tolist():
            before, rows = batch.position(lane), batch.move_features([lane])
            for action, row in zip(batch.legal[lane, : batch.num_legal[lane]], rows, strict=True):
                ahead = batch.clone()
                ahead.step([int(action)], np.array([lane]))
                yield batch, before, int(action), named(batch, row), ahead.position(lane)
        if not len(live):
            return
        batch.step(batch.sample_some(live), live)


def tiles_with(batch: Batch, number: Any) -> set[Tile]:
    return {Tile(*tile) for tile in batch.rules.tile_set.tiles if number in tile}


@pytest.mark.parametrize("variant", ["block_draw", "all_fives"])
def test_rows_say_what_comes_of_the_action(variant: str) -> None:
    compared = 0
    for batch, before, action, row, after in games_to_compare(variant):
        move, seat = decode(batch.rules, action), before.turn
        if move.kind != "play" or after.over:
            continue
        held = set(before.hands[seat]) - {move.tile}
        on_table = {tile for tile, _ in before.played} | {move.tile}
        unseen = {Tile(*t) for t in batch.rules.tile_set.tiles} - held - on_table
        heaviest = 2 * max(value.pips for value in batch.rules.tile_set.values)
        assert row["pips"] == pytest.approx(sum(move.tile) / heaviest)
        assert row["points"] == pytest.approx((after.scores[seat] - before.scores[seat]) / 10)
        asked = {end.value for end in after.ends if end.offered}
        fits = {tile for tile in held if asked & {*tile}}
        assert row["fitting"] == pytest.approx(len(fits) / len(held))
        assert row["stuck"] == (not fits)
        doubles = [tile for tile in held if tile.is_double]
        assert row["doubles"] == pytest.approx(len(doubles) / len(held))
        assert row["varied"] == pytest.approx(len({n for t in held for n in t}) / len(held) / 2)
        check_end(batch, before, move.end, row, after, (held, unseen, on_table))
        compared += 1
    assert compared > 50


def check_end(
    batch: Batch, before: Position, made: int, row: Row, after: Position, tiles: Any
) -> None:
    """Compares what is said of the end that was made."""
    end = next(end for end in after.ends if end.number == made)
    fits = tiles_with(batch, end.value)
    for name, some in zip(("own", "unseen", "played"), tiles, strict=True):
        assert row[f"end[0].{name}"] == pytest.approx(len(fits & some) / len(fits))
    if batch.rules.scores_in_play:
        heaviest = 2 * max(value.pips for value in batch.rules.tile_set.values)
        assert row["end[0].counts"] == pytest.approx(end.counts / heaviest)
    for who, name in ((before.turn, "i"), (1 - before.turn, "next")):
        made_by, covered = history(before, who)
        assert row[f"end[0].{name}_made"] == (end.value in made_by)
        assert row[f"end[0].{name}_covered"] == (end.value in covered)


def history(position: Position, seat: int) -> tuple[set[Any], set[Any]]:
    """The numbers of the ends that a seat has made and covered, by the events."""
    made: set[Any] = set()
    covered: set[Any] = set()
    plays = [event for event in position.events if event.kind == "play"]
    for number, event in enumerate(plays):
        if event.seat == seat and event.tile is not None and event.half is not None:
            made.add(event.tile[1 - event.half])
            (covered if number else made).add(event.tile[event.half])
    return made, covered


def test_what_is_learnt_of_fives_holds_for_threes() -> None:
    """With other numbers an action looks as before, but for what is said of pips."""
    compared = 0
    for batch, other, _ in relabelled_games(range(3, 20)):
        kept = [
            column
            for column, field in enumerate(batch.move_fields)
            if field.name.rpartition(".")[2] not in OF_PIPS
        ]
        rows, rows_of_other = batch.move_features()[:, kept], other.move_features()[:, kept]
        assert sorted(map(tuple, rows.tolist())) == sorted(map(tuple, rows_of_other.tolist()))
        compared += len(rows)
    assert compared > 50


def relabelled_games(seeds: range) -> Iterator[tuple[Batch, Batch, list[int]]]:
    """Games at every decision, beside the same ones with the numbers of all tiles changed for
    others: for each number the other one."""
    change = [4, 6, 0, 5, 1, 3, 2]
    for seed in seeds:
        yield from relabelled_game(seed, change)


def relabelled_game(seed: int, change: list[int]) -> Iterator[tuple[Batch, Batch, list[int]]]:
    """The same for one game; nothing of one in which another tile then opens."""
    batch, other = (domino_env.batch("block_draw", 1, seed=seed, autoreset=False) for _ in range(2))
    batch.reset()
    deal = batch.position().deal

    def relabelled(tile: Tile) -> Tile:
        return Tile(*sorted(change[half] for half in tile))

    hands = [[relabelled(tile) for tile in hand] for hand in deal["hands"]]
    boneyard = [relabelled(tile) for tile in deal["boneyard"]]
    other.reset(options={"deal": {**deal, "hands": hands, "boneyard": boneyard}})
    if other.position().played[0][0] != relabelled(batch.position().played[0][0]):
        return  # of several doubles another is the highest now, and opens
    while batch.seat[0] >= 0:
        yield batch, other, change
        move = decode(batch.rules, int(batch.sample()[0]))
        theirs = [
            action
            for action in other.legal[0, : other.num_legal[0]].tolist()
            if same_move(decode(other.rules, action), move, relabelled, change)
        ]
        batch.step([encode(batch.rules, move)])
        other.step(theirs[:1])


def same_move(theirs: Any, ours: Any, relabelled: Any, change: list[int]) -> bool:
    """Is a move the other one, with other numbers?"""
    if ours.kind != "play" or theirs.kind != "play":
        return bool(ours.kind == theirs.kind)
    joined = theirs.tile[theirs.half] == change[ours.tile[ours.half]]
    return theirs.tile == relabelled(ours.tile) and theirs.end == ours.end and joined


@pytest.mark.parametrize("worth", [0, 50, 1000])
def test_pips_are_what_tiles_count_whatever_that_is(worth: int) -> None:
    rules = domino_env.rules("block_draw", worths=(("0|0", worth),))
    batch, seen = domino_env.batch(rules, 16, seed=0), 0
    batch.reset()
    heaviest = max(map(rules.tile_set.pips, range(rules.num_tiles)))
    for _ in range(30):
        for lane in range(batch.num_games):
            seat, (action, *_) = int(batch.seat[lane]), batch.legal[lane]
            held = [tile for tile in range(rules.num_tiles) if _holds(batch, lane, seat, tile)]
            row = named(batch, batch.move_features([lane])[0])
            if row["plays"]:
                held.remove(int(action) // 2 // (batch.num_actions // (2 * rules.num_tiles)))
            pips = sum(rules.counted(tile) for tile in held)
            if held:
                assert row["heavy"] == pytest.approx(pips / heaviest / len(held), rel=1e-5)
                seen += rules.tile_set.named("0|0") in held
        batch.step(batch.sample())
    assert seen > 20


def _holds(batch: Batch, lane: int, seat: int, tile: int) -> bool:
    return bool(int(batch._games["hands"][lane, seat, 0]) >> tile & 1)


def test_powers_are_products_bit_by_bit() -> None:
    for base in np.linspace(0, 1, 23, dtype=np.float32):
        for exponent in range(64):
            expected, square = np.float32(1), base
            for bit in range(6):
                expected *= square if exponent >> bit & 1 else np.float32(1)
                square *= square
            assert power(base, exponent) == expected
