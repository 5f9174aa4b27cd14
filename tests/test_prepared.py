"""Prepared calls: a kernel with most of its arguments, which looks at the others in every call."""

import numpy as np
import pytest

import domino_env
from domino_env import lanes
from domino_env.compiling import machine_code, prepared
from domino_env.compiling.running import _prepared_here
from domino_env.errors import BadAction, GameOver, IllegalMove

WAYS = {"object code": prepared, "here": _prepared_here}


def sampler(way):
    """A batch, and what draws a legal action in each of its lanes into an array."""
    batch = domino_env.batch("block_draw", 5, seed=0)
    batch.reset()
    example = np.zeros(5, np.int64)
    arguments = (batch._num_legal, batch._legal, batch._samplers, example, 0, 5)
    code = machine_code(lanes.sample_lanes, arguments)
    return batch, WAYS[way](code, arguments, (3,))


@pytest.mark.parametrize("way", WAYS)
def test_a_prepared_call_does_what_the_kernel_does(way):
    _, draw = sampler(way)
    expected = domino_env.batch("block_draw", 5, seed=0)
    expected.reset()
    for _ in range(3):
        drawn = np.empty(5, np.int64)
        draw(drawn)
        assert drawn.tolist() == expected.sample().tolist()


UNLIKE = {
    "shorter": np.full(4, 7),
    "longer": np.full(6, 7),
    "of two dimensions": np.full((5, 1), 7),
    "narrower numbers": np.full(5, 7, np.int32),
    "floats": np.full(5, 7.0),
    "with gaps": np.full(10, 7)[::2],
    "backwards": np.full(5, 7)[::-1],
    "not aligned": np.frombuffer(bytearray(41), np.int64, 5, offset=1),
    "a list": [7] * 5,
    "nothing": None,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("given", UNLIKE.values(), ids=UNLIKE)
def test_an_array_of_another_kind_is_not_touched(way, given):
    batch, draw = sampler(way)
    before, state = np.array(given, copy=True), batch._samplers.copy()
    assert draw(given) is None
    assert (np.asarray(given) == before).all() or given is None
    assert (batch._samplers == state).all()


def test_only_arrays_can_be_left_open():
    batch, _ = sampler("object code")
    arguments = (batch._num_legal, batch._legal, batch._samplers, np.zeros(5, np.int64), 0, 5)
    code = machine_code(lanes.sample_lanes, arguments)
    for place in (4, 17, -1):
        with pytest.raises((ValueError, IndexError, AttributeError)):
            prepared(code, arguments, (place,))(np.zeros(5, np.int64))


def test_the_arrays_of_a_prepared_call_stay_as_long_as_it():
    numbers, few = np.full(5, 1, np.int32), np.arange(20, dtype=np.int16).reshape(5, 4)
    arguments = (numbers, few, np.zeros(5, np.uint64), np.zeros(5, np.int64), 0, 5)
    draw = prepared(machine_code(lanes.sample_lanes, arguments), arguments, (3,))
    del numbers, few, arguments
    others = [np.ones(5, np.int32), np.ones((5, 4), np.int16)]  # which would take their places
    drawn = np.empty(5, np.int64)
    draw(drawn)
    assert len(others) == 2
    assert drawn.tolist() == [0, 4, 8, 12, 16]


@pytest.mark.parametrize("kind", [list, np.array, lambda a: np.array(a, np.int16), tuple])
def test_actions_of_every_kind_are_taken_alike(kind):
    first, second = (domino_env.batch("five_up", 6, seed=2) for _ in range(2))
    first.reset()
    second.reset()
    for _ in range(30):
        actions = first.sample()
        first.step(actions)
        second.step(kind(actions.tolist()))
    assert first.state().tobytes() == second.state().tobytes()


def test_actions_are_only_read():
    batch = domino_env.batch("block_draw", 64, seed=0)
    batch.reset()
    actions = batch.sample()
    kept = actions.copy()
    actions.flags.writeable = False
    batch.step(actions)
    assert (actions == kept).all()


@pytest.mark.parametrize("number", [1, 64])
def test_what_is_refused_changes_nothing_and_is_said(number):
    batch = domino_env.batch("block_draw", number, seed=0)
    batch.reset()
    actions, before = batch.sample(), batch.state()
    for wrong, error in ((-1, BadAction), (batch.num_actions, BadAction), (-2, BadAction)):
        actions[-1] = wrong
        with pytest.raises(error, match=f"lane {number - 1}"):
            batch.step(actions)
    actions[-1] = np.flatnonzero(batch.mask[-1] == 0)[0]
    with pytest.raises(IllegalMove, match=f"lane {number - 1}"):
        batch.step(actions)
    assert batch.state().tobytes() == before.tobytes()


def test_moves_of_the_decision_before_are_not_legal():
    """The list of moves is looked at by fours: what stands behind it must not count."""
    batch = domino_env.batch("block_draw", 256, seed=1)
    batch.reset()
    tried = 0
    for _ in range(20):
        listed, number = batch.legal.copy(), batch.num_legal.copy()
        for lane in np.flatnonzero(number % 4 != 0)[:4]:
            stale = int(listed[lane, number[lane]])
            if batch.mask[lane, stale]:
                continue
            actions = batch.sample()
            actions[lane] = stale
            with pytest.raises(IllegalMove, match=f"lane {lane}:"):
                batch.step(actions)
            tried += 1
        batch.step(batch.sample())
    assert tried > 10


@pytest.mark.parametrize("number", [1, 3])
def test_when_all_is_over_it_is_said_whatever_the_actions(number):
    batch = domino_env.batch("block_draw", number, seed=0, autoreset=False)
    batch.reset()
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    for actions in (batch.sample(), np.zeros(number, np.int64)):
        with pytest.raises(GameOver, match="reset"):
            batch.step(actions)


def test_a_copy_is_stepped_by_itself():
    batch = domino_env.batch("block_draw", 8, seed=0)
    batch.reset()
    batch.step(batch.sample())
    before = batch.state()
    clone = batch.clone()
    clone.step(clone.sample())
    assert batch.state().tobytes() == before.tobytes()
    batch.step(batch.sample())
    assert batch.state().tobytes() == clone.state().tobytes()
