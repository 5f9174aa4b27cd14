"""What an engine has been told of the games of a batch, a second time and in plain Python: a
referee of the compiled `protocol.recollection`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from domino_env.batches import Batch
from tests.protocol_reference import Whole, Words, as_seen


class Known(NamedTuple):
    """Of some lanes: the numbers of the games, how many events their engine knows, and all events
    as their seats saw them."""

    numbers: list[int]
    told: list[int]
    events: Words


class ReferenceRecollection:
    """Follows the games of one batch.

    Args:
        batch: the games.
        new_number: gives a number to each game that begins.
    """

    def __init__(self, batch: Batch, new_number: Callable[[], int]) -> None:
        games, players = batch.num_games, batch.num_players
        self._new_number = new_number
        self._tiles = batch.rules.num_tiles
        hand = batch.rules.hand_size_for(players)
        self._hand = 0 if batch.rules.rows else hand
        self._numbers = np.full((games, players), -1, np.int64)
        self._rounds = np.zeros((games, players), np.int64)
        self._told = np.zeros((games, players), np.int64)
        length = batch._logs.shape[1] - self._tiles
        self._events = np.zeros((games, players, length), np.uint32)
        self._hands = np.zeros((games, players, self._hand), np.uint32)

    def look(self, batch: Batch, lanes: Whole, seats: Whole) -> tuple[Known, list[int]]:
        """What is to be told of some lanes; and the numbers of games that will not come again,
        since others have begun in their places."""
        games, logs = batch._games[lanes], batch._logs[lanes]
        sizes = games["log_size"].astype(np.int64) - self._tiles
        most = int(sizes.max(initial=0))
        events = as_seen(logs[:, self._tiles : self._tiles + most], seats)
        hands = self._hands_dealt(logs, seats)
        rounds = games["round_number"].astype(np.int64)
        numbers, told = self._numbers[lanes, seats], self._told[lanes, seats]
        same = (numbers >= 0) & (rounds == self._rounds[lanes, seats]) & (told <= sizes)
        same &= (hands == self._hands[lanes, seats]).all(1)
        unlike = events != self._events[lanes, seats, :most]
        same &= ~(unlike & (np.arange(most) < told[:, None])).any(1)
        goes_on = same | ((numbers >= 0) & (rounds > self._rounds[lanes, seats]))
        gone = numbers[~goes_on & (numbers >= 0)].tolist()
        for place in np.flatnonzero(~goes_on).tolist():
            numbers[place] = self._new_number()
        told = np.where(same, told, 0)
        self._numbers[lanes, seats], self._rounds[lanes, seats] = numbers, rounds
        self._told[lanes, seats], self._hands[lanes, seats] = sizes, hands
        self._events[lanes, seats, :most] = events
        return Known(numbers.tolist(), told.tolist(), events), gone

    def _hands_dealt(self, logs: Words, seats: Whole) -> Words:
        """The seats' own hands as they were dealt."""
        places = (seats * self._hand)[:, None] + np.arange(self._hand)
        found: Words = np.take_along_axis(logs, places, 1)
        return found

    def forget(self, lanes: Whole) -> list[tuple[int, int]]:
        """Lets go of the games in some lanes; their numbers, each with its lane."""
        rows = self._numbers[lanes]
        found = [
            (int(number), int(lane))
            for lane, row in zip(lanes, rows, strict=True)
            for number in row
            if number >= 0
        ]
        self._numbers[lanes] = -1
        return found

    def tell_again(self) -> None:
        """The engine knows nothing any more: all games are told it from their beginnings."""
        self._told[:] = 0
