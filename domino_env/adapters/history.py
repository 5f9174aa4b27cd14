"""The `history` observation: everything an observer has witnessed in this round, in order.

Row 0 holds the points of each seat, the observer first. Then there is one row for each event,
`(kind, seat, tile, end, half)`, each counted from 1 so that 0 means "none" or "not seen": first the
observer's own tiles as dealt, then everything that has happened. Seats are counted from the
observer, clockwise. The tile of a draw is visible only to the seat that drew it, a tile taken out
of a hand (`end` is then the seat it is taken from) to both seats. Unused rows are zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from domino_env.engine.log import Packed, unpack
from domino_env.engine.state import (
    ANSWERED,
    DREW,
    FLIPPED,
    LAID_OUT,
    NOBODY,
    PLAYED,
    PUT_BACK,
    TOOK,
)

if TYPE_CHECKING:
    from domino_env.batches import Batch

DEALT = ANSWERED + 12  # between the answers: no stage has these two numbers
"""The kind of the rows that name the observer's own tiles."""

_WITH_TILE = np.zeros(32, bool)
_WITH_TILE[[PLAYED, DREW, FLIPPED, PUT_BACK, LAID_OUT, TOOK]] = True


class History:
    """Writes the histories of a batch of one."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._dealt = 0 if batch.rules.rows else batch.rules.hand_size_for(batch.num_players)
        rows = 1 + self._dealt + batch.events.shape[1] - batch.rules.num_tiles
        columns = max(len(Packed._fields), batch.num_players)  # of an event, and of the points
        self.space = spaces.Box(-32768, 32767, (rows, columns), np.int16)

    def of(self, seat: int) -> npt.NDArray[np.int16]:
        """What a seat has witnessed."""
        out = np.zeros(self.space.shape, np.int16)
        games = self._batch.games
        seats = self._batch.num_players
        out[0, :seats] = np.roll(games["scores"][0, :seats], -seat)
        first = 1 + self._dealt
        if self._dealt:
            own = self._batch.events[0, seat * self._dealt : (seat + 1) * self._dealt]
            out[1:first, 0], out[1:first, 1] = DEALT, 1
            out[1:first, 2] = own.astype(np.int16) + 1
        words = self._batch.events[0, self._batch.rules.num_tiles : games["log_size"][0]]
        self._write_events(out[first : first + len(words)], words, seat)
        return out

    def _write_events(
        self, out: npt.NDArray[np.int16], words: npt.NDArray[np.uint32], seat: int
    ) -> None:
        kind, who, tile, end, half = unpack(words)
        seats = self._batch.num_players
        took = kind == TOOK
        hidden = (who != seat) & ((kind == DREW) | took & (end != seat))
        out[:, 0] = kind
        out[:, 1] = np.where(who == NOBODY, 0, (who.astype(np.int16) - seat) % seats + 1)
        out[:, 2] = np.where(_WITH_TILE[kind] & ~hidden, tile + 1, 0)
        played = kind == PLAYED
        giver = (end.astype(np.int16) - seat) % seats + 1
        out[:, 3] = np.where(played, end + 1, np.where(took, giver, 0))
        out[:, 4] = np.where(played, half + 1, 0)
