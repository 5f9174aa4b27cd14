"""One-player games: whatever is done to a batch of them, what must hold of its games holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import domino_env
from domino_env import actions
from domino_env.actions import Move, Tile, tile_number
from domino_env.batches import Batch
from domino_env.solo import SoloPosition
from tests.solo_games import (
    COLUMNS,
    WHOLE_SET,
    at_the_end_of,
    every_variant,
    look,
    make,
    most_decisions,
    playing,
    put,
    taken,
    upright,
    ways_to_play,
)
from tests.test_states import LANES, Copied, check_observation, is_over, play, shown

# What may be done, told from a position alone -----------------------------------------------------


def legal_moves(position: SoloPosition) -> set[Move]:
    """What may be done in a position, by the rulings."""
    if position.over:
        return set()
    if position.variant == "elimination":
        return {Move("go_on")}  # EL1
    if position.variant == "knock_out":
        beside = enumerate(pairwise(position.row))
        return {Move("knock", place=at) for at, (left, right) in beside if left[1] == right[0]}
    return {*moves_of_runs(position)} | ({Move("stop")} if position.won else set())


def moves_of_runs(position: SoloPosition) -> Iterator[Move]:
    """Every lower part of a column, to everywhere it may go (SO2)."""
    columns = position.columns
    for number, column in enumerate(columns):
        for place in range(len(column) - position.face_up[number], len(column)):
            tile = upright(column[place])
            for other, target in enumerate(columns):
                if other != number and target and target[-1][1] == column[place][0]:
                    yield Move("move", tile, place=other)
            if place > 0 and [] in columns:
                yield Move("move", tile)


# What holds of every position ---------------------------------------------------------------------


def check_tiles(position: SoloPosition) -> None:
    """On the table and removed is the whole set, and nothing is there twice."""
    everywhere = [*position.row, *(tile for column in position.columns for tile in column)]
    everywhere += taken(position)
    assert Counter(map(upright, everywhere)) == Counter(WHOLE_SET)


def check_mask(batch: Batch, lane: int, position: SoloPosition) -> None:
    """Mask, list and names of the legal moves say the same, and it is the right thing."""
    listed = batch.legal[lane, : batch.num_legal[lane]].tolist()
    assert sorted(listed) == batch.mask[lane].nonzero()[0].tolist() == position.legal_actions
    assert set(np.unique(batch.mask[lane])) <= {0, 1}
    assert len({*listed}) == len(listed)
    assert set(position.legal) == legal_moves(position)
    assert len(position.legal) == len({*position.legal})
    for action, move in zip(position.legal_actions, position.legal, strict=True):
        assert actions.encode(batch.rules, move) == action
        assert actions.decode(batch.rules, action) == move
    assert (len(listed) > 0) == (position.to_move == 0) == (not position.over)


def check_course(position: SoloPosition) -> None:
    """The events lead from the deal to what lies there, and to the points."""
    kinds = [event.kind for event in position.events]
    assert position.truncated == (kinds[-1:] == ["cut_off"])
    if position.variant == "solitaire":
        check_columns(position, kinds)
        return
    gone = [upright(tile) for tile in taken(position)]
    left = [tile for tile in position.deal if upright(tile) not in gone]
    assert position.row == left
    assert position.scores == [len(gone)]
    assert position.won == (not left) == ("won" in kinds)
    assert position.over == (kinds[-1:] in (["won"], ["stuck"]))
    if position.variant == "elimination" and position.over:  # EL2
        assert len(left) in (0, 13, 26)


def check_columns(position: SoloPosition, kinds: list[str]) -> None:
    """The same of columns."""
    assert (position.columns, position.face_up) == columns_by_events(position)
    assert position.moves == kinds.count("move")
    assert position.won == (sum(position.face_up) == 28) == ("won" in kinds)
    bonus = position.columns.count([]) if "stop" in kinds else 0
    assert position.scores == [kinds.count("turn_up") + bonus]
    assert sum(position.face_up) == COLUMNS + kinds.count("turn_up")
    assert position.over == (kinds[-1:] in (["stop"], ["stuck"], ["cut_off"]))
    for column, up in zip(position.columns, position.face_up, strict=True):
        assert (up > 0) == (len(column) > 0)
        for upper, lower in pairwise(column[len(column) - up :]):
            assert upper[1] == lower[0]


def columns_by_events(position: SoloPosition) -> tuple[list[list[Tile]], list[int]]:
    """The deal laid out, and every move made that the events tell of."""
    rest = iter(position.deal)
    columns = [[next(rest) for _ in range(length)] for length in range(COLUMNS, 0, -1)]
    face_up = [1] * COLUMNS
    for event in position.events:
        if event.kind == "turn_up":
            assert event.place is not None
            assert face_up[event.place] == 0
            assert upright(columns[event.place][-1]) == event.tile
            face_up[event.place] = 1
        if event.kind == "move":
            move_by_event(columns, face_up, event)
    return columns, face_up


def move_by_event(columns: list[list[Tile]], face_up: list[int], event: Any) -> None:
    """Puts the run that an event names under another column."""
    names = [[upright(tile) for tile in column] for column in columns]
    source = next(number for number, column in enumerate(names) if event.tile in column)
    place = names[source].index(event.tile)
    run = columns[source][place:]
    del columns[source][place:]
    columns[event.place] += run
    face_up[source] -= len(run)
    face_up[event.place] += len(run)


# The machine -------------------------------------------------------------------------------------


class Games(Copied):
    """The same games in five batches: rewarded by margin, by points (on two threads), and each lane
    alone, for the win."""

    variant = ""

    @initialize(data=st.data(), seed=st.integers(0, 2**64 - LANES), autoreset=st.booleans())
    def begin(self, data: st.DataObject, seed: int, autoreset: bool) -> None:
        rules = data.draw(st.sampled_from(ways_to_play(self.variant)))
        self.margin = domino_env.batch(rules, LANES, seed=seed, autoreset=autoreset)
        self.points = domino_env.batch(
            rules, LANES, seed=seed, autoreset=autoreset, reward="points", threads=2
        )
        self.alone = [
            domino_env.batch(rules, 1, seed=seed + lane, autoreset=autoreset, reward="win")
            for lane in range(LANES)
        ]
        self._reset(None)

    @rule(seed=st.none() | st.integers(0, 2**64 - 1))
    def reset(self, seed: int | None) -> None:
        """A new game: by the next of each lane's own chances, or by a seed."""
        self._reset(seed)

    @rule(lane=st.integers(0, LANES - 1))
    def restart(self, lane: int) -> None:
        """A new game in one lane, and nothing else in the others."""
        others = [other for other in range(LANES) if other != lane]
        before = [shown(self.margin, other) for other in others]
        self.margin.restart(lane)
        self.points.restart(lane)
        self.alone[lane].restart(0)
        assert [shown(self.margin, other) for other in others] == before
        assert self.margin.reward[lane, 0] == 0
        assert not self.margin.done[lane]
        self.earned[lane], self.steps[lane] = 0, 0
        self._check()

    @precondition(lambda self: not is_over(self.margin))
    @rule(picks=st.lists(st.integers(0, 2**16), min_size=LANES, max_size=LANES))
    def step(self, picks: list[int]) -> None:
        """One chosen decision in each lane."""
        self._step(self.chosen(picks))
        self._check()

    @precondition(lambda self: not is_over(self.margin))
    @rule(steps=st.integers(1, 300))
    def play_on(self, steps: int) -> None:
        """A stretch of random play; all batches draw the same samples."""
        for number in range(steps):
            if is_over(self.margin):
                break
            taken = self.margin.sample().tolist()
            assert self.points.sample().tolist() == taken
            assert [int(game.sample()[0]) for game in self.alone] == taken
            self._step(taken)
            if number % 40 == 0:
                self._check()
        self._check()

    @rule(lane=st.integers(0, LANES - 1))
    def the_deal_of_a_position_can_be_dealt_again(self, lane: int) -> None:
        position = look(self.margin, lane)
        again = domino_env.batch(self.margin.rules, 1, seed=0)
        again.reset(options={"deal": position.deal})
        assert look(again).deal == position.deal
        assert look(again).events == []

    # What holds after every step ------------------------------------------------------------------

    def _reset(self, seed: int | None) -> None:
        self.margin.reset(seed)
        self.points.reset(seed)
        for lane, game in enumerate(self.alone):
            game.reset(None if seed is None else (seed + lane) % 2**64)
        self.earned, self.steps = [0] * LANES, [0] * LANES
        for batch in (self.margin, self.points, *self.alone):
            assert not batch.reward.any()
            assert not batch.done.any()
            assert not batch.truncated.any()
        self._check()

    def _step(self, taken: list[int]) -> None:
        lasting = (self.margin.seat >= 0).tolist()
        for batch in (self.margin, self.points):
            batch.step(taken)
        for game, action in zip(self.alone, taken, strict=True):
            if action >= 0:
                game.step([action])
        for lane in range(LANES):
            self._check_step(lane, lasting[lane])

    def _check_step(self, lane: int, lasting: bool) -> None:
        paid, done = int(self.points.reward[lane, 0]), bool(self.margin.done[lane])
        cut_off = bool(self.margin.truncated[lane])
        assert self.margin.reward[lane, 0] == paid >= 0
        assert done or not cut_off
        if not lasting:
            assert paid == 0
            return
        self.earned[lane] += paid
        self.steps[lane] += 1
        win = float(self.alone[lane].reward[0, 0])
        assert win in ((1, -1) if done else (0,))
        if done and not self.margin.autoreset:
            position = look(self.margin, lane)
            assert win == (1 if position.won else -1)
            assert position.winners == ([0] if position.won else [])
            assert position.truncated == cut_off
        if done and self.margin.autoreset:
            self.earned[lane] = self.steps[lane] = 0

    def _check(self) -> None:
        for lane in range(LANES):
            assert shown(self.points, lane) == shown(self.margin, lane)
            assert shown(self.alone[lane], 0) == shown(self.margin, lane)
            assert self.points.truncated[lane] == self.margin.truncated[lane]
            assert self.alone[lane].truncated[0] == self.margin.truncated[lane]
            position = look(self.margin, lane)
            check_tiles(position)
            check_mask(self.margin, lane, position)
            check_course(position)
            check_observation(self.margin, lane)
            self._check_lane(lane, position)

    def _check_lane(self, lane: int, position: SoloPosition) -> None:
        batch = self.margin
        assert batch.seat[lane] == (-1 if position.over else 0)
        assert batch.observe(lane, 0).tobytes() == batch.observation[lane].tobytes()
        size = 28 + len(position.events)  # the deal stands in the log too
        assert batch.state()["log_size"][lane] == size <= batch.events.shape[1]
        assert position.scores == [self.earned[lane]]
        if position.number is not None:
            assert position.number == self.steps[lane] % 13


