"""Graphs of moves on a batch: numbers are nodes, and the tiles that an action leaves are edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches.move_features import BatchMoveFeatures
from domino_env.batches.options import short
from domino_env.engine.move_features.move_fields import MoveField
from domino_env.engine.move_graphs.write_graphs import draw_lanes
from domino_env.errors import BadOption


class BatchMoveGraphs(BatchMoveFeatures):
    """The graphs of moves of a batch."""

    @property
    def graph_fields(self) -> tuple[MoveField, ...]:
        """What the columns of `move_graphs` are; none in a one-player game."""
        return self._engine.graph_fields(self.setup)

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
        some = np.arange(self.num_games) if lanes is None else self.some_lanes(lanes)
        with self._held:
            graphs = self._graphs_of(int(self._num_legal[some].sum()), out)
            draw_lanes(
                self._rule_table,
                self._games,
                self._logs,
                self._legal,
                self._num_legal,
                some,
                *self._memory_of(0),
                graphs,
            )
        return graphs

    def _graphs_of(self, rows: int, out: Any) -> npt.NDArray[np.int8]:
        shape = (len(self.rules.tile_set.values), len(self.graph_fields))
        if out is None:
            return np.empty((rows, *shape), np.int8)
        fits = (
            out.__class__ is np.ndarray
            and out.dtype == np.int8
            and out.shape[1:] == shape
            and len(out) >= rows
            and out.flags.carray
        )
        if not fits:
            raise BadOption(
                f"out is a contiguous int8 array of {shape[0]} by {shape[1]} with room for {rows} "
                f"graphs, that may be written into; not {short(out)}"
            )
        graphs: npt.NDArray[np.int8] = out[:rows]
        return graphs
