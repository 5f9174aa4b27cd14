"""Clocks: the seconds of a request, by what each of its games has per move and in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Clocks:
    """The clocks of the games of an engine.

    Attributes:
        per_move: seconds for a move; None: as many as the game has.
        per_game: seconds for all moves of a game; None: any number of moves has its time.
        increment: what a game's clock gets after each move.
    """

    per_move: float | None
    per_game: float | None = None
    increment: float = 0.0
    _left: dict[int, float] = field(default_factory=dict)

    def left(self, game: int) -> float | None:
        """The seconds on the clock of a game."""
        return None if self.per_game is None else self._left.get(game, self.per_game)

    def told(self, games: Sequence[int]) -> list[str]:
        """What the states of some games say of their clocks; nothing if they have none."""
        if self.per_game is None:
            return []
        after = f'"increment":{self.increment:.6g}}},'
        return [f'"clock":{{"left":{self.left(game):.6g},{after}' for game in games]

    def for_request(self, games: Sequence[int]) -> float | None:
        """The seconds for a move in each of some games, all together; None: there is no limit."""
        limits = [self.left(game) for game in games] if self.per_game is not None else []
        each = [limit for limit in (*limits, self.per_move) if limit is not None]
        return len(games) * max(0.0, min(each)) if each else None

    def charge(self, games: Sequence[int], seconds: float) -> None:
        """Takes the time of a request off the clocks of its games, in equal parts."""
        for game in games if self.per_game is not None else ():
            left = self.left(game)
            if left is not None:
                self._left[game] = max(0.0, left - seconds / len(games)) + self.increment

    def forget(self, game: int) -> None:
        """A game will not come again."""
        self._left.pop(game, None)
