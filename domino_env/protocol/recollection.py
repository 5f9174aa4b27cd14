"""What an engine has been told of the games of a batch: which number each has for it, and which
events it knows. A seat of a game is a game of its own to an engine, which may sit in several.

Nothing here depends on a tile that the seat has not seen: whether a game is still the one that it
was is told by what the seat saw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.state import Games, Logs, Numbers, RuleTable, RuleTables
from domino_env.protocol.composing import COMPILED as COMPILED
from domino_env.protocol.seen import seen_at
from domino_env.protocol.states import Whole

NO_GAME = -1


class Known(NamedTuple):
    """Of some lanes, what is told of them now: the numbers of the games, and how many events of
    the round their engine knows."""

    numbers: Whole
    told: Whole


class Memories(NamedTuple):
    """What an engine has been told last of each seat of each game."""

    numbers: npt.NDArray[np.int64]  # [game, seat]; or NO_GAME
    rounds: npt.NDArray[np.int64]  # [game, seat]
    told: npt.NDArray[np.int64]  # [game, seat]: how many events
    events: npt.NDArray[np.uint32]  # [game, seat, event]: as it has seen them
    hands: npt.NDArray[np.uint32]  # [game, seat, tile]: its own as it was dealt


class Recollection:
    """Follows the games of one batch.

    Args:
        batch: the games.
        new_number: gives a number to each game that begins.
    """

    def __init__(self, batch: Batch, new_number: Callable[[], int]) -> None:
        places = batch.num_games, batch.num_players
        self._new_number = new_number
        hand = 0 if batch.rules.rows else batch.rules.hand_size_for(batch.num_players)
        self._memories = Memories(
            numbers=np.full(places, NO_GAME, np.int64),
            rounds=np.zeros(places, np.int64),
            told=np.zeros(places, np.int64),
            events=np.zeros((*places, batch._logs.shape[1] - batch.rules.num_tiles), np.uint32),
            hands=np.zeros((*places, hand), np.uint32),
        )

    def look(self, batch: Batch, lanes: Whole, seats: Whole) -> tuple[Known, list[int]]:
        """What is to be told of some lanes; and the numbers of games that will not come again,
        since others have begun in their places."""
        numbers, told, gone = np.empty((3, len(lanes)), np.int64)
        found = self._memories, lanes, seats, numbers, told, gone
        if look_at(batch._rule_table, batch._games, batch._logs, *found):
            new = numbers == NO_GAME
            numbers[new] = [self._new_number() for _ in range(np.count_nonzero(new))]
            self._memories.numbers[lanes, seats] = numbers
        return Known(numbers, told), gone[gone != NO_GAME].tolist()

    def forget(self, lanes: Whole) -> list[tuple[int, int]]:
        """Lets go of the games in some lanes; their numbers, each with its lane."""
        rows = zip(self._memories.numbers[lanes].tolist(), lanes.tolist(), strict=True)
        found = [(number, lane) for row, lane in rows for number in row if number != NO_GAME]
        self._memories.numbers[lanes] = NO_GAME
        return found

    def tell_again(self) -> None:
        """The engine knows nothing any more: all games are told it from their beginnings."""
        self._memories.told[:] = 0


@kernel
def look_at(
    rule_tables: RuleTables,
    games: Games,
    logs: Logs,
    memories: Memories,
    lanes: Numbers,
    seats: Numbers,
    numbers: Numbers,
    told: Numbers,
    gone: Numbers,
) -> int:
    """Compares some lanes with what is remembered of them, and remembers them as they are: writes
    their `numbers`, how much their engine has been `told` of the round, and the numbers that are
    `gone`. How many games have begun, whose number is NO_GAME."""
    rules, begun = rule_tables[0], 0
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        seat: Any = np.uint64(seats[place])
        known, number = int(memories.told[lane, seat]), int(memories.numbers[lane, seat])
        now = int(games[lane].round_number)
        size = int(games[lane].log_size - rules.tiles)
        before = int(memories.rounds[lane, seat])
        same = number != NO_GAME and now == before and known <= size
        same = same and is_same_hand(logs, memories, lane, seat)
        same = same and is_same_round(rules, logs, memories, lane, seat)
        goes_on = same or (number != NO_GAME and now > before)
        begun += not goes_on
        told[place] = known if same else 0
        numbers[place] = number if goes_on else NO_GAME
        gone[place] = NO_GAME if goes_on else number
        memories.rounds[lane, seat], memories.told[lane, seat] = now, size
        remember(rules, logs, memories, lane, seat, int(told[place]))
    return begun


@small
def is_same_hand(logs: Logs, memories: Memories, lane: int, seat: int) -> bool:
    """Was the seat dealt the hand that is remembered?"""
    hand = memories.hands.shape[2]
    for place in range(hand):
        if logs[lane, seat * hand + place] != memories.hands[lane, seat, place]:
            return False
    return True


@small
def is_same_round(rules: RuleTable, logs: Logs, memories: Memories, lane: int, seat: int) -> bool:
    """Did the round begin with all that its engine has been told?"""
    for place in range(memories.told[lane, seat]):
        seen = seen_at(logs[lane], int(rules.tiles) + place, int(seat))
        if seen != memories.events[lane, seat, place]:
            return False
    return True


@small
def remember(
    rules: RuleTable, logs: Logs, memories: Memories, lane: int, seat: int, first: int
) -> None:
    """Notes the hand that the seat was dealt, and the events of the round from one of them on."""
    hand = memories.hands.shape[2]
    for place in range(hand):
        memories.hands[lane, seat, place] = logs[lane, seat * hand + place]
    for place in range(first, memories.told[lane, seat]):
        seen = seen_at(logs[lane], int(rules.tiles) + place, int(seat))
        memories.events[lane, seat, place] = seen
