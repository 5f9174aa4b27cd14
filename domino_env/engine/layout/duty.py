"""Doubles that must have so many tiles before anything else may be played: a cross (CR1), a double
of a train (MT5), a chicken's foot (CF3). At most one is due at a time.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, holds
from domino_env.engine.rule_table import LIFTED, STAYS
from domino_env.engine.state import UNPLAYED, Game, Index, RuleTable

NOTHING_DUE = -1


@small
def has_duties(rules: RuleTable) -> bool:
    """Can a double be due at all?"""
    return bool(rules.opening_first > 0 or rules.doubles_first > 0)


@small
def must_have(rules: RuleTable, game: Game, tile: int, tiles: int) -> None:
    """A tile was laid; if it is a double it must have so many tiles now."""
    if tiles > 0 and holds(rules.double, tile):
        game.due = tile
        game.due_left = tiles
        lift_if_hopeless(rules, game)


@small
def note_covered(rules: RuleTable, game: Game, host: int) -> None:
    """A tile was laid against another, and if that one is due it needs one less."""
    if host == game.due:
        game.due_left -= 1
        if game.due_left == 0:
            game.due = NOTHING_DUE
        else:
            lift_if_hopeless(rules, game)


@small
def lift_if_hopeless(rules: RuleTable, game: Game) -> None:
    """A duty that no tile can fulfil may be lifted (MT6)."""
    if rules.hopeless == LIFTED and none_left_for_due(rules, game):
        game.due = NOTHING_DUE


@small
def is_hopeless(rules: RuleTable, game: Game) -> bool:
    """Does a duty that no tile can fulfil block the round? (CF4)"""
    if rules.hopeless == STAYS or game.due < 0:
        return False
    return none_left_for_due(rules, game)


@kernel
def none_left_for_due(rules: RuleTable, game: Game) -> bool:
    """Are all tiles on the table that fit the double which is due?"""
    value = np.uint64(rules.half[0, game.due])
    for w in range(rules.words):
        left = rules.joins[value, w] & ~game.played[UNPLAYED, w]
        for seat in range(rules.seats):
            left &= ~game.played[seat, w]
        if left != NONE:
            return False
    return True


@small
def is_kept_back(rules: RuleTable, game: Game, end: Index) -> bool:
    """Must this end wait until another double has its tiles?"""
    if not has_duties(rules):
        return False
    return bool(game.due >= 0 and game.end_tile[end] != game.due)
