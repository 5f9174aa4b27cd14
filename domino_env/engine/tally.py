"""How points make a match: when it is over and who has won it, and scores that are wiped out."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count
from domino_env.engine.rule_table import KEPT, WIPED_BY_A_WIN
from domino_env.engine.seats import opposed
from domino_env.engine.state import Game, RuleTable


@kernel
def settle_match(rules: RuleTable, game: Game) -> None:
    """After a round: is the episode over, and who has won it? (G11, G15)"""
    if game.over:
        return
    if not rules.match:
        game.over = 1
        return
    if rules.wiped != KEPT and game.round_winner >= 0 and is_wiped(rules, game):
        wipe(rules, game)
    best = game.scores[0]
    for seat in range(1, rules.seats):
        best = max(best, game.scores[seat])
    enough = rules.target > 0 and best >= rules.target and not rules.exact
    ended = rules.rounds > 0 and game.round_number >= rules.rounds
    if not enough and not ended and not is_cut_off(rules, game):
        return
    game.over = 1
    game.winners = NONE
    if not enough and not ended:
        return
    for seat in range(rules.seats):
        if game.scores[seat] == best:
            game.winners |= ONE << np.uint64(seat)
    if count(game.winners) > (2 if rules.teams else 1):  # a shared highest total is a drawn match
        game.winners = NONE


@small
def is_cut_off(rules: RuleTable, game: Game) -> bool:
    """Has a match gone on for too long? Then it is drawn (JP5)."""
    return bool(rules.cut_off > 0 and game.round_number >= rules.cut_off)


@kernel
def is_wiped(rules: RuleTable, game: Game) -> bool:
    """Does this round wipe out all scores?"""
    if rules.wiped == WIPED_BY_A_WIN:  # JP4
        for seat in range(rules.seats):
            if opposed(rules, seat, int(game.round_winner)) and game.scores[seat] > 0:
                return True
        return False
    for seat in range(rules.seats):  # CT3
        if game.scores[seat] <= 0:
            return False
    return True


@kernel
def wipe(rules: RuleTable, game: Game) -> None:
    """Everybody is back to nothing, but the winners may keep what the round was worth."""
    for seat in range(rules.seats):
        kept = rules.keeps_last and not opposed(rules, seat, int(game.round_winner))
        game.scores[seat] = game.scores[seat] - game.banked[seat] if kept else 0
