"""What moves have gained in the same worlds, and how surely one is behind another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.agents.searching.move_stats import MoveStats

Floats = npt.NDArray[np.float64]

CLEARLY = 4.0  # standard errors behind the best: there a move is let go
MARGIN = 1.1  # more worlds than it seems to take
MOST_MORE = 8  # times as many worlds as so far, at once


class PairedGains:
    """Gains of moves, compared in pairs on the worlds in which both were tried.

    Attributes:
        worlds: how many have been tried.
        is_exact: were they all there are?
        left: which moves are still tried.
    """

    def __init__(self, moves: int) -> None:
        self.worlds, self.is_exact = 0, False
        self.left = np.ones(moves, np.bool_)
        self._gained = np.zeros(moves)
        self._tried = np.zeros(moves)
        self._behind = np.zeros((moves, moves))  # [i, j]: by how much i gained less than j
        self._squares = np.zeros((moves, moves))
        self._together = np.zeros((moves, moves))  # worlds in which both were tried

    def new_stats(self) -> MoveStats:
        """What a playout of more worlds fills."""
        moves = len(self.left)
        return MoveStats(
            gained=np.zeros(moves),
            squares=np.zeros((moves, moves)),
            tried=self.left.copy(),
            latest=np.zeros(moves),
            likelihood_temper=np.ones(1),
            highest=np.zeros(1),
        )

    def add(self, stats: MoveStats, worlds: int) -> None:
        """Adds what was gained in more worlds, each of weight 1."""
        both = np.outer(stats.tried, stats.tried)
        self.worlds += worlds
        self._gained += stats.gained
        self._tried += worlds * stats.tried
        self._behind += both * (stats.gained[None, :] - stats.gained[:, None])
        self._squares += both * (stats.squares + stats.squares.T)
        self._together += worlds * both

    # What is known by now -------------------------------------------------------------------------

    @property
    def best(self) -> int:
        """The move with the highest mean, by the worlds that it shares with the others."""
        likely = int(np.argmax(self._gained / self._tried))
        return int(np.argmin(self._behind_of(likely)))

    def behind(self) -> Floats:
        """By how much each move is behind the best."""
        return self._behind_of(self.best)

    def _behind_of(self, move: int) -> Floats:
        found: Floats = self._behind[:, move] / self._together[:, move]
        return found

    def values(self) -> Floats:
        """The mean of each move: that of the best, less what the others are behind."""
        mean = self._gained[self.best] / self._tried[self.best]
        found: Floats = mean - self.behind()
        return found

    def errors(self) -> Floats:
        """The standard error of how far each move is behind."""
        if self.is_exact:
            return np.zeros(len(self.left))
        together = self._together[:, self.best]
        return np.sqrt(self._variances() / np.maximum(together - 1, 1))

    def _variances(self) -> Floats:
        squares = self._squares[:, self.best] / self._together[:, self.best]
        found: Floats = np.maximum(squares - self.behind() ** 2, 0.0)
        return found

    # What is still to be tried --------------------------------------------------------------------

    def let_go(self) -> None:
        """Moves that are clearly behind, or as good in all worlds, are tried no more; the best two
        go on together, even one that had been let go before others turned out worse."""
        second = self._second()
        self.left[[self.best, second]] = True
        for move in np.flatnonzero(self.left):
            if move in (self.best, second):
                continue
            behind, error = self.behind()[move], self.errors()[move]
            self.left[move] = error > 0.0 and behind < CLEARLY * error

    def _second(self) -> int:
        """The best move beside the best; the same if there is no other."""
        behind = self.behind()
        behind[self.best] = np.inf
        return int(np.argmin(behind))

    def wanted(self, within: float) -> float:
        """How many more worlds it seems to take until the best two are told apart so well."""
        second = self._second()
        wanted = self._variances()[second] / within**2 + 1 - self._together[second, self.best]
        return max(float(wanted), 0.0)

    def still_to_try(self, within: float) -> int:
        """How many worlds are tried next; 0 if it takes no more."""
        wanted = self.wanted(within)
        return min(int(MARGIN * wanted) + 1, MOST_MORE * self.worlds) if wanted else 0
