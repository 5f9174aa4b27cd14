"""Points: of a play, and how they are given; pips that are left, and how they are rounded."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, lowest
from domino_env.engine.layout.table import ends_are_same, total
from domino_env.engine.rule_table import SAME_ENDS
from domino_env.engine.seats import mate_of
from domino_env.engine.state import Game, RuleTable
from domino_env.ruleset import MOST_MULTIPLES


@kernel
def play_points(rules: RuleTable, game: Game, tile: int) -> int:
    """What the tile just laid earns, where plays can score."""
    if rules.plays == SAME_ENDS:
        if not ends_are_same(game):
            return 0
        # BE2: a double that matches the other end makes three; an opening double has none yet.
        return 3 if holds(rules.double, tile) and tile != game.opener else 2
    return points_of_total(rules, total(rules, game))


@small
def points_of_total(rules: RuleTable, pips: int) -> int:
    """What ends of so many pips score; nothing for 0 (AF2)."""
    points = 0
    for place in range(MOST_MULTIPLES):
        multiple = int(rules.multiples[place])
        if multiple == 0:
            break
        if pips % multiple == 0:
            if not rules.by_division:
                return pips  # FN11
            points += pips // multiple  # FT2: for every one that divides
    return points


@kernel
def give(rules: RuleTable, game: Game, seat: int, points: int) -> None:
    """Gives points to a seat, unless they would pass an exact target (FU3)."""
    if rules.exact and game.scores[seat] + points > rules.target:
        return
    game.scores[seat] += points
    game.gained[seat] += points
    if rules.teams:  # both members are credited alike (G14)
        game.scores[mate_of(seat)] += points
        game.gained[mate_of(seat)] += points
    if rules.exact and game.scores[seat] == rules.target:
        game.over = 1
        crown(rules, game, seat)


@kernel
def crown(rules: RuleTable, game: Game, winner: int) -> None:
    """Notes who has won the round, with their partner; -1 is nobody."""
    game.round_winner = winner
    game.winners = NONE
    if winner >= 0:
        game.winners = ONE << np.uint64(winner)
        if rules.teams:
            game.winners |= ONE << np.uint64(mate_of(winner))


@kernel
def pips_left(rules: RuleTable, game: Game, seat: int) -> int:
    """The pips in a hand."""
    pips = 0
    for w in range(rules.words):
        tiles = game.hands[seat, w]
        while tiles != NONE:
            pips += rules.pips[w * 64 + lowest(tiles)]
            tiles &= tiles - ONE
    return pips


@kernel
def nearest(pips: int, unit: int) -> int:
    """The nearest multiple of the unit; halfway goes up (G10)."""
    return (pips + unit // 2) // unit * unit


@kernel
def rounded_up(pips: int, unit: int) -> int:
    """The next multiple of the unit; a multiple stays (G10)."""
    return (pips + unit - 1) // unit * unit
