"""The state of games as seats see them, in the words of the protocol: docs/engine-protocol.md.

It is written from the records and logs of a batch, for many games at once; of hands only the seat's
own is ever looked at, and of the log nothing that the seat has not seen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.engine.game_setup import Setup
from domino_env.protocol.composing.states import NO_ROOM, Asked, write_states
from domino_env.protocol.terms import terms_of
from domino_env.ruleset import MAX_SEATS

Whole: TypeAlias = npt.NDArray[np.int64]

FIRST_PAGE = 1 << 18  # bytes
# The most terms that there are of each, with their commas.
_OF_A_STATE, _OF_A_SEAT, _OF_AN_END, _OF_AN_EVENT, _OF_A_MOVE, _OF_A_TILE = 64, 144, 28, 12, 7, 4


class StateWriter:
    """Writes the states of games, onto a page that is used again for the next ones: for one thread
    at a time."""

    def __init__(self) -> None:
        self._page = np.empty(FIRST_PAGE, np.uint8)
        self._line = np.empty(0, np.int64)
        self._setup: Setup | None = None  # of the batch that was written last

    def write(
        self,
        batch: Batch,
        lanes: Whole,
        seats: Whole,
        rules: int,
        numbers: Whole,
        told: Whole,
        clocks: Sequence[str],
    ) -> memoryview:
        """The states of some lanes as JSON, with commas between them: good until the next are
        written.

        Args:
            batch: the games.
            lanes: which of them.
            seats: in each the seat that sees it, and that is to move.
            rules: the number of the rules.
            numbers: of the games.
            told: how many of the events of its round are known already.
            clocks: what is said of each clock; none if there are no clocks.
        """
        said = np.frombuffer("".join(clocks).encode("ascii"), np.uint8)
        ends = np.array([*accumulate(map(len, clocks))] or np.zeros(len(lanes)), np.int64)
        asked = Asked(lanes, seats, numbers, told, said, ends)
        if batch.setup is not self._setup:  # to find the terms takes longer than to look at that
            self._setup, self._terms = batch.setup, terms_of(batch.setup)
            self._line = np.empty(_most_terms(batch), np.int64)
        while (size := self._written(batch, asked, rules)) == NO_ROOM:
            self._page = np.empty(2 * len(self._page), np.uint8)
        return self._page[:size].data

    def _written(self, batch: Batch, asked: Asked, rules: int) -> int:
        return int(
            write_states(
                batch._rule_table,
                batch._games,
                batch._logs,
                batch._legal,
                batch._num_legal,
                asked,
                rules,
                self._terms,
                self._line,
                self._page,
            )
        )


def _most_terms(batch: Batch) -> int:
    """How many terms the state of a game can have."""
    found: int = _OF_A_STATE + _OF_A_SEAT * MAX_SEATS + _OF_A_TILE * batch.rules.num_tiles
    found += _OF_AN_END * int(batch._rule_table["ends"][0])
    return found + _OF_AN_EVENT * batch._logs.shape[1] + _OF_A_MOVE * batch._legal.shape[1]


def in_json(value: Any) -> str:
    """A value as the protocol writes it: on one line, without white space, in ASCII."""
    return json.dumps(value, separators=(",", ":"))
