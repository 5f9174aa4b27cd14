"""Lines, crosses and trees of straight tiles: what a tile laid on the table opens and closes.

An arm keeps its number for the whole round: the tile played on end 3 shows end 3 again at its far
side. Sides that a double opens beyond that take the next unused numbers.

    a lone opening double     Five Up, a tile on one side     Fruitominoes, a later double

           +---+                        2 +---+                           +---+ 4
     end 0 | 6 | end 1           5|6  --- | 6 | end 1 (DOUBLE)    3|6 --- | 3 |
           +---+ (LONE)                 3 +---+ (SIDE)                    +---+ 3  (SIDE)

The three toes of a double (CF3) are the end that it was laid on and the next two.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, put
from domino_env.engine.game_setup import FOUR_ARMS, ONE_ARM, OWN_ARMS, TWO_ARMS
from domino_env.engine.layout.duty import has_duties, is_kept_back, must_have, note_covered
from domino_env.engine.layout.trains import offer_trains, take_marker
from domino_env.engine.rule_table import FIRST_SPINNER, FOOT, FORK, SPINNER
from domino_env.engine.state import DOUBLE, HALF, LONE, SIDE, Game, RuleTable


@kernel
def open_end(game: Game, tile: int, value: int, kind: int) -> None:
    """Opens the next unused end."""
    end = int(game.num_ends)
    set_end(game, end, tile, value, kind)
    game.num_ends = end + 1


@small
def set_end(game: Game, end: int, tile: int, value: int, kind: int) -> None:
    """Makes an end show a side of a tile."""
    game.end_tile[end] = tile
    game.end_value[end] = value
    game.end_kind[end] = kind


@kernel
def lay_first_straight(rules: RuleTable, game: Game, tile: int) -> None:
    """Lays the tile that opens the round and opens its arms."""
    game.opener = tile
    game.num_ends = 0
    low, high = int(rules.half[0, tile]), int(rules.half[1, tile])
    double = low == high
    if rules.arms == OWN_ARMS:
        for _ in range(1 + rules.seats):
            open_end(game, tile, low, HALF)
    elif rules.arms >= FOUR_ARMS:
        for _ in range(rules.arms):
            open_end(game, tile, low, SIDE)
    else:
        open_end(game, tile, low, LONE if double else HALF)
        if rules.arms == TWO_ARMS:
            open_end(game, tile, high, LONE if double else HALF)
    if double:
        game.spinner = tile
    if rules.arms != TWO_ARMS:  # such an opening double has all the sides it will ever have
        put(game.spun, tile)
    if rules.opening_first > 0:
        must_have(rules, game, tile, int(rules.opening_first))
    offer_sides(rules, game)


@kernel
def join_straight(rules: RuleTable, game: Game, tile: int, end: int, half: int) -> None:
    """Joins a tile to an end by one of its halves."""
    host = int(game.end_tile[end])
    cover(rules, game, end)
    far = int(rules.half[1 - half, tile])
    if not holds(rules.double, tile):
        set_end(game, end, tile, far, HALF)
    elif rules.doubles == FORK or rules.doubles == FOOT:
        set_end(game, end, tile, far, SIDE)
        for _ in range(1 if rules.doubles == FORK else 2):
            open_end(game, tile, far, SIDE)
    else:
        set_end(game, end, tile, far, DOUBLE)
        if game.spinner < 0:
            game.spinner = tile
    if has_duties(rules):
        note_covered(rules, game, host)
        must_have(rules, game, tile, int(rules.doubles_first))
    if rules.arms == OWN_ARMS:
        take_marker(game, end)
    offer_sides(rules, game)


@kernel
def cover(rules: RuleTable, game: Game, end: int) -> None:
    """What a tile on this end changes on the tile that it is laid against."""
    kind = game.end_kind[end]
    host = int(game.end_tile[end])
    if kind == LONE and rules.arms != ONE_ARM:
        # The other side now has a neighbour behind it: it counts both halves (AF1, FU2).
        game.end_kind[1 - end] = DOUBLE
    if opens_sides(rules, game, end):
        put(game.spun, host)
        value = int(game.end_value[end])
        open_end(game, host, value, SIDE)
        open_end(game, host, value, SIDE)


@small
def opens_sides(rules: RuleTable, game: Game, end: int) -> bool:
    """Will a tile laid on this end open the two other sides of the double it is on? (FU1, AS2)"""
    kind = game.end_kind[end]
    if rules.doubles == FIRST_SPINNER:  # AS2: both long sides are covered now
        host = int(game.end_tile[end])
        return bool(kind == DOUBLE and host == game.spinner and not holds(game.spun, host))
    if rules.doubles != SPINNER:
        return False
    return bool((kind == LONE or kind == DOUBLE) and not holds(game.spun, int(game.end_tile[end])))


@small
def will_open_sides(rules: RuleTable, game: Game, end: int) -> bool:
    """The same, also if it takes a tile on the other side of an opening double, too (AS2)."""
    if rules.doubles == FIRST_SPINNER and game.end_kind[end] == LONE:
        return rules.arms == TWO_ARMS
    return opens_sides(rules, game, end)


@kernel
def offer_sides(rules: RuleTable, game: Game) -> None:
    """Finds the ends that may be played on now, and the tiles that fit one of them."""
    if rules.arms == OWN_ARMS and game.opener >= 0:
        offer_trains(rules, game)
        return
    offered = NONE
    for w in range(len(game.wanted)):
        game.wanted[w] = NONE
    for end in range(game.num_ends):
        if is_kept_back(rules, game, end):  # CR1
            continue
        if like_a_lower_end(game, end):  # G19
            continue
        offered |= ONE << np.uint64(end)
        value = int(game.end_value[end])
        for w in range(rules.words):
            game.wanted[w] |= rules.joins[value, w]
    game.offered = offered


@kernel
def like_a_lower_end(game: Game, end: int) -> bool:
    """Is this an untouched side of a double, with another such of a lower number? (G19)"""
    kind = game.end_kind[end]
    if kind != LONE and kind != SIDE:
        return False
    for other in range(end):
        if game.end_tile[other] == game.end_tile[end] and game.end_kind[other] == kind:
            return True
    return False
