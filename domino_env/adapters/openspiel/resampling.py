"""Resampling from an information set: replays a sampled world (see `belief`) as OpenSpiel actions.

The world is a game on the engine with its complete event log. Its deal gives the chance outcomes,
and its events everybody's decisions. These need not be the moves that were really made: a voluntary
draw and a forced draw look alike to others.
"""

from __future__ import annotations

from typing import Any

from domino_env.adapters.openspiel.transitions import CHANCE, Situation, TransitionModel
from domino_env.batches import Batch
from domino_env.engine.log import unpack
from domino_env.engine.state import ANSWERED, DREW, PASSED, PLAYED, TOOK


class World:
    """A game that has been played as far as its events go.

    Args:
        model: the transitions of the game.
        batch: the game that a seat suspects, a batch of one.
        starter: as in the situation that it is suspected in.
    """

    def __init__(self, model: TransitionModel, batch: Batch, starter: int) -> None:
        tiles = batch.rules.num_tiles
        deck = batch.events[0, :tiles].tolist()
        self._rule_table: Any = batch.rule_table[0]
        self._starter = starter
        self._deck = model.dealing_order(starter, deck)
        self._words = batch.events[0, : int(batch.games["log_size"][0])].tolist()
        events = map(unpack, self._words[tiles:])
        self._taken = [event.tile for event in events if event.kind == TOOK]
        self._record = batch.games.itemsize

    def next_move(self, now: Situation) -> int | None:
        """The next move of chance or of a player, or None where the world has come so far."""
        if now.player == CHANCE:
            return self._outcome(now)
        so_far = (len(now.saved) - self._record) // 4
        return self._action(self._words[so_far]) if so_far < len(self._words) else None

    def _outcome(self, now: Situation) -> int:
        if now.asks == "starter":
            return self._starter
        if now.asks == "take":
            return self._taken.pop(0)
        return self._deck[len(now.dealt)]

    def _action(self, word: int) -> int:
        """The decision that a first event after it shows."""
        kind, _, tile, end, half = unpack(word)
        if kind == PLAYED:
            return int((tile * self._rule_table["ends"] + end) * 2 + half)
        if kind >= ANSWERED:
            stage, no = divmod(kind - ANSWERED, 2)
            return int(self._rule_table["answers"][stage + 1, no])
        return int(self._rule_table[{DREW: "draw", PASSED: "pass_turn"}.get(kind, "end_turn")])
