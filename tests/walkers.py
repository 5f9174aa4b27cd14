"""Two that can go on in a game and come back, for perft: a lane of the engine, and a referee."""

from __future__ import annotations

import copy
from typing import Any, Protocol

from domino_env.batches import Batch


class Walker(Protocol):
    """A game that can be played on and taken back."""

    def choices(self) -> list[Any]:
        """What may be decided; nothing when the round is over."""

    def mark(self) -> Any:
        """Something to go back to."""

    def play(self, choice: Any) -> None:
        """Decides."""

    def back(self, mark: Any) -> None:
        """Goes back to where a mark was taken."""


class EngineWalker:
    """One lane of the engine, saved and restored."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def choices(self) -> list[int]:
        return self.batch.legal[0, : self.batch.num_legal[0]].tolist()

    def mark(self) -> bytes:
        return self.batch.save(0)

    def play(self, choice: int) -> None:
        self.batch.step([choice])

    def back(self, mark: bytes) -> None:
        self.batch.restore(0, mark)


class ReferenceWalker:
    """A referee, copied before every decision."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def choices(self) -> list[Any]:
        return list(self.game.legal())

    def mark(self) -> Any:
        return self.game

    def play(self, choice: Any) -> None:
        self.game = copy.deepcopy(self.game)
        self.game.apply(choice)

    def back(self, mark: Any) -> None:
        self.game = mark