@pytest.mark.slow
@every_variant
def test_whatever_is_done_to_a_batch_its_games_stay_sound(variant: str) -> None:
    machine = type(f"Games_{variant}", (Games,), {"variant": variant})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=60,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@every_variant
def test_every_game_comes_to_an_end(variant: str) -> None:
    for rules in ways_to_play(variant):
        batch = domino_env.batch(rules, 128, seed=7, autoreset=False)
        batch.reset()
        play(batch, most_decisions(rules))
        assert is_over(batch)
        assert (batch.games["log_size"] <= batch.events.shape[1]).all(), "a log has run over"
        for lane in range(batch.num_games):
            check_tiles(look(batch, lane))
            check_course(look(batch, lane))


@every_variant
def test_random_games_end_in_every_way_there_is(variant: str) -> None:
    batch = domino_env.batch(variant, 1000 if variant == "solitaire" else 100, autoreset=False)
    batch.reset(seed=1)
    play(batch, most_decisions(batch.rules))
    ends = {(bool(game["won"]), bool(game["cut_off"])) for game in batch.games}
    if variant == "elimination":
        assert ends == {(False, False), (True, False)}
    elif variant == "knock_out":
        assert ends == {(False, False)}  # all 28 tiles go only by design
    else:
        assert ends == {(False, False), (True, False), (False, True), (True, True)}


