"""Bad input: each kind has its own error, which says what to do, and nothing has changed by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.errors import (
    BadAction,
    BadOption,
    BadRules,
    DominoError,
    GameOver,
    NotReset,
    UnknownVariant,
)
from domino_env.ruleset import Draw, Layout, Opening

LANES = 3


def picture(batch: Batch) -> list[bytes]:
    """All that a batch is and shows: states, events, generators, moves, observations, rewards."""
    events = batch._games["num_events"].tolist()
    counts = batch.num_legal.tolist()
    return [
        batch._games.tobytes(),
        *(batch._logs[lane, :count].tobytes() for lane, count in enumerate(events)),
        batch._samplers.tobytes(),
        batch.mask.tobytes(),
        *(batch.legal[lane, :count].tobytes() for lane, count in enumerate(counts)),
        batch.num_legal.tobytes(),
        batch.observation.tobytes(),
        batch.seat.tobytes(),
        batch.reward.tobytes(),
        batch.done.tobytes(),
        bytes([batch._ready]),
    ]


@contextmanager
def refused(error: type[DominoError], *words: object, batch: Batch | None = None) -> Iterator[None]:
    """Expects this very error, with these words in it, and no trace of it in the batch."""
    before = picture(batch) if batch is not None else []
    with pytest.raises(error) as refusal:
        yield
    message = str(refusal.value)
    missing = [str(word) for word in words if str(word) not in message]
    assert refusal.type is error
    assert not missing, f"{message!r} does not say {missing}"
    assert (picture(batch) if batch is not None else []) == before, f"changed by: {message}"


def playing(variant: str = "block_draw", steps: int = 7, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(variant, LANES, **{"seed": 3, **options})
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


@pytest.fixture
def batch() -> Batch:
    return playing()


@pytest.fixture
def finished() -> Batch:
    """A batch whose games are all over."""
    batch = playing(autoreset=False, steps=0)
    while (batch.seat >= 0).any():
        batch.step(batch.sample())
    return batch


# Building a batch --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["all_five", "", "Block_Draw", None, 5, ["block_draw"], Batch])
def test_an_unknown_game_is_an_unknown_variant(game: Any) -> None:
    with refused(UnknownVariant, repr(game)):
        domino_env.batch(game, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("num_games", value) for value in (0, -1, 1.5, 2.0, "4", True, None, [4], np.array([4]))),
        *(("num_players", value) for value in (0, 1, 5, 2.5, 2.0, "2", True, [2], np.arange(2))),
        *(("threads", value) for value in (0, -1, 1.5, "2", True, None, [2])),
        *(("seed", value) for value in (-1, 1.5, "7", True, [1], np.array([1]))),
        *(("episode", value) for value in ("rounds", "", None, 5, ["round"], np.arange(2))),
        *(("reward", value) for value in ("wins", "", None, 5, ["points"])),
        *(("calls", value) for value in ("yes", "", None, True, ["explicit"])),
        *(("autoreset", value) for value in ("no", None, 2, [])),
    ],
)
def test_an_option_out_of_its_range_is_a_bad_option(name: str, value: Any) -> None:
    options = {"num_games": 2, name: value}
    words = {"num_players": "players"}
    with refused(BadOption, words.get(name, name), repr(value)):
        domino_env.batch("all_fives", **options)


def test_a_wrong_word_is_answered_with_the_nearest() -> None:
    with refused(BadOption, "did you mean 'round'"):
        domino_env.batch("block_draw", 1, episode="rounds")
    with refused(BadOption, "did you mean 'margin'"):
        domino_env.batch("block_draw", 1, reward="margins")


def test_a_game_without_calls_cannot_have_them_explicit() -> None:
    with refused(BadOption, "bergen", "nothing to call", "automatic"):
        domino_env.batch("bergen", 1, calls="explicit")


def test_impossible_rules_never_get_as_far_as_a_batch() -> None:
    with refused(BadRules, "opening.tile", "any"):
        domino_env.rules("block_draw", layout=Layout(arms="four"), opening=Opening(tile="any"))
    with refused(BadRules, "block_draw", "double_9"):
        domino_env.rules("block_draw", set="double_9", sets=("double_6",)) and None
    with refused(BadRules, "no option 'handsize'", "did you mean 'hand_size'"):
        domino_env.rules("block_draw", handsize=5)
    with refused(BadRules, "draw.forced", "until_playable", "never"):
        Draw(forced="never")  # type: ignore[arg-type]


# Before the first reset, and after the end -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("step", ([0] * LANES,)),
        ("sample", ()),
        ("position", (0,)),
        ("save", (0,)),
        ("restore", (0, b"")),
        ("observe", (0, 0)),
        ("state", ()),
    ],
)
def test_nothing_can_be_asked_before_the_first_reset(name: str, arguments: tuple[Any, ...]) -> None:
    batch = domino_env.batch("block_draw", LANES, seed=0)
    with refused(NotReset, name, "reset()", batch=batch):
        getattr(batch, name)(*arguments)


def test_a_finished_batch_takes_no_step(finished: Batch) -> None:
    for taken in ([-1] * LANES, [0] * LANES):
        with refused(GameOver, "over", "reset()", batch=finished):
            finished.step(taken)


def test_a_finished_lane_takes_only_minus_one() -> None:
    batch = playing(autoreset=False, steps=0)
    while not (batch.seat < 0).any():
        batch.step(batch.sample())
    lane = int((batch.seat < 0).argmax())
    taken = batch.sample()
    taken[lane] = 0
    with refused(GameOver, f"lane {lane}", "-1", "reset()", batch=batch):
        batch.step(taken)


# Actions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "taken",
    [
        *(None, 0, [], [0, 0], [0] * 4, [[0] * 3], np.zeros((3, 1), int), {}, {0: 1}),
        *([0.0] * 3, [1.5, 0, 0], [True] * 3, ["0"] * 3, [None] * 3, [2**70] * 3),
        *("abc", [[0], [0, 1], [2]], [0j] * 3, [float("nan")] * 3, np.zeros(3, np.float32)),
    ],
)
def test_actions_of_the_wrong_shape_or_type_are_bad_actions(batch: Batch, taken: Any) -> None:
    with refused(
        BadAction, "actions" if np.shape(taken := wrap(taken)) == (3,) else "3", batch=batch
    ):
        batch.step(taken)


def wrap(taken: Any) -> Any:
    return taken
