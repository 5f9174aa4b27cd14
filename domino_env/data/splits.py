"""Fixed splits of games by their deals: to learn from, to tune by, to be measured in.

Which split a deal belongs to follows from its tiles alone, by a hash. So it is the same in every
data set, whoever plays, and a deal that is met again is never on both sides.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch

TRAIN, VALIDATION, TEST = range(3)
SPLITS = ("train", "validation", "test")
_OF_TEN = (TRAIN,) * 8 + (VALIDATION, TEST)


def splits_of(batch: Batch) -> npt.NDArray[np.uint8]:
    """uint8[N]: the split of each game that has just been dealt; of a match, by its first deal."""
    tiles = int(batch.rules.num_tiles)
    decks = np.asarray(batch.games["deck"][:, :tiles]).astype(np.uint8)
    return np.array([split_of(deck.tolist()) for deck in decks], np.uint8)


def split_of(deck: list[int]) -> int:
    """The split of a deal: the tiles of each seat, and then the boneyard in drawing order."""
    return _OF_TEN[int.from_bytes(sha256(bytes(deck)).digest()[:8], "big") % 10]