def test_columns_are_cut_off_after_the_moves_allowed_and_not_before() -> None:
    for moves in (1, 2, 5, 200):
        rules = domino_env.rules("solitaire", moves=moves)
        batch = domino_env.batch(rules, 64, seed=moves, autoreset=False)
        batch.reset()
        play(batch, moves + 1)
        for lane in np.flatnonzero(batch.truncated).tolist():
            position = look(batch, lane)
            assert position.moves == moves
            assert [*moves_of_runs(position)], "there was nothing more to move"
        assert batch.truncated.any()
        assert batch.done.all()


def test_a_truncated_game_is_done_and_told_apart_from_a_lost_one() -> None:
    batch = at_the_end_of("solitaire/cut_off_by_the_last_move", before=1)
    assert (batch.done.tolist(), batch.truncated.tolist()) == ([False], [False])
    make(batch, "[4|5] → 0")
    assert (batch.done.tolist(), batch.truncated.tolist()) == ([True], [True])
    batch = at_the_end_of("solitaire/lost_by_the_last_move")
    assert (batch.done.tolist(), batch.truncated.tolist()) == ([True], [False])


def test_a_game_dealt_after_one_that_was_cut_off_is_not_truncated() -> None:
    rules = domino_env.rules("solitaire", moves=2)
    batch = domino_env.batch(rules, 8, seed=0)
    batch.reset()
    seen = []
    for _ in range(6):
        batch.step(batch.sample())
        seen.append(batch.truncated.copy())
        assert (batch.done == batch.truncated).mean() > 0.5  # few games are lost so soon
        assert not any(look(batch, lane).truncated for lane in range(8))
    assert not any((one & two).any() for one, two in pairwise(seen))
    assert np.sum(seen) > 12
    batch.reset()
    assert not batch.truncated.any()


