"""`greedy_pip`: plays the tile with the most pips. A common habit, and the usual baseline."""

from __future__ import annotations

import numpy as np

from domino_env.agents import Actions, Lanes, Shown, at_decisions, is_against_others
from domino_env.batches import Batch
from domino_env.compiling import kernel
from domino_env.engine.state import STAGES, Counts, Legal, Numbers, RuleTable, RuleTables

COMPILED = ("the agent greedy_pip", 2)


class GreedyPip(Shown):
    """Plays the tile with the most pips, and of its plays the lowest action; draws, passes or stops
    only if nothing else is legal. Answers every question with yes, so it calls and raises
    whatever it can."""

    name = "greedy_pip"

    plays = staticmethod(is_against_others)

    @at_decisions
    def act(self, batch: Batch, lanes: Lanes) -> Actions:
        """A legal action for each of the lanes."""
        chosen = np.empty(len(lanes), np.int64)
        _heaviest(batch._rule_table, batch._legal, batch._num_legal, lanes, chosen)
        return chosen


@kernel
def _heaviest(
    rule_tables: RuleTables, legal: Legal, num_legal: Counts, lanes: Numbers, chosen: Numbers
) -> None:
    rules = rule_tables[0]
    for place in range(len(lanes)):
        lane = lanes[place]
        best, weight = -1, -2
        for k in range(num_legal[lane]):
            action = int(legal[lane, k])
            worth = _worth(rules, action)
            if worth > weight or (worth == weight and action < best):
                best, weight = action, worth
        chosen[place] = best


@kernel
def _worth(rules: RuleTable, action: int) -> int:
    """The pips of the tile that is played; a yes is worth more than any, the rest less."""
    plays = rules.tiles * rules.ends * 2
    if action < plays:
        return int(rules.pips[(action >> 1) // rules.ends])
    for question in range(STAGES):
        if action == rules.answers[question, 0]:
            return 1 << 20
    return -1
