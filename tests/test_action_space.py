"""The action space of agents: Gymnasium's `Discrete`, but for the time that a sample takes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import domino_env
from domino_env.adapters.action_space import ActionSpace

MASK = np.array([0, 1, 0, 1, 1, 0, 0, 1], np.int8)
LEGAL = [1, 3, 4, 7]


def test_environments_have_it() -> None:
    aec = domino_env.aec("block_draw")
    single: Any = gymnasium.make("domino/block_draw-v0")
    vector: Any = gymnasium.make_vec("domino/block_draw-v0", 3)
    for space in (aec.action_space("player_1"), single.action_space, vector.single_action_space):
        assert isinstance(space, ActionSpace)
    assert vector.action_space == spaces.MultiDiscrete([112] * 3)


def test_it_is_a_discrete() -> None:
    space = ActionSpace(8)
    assert isinstance(space, spaces.Discrete)
    assert space == spaces.Discrete(8)
    assert spaces.Discrete(8) == space != spaces.Discrete(9)
    assert repr(space) == repr(spaces.Discrete(8))
    assert 7 in space
    assert 8 not in space
    assert {space.sample() for _ in range(500)} == {*range(8)}


def test_each_legal_action_is_as_likely() -> None:
    space, number = ActionSpace(8, seed=0), 40_000
    drawn = [space.sample(MASK) for _ in range(number)]
    assert all(type(action) is np.int64 for action in drawn)
    found, counts = np.unique(drawn, return_counts=True)
    assert found.tolist() == LEGAL
    expected = number / len(LEGAL)
    chi_squared = float(((counts - expected) ** 2 / expected).sum())
    assert chi_squared < 16.3, "3 degrees of freedom: one in a thousand"


def test_equal_seeds_draw_alike_and_others_do_not() -> None:
    first, second, third = ActionSpace(8, seed=3), ActionSpace(8), ActionSpace(8, seed=4)
    second.seed(3)
    drawn = [[space.sample(MASK) for _ in range(50)] for space in (first, second, third)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("way", [copy.deepcopy, lambda space: pickle.loads(pickle.dumps(space))])
def test_a_copy_goes_on_alike(way: Any) -> None:
    space = ActionSpace(8, seed=1)
    space.sample(MASK)
    other = way(space)
    assert [other.sample(MASK) for _ in range(20)] == [space.sample(MASK) for _ in range(20)]


def test_one_legal_action_is_taken_and_of_none_the_first() -> None:
    for action in range(8):
        mask = np.zeros(8, np.int8)
        mask[action] = 1
        assert ActionSpace(8).sample(mask) == action
    assert ActionSpace(8).sample(np.zeros(8, np.int8)) == 0


WRONG: dict[str, Any] = {
    "other numbers": np.array([0, 2, 0, 1, 0, 0, 0, 0], np.int8),
    "negative": np.array([0, -1, 0, 1, 0, 0, 0, 0], np.int8),
    "booleans": MASK.astype(bool),
    "wider": MASK.astype(np.int64),
    "shorter": MASK[:-1],
    "of two dimensions": MASK[None],
    "a list": MASK.tolist(),
}


@pytest.mark.parametrize("mask", WRONG.values(), ids=WRONG)
def test_what_is_no_mask_is_refused_in_gymnasiums_words(mask: Any) -> None:
    with pytest.raises(AssertionError) as ours:
        ActionSpace(8).sample(mask)
    with pytest.raises(AssertionError) as theirs:
        spaces.Discrete(8).sample(mask)
    assert str(ours.value) == str(theirs.value)


def test_probabilities_are_taken_as_gymnasium_does() -> None:
    chances = np.array([0, 0.5, 0, 0.5, 0, 0, 0, 0])
    ours, theirs = ActionSpace(8, seed=5), spaces.Discrete(8, seed=5)
    drawn = [int(ours.sample(probability=chances)) for _ in range(50)]
    assert drawn == [int(theirs.sample(probability=chances)) for _ in range(50)]
    with pytest.raises(ValueError, match="Only one"):
        ours.sample(MASK, chances)


def test_masks_that_are_views_with_gaps_are_read_right() -> None:
    wide = np.zeros(16, np.int8)
    wide[::2] = MASK
    space = ActionSpace(8, seed=0)
    assert {space.sample(wide[::2]) for _ in range(200)} == {*LEGAL}
