"""`clairvoyant`: perfect information. It sees all tiles and tries every move in the actual game.

It cheats: it knows all hands and the order of the boneyard, and finishes the round after each of
its moves with the weights of `heuristic` for all seats. Its margin over `heuristic` is a yardstick
for the value of the hidden information, and no upper bound: `pimc`, which sees no hidden tile, is
ahead of it in `bendomino_all_five`. It is a reference, not an opponent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.agents import Actions, Lanes, Shown, at_decisions, is_against_others, parts
from domino_env.agents.features.heuristic_features import Weights
from domino_env.agents.heuristic import as_row, weights_of
from domino_env.agents.searching.playout import Scratch, gain_of, new_scratch
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.state import Counts, Games, Legal, Numbers, RuleTables

AT_ONCE = 256  # lanes between two looks at the keyboard
COMPILED = ("the agent clairvoyant", 5)


class Clairvoyant(Shown):
    """Evaluates each move by a rollout in the actual game.

    Args:
        weights: of the rollout policy, by name; by default those of `heuristic`.
    """

    name = "clairvoyant"
    searches = True
    cheats = True

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self._given = None if weights is None else as_row(weights)

    plays = staticmethod(is_against_others)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        row = weights_of(batch.rules.id) if self._given is None else self._given
        chosen, scratch = np.empty(len(lanes), np.int64), new_scratch(batch)
        for part in parts(len(lanes), AT_ONCE):
            _choose(
                batch._rule_table,
                batch._games,
                batch._legal,
                batch._num_legal,
                lanes[part],
                row,
                scratch,
                chosen[part],
            )
        return chosen


@kernel
def _choose(
    rule_tables: RuleTables,
    games: Games,
    legal: Legal,
    num_legal: Counts,
    lanes: Numbers,
    weights: Weights,
    scratch: Scratch,
    chosen: Numbers,
) -> None:
    """The move of each of some lanes that gains the most; the first of those that gain as much."""
    for place in range(len(lanes)):
        lane: Any = np.uint64(lanes[place])
        game, seat = games[lane], int(games[lane].to_move)
        chosen[place] = legal[lane, 0]
        most = -np.inf
        for move in range(num_legal[lane] if num_legal[lane] > 1 else 0):
            action = int(legal[lane, move])
            gain = gain_of(rule_tables[0], game, seat, action, weights, scratch)
            if gain > most:
                chosen[place], most = action, gain
