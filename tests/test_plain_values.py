"""Rules and settings that are equal are equal everywhere, also with NumPy's numbers in them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.errors import BadRules
from domino_env.games import mark_of
from domino_env.puzzles.rules import PuzzleRules
from domino_env.ruleset import Draw, Round
from domino_env.train.settings import TrainSettings

PLACES = partial(Round, worth="places")
ALIKE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"target": np.int64(60)}, {"target": 60}),
    ({"hand_size": np.uint8(6)}, {"hand_size": 6}),
    ({"hand_size": np.array([6, 5, 4])}, {"hand_size": (6, 5, 4)}),
    ({"players": (np.int32(2), np.int64(3))}, {"players": (2, 3)}),
    ({"exact": np.bool_(False)}, {"exact": False}),
    ({"set": np.str_("double_9")}, {"set": "double_9"}),
    ({"rounds": np.int16(3), "target": None}, {"rounds": 3, "target": None}),
    ({"draw": Draw(reserve=np.int64(2))}, {"draw": Draw(reserve=2)}),
    ({"draw": {"voluntary": np.True_}}, {"draw": Draw(voluntary=True)}),
    ({"worths": (("0|0", np.int64(4)),)}, {"worths": (("0|0", 4),)}),
    ({"round": PLACES(places=(np.int64(40), 20))}, {"round": PLACES(places=(40, 20))}),
]


@pytest.mark.parametrize(("given", "usual"), ALIKE)
def test_rules_of_numpys_numbers_are_the_same_rules(
    given: dict[str, Any], usual: dict[str, Any]
) -> None:
    one = domino_env.rules("block_draw", **given)
    other = domino_env.rules("block_draw", **usual)
    assert one == other
    assert repr(one) == repr(other)
    assert mark_of(one) == mark_of(other)
    saved = domino_env.batch(one, 1, seed=0), domino_env.batch(other, 1, seed=0)
    for batch in saved:
        batch.reset()
    saved[1].restore(0, saved[0].save(0))


def test_a_switch_is_still_no_number() -> None:
    for value in (np.True_, True, np.float64(60.0), 60.0):
        with pytest.raises(BadRules):
            domino_env.rules("block_draw", target=value)


def test_one_player_rules_too() -> None:
    usual: PuzzleRules = domino_env.rules("solitaire")
    assert repr(replace(usual, moves=np.int64(100))) == repr(replace(usual, moves=100))


def test_settings_too() -> None:
    given = TrainSettings(seed=np.int64(7), hidden_sizes=(np.int64(8), np.int32(4)))
    assert repr(given) == repr(TrainSettings(seed=7, hidden_sizes=(8, 4)))
