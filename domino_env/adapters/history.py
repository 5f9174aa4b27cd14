"""The `history` observation: everything an observer has witnessed in this round, in order.

Row 0 holds the points of each seat, the observer first. Then come the rows of `Batch.histories`,
which says what they mean: first the observer's own tiles as dealt, then everything that has
happened. Unused rows are zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from domino_env.engine.recall import COLUMNS

if TYPE_CHECKING:
    from domino_env.batches import Batch


class History:
    """Writes the histories of a batch of one."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        columns = max(len(COLUMNS), batch.num_players)  # of an event, and of the points
        shape = 1 + batch.longest_history, columns
        self.space = spaces.Box(-32768, 32767, shape, np.int16)

    def of(self, seat: int) -> npt.NDArray[np.int16]:
        """What a seat has witnessed."""
        out = np.zeros(self.space.shape, np.int16)
        seats = self._batch.num_players
        out[0, :seats] = np.roll(self._batch.games["scores"][0, :seats], -seat)
        events = self._batch.histories([0], [seat]).events
        out[1 : 1 + len(events), : len(COLUMNS)] = events
        return out
