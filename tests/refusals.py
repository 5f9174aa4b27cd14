"""Batches to try bad input on, and the error that is expected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.errors import DominoError
from domino_env.ruleset import Rules
from tests.games import TWISTS

LANES = 3


def picture(batch: Batch) -> list[bytes]:
    """All that a batch is and shows: states, events, generators, moves, observations, rewards."""
    events = batch._games["log_size"].tolist()
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


TWISTED = domino_env.rules("fundomino", **dict.fromkeys(TWISTS, True))


def playing(variant: str | Rules = "block_draw", steps: int = 7, **options: Any) -> Batch:
    """A batch in the middle of its games."""
    batch = domino_env.batch(variant, LANES, **{"seed": 3, **options})
    batch.reset()
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


# Deals -------------------------------------------------------------------------------------------


def a_deal(batch: Batch, lane: int = 0) -> dict[str, Any]:
    """A deal that is right, to be spoilt."""
    deal = batch.position(lane).deal
    hands = [list(hand) for hand in deal["hands"]]
    return {**deal, "hands": hands, "boneyard": list(deal["boneyard"])}
