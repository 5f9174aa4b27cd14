"""Histories on a batch: all that a seat of each lane has witnessed in its round, event by event."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches.checks import BatchChecks
from domino_env.batches.options import room_for
from domino_env.engine.recall import COLUMNS, recall_lanes
from domino_env.errors import BadOption


class Histories(NamedTuple):
    """Histories of some seats, one after the other with no padding between."""

    events: npt.NDArray[np.uint8]
    """[E, 5]: a row for each tile dealt and each event: see `Batch.histories`."""
    lengths: npt.NDArray[np.int64]
    """[n]: how many rows each history has."""


class BatchHistories(BatchChecks):
    """The histories of a batch."""

    @property
    def longest_history(self) -> int:
        """The most rows that a history of this game can have; none in a one-player game."""
        if not self.rules.has_opponents:
            return 0
        return self._dealt_rows + self._logs.shape[1] - int(self.rules.num_tiles)

    def histories(
        self,
        lanes: npt.ArrayLike | None = None,
        seats: npt.ArrayLike | None = None,
        out: npt.NDArray[np.uint8] | None = None,
    ) -> Histories:
        """What the seat to move, or another that is given, has witnessed in this round: perfect
        recall of it.

        The histories of the lanes, all or those that are given, stand one after the other; each
        begins with the seat's own tiles as they were dealt, and goes on with the events, in their
        order. Each row is five bytes: kind, seat, tile, end and half, counted from 1, with 0 for
        none and for what the seat has not seen (docs/observations.md). A lane that is over has no
        rows, unless a seat is named. With `out`, a uint8 array of five columns and as many rows or
        more (`longest_history` for each lane suffices), `events` is its first rows.
        """
        self.must_be_reset("histories")
        if not self.rules.has_opponents:
            raise BadOption(f"{self.rules.id} is for one player, who sees everything that happens")
        some = None if lanes is None else self.some_lanes(lanes)
        every = np.arange(self.num_games) if some is None else some
        watching = None if seats is None else self.some_seats(seats, len(every))
        with self._held:
            if watching is None:
                watching = self._seat[every].astype(np.int64)
            lengths, columns = self._lengths(every, watching), len(COLUMNS)
            events = room_for(int(lengths.sum()), (columns,), np.uint8, out, f"{columns} columns")
            self._recall(every, watching, lengths, events, split=some is None)
        return Histories(events, lengths)

    @property
    def _dealt_rows(self) -> int:
        return 0 if self.rules.rows else int(self._rule_table["hand_size"][0])

    def _lengths(
        self, lanes: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        words: npt.NDArray[np.int64] = self._games["log_size"][lanes].astype(np.int64)
        words += self._dealt_rows - int(self.rules.num_tiles)
        words[seats < 0] = 0
        return words

    def _recall(self, lanes: Any, seats: Any, lengths: Any, events: Any, split: bool) -> None:
        """Writes the histories; those of all lanes in as many threads as the batch has."""
        ranges = self._ranges if split else [(0, len(lanes))]
        arguments = (self._rule_table, self._games, self._logs, lanes, seats, events)
        parts = tuple(
            (*arguments, int(lengths[:start].sum()), start, stop) for start, stop in ranges
        )
        kernel = self._direct(recall_lanes, parts[0])
        if split:
            self._share(kernel, parts)
        else:
            kernel(*parts[0])
