"""Putting information states on a batch: in each lane a history that leads there."""

from __future__ import annotations

from typing import Any

from domino_env.compiling import kernel
from domino_env.engine import rounds, table_game
from domino_env.engine.rule_table import LOT


@kernel
def retrace(
    rule_tables: Any,
    games: Any,
    logs: Any,
    infostates: Any,
    decks: Any,
    paths: Any,
    chosen: Any,
) -> None:
    """Plays a history of each of the chosen information states in a lane of its own."""
    rules = rule_tables[0]
    for lane in range(len(chosen)):
        game, log, infostate = games[lane], logs[lane], infostates[chosen[lane]]
        starter = int(infostate.starter) if rules.starter == LOT else -1
        table_game.dealt_episode(rules, game, log, decks[chosen[lane]], starter)
        for move in range(infostate.moves):
            rounds.take_decision(rules, game, log, int(paths[infostate.path + move]))
        for seat in range(rules.seats):
            game.gained[seat] = 0
