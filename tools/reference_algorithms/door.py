"""A mini game as OpenSpiel's algorithms get it: through the door, or as a file of Gambit's.

Through the door (`domino_env.adapters.openspiel`) learners see what ours see. Rows of a history,
which the door calls an information state, are numbered events; networks learn little from numbers
of tiles, so that here the observation stands in their place. Every state and every observation is
remembered when it is met, and what is told while the round goes on is paid at its end, as
OpenSpiel's learners expect it.

A file (`solve.write_efg`) is a C++ game whose information states have the numbers of our tree:
that is for solvers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env import solve
from domino_env.batches import Batch
from domino_env.solve.mini_games import MiniGame
from domino_env.solve.tree import Tree

SEATS = 2
Numbers = npt.NDArray[np.float32]
Chances = Callable[[int, Numbers], npt.NDArray[Any]]
"""Of a seat and of what it sees in some states: how likely each action of the game is, for each."""


class Door:
    """A mini game through the door; OpenSpiel's learners take it for one of its games.

    Args:
        mini: the mini game.
    """

    def __init__(self, mini: MiniGame) -> None:
        import pyspiel

        from domino_env.adapters.openspiel import load

        game = load(mini.rules, num_players=SEATS, calls=mini.calls)
        self._game = pyspiel.convert_to_cached_tree(game)
        self._size = game.observation_tensor_size()
        self._seen: dict[tuple[int, str], list[float]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def new_initial_state(self) -> DoorState:
        """Nothing has been dealt."""
        return DoorState(self._game.new_initial_state(), self._seen)

    def information_state_tensor_size(self) -> int:
        """How many numbers an observation has."""
        return int(self._size)

    def information_state_tensor_shape(self) -> list[int]:
        """The same as a shape."""
        return [self._size]

    def visit(self) -> dict[str, Any]:
        """Goes through all of the game, so that from now on nothing is met for the first time;
        answers with a state of each information state."""
        waiting, met = [self.new_initial_state()], {}
        while waiting:
            state = waiting.pop()
            for seat in range(SEATS):
                state.information_state_tensor(seat)
            if not state.is_terminal():
                waiting += [state.child(action) for action in state.legal_actions()]
                if not state.is_chance_node():
                    met[state.information_state_string()] = state
        return met


class DoorState:
    """A state of it."""

    def __init__(self, state: Any, seen: dict[tuple[int, str], list[float]]) -> None:
        self._state, self._seen = state, seen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def child(self, action: int) -> DoorState:
        """The state after an action."""
        return DoorState(self._state.child(action), self._seen)

    def returns(self) -> list[float]:
        """What the round has earned each seat, once it is over."""
        over = self._state.is_terminal()
        return list(self._state.returns()) if over else [0.0] * SEATS

    rewards = returns

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """What a seat sees: the one to move, if none is named."""
        seat = self._state.current_player() if player is None else player
        key = seat, self._state.information_state_string(seat)
        if key not in self._seen:
            self._seen[key] = self._state.observation_tensor(seat)
        return self._seen[key]


class Networks:
    """What networks have learned through the door, as an agent that plays on a batch."""

    name = "networks"

    def __init__(self, chances: Chances) -> None:
        self._chances = chances

    def probabilities(self, batch: Batch, lanes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """For each of the lanes how likely each action of the game is to be chosen."""
        found = np.zeros((len(lanes), batch.num_actions))
        movers, seen = batch.seat[lanes], shown(batch, lanes)
        for seat in range(SEATS):
            own = movers == seat
            if own.any():
                found[own] = self._chances(seat, seen[own])
        found *= batch.mask[lanes]
        sums = found.sum(1, keepdims=True)
        even = batch.mask[lanes] / batch.mask[lanes].sum(1, keepdims=True)
        return np.where(sums > 0, found / np.maximum(sums, 1e-300), even)


def shown(batch: Batch, lanes: npt.NDArray[np.int64]) -> Numbers:
    """What the seats to move see, as the door shows it: who looks on, who moves, and the
    observation."""
    who = np.eye(SEATS, dtype=np.float32)[batch.seat[lanes]]
    return np.hstack([who, who, batch.observation[lanes]])


def from_file(tree: Tree) -> Any:
    """A tree as a game of OpenSpiel's own."""
    import pyspiel

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tree.efg"
        solve.write_efg(tree, file)
        return pyspiel.load_game("efg_game", {"filename": str(file)})
