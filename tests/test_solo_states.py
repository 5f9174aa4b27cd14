"""One-player games: whatever is done to a batch of any of them, what must hold of its games holds;
and their observations say all that a player sees, and nothing else."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
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
from domino_env.errors import (
    BadAction,
    BadDeal,
    BadOption,
    BadRules,
    BadSave,
    GameOver,
    IllegalMove,
    NotReset,
)
from domino_env.solo import SoloPosition
from tests.games import ALONE
from tests.reference import puzzles
from tests.test_bad_input import refused
from tests.test_golden import FOLDER, load
from tests.test_observations import named, one_hot
from tests.test_solo_golden import flat
from tests.test_states import LANES, Copied, check_observation, is_over, play, shown

WHOLE_SET = [Tile(low, high) for low in range(7) for high in range(low, 7)]
COLUMNS = 7
SHORT: dict[str, list[dict[str, Any]]] = {"solitaire": [{"moves": 4}, {"moves": 30}]}
"""Changes of the rules with which a game is cut off sooner."""

every_variant = pytest.mark.parametrize("variant", ALONE)


def ways_to_play(variant: str) -> list[Any]:
    """The rules of a game, and with an earlier end."""
    return [domino_env.rules(variant, **changes) for changes in [{}, *SHORT.get(variant, [])]]


def look(batch: Batch, lane: int = 0) -> SoloPosition:
    """The position of a lane."""
    position = batch.position(lane)
    assert isinstance(position, SoloPosition)
    return position


def upright(tile: Tile) -> Tile:
    """The tile as it is named, however it lies."""
    return Tile(*sorted(tile))


def golden(name: str) -> dict[str, Any]:
    """A golden game."""
    return load(FOLDER / f"{name}.json")


def playing(variant: Any, steps: int = 3, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(variant, LANES, **{"seed": 3, **options})
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def at_the_end_of(name: str, before: int = 0, **options: Any) -> Batch:
    """A batch of one after the moves of a golden game, but for the last few."""
    game = golden(name)
    rules = domino_env.rules(game["variant"], **{**game["options"], **options})
    batch = domino_env.batch(rules, 1, autoreset=False)
    batch.reset(options={"deal": flat(game["deal"])})
    for step in game["steps"][: len(game["steps"]) - before]:
        make(batch, step["move"])
    return batch


def make(batch: Batch, words: str) -> None:
    """Makes the move of this name in a batch of one."""
    position = look(batch)
    batch.step([position.legal_actions[list(map(str, position.legal)).index(words)]])


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


def taken(position: SoloPosition) -> list[Tile]:
    """The tiles that have left the row."""
    told = [event for event in position.events if event.kind in ("remove", "knock")]
    return [tile for event in told for tile in (event.tile, event.other) if tile is not None]


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
        counts = self.margin.num_legal.tolist()
        self._step(
            [
                int(self.margin.legal[lane, picks[lane] % counts[lane]]) if counts[lane] else -1
                for lane in range(LANES)
            ]
        )
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


# Ends --------------------------------------------------------------------------------------------


def most_decisions(rules: Any) -> int:
    """More decisions than a game can have: two tiles go with each; or all are made, and STOP; or
    each tile waits for its number through thirteen passes (EL2) of as many as there are."""
    if rules.play == "counting":
        return 13 * sum(range(29))
    return 14 if rules.play == "pairs" else rules.moves + 1


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


def put(record: Any, tile: int, column: int, place: int, lies: tuple[int, int]) -> None:
    """Puts a tile at a place of a column, as it lies."""
    record["column"][column, place] = tile
    record["column_of"][tile], record["depth_of"][tile] = column, place
    record["first"][tile], record["second"][tile] = lies


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


# A batch and its lanes ----------------------------------------------------------------------------


@every_variant
def test_the_threads_that_share_the_lanes_make_no_difference(variant: str) -> None:
    one, three = (
        domino_env.batch(variant, 50, seed=5, threads=threads, reward="points")
        for threads in (1, 3)
    )
    for batch in (one, three):
        batch.reset()
    for _ in range(150):
        taken = one.sample()
        assert three.sample().tolist() == taken.tolist()
        one.step(taken)
        three.step(taken)
        assert one.reward.tobytes() == three.reward.tobytes()
        assert one.truncated.tolist() == three.truncated.tolist()
    for lane in range(50):
        assert shown(one, lane) == shown(three, lane)


@every_variant
def test_a_finished_lane_is_dealt_again_as_reset_would(variant: str) -> None:
    """With autoreset a lane goes on with its own generator, as without it after `reset`."""
    going = domino_env.batch(variant, 8, seed=11)
    alone = [domino_env.batch(variant, 1, seed=11 + lane, autoreset=False) for lane in range(8)]
    for batch in (going, *alone):
        batch.reset()
    episodes = 0
    for _ in range(700 if variant == "elimination" else 250):
        taken = going.sample()
        going.step(taken)
        for lane, game in enumerate(alone):
            game.step(taken[lane : lane + 1])
            assert going.reward[lane].tolist() == game.reward[0].tolist()
            assert going.done[lane] == game.done[0]
            assert going.truncated[lane] == game.truncated[0]
            if game.done[0]:
                episodes += 1
                game.reset()
            assert going.observation[lane].tobytes() == game.observation[0].tobytes()
            assert going.mask[lane].tobytes() == game.mask[0].tobytes()
    assert episodes >= 8


@every_variant
def test_a_finished_lane_stays_and_takes_only_minus_one(variant: str) -> None:
    batch = domino_env.batch(variant, 2, seed=0, autoreset=False)
    batch.reset()
    while not is_over(batch):
        ended = batch.done.copy()
        before = [shown(batch, lane) for lane in range(2)]
        batch.step(batch.sample())
        for lane in np.flatnonzero(ended).tolist():
            assert shown(batch, lane) == before[lane]
            assert batch.reward[lane, 0] == 0
    assert not batch.mask.any()
    assert batch.seat.tolist() == batch.sample().tolist() == [-1, -1]
    with refused(GameOver, "reset()", batch=batch):
        batch.step([0, 0])
    batch.restart(1)
    with refused(GameOver, "lane 0 is over", batch=batch):
        batch.step([0, int(batch.legal[1, 0])])


@every_variant
def test_the_win_is_paid_once_and_at_the_end(variant: str) -> None:
    batch = domino_env.batch(variant, 64, seed=3, reward="win", autoreset=False)
    batch.reset()
    paid = np.zeros(64)
    for _ in range(most_decisions(batch.rules)):
        if is_over(batch):
            break
        lasting = batch.seat >= 0
        batch.step(batch.sample())
        assert not batch.reward[lasting & ~batch.done].any()
        paid += batch.reward[:, 0]
    assert paid.tolist() == [1 if look(batch, lane).won else -1 for lane in range(64)]


@every_variant
def test_a_seed_gives_the_same_deal_and_another_seed_another(variant: str) -> None:
    deals = []
    for seed in (4, 4, 5):
        batch = domino_env.batch(variant, 1, seed=seed)
        batch.reset()
        deals.append(look(batch).deal)
    assert deals[0] == deals[1] != deals[2]
    batch.reset(seed=4)
    assert look(batch).deal == deals[0]
    batch.reset()
    assert look(batch).deal != deals[0]


@every_variant
def test_every_tile_is_dealt_everywhere_and_either_way(variant: str) -> None:
    batch = domino_env.batch(variant, 4000, seed=0)
    batch.reset()
    deals = batch.events[:, :28]
    for place in range(28):
        seen = Counter(deals[:, place].tolist())
        assert len(seen) == 56  # 28 tiles, either way
        assert max(seen.values()) < 4 * min(seen.values()) + 40


@pytest.mark.parametrize("variant", ["solitaire", "knock_out"])
def test_a_deal_with_nothing_to_do_is_dealt_again(variant: str) -> None:
    """About one deal of Knock-Out in 35 has no pair, and one of Solitaire in 1000 no move (G5)."""
    batch = domino_env.batch(variant, 3000, seed=2)
    batch.reset()
    assert (batch.num_legal > 0).all()


# Deals -------------------------------------------------------------------------------------------


WRITTEN = [
    lambda tile: tile,
    lambda tile: (int(tile[0]), int(tile[1])),
    list,
    lambda tile: f"{tile[0]}|{tile[1]}",
    lambda tile: f"{tile[0]}-{tile[1]}",
    lambda tile: f" [{tile[0]}|{tile[1]}] ",
]


@every_variant
@pytest.mark.parametrize("write", WRITTEN)
def test_a_deal_may_be_written_in_many_ways(variant: str, write: Any) -> None:
    batch = playing(variant, 0)
    deal = look(batch).deal
    again = domino_env.batch(variant, 1, seed=8)
    again.reset(options={"deal": [write(tile) for tile in deal]})
    assert look(again).deal == deal
    assert again.observation.tobytes() == batch.observation[0].tobytes()
    assert again.mask.tobytes() == batch.mask[0].tobytes()


@every_variant
def test_a_deal_may_be_an_array_and_each_lane_may_have_its_own(variant: str) -> None:
    batch = playing(variant, 0)
    deals = [look(batch, lane).deal for lane in range(LANES)]
    again = domino_env.batch(variant, LANES, seed=8)
    again.reset(options={"deals": [np.array(deal) for deal in reversed(deals)]})
    assert [look(again, lane).deal for lane in range(LANES)] == deals[::-1]
    again.reset(options={"deal": tuple(deals[0])})
    assert [look(again, lane).deal for lane in range(LANES)] == deals[:1] * LANES


def test_the_way_that_a_tile_is_dealt_is_the_way_that_it_lies() -> None:
    tiles = [(high, low) for low, high in reversed(WHOLE_SET)]
    tiles.remove((4, 3))
    tiles.insert(tiles.index((5, 4)), (3, 4))  # a pair for Knock-Out needs a tile the other way
    tiles[tiles.index((5, 4))] = (4, 5)
    for variant in ALONE:
        batch = domino_env.batch(variant, 1, seed=0)
        batch.reset(options={"deal": tiles})
        lying = look(batch).row or [tile for column in look(batch).columns for tile in column]
        assert lying == tiles


def test_elimination_is_the_same_with_other_tiles_of_as_many_pips() -> None:
    """Whichever way they lie (EL1)."""
    chance = random.Random(1)
    batch = playing("elimination", 0, autoreset=False)
    other = domino_env.batch("elimination", LANES, autoreset=False)
    deals = [look(batch, lane).deal for lane in range(LANES)]
    exchanged = [exchange_alike(deal, chance) for deal in deals]
    assert all(one != two for one, two in zip(deals, exchanged, strict=True))
    other.reset(options={"deals": exchanged})
    while not is_over(batch):
        assert batch.observation.tobytes() == other.observation.tobytes()
        taken = batch.sample()
        batch.step(taken)
        other.step(taken)
        assert batch.reward.tolist() == other.reward.tolist()
    assert is_over(other)


def exchange_alike(deal: list[Tile], chance: random.Random) -> list[Tile]:
    """The deal with its tiles put where others of as many pips were, and turned."""
    alike = {pips: [tile for tile in deal if tile.pips == pips] for pips in range(13)}
    for tiles in alike.values():
        chance.shuffle(tiles)
    return [Tile(*reversed(alike[tile.pips].pop())) for tile in deal]


SET = [f"{low}|{high}" for low, high in WHOLE_SET]


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        ([*SET[:-1], SET[0]], ["'0|0'", "twice"]),
        ([*SET[:-1], "1|0"], ["'1|0'", "twice"]),
        (SET[:-1], ["28 tiles", "27"]),
        ([*SET, "6|6"], ["twice"]),
        ([], ["28 tiles", "names 0"]),
        ([*SET[:-1], "6|7"], ["no tile", "'6|7'"]),
        ([*SET[:-1], (3,)], ["(3,)", "(3, 5)"]),
        ([*SET[:-1], None], ["None", "(3, 5)"]),
        ([*SET[:-1], "six"], ["'six'", "(3, 5)"]),
        ([*SET[:-1], 27], ["27", "one way or the other"]),
        (list(range(28)), ["one way or the other"]),
        (" ".join(SET), ["order of all tiles"]),
        ({"hands": [SET[:7]], "boneyard": SET[7:]}, ["order of all tiles"]),
        (None, ["order of all tiles", "None"]),
        (5, ["order of all tiles", "5"]),
    ],
)
@every_variant
def test_a_deal_that_is_none_is_refused(variant: str, deal: Any, words: list[str]) -> None:
    batch = playing(variant)
    with refused(BadDeal, *words, batch=batch):
        batch.reset(options={"deal": deal})


def test_a_deal_that_leaves_nothing_to_do_is_refused() -> None:
    """No tile of the row matches its neighbour; no lowest tile matches another (G5)."""
    first = [tile for low in range(7) for tile in SET if tile[0] == str(low) and tile[2] > tile[0]]
    row = first + [f"{number}|{number}" for number in range(7)]
    batch = playing("knock_out")
    with refused(BadDeal, "knock_out", "Give another deal", batch=batch):
        batch.reset(options={"deal": row})
    lowest = ["0|3", "0|4", "0|5", "0|6", "1|3", "1|4", "1|5"]
    rest = iter([tile for tile in SET if tile not in lowest])
    deal = []
    for tile, length in zip(lowest, range(COLUMNS, 0, -1), strict=True):
        deal += [*(next(rest) for _ in range(length - 1)), tile]
    batch = playing("solitaire")
    with refused(BadDeal, "solitaire", "Give another deal", batch=batch):
        batch.reset(options={"deal": deal})
    batch = playing("elimination")
    batch.reset(options={"deal": row})  # there is always something to count (EL1)


@every_variant
def test_deals_for_more_or_fewer_lanes_than_there_are_are_refused(variant: str) -> None:
    batch = playing(variant)
    with refused(BadDeal, "3 lanes", "2", batch=batch):
        batch.reset(options={"deals": [look(batch).deal] * 2})


# Moves and actions --------------------------------------------------------------------------------


@every_variant
def test_every_action_is_the_move_it_names_and_no_other(variant: str) -> None:
    size = actions.size(variant)
    assert size == playing(variant).num_actions
    moves = [actions.decode(variant, action) for action in range(size)]
    assert [actions.encode(variant, move) for move in moves] == [*range(size)]
    assert len({*map(str, moves)}) == size


@every_variant
def test_a_number_that_is_no_action_is_refused(variant: str) -> None:
    batch = playing(variant)
    last = batch.num_actions - 1
    for action in (-1, last + 1, 10**6):
        with refused(BadAction, f"0 to {last}", action):
            actions.decode(variant, action)
        with refused(BadAction, f"0 to {last}", action, batch=batch):
            batch.step([action] * LANES)
    for action in (0.0, "0", None, True):
        with refused(BadAction, repr(action)):
            actions.decode(variant, action)  # type: ignore[arg-type]
    for taken in ([0], [0.0] * LANES, ["0"] * LANES, 0, [[0] * LANES]):
        with pytest.raises(BadAction):
            batch.step(taken)


@pytest.mark.parametrize(
    ("variant", "move", "words"),
    [
        ("elimination", Move("knock", place=1), ["elimination", "'knock'", "go_on"]),
        ("elimination", Move("go on"), ["'go on'", "did you mean 'go_on'"]),
        ("knock_out", Move("stop"), ["knock_out", "'stop'"]),
        ("knock_out", Move("knock"), ["0 to 26", "None"]),
        ("knock_out", Move("knock", place=27), ["0 to 26", "27"]),
        ("knock_out", Move("knock", place=-1), ["0 to 26", "-1"]),
        ("solitaire", Move("go_on"), ["solitaire", "'go_on'"]),
        ("solitaire", Move("move", Tile(0, 1), place=7), ["0 to 6", "7"]),
        ("solitaire", Move("move", Tile(0, 1), place=True), ["0 to 6", "True"]),
        ("solitaire", Move("move", Tile(0, 7), place=1), ["no tile 0|7"]),
        ("solitaire", Move("move", place=1), ["uppermost tile"]),
        ("solitaire", Move("play", Tile(0, 1), 0, 0), ["'play'"]),
    ],
)
def test_a_move_that_a_game_has_not_is_refused(variant: str, move: Move, words: list[str]) -> None:
    with refused(BadAction, *words):
        actions.encode(variant, move)


def test_a_tile_of_a_move_may_be_named_either_half_first() -> None:
    one = actions.encode("solitaire", Move("move", Tile(5, 2), place=3))
    assert one == actions.encode("solitaire", Move("move", Tile(2, 5), place=3))
    assert actions.decode("solitaire", one).tile == (2, 5)


@pytest.mark.parametrize("variant", ["solitaire", "knock_out"])
def test_a_move_that_is_not_legal_is_refused_and_says_what_is(variant: str) -> None:
    batch = playing(variant, steps=1)
    illegal = int(np.flatnonzero(batch.mask[1] == 0)[0])
    taken = batch.sample()
    taken[1] = illegal
    position = look(batch, 1)
    words = [str(actions.decode(variant, illegal)), f"action {illegal}"]
    with refused(IllegalMove, "lane 1", *words, *position.legal, batch=batch):
        batch.step(taken)


def test_no_action_of_columns_but_the_legal_ones_is_taken() -> None:
    batch = at_the_end_of("solitaire/one_column_and_the_whole_bonus", before=3)
    for action in range(batch.num_actions):
        if not batch.mask[0, action]:
            with pytest.raises(IllegalMove):
                batch.step([action])
    assert look(batch).legal == look(at_the_end_of("solitaire/stopped_at_once", before=2)).legal


@every_variant
def test_options_that_a_game_for_one_has_not_are_refused(variant: str) -> None:
    for option, word in (
        ({"num_players": 2}, "1 players"),
        ({"episode": "match"}, "not played in matches"),
        ({"calls": "explicit"}, "nothing to call"),
        ({"reward": "pips"}, "margin, points, win"),
    ):
        with refused(BadOption, word):
            domino_env.batch(variant, 1, **option)
    with refused(NotReset, "reset()"):
        domino_env.batch(variant, 1).step([0])


def test_moves_limit_columns_and_nothing_else() -> None:
    for moves in (0, -1, 10_001, 2.5, "9", True, None):
        with refused(BadRules, "moves", repr(moves)):
            domino_env.rules("solitaire", moves=moves)
    for variant in ("elimination", "knock_out"):
        with refused(BadRules, "moves", "not 5"):
            domino_env.rules(variant, moves=5)
    assert domino_env.rules("solitaire", moves=10_000).moves == 10_000


@every_variant
def test_a_save_of_another_game_is_refused(variant: str) -> None:
    batch = playing(variant)
    for other in ALONE:
        if other != variant:
            with refused(BadSave, variant, batch=batch):
                batch.restore(0, playing(other).save(0))
    damaged = bytearray(batch.save(0))
    damaged[-1] ^= 1
    with refused(BadSave, "damaged", batch=batch):
        batch.restore(0, bytes(damaged))


def test_a_game_with_fewer_moves_has_other_saves() -> None:
    batch = playing("solitaire")
    with refused(BadSave, "solitaire", batch=batch):
        batch.restore(0, playing(domino_env.rules("solitaire", moves=100)).save(0))


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
