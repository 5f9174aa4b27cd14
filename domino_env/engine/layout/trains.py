"""Ends with owners: a train for each seat and one for all, all from the same double (MT2).

End 0 is everybody's, end 1 + s the train of seat s. On that others may play while its marker lies
there (MT3, MT4), so what is offered depends on whose turn it is. Ends of different owners are never
alike.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.duty import is_kept_back
from domino_env.engine.state import Game, RuleTable


@small
def own_end(seat: int) -> int:
    """The train of a seat."""
    return 1 + seat


@kernel
def offer_trains(rules: RuleTable, game: Game) -> None:
    """Finds the ends that the seat whose turn it is may play on, and the tiles that fit them."""
    open_to_all = ONE | np.uint64(game.markers) << ONE
    allowed = open_to_all | ONE << np.uint64(own_end(int(game.turn)))
    if game.due >= 0:  # whoever owns the train (MT5)
        allowed = ~NONE
    elif game.may_stop and rules.own_line:  # only the own train goes on
        allowed = ONE << np.uint64(own_end(int(game.turn)))
    offer_ends(rules, game, allowed)


@kernel
def offer_ends(rules: RuleTable, game: Game, allowed: np.uint64) -> None:
    """Offers those of the ends that no double keeps back."""
    offered = NONE
    for w in range(rules.words):
        game.wanted[w] = NONE
    for end in range(np.uint64(game.num_ends)):
        bit = ONE << end
        if allowed & bit == NONE or is_kept_back(rules, game, end):
            continue
        offered |= bit
        value = np.uint64(game.end_value[end])
        for w in range(rules.words):
            game.wanted[w] |= rules.joins[value, w]
    game.offered = offered


@small
def turn_to(rules: RuleTable, game: Game, seat: int) -> None:
    """What is offered is offered to another seat, where that makes a difference."""
    game.turn = seat
    if rules.arms == OWN_ARMS and game.opener >= 0:
        offer_trains(rules, game)


@small
def put_marker(rules: RuleTable, game: Game, seat: int) -> None:
    """A seat that could not play puts a marker on its train (MT4)."""
    if rules.arms == OWN_ARMS:
        game.markers |= 1 << seat


@small
def take_marker(game: Game, end: int) -> None:
    """An owner has played on their train (MT4)."""
    if end == own_end(int(game.turn)):
        game.markers &= ~(1 << game.turn)


@kernel
def somebody_fits(rules: RuleTable, game: Game) -> bool:
    """Would any tile in any hand fit, if every train had its marker? (MT7)"""
    for end in range(np.uint64(game.num_ends)):
        if is_kept_back(rules, game, end):
            continue
        value = np.uint64(game.end_value[end])
        for seat in range(rules.seats):
            for w in range(rules.words):
                if game.hands[seat, w] & rules.joins[value, w] != NONE:
                    return True
    return False