def test_a_game_that_is_lost_in_a_lane_where_one_was_cut_off_is_not_truncated() -> None:
    moves = 60
    batch = domino_env.batch(domino_env.rules("solitaire", moves=moves), 400, seed=0)
    batch.reset()
    length, was_cut_off, lost_later = np.zeros(400, int), np.zeros(400, bool), 0
    for _ in range(4 * moves):
        batch.step(batch.sample())
        length += 1
        assert (length[batch.truncated] == moves).all()
        lost_later += int((batch.done & (length < moves) & was_cut_off).sum())
        was_cut_off |= batch.truncated
        length[batch.done] = 0
    assert lost_later > 0


def test_the_log_holds_the_most_events_that_there_can_be() -> None:
    """All 21 tiles turned up, and then every other move that is allowed."""
    batch = at_the_end_of("solitaire/one_column_and_the_whole_bonus", before=1, moves=60)
    while not batch.done[0]:
        batch.step([int(batch.legal[0, 0])])
    position = look(batch)
    kinds = Counter(event.kind for event in position.events)
    assert kinds == {"move": 60, "turn_up": 21, "won": 1, "cut_off": 1}
    assert batch.games["log_size"][0] == 28 + 60 + 21 + 2 <= batch.events.shape[1]
    check_course(position)


