"""Doors: no call corrupts memory, and nothing that is written into a batch's arrays moves a game.

Each test here crashed, hung, or let something illegal happen before its door was shut.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, belief
from domino_env.batches import Batch
from domino_env.errors import (
    BadAction,
    BadOption,
    DominoError,
    GameOver,
    IllegalMove,
    InUse,
    NotReset,
)

VARIANTS = domino_env.variants()
WRITABLE = ("observation", "mask", "seat", "reward", "done")
TO_READ = ("legal", "num_legal", "games", "events", "rule_table")
WAYS_TO_COPY: dict[str, Callable[[Batch], Batch]] = {
    "clone": Batch.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


def playing(variant: str = "block_draw", lanes: int = 4, steps: int = 3, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(variant, lanes, seed=5, **options)
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def saves(batch: Batch) -> list[bytes]:
    return [batch.save(lane) for lane in range(batch.num_games)]


# Calls -------------------------------------------------------------------------------------------

FOREIGN: list[Any] = [
    [4],
    [10**7],
    [-1],
    [0.5],
    [True],
    [[0, 1]],
    "0",
    [None],
    [2**64 - 1],
    [[0], []],
]


@pytest.mark.parametrize("lanes", FOREIGN, ids=str)
@pytest.mark.parametrize("call", ["sample_some", "observe_some", "restart", "step", "belief"])
def test_lanes_that_are_none_of_the_batch_are_refused(call: str, lanes: Any) -> None:
    batch = playing()
    before = saves(batch)
    calls: dict[str, Callable[[], object]] = {
        "sample_some": lambda: batch.sample_some(lanes),
        "observe_some": lambda: batch.observe_some(lanes, [0]),
        "restart": lambda: batch.restart(lanes),
        "step": lambda: batch.step([0], lanes),
        "belief": lambda: belief.Belief(batch).fill(playing(), lanes, [0]),
    }
    with pytest.raises(BadOption):
        calls[call]()
    assert saves(batch) == before


@pytest.mark.parametrize("seats", [[2], [-1], [0, 1], [], [0.0], 7, [[0]], [2**63]], ids=str)
def test_seats_that_are_not_one_for_each_lane_are_refused(seats: Any) -> None:
    batch = playing()
    with pytest.raises(BadOption):
        batch.observe_some([0], seats)
    with pytest.raises(BadOption):
        belief.Belief(batch).fill(playing(), [0], seats)


def test_a_lane_that_comes_twice_in_a_step_is_refused() -> None:
    batch = playing()
    before, actions = saves(batch), batch.sample()
    with pytest.raises(BadOption, match="lane 1 comes twice"):
        batch.step(actions[[1, 2, 1]], np.array([1, 2, 1]))
    assert saves(batch) == before
    batch.step(actions[[2, 1]], [2, 1])
    assert [save == old for save, old in zip(saves(batch), before, strict=True)] == [1, 0, 0, 1]


@pytest.mark.parametrize("action", [2**64 - 1, 2**64 - 2, 2**63])
def test_whole_numbers_without_a_sign_do_not_come_out_negative(action: int) -> None:
    batch = playing(lanes=1, autoreset=False)
    with pytest.raises(BadAction):
        batch.step(np.array([action], np.uint64))
    with pytest.raises(BadAction):
        batch.step(np.array([action], np.uint64), [0])
    batch = playing(lanes=2, autoreset=False)
    while batch.seat.min() >= 0:
        batch.step(batch.sample())
    over = np.where(batch.seat < 0, action, batch.sample().astype(np.uint64))
    with pytest.raises(BadAction):
        batch.step(over.astype(np.uint64))


@pytest.mark.parametrize("kind", [np.int8, np.uint64, ">i4", list, tuple])
def test_lanes_may_come_in_any_kind_of_whole_numbers(kind: Any) -> None:
    batch, twin = playing(), playing()
    numbers = [3, 0]
    lanes = kind(numbers) if kind in (list, tuple) else np.array(numbers, kind)
    assert batch.sample_some(lanes).tolist() == twin.sample_some(np.array(numbers)).tolist()
    frozen = np.array([3, 3, 0, 0])[::2]
    frozen.flags.writeable = False
    assert batch.sample_some(frozen).tolist() == twin.sample_some(np.array(numbers)).tolist()


def test_nothing_is_sampled_where_a_game_is_over_or_has_not_begun() -> None:
    with pytest.raises(NotReset):
        domino_env.batch("block_draw", 2).sample_some([0])
    with pytest.raises(NotReset):
        domino_env.batch("block_draw", 2).observe_some([0], [0])
    batch = playing(autoreset=False)
    while batch.seat.min() >= 0:
        batch.step(batch.sample())
    over = int(batch.seat.argmin())
    with pytest.raises(GameOver, match=f"lane {over} is over"):
        batch.sample_some([over])


def test_only_a_batch_of_one_takes_one_step() -> None:
    batch = playing()
    before = saves(batch)
    with pytest.raises(BadAction):
        batch.step_one(int(batch.legal[0, 0]))
    assert saves(batch) == before


@pytest.mark.parametrize("name", agents.names())
def test_agents_are_asked_about_decisions_of_the_batch_alone(name: str) -> None:
    agent = agents.make_seeded(name, 0)
    game = next(game for game in VARIANTS if name in agents.names(game))
    with pytest.raises(NotReset):
        agent.act(domino_env.batch(game, 2), np.arange(2))
    batch = playing(game, autoreset=False, steps=0)
    for lanes in ([4], [-1], [10**9], [0.5], [[0, 1]]):
        with pytest.raises(BadOption):
            agent.act(batch, np.array(lanes))
    while batch.seat.max() >= 0:
        batch.step(batch.sample())
    with pytest.raises(GameOver):
        agent.act(batch, np.arange(4))


def test_rows_and_layers_of_the_wrong_size_are_refused() -> None:
    from domino_env.agents.heuristic import Heuristic, weights_of
    from domino_env.agents.networks.heuristic_prior import behind
    from domino_env.agents.networks.layers import through_layer

    batch, row = playing(), weights_of("block_draw")[None]
    lanes = np.arange(4)
    for rows, which in ((row[:, :3], [0] * 4), (row, [0, 0, 0, 1]), (row, [-1] * 4), (row, [0])):
        with pytest.raises(BadOption):
            Heuristic().act_with(batch, lanes, rows, np.array(which))
    with pytest.raises(BadOption):
        behind(batch, lanes, row[0, :3])
    layer = np.zeros((5, 2), np.float32), np.zeros(2, np.float32)
    with pytest.raises(BadOption):
        through_layer(np.zeros((3, 4), np.float32), *layer)


def test_worlds_are_kept_in_a_batch_of_their_own() -> None:
    batch = playing()
    for worlds in (batch, None, playing("five_up"), playing(num_players=3)):
        with pytest.raises(BadOption, match="cannot be kept"):
            belief.Belief(batch).fill(worlds, [0], [0])  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [257, 10**6, 2**70])
def test_threads_have_a_bound(threads: int) -> None:
    with pytest.raises(BadOption, match="from 1 to 256"):
        domino_env.batch("block_draw", 2, threads=threads)


@pytest.mark.parametrize("games", [10**10, 2**70])
def test_more_games_than_fit_in_memory_are_refused(games: int) -> None:
    with pytest.raises(BadOption, match="GB of memory"):
        domino_env.batch("block_draw", games)


# Arrays ------------------------------------------------------------------------------------------


def scribble(batch: Batch, chance: np.random.Generator) -> None:
    """Writes whatever there is to write."""
    for name in WRITABLE:
        array = getattr(batch, name)
        array.view(np.uint8)[...] = chance.integers(0, 256, array.view(np.uint8).shape)
    batch.mask[:] = 1
    batch.seat[:] = chance.integers(-9, 9, batch.num_games)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_is_written_into_arrays_no_game_is_another(variant: str) -> None:
    batch, twin = playing(variant, autoreset=False), playing(variant, autoreset=False)
    chance = np.random.default_rng(1)
    for _ in range(60):
        scribble(batch, chance)
        assert saves(batch) == saves(twin)
        if (twin.seat < 0).all():
            break
        actions = twin.sample()
        assert batch.sample().tolist() == actions.tolist()
        illegal = np.flatnonzero(twin.mask[0] == 0)
        if twin.seat[0] >= 0 and len(illegal):
            wrong = actions.copy()
            wrong[0] = chance.choice(illegal)
            assert batch.is_illegal(0, int(wrong[0]))
            with pytest.raises(IllegalMove):
                batch.step(wrong)
        batch.step(actions)
        twin.step(actions)
    batch.mask.shape, batch.observation.shape = (-1,), (1, -1)  # type: ignore[misc]
    batch.seat.dtype = np.dtype(np.int8)  # type: ignore[misc]
    for each in (batch, twin):
        each.reset(seed=3)
        each.step(each.sample())
    assert saves(batch) == saves(twin)
    assert batch.observation.tobytes() == twin.observation.tobytes()


def test_one_step_goes_by_what_is_legal_and_not_by_the_mask() -> None:
    for variant in ("blind", "solitaire", "fundomino_caribbean"):
        batch = playing(variant, lanes=1, autoreset=False)
        illegal = np.flatnonzero(batch.mask[0] == 0)
        before = batch.save(0)
        batch.mask[:] = 1
        for action in illegal.tolist():
            with pytest.raises(IllegalMove):
                batch.step_one(action)
        assert batch.save(0) == before


@pytest.mark.parametrize("way", ["made", *WAYS_TO_COPY])
@pytest.mark.parametrize("name", TO_READ)
def test_what_is_to_be_read_cannot_be_written_nor_unlocked(name: str, way: str) -> None:
    batch = playing() if way == "made" else WAYS_TO_COPY[way](playing())
    array = getattr(batch, name)
    with pytest.raises(ValueError, match="read-only"):
        array[...] = array[...]
    while isinstance(array, np.ndarray):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        array = array.base
    if name in ("games", "rule_table"):
        record = getattr(batch, name)[0]
        with pytest.raises(ValueError, match="read-only"):
            record[record.dtype.names[0]] = 1


@pytest.mark.parametrize("name", WRITABLE)
def test_what_trainers_take_shares_memory_and_may_be_written(name: str) -> None:
    batch = playing()
    array = getattr(batch, name)
    assert array.flags.writeable
    assert array.flags.c_contiguous
    torch = pytest.importorskip("torch")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tensor = torch.from_numpy(array)
    assert tensor.data_ptr() == array.ctypes.data


@pytest.mark.parametrize(
    "name", [*WRITABLE, *TO_READ, "num_games", "num_players", "rules", "num_actions", "autoreset"]
)
def test_attributes_of_a_batch_cannot_be_replaced(name: str) -> None:
    for batch in (playing(), playing().clone()):
        with pytest.raises(AttributeError, match=name):
            setattr(batch, name, None)


# Copies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS_TO_COPY)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_copy_is_equal_to_the_last_byte_and_goes_its_own_way(variant: str, way: str) -> None:
    batch = playing(variant, steps=40, threads=2)
    twin = WAYS_TO_COPY[way](batch)
    before = saves(batch)
    assert saves(twin) == before
    assert twin.state().tobytes() == batch.state().tobytes()
    assert all((getattr(twin, n) == getattr(batch, n)).all() for n in (*WRITABLE, *TO_READ))
    twin.step(twin.sample())
    assert saves(batch) == before
    batch.step(batch.sample())
    assert saves(twin) == saves(batch)


@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_games_are_equal_bytes_whatever_was_played_there_before(variant: str) -> None:
    for players in domino_env.rules(variant).players:
        fresh = domino_env.batch(variant, 3, players)
        used = domino_env.batch(variant, 3, players, seed=9)
        used.reset()
        for _ in range(150):
            used.step(used.sample())
        fresh.reset(seed=1)
        used.reset(seed=1)
        for _ in range(40):
            assert saves(fresh) == saves(used)
            actions = fresh.sample()
            fresh.step(actions)
            used.step(actions)


# Threads and processes ---------------------------------------------------------------------------


def in_another_thread(call: Callable[[], object]) -> BaseException | None:
    """What a call raises in a thread of its own."""
    raised: list[BaseException | None] = [None]

    def run() -> None:
        try:
            call()
        except BaseException as error:
            raised[0] = error

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised[0]


def test_a_batch_that_another_thread_uses_is_refused_and_then_free_again() -> None:
    batch, one = playing(), playing(lanes=1)
    saved, actions, worlds = batch.save(0), batch.sample(), playing()
    greedy = agents.make("greedy_pip")
    calls: list[Callable[[], object]] = [
        batch.reset,
        batch.sample,
        batch.clone,
        lambda: batch.step(actions),
        lambda: one.step_one(int(one.legal[0, 0])),
        lambda: batch.restart(0),
        lambda: batch.sample_some([0]),
        lambda: batch.observe(0, 0),
        lambda: batch.restore(0, saved),
        lambda: greedy.act(batch, np.arange(4)),
        lambda: belief.Belief(batch).fill(worlds, [0], [0]),
        lambda: belief.Belief(worlds).fill(batch, [0], [0]),
    ]
    with batch._held, one._held:
        for call in calls:
            assert isinstance(in_another_thread(call), InUse)
        batch.step(actions)  # whose it is may go on
    calls[3] = lambda: batch.step(batch.sample())
    assert [in_another_thread(call) for call in calls] == [None] * len(calls)


def test_two_threads_that_step_one_batch_never_harm_it() -> None:
    batch = playing(lanes=64)
    refused: list[BaseException] = []

    def play() -> None:
        for _ in range(300):
            try:
                batch.step(batch.sample())
            except DominoError as error:
                refused.append(error)

    assert in_another_thread(lambda: in_another_thread(play) or play()) is None
    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(error, (InUse, IllegalMove)) for error in refused)
    for lane in range(64):
        position = batch.position(lane)
        tiles = [*position.boneyard, *(tile for tile, _ in position.played)]
        assert len(tiles) + sum(map(len, position.hands)) == 28


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_batch_with_threads_goes_on_after_a_fork() -> None:
    batch = playing(lanes=8, threads=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12: there are threads
        child = os.fork()
    if child == 0:  # the alarm kills a child that hangs
        import signal

        signal.alarm(60)
        try:
            twin = batch.clone()
            batch.step(batch.sample())
            twin.step(twin.sample())
            os._exit(0 if saves(batch) == saves(twin) else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    batch.step(batch.sample())


# Bounds ------------------------------------------------------------------------------------------

CHECKED = """
from tests.boundscheck import check_bounds
check_bounds()
import numpy as np
from domino_env.compiling import kernel
from domino_env.engine.state import GAME

@kernel
def tile_at(games, place):
    return games[0].deck[place]

games = np.zeros(1, GAME)
for place in (0, -1, 100_000):
    for kind in (np.int64, np.uint64):
        try:
            print(tile_at(games, kind(place)) if place >= 0 or kind is np.int64 else "past")
        except IndexError:
            print("past")
"""


def test_the_check_of_bounds_sees_what_is_past_them_and_before_them(tmp_path: Path) -> None:
    file = tmp_path / "checked.py"
    file.write_text(CHECKED)
    root = str(Path(__file__).parent.parent)
    found = subprocess.run(
        [sys.executable, str(file)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert found.stdout.split() == ["0", "0", *["past"] * 4]
