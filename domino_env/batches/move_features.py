"""Features of moves on a batch: a row of numbers for each legal action of the seats to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches.checks import BatchChecks
from domino_env.batches.options import room_for
from domino_env.compiling import machine_code
from domino_env.engine.move_features.describe import describe_lanes
from domino_env.engine.move_features.known import new_known
from domino_env.engine.move_features.move_fields import MoveField
from domino_env.engine.state import records
from domino_env.errors import BadOption


class BatchMoveFeatures(BatchChecks):
    """The features of moves of a batch."""

    @property
    def move_fields(self) -> tuple[MoveField, ...]:
        """What the numbers of a row of `move_features` are; none in a one-player game."""
        if self._move_fields is None:
            self._move_fields = self._engine.move_fields(self.setup)
        return self._move_fields

    def move_features(
        self, lanes: npt.ArrayLike | None = None, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """float32[R, K]: what each legal action of the seat to move looks like to it, if it
        imagines the action done; `move_fields` names the K numbers.

        There are `num_legal[lanes]` rows for each of the lanes, in the order of `legal`, lane after
        lane: all lanes, or those that are given. A lane that is over has none. With `out`, a
        float32 array of K columns and as many rows or more, the answer is its first rows: memory
        that is used again saves a third of the time.
        """
        self.must_be_reset("move_features")
        if not self.move_fields:
            raise BadOption(f"{self.rules.id} is for one player: its moves have no features")
        some = None if lanes is None else self.some_lanes(lanes)
        with self._held:
            columns = len(self.move_fields)
            table = room_for(self._rows_of(some), (columns,), np.float32, out, f"{columns} columns")
            self._write_rows(self._describer, some, table)
        return table

    def _rows_of(self, some: npt.NDArray[np.int64] | None) -> int:
        """How many legal actions there are in some lanes, or in all."""
        return int((self._num_legal if some is None else self._num_legal[some]).sum())

    def _write_rows(
        self, code: Callable[[Any], Callable[..., None]], some: Any, table: npt.NDArray[Any]
    ) -> None:
        """Writes a row for each legal action in some lanes, or in all, split over the threads;
        `code` gives the machine code for arguments."""
        if some is not None:
            part = self._to_describe(some, table, 0, 0, len(some))
            code(part)(*part)
            return
        every = np.arange(self.num_games)
        firsts = [int(self._num_legal[:start].sum()) for start, _ in self._ranges]
        ranges = zip(firsts, self._ranges, strict=True)
        parts = tuple(self._to_describe(every, table, first, *each) for first, each in ranges)
        self._share(code(parts[0]), parts)

    def _to_describe(self, lanes: Any, table: Any, first: int, start: int, stop: int) -> Any:
        """The arguments with which the moves in a range of some lanes are described, or drawn."""
        return (
            self._rule_table,
            self._games,
            self._logs,
            self._legal,
            self._num_legal,
            lanes,
            *self._memory_of(start),
            table,
            first,
            start,
            stop,
        )

    def _describer(self, arguments: Any) -> Callable[..., None]:
        if self._describe_here is None:
            self._describe_here = machine_code(
                describe_lanes, arguments, self._rule_table, self.specialize
            )
        return self._describe_here

    def _memory_of(self, start: int) -> tuple[Any, Any]:
        """A table on which moves are imagined, and notes: one for each thread."""
        found = self._imagined.get(start)
        if found is None:
            found = records(1, self._record), new_known(self._rule_table)
            self._imagined[start] = found
        return found
