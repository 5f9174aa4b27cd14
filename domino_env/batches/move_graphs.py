"""Graphs of moves on a batch: numbers are nodes, and the tiles that an action leaves are edges."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from domino_env.batches.move_features import BatchMoveFeatures
from domino_env.batches.options import room_for
from domino_env.engine.move_features.move_fields import MoveField
from domino_env.engine.move_graphs.write_graphs import draw_lanes
from domino_env.errors import BadOption


class BatchMoveGraphs(BatchMoveFeatures):
    """The graphs of moves of a batch."""

    @property
    def graph_fields(self) -> tuple[MoveField, ...]:
        """What the columns of `move_graphs` are; none in a one-player game."""
        if self._graph_fields is None:
            self._graph_fields = self._engine.graph_fields(self.setup)
        return self._graph_fields

    def move_graphs(
        self, lanes: npt.ArrayLike | None = None, out: npt.NDArray[np.int8] | None = None
    ) -> npt.NDArray[np.int8]:
        """int8[R, V, D]: what each legal action of the seat to move leaves, as a graph. V numbers
        are its nodes, tiles the edges between them; `graph_fields` names the D columns.

        Rows are those of `move_features`: `num_legal[lanes]` for each of the lanes, in the order of
        `legal`. With `out`, an int8 array of as many graphs or more, the answer is its first ones.
        """
        self.must_be_reset("move_graphs")
        if not self.graph_fields:
            raise BadOption(f"{self.rules.id} is for one player: its moves have no graphs")
        some = None if lanes is None else self.some_lanes(lanes)
        shape = len(self.rules.tile_set.values), len(self.graph_fields)
        with self._held:
            each = f"{shape[0]} numbers by {shape[1]} columns"
            graphs = room_for(self._rows_of(some), shape, np.int8, out, each)
            self._write_rows(partial(self._direct, draw_lanes), some, graphs)
        return graphs
