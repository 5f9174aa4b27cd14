"""A start tile is taken before the hands are dealt (YT1)."""

from __future__ import annotations

import numpy as np

import domino_env
from domino_env.batches import Batch

DEALS = 40_000


def dealt() -> tuple[np.ndarray, np.ndarray]:
    """Many decks, and whether each tile of them is a double."""
    batch = Batch("yourturnmyturn", DEALS, seed=3)
    batch.reset()
    decks = batch.events[:, :28].astype(int)
    doubles = np.array([first == second for first, second in batch.rules.tile_set.faces])
    return decks, doubles[decks]


def test_the_start_tile_lies_in_front_of_the_boneyard_and_is_any_that_is_no_double() -> None:
    decks, doubles = dealt()
    assert not doubles[:, 14].any()
    found = np.bincount(decks[:, 14], minlength=28)
    expected = DEALS / 21
    assert np.count_nonzero(found) == 21
    assert (np.abs(found[found > 0] - expected) < 5 * expected**0.5).all()


def test_all_other_places_have_as_many_doubles() -> None:
    """Dealt before the start tile, hands had 7 doubles in 28 tiles; after it, 7 in 27."""
    _, doubles = dealt()
    others = np.delete(doubles, 14, axis=1).mean(0)
    spread = (7 / 27 * 20 / 27 / DEALS) ** 0.5
    assert (np.abs(others - 7 / 27) < 5 * spread).all()
    hands = doubles[:, :7].sum(1).mean()
    assert abs(hands - 49 / 27) < 0.02 < abs(hands - 49 / 28)


def test_deals_of_before_are_still_read() -> None:
    """In a deal that is given doubles may lie before the start tile; they are drawn first."""
    batch = domino_env.batch("yourturnmyturn", 1, seed=0)
    batch.reset()
    deal = batch.position(0).deal
    boneyard = [str(tile) for tile in deal["boneyard"]]
    doubles = [tile for tile in boneyard if tile[0] == tile[2]]
    others = [tile for tile in boneyard if tile[0] != tile[2]]
    batch.reset(options={"deal": {**deal, "boneyard": [*doubles, *others]}})
    now = batch.position(0)
    assert str(now.played[0][0]) == others[0]
    assert [str(tile) for tile in now.deal["boneyard"]] == [*doubles, *others]
