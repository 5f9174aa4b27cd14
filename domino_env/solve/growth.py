"""The arrays that a tree grows in, which are made larger as it needs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.errors import BadOption
from domino_env.solve import growing
from domino_env.solve.all_deals import Deals
from domino_env.solve.growing import ROOM, grow
from domino_env.solve.records import FRAME, HISTORY, INFOSTATE, LEAF, PROGRESS, SIDES
from domino_env.solve.witnessed import rehash

PART = 500_000  # histories between two looks at the clock, and at Ctrl-C
_FIRST = 4 * ROOM


class Growth:
    """A tree while it grows.

    Attributes:
        progress: how far it has come: `records.PROGRESS`.
        infostates, leaves: what it has found: `records.INFOSTATE`, `records.LEAF`.
        decks, paths: a history in each information state: its deck, its actions.
        told: every history, if that is wanted: `records.HISTORY`.
    """

    def __init__(
        self, batch: Batch, sides: npt.NDArray[np.int8], *, tells_histories: bool = False
    ) -> None:
        self.batch, self.sides = batch, sides
        table = batch.rule_table
        self._table = table
        tiles, levels = int(table["tiles"][0]), batch.events.shape[1] + 2
        self._stack = (
            np.zeros(levels, batch.games.dtype),
            np.zeros((levels, batch.events.shape[1]), np.uint32),
            np.zeros((levels, batch.num_actions), np.int8),
            np.zeros((levels, batch.legal.shape[1]), np.int16),
            np.zeros(levels, np.int32),
            np.zeros(levels, FRAME),
        )
        self.progress = np.zeros(1, PROGRESS)
        self._deal = np.zeros(tiles, np.uint8)
        self._keys = np.zeros(2 * _FIRST, np.uint64)
        self._nodes = np.zeros(2 * _FIRST, np.int32)
        self._infostate_of = np.full(_FIRST, -1, np.int32)
        self.infostates = np.zeros(_FIRST, INFOSTATE)
        self.decks = np.zeros((_FIRST, tiles), np.uint8)
        self.paths = np.zeros(_FIRST, np.int16)
        self.leaves = np.zeros(_FIRST, LEAF)
        self.told = np.zeros(_FIRST if tells_histories else 0, HISTORY)
        # Nodes 1 and 2 are of sides that have seen nothing; sequences 0 and 1 of no decisions.
        self.progress["nodes"], self.progress["sequences"] = 1 + SIDES, SIDES
        self.progress["deal"] = self.progress["level"] = -1

    def run(
        self,
        deals: Deals,
        watch: Callable[[float], None] = lambda done: None,
        most: float = float("inf"),
    ) -> bool:
        """Grows all histories of some deals; `watch` is told which part is done. False if there are
        more than `most` histories, and it was given up."""
        progress = self.progress[0]
        progress.deal, progress.level = -1, -1
        progress.starter = 2**31
        while True:
            why = grow(
                self._table, *self._stack, self.progress, deals, self._deal, self.sides,
                self._keys, self._nodes, self._infostate_of, self.infostates, self.decks,
                self.paths, self.leaves, self.told, PART,
            )  # fmt: skip
            if why == growing.DONE:
                return True
            if progress.histories > most:
                return False
            if why == growing.FULL:
                self._make_room()
            elif why != growing.PAUSED:
                raise BadOption(_WHY_NOT[why].format(self.batch.rules.id))
            watch(int(progress.deal) / len(deals))

    @property
    def nbytes(self) -> int:
        """The memory that it takes now."""
        kept = (self._keys, self._nodes, self._infostate_of, self.infostates, self.decks)
        return sum(array.nbytes for array in (*kept, self.paths, self.leaves))

    def _make_room(self) -> None:
        now = self.progress[0]
        if 2 * (now.nodes + ROOM) > len(self._keys):
            keys, nodes = np.zeros(2 * len(self._keys), np.uint64), self._nodes
            new = np.zeros(len(keys), np.int32)
            rehash(self._keys, nodes, keys, new)
            self._keys, self._nodes = keys, new
        self._infostate_of = _longer(self._infostate_of, now.nodes + ROOM, -1)
        self.infostates = _longer(self.infostates, now.infostates + 1)
        self.decks = _longer(self.decks, now.infostates + 1)
        self.paths = _longer(self.paths, now.path_words + ROOM)
        self.leaves = _longer(self.leaves, now.leaves + 1)
        if len(self.told):
            self.told = _longer(self.told, now.histories + 1)


def _longer(array: Any, needed: int, filled_with: int = 0) -> Any:
    """The same array if it is long enough, or a longer one with the same beginning."""
    if needed <= len(array):
        return array
    new = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    if filled_with:
        new[len(array) :] = filled_with
    return new


_WHY_NOT = {
    growing.AT_RANDOM: (
        "a tree of {} cannot be grown: something is decided at random that is neither a draw from "
        "the boneyard nor a tile taken out of a hand"
    ),
    growing.TOO_MANY: "a tree of {} cannot be grown: one decision draws more than 32 tiles",
}
