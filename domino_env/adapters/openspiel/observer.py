"""OpenSpiel observers: a seat's observation as a tensor in named pieces, and as a string.

With perfect recall it is everything the seat has witnessed: `history`, the rows of the `history`
observation (see `adapters.history`), of this round; the string includes earlier rounds too.
Without, it is `Batch.observe`, a piece for each group of its fields. `player` is the observer,
`turn` the seat to move. The observer's own tiles and draws are private; all else is public.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from domino_env.adapters.history import History
from domino_env.adapters.openspiel.transitions import TransitionModel
from domino_env.engine.recall import DEALT
from domino_env.engine.state import DREW, TOOK

_OWN = ("hand",)  # the groups of fields that are private
_KIND, _TILE = 0, 2  # columns of a history


class Observer:
    """What the seats of a game see; see OpenSpiel's `observation` for how it is used.

    Attributes:
        tensor: float32, all of it.
        dict: its pieces by name, in the same memory.
    """

    def __init__(self, model: TransitionModel, kind: Any, params: Any = None) -> None:
        if params:
            raise ValueError(f"observers of domino take no parameters, not {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("observers of domino see the tiles of one seat, or of none")
        self._model = model
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self._history = History(model.batch)
        self._fields = model.batch.fields
        pieces = list(self._pieces())
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in pieces), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        start = 0
        for name, shape in pieces:
            stop = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:stop].reshape(shape)
            start = stop

    def _pieces(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        seats = self._model.batch.num_players
        yield "player", (seats,)
        if self._public:
            yield "turn", (seats,)
        if self._recalls:
            if self._public and self._model.batch.episode == "match":
                yield "round", (1,)
            yield "history", self._history.space.shape
            return
        for group in dict.fromkeys(field.group for field in self._fields):
            if self._private if group in _OWN else self._public:
                yield group, (sum(f.size for f in self._fields if f.group == group),)

    def set_from(self, state: Any, player: int) -> None:
        """Shows what a seat sees in a state."""
        now = state.situation
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if "turn" in self.dict and now.player >= 0:
            self.dict["turn"][now.player] = 1
        if "round" in self.dict:
            self.dict["round"][0] = now.round
        if now.is_dealing:
            return
        batch = self._model.show(now)
        if self._recalls:
            self.dict["history"][:] = self._seen(self._history.of(player))
            return
        seen, start = batch.observe(0, player), 0
        for group in dict.fromkeys(field.group for field in self._fields):
            stop = start + sum(field.size for field in self._fields if field.group == group)
            if group in self.dict:
                self.dict[group][:] = seen[start:stop]
            start = stop

    def _seen(self, rows: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """The public or the private part of a history, or both."""
        kinds = rows[:, _KIND].copy()
        kinds[0] = 0  # row 0 holds the points
        dealt = kinds == DEALT
        drawn = (kinds == DREW) | (kinds == TOOK)
        if not self._private:
            rows[dealt] = 0
            rows[drawn, _TILE] = 0
        if not self._public:
            rows[~(dealt | drawn & (rows[:, _TILE] > 0))] = 0
        return rows

    def string_from(self, state: Any, player: int) -> str:
        """What a seat sees in a state, as a text."""
        model, now = self._model, state.situation
        batch = model.batch if now.is_dealing else model.show(now)
        shown = self._public, self._private
        if self._recalls:
            return model.strings.witnessed(batch, now, player, *shown)
        return model.strings.seen(batch, now, player, *shown)
