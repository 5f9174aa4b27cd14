"""Bonuses: for passes that a tile brings about, for the tile that goes out, for a round won.

How a last tile fits is noted before it is laid: on both ends of the line or not, and whether it is
the key, for no other tile that is not yet on the table fits either of them.
"""

from __future__ import annotations

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, holds
from domino_env.engine.points import give
from domino_env.engine.seats import opposed
from domino_env.engine.state import UNPLAYED, Game, RuleTable

FITTED, IS_KEY = 1, 2  # how a last tile fitted: on both ends; and no other did on either


# Passes ------------------------------------------------------------------------------------------


@kernel
def pay_for_pass(rules: RuleTable, game: Game) -> None:
    """The seat whose turn it is must pass: that may earn the player of the last tile a bonus."""
    layer = int(game.laid_by)
    if layer < 0:
        return
    if game.passes == 0 and game.last_tile == game.opener:
        double = holds(rules.double, int(game.opener))
        give(rules, game, layer, rules.opening_pass if double else rules.opening_pass_no_double)
    others = rules.seats - int(game.num_out) - 1
    if game.passes + 1 == others and game.hand_size[layer] > 0:
        give(rules, game, layer, int(rules.round_pass))


# The last tile -----------------------------------------------------------------------------------


@kernel
def how_it_fits(rules: RuleTable, game: Game, tile: int) -> int:
    """How a tile fits the two ends of the line (W6, JP3)."""
    first, second = game.end_value[0], game.end_value[1]
    if game.opener < 0 or holds(rules.double, tile):
        return 0
    if not (holds(rules.joins[first], tile) and holds(rules.joins[second], tile)):
        return 0
    if rules.different_ends and first == second:
        return 0
    for w in range(rules.words):
        others = ~(rules.left_out[w] | game.played[UNPLAYED, w])
        for seat in range(rules.seats):  # the tile itself has just left its hand
            others &= ~game.played[seat, w]
        if (rules.joins[first, w] | rules.joins[second, w]) & others != NONE:
            return FITTED
    return FITTED | IS_KEY


@small
def has_blank(rules: RuleTable, tile: int) -> bool:
    """Does a tile show a blank?"""
    return bool(rules.worth[rules.half[0, tile]] == 0 or rules.worth[rules.half[1, tile]] == 0)


@kernel
def bonus_of_last(rules: RuleTable, fitted: int, tile: int) -> int:
    """What it is worth to go out with a tile that fitted so."""
    points = 0
    if fitted & FITTED and not (rules.no_blanks and has_blank(rules, tile)):
        points += rules.both_ends
    if rules.blank_points and holds(rules.double, tile) and has_blank(rules, tile):
        points += rules.blank_points
    return points


# The round ---------------------------------------------------------------------------------------


@kernel
def bonus_of_round(rules: RuleTable, game: Game, winner: int, blocked: bool) -> int:
    """What a round is worth more to its winner."""
    points = 0
    if not blocked:
        points += bonus_of_last(rules, int(game.fitted), int(game.last_tile))
    elif not opposed(rules, winner, int(game.laid_by)):
        points += rules.own_block
    if rules.match and game.rounds_won < rules.later_bonuses:  # PR5
        points += rules.by_round[game.rounds_won]
    return points