def test_an_emptied_row_has_all_its_events_in_the_log() -> None:
    batch = at_the_end_of("knock_out/everything_is_knocked_out")
    assert len(look(batch).events) == 14 + 1
    batch = playing("elimination", 0, autoreset=False)
    play(batch, most_decisions(batch.rules))
    for lane in range(LANES):
        assert len(look(batch, lane).events) == look(batch, lane).scores[0] + 1


# Positions set up by hand -------------------------------------------------------------------------


def lay(columns: list[list[tuple[int, int]]], face_up: list[int], **options: Any) -> Batch:
    """A batch of one in a position of columns, of as many tiles as it takes."""
    rules = domino_env.rules("solitaire", moves=options.pop("moves", 200))
    batch = domino_env.batch(rules, 1, seed=0, autoreset=False, **options)
    batch.reset()
    record = batch._games[0]
    for number, column in enumerate([*columns, *[[]] * (COLUMNS - len(columns))]):
        record["height"][number] = len(column)
        record["face_up"][number] = face_up[number] if number < len(face_up) else 0
        for place, tile in enumerate(column):
            put(record, tile_number(rules, tile), number, place, tile)
    batch._show(0)
    return batch


LOWEST = [[(1, 6)], [(0, 6)], [(4, 6)], [(2, 6)], [(0, 5)], [(2, 3)]]
"""Six columns; beside them 5|6 goes under 0|5, and nothing else does."""


def seven_columns(above: list[tuple[int, int]], **options: Any) -> Batch:
    batch = lay([[*above, (5, 6)], *LOWEST], [1] * 7, **options)
    assert list(map(str, look(batch).legal)) == ["[5|6] → 5"]
    return batch


@pytest.mark.parametrize("reward", ["points", "margin"])
def test_a_win_with_nothing_left_to_move_stops_by_itself(reward: str) -> None:
    batch = seven_columns([(1, 3)], reward=reward)
    make(batch, "[5|6] → 5")
    position = look(batch)
    assert [event.kind for event in position.events] == ["move", "turn_up", "won", "stop"]
    assert (position.over, position.won, position.truncated) == (True, True, False)
    assert batch.reward.tolist() == [[1.0]]


def test_a_win_with_nothing_left_to_move_is_not_cut_off() -> None:
    batch = seven_columns([(1, 3)], moves=1)
    make(batch, "[5|6] → 5")
    assert look(batch).won
    assert (batch.done.tolist(), batch.truncated.tolist()) == ([True], [False])


def test_a_game_with_nothing_left_to_move_and_a_tile_face_down_is_lost() -> None:
    batch = seven_columns([(4, 0), (1, 3)], moves=1)
    make(batch, "[5|6] → 5")
    position = look(batch)
    assert [event.kind for event in position.events] == ["move", "turn_up", "stuck"]
    assert (position.over, position.won, position.truncated) == (True, False, False)
    assert batch.reward.tolist() == [[1.0]]


def test_all_empty_columns_are_one_move_to_the_first_of_them() -> None:
    batch = lay([[(0, 0), (3, 2)], [], [(2, 5)]], [1, 0, 1])
    assert list(map(str, look(batch).legal)) == ["[2|3] → empty column", "[2|5] → 0"]
    make(batch, "[2|3] → empty column")
    assert [len(column) for column in look(batch).columns] == [1, 1, 1, 0, 0, 0, 0]
    assert look(batch).events[-3].place == 1


def test_after_a_win_columns_may_still_be_split_and_joined_and_then_left() -> None:
    batch = lay([[(0, 0), (3, 2)], [(2, 5)]], [1, 1])
    make(batch, "[2|3] → empty column")
    assert look(batch).won
    assert batch.reward.tolist() == [[1.0]]
    make(batch, "[2|5] → 2")
    assert batch.reward.tolist() == [[0.0]]
    assert sorted(map(str, look(batch).legal)) == ["STOP", "[2|5] → empty column"]
    make(batch, "STOP")
    assert batch.reward.tolist() == [[5.0]]
    assert look(batch).scores == [6]
    assert batch.done[0]
