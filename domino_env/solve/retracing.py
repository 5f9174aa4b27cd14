"""Putting information states on a batch: in each lane a history that leads there."""

from __future__ import annotations

from typing import Any

from domino_env.compiling import kernel, small
from domino_env.engine import rounds, table_game
from domino_env.engine.rule_table import LOT
from domino_env.solve.lots import generator_for, read_word


@kernel
def retrace(
    rule_tables: Any,
    games: Any,
    logs: Any,
    infostates: Any,
    decks: Any,
    paths: Any,
    chosen: Any,
    frames: Any,
) -> None:
    """Plays a history of each of the chosen information states in a lane of its own; `frames` is a
    frame to work with."""
    rules = rule_tables[0]
    for lane in range(len(chosen)):
        game, log, infostate = games[lane], logs[lane], infostates[chosen[lane]]
        starter = int(infostate.starter) if rules.starter == LOT else -1
        table_game.dealt_episode(rules, game, log, decks[chosen[lane]], starter)
        place, last = infostate.path, infostate.path + infostate.moves
        while place < last:
            action = int(paths[place])
            place = read_lots(paths, place + 1, last, frames[0])
            if frames[0].fixed > 0:
                game.rng = generator_for(frames[0], 0)
            rounds.take_decision(rules, game, log, action)
        for seat in range(rules.seats):
            game.gained[seat] = 0


@small
def read_lots(paths: Any, place: int, last: int, frame: Any) -> int:
    """Reads the lots that follow an action; answers with the place of what comes next."""
    frame.fixed = 0
    while place < last and paths[place] < 0:
        read_word(int(paths[place]), frame)
        place += 1
    return place
