"""The linear features of `heuristic`: what an action looks like to a practised player.

Each legal action is described by a few numbers: how heavy the tile is, what it scores now, how well
the hand fits what lies on the table afterwards, how varied it stays, how likely the others are then
to be stuck, with all that they have shown to be without. An action's weight is their weighted sum.
Nothing here depends on a tile that the seat to move has not seen.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count, holds, lowest, put, take
from domino_env.engine.bonuses import bonus_of_last, how_it_fits
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.table import lay
from domino_env.engine.layout.trains import turn_to
from domino_env.engine.move_features.hands import chance_that_none_fits, most_draws
from domino_env.engine.move_features.known import unseen_tiles
from domino_env.engine.playing import earns_another, must_cover
from domino_env.engine.points import play_points
from domino_env.engine.rule_table import NOTHING
from domino_env.engine.seats import next_in, opposed
from domino_env.engine.state import PLAY, Game, Games, Legal, RuleTable

COMPILED = ("the agent heuristic", 5)

FEATURES = (
    "pips",  # of the tile / of the heaviest
    "late_pips",  # the same, the more so the fewer tiles an opponent has
    "double",  # a double is hard to get rid of
    "points",  # scored at once / 10
    "out",  # the last tile
    "fitting",  # of the hand that is left, the part that fits the table
    "stuck",  # nothing of it does
    "varied",  # different numbers in it, for each half
    "next_stuck",  # how likely the next opponent cannot play
    "others_stuck",  # ... and all opponents, on average
    "mate_stuck",  # ... and the partner
    "next_draws",  # the tiles that the next opponent is likely to draw / 10
    "own_draws",  # the same for oneself, if nothing fits any more
    "alone",  # of the tiles that fit the table, the part that is in one's own hand
    "again",  # the turn goes on
    "draw",  # drawing by choice
    "pass",
    "stop",  # ending a turn that could go on
    "yes",  # to a question
)
NUM_FEATURES = len(FEATURES)
(
    PIPS,
    LATE_PIPS,
    DOUBLE,
    POINTS,
    OUT,
    FITTING,
    STUCK,
    VARIED,
    NEXT_STUCK,
    OTHERS_STUCK,
    MATE_STUCK,
    NEXT_DRAWS,
    OWN_DRAWS,
    ALONE,
    AGAIN,
    DRAWS,
    PASSES,
    STOPS,
    YES,
) = range(NUM_FEATURES)

Weights = npt.NDArray[np.float64]


@kernel
def best_action(
    rules: RuleTable,
    game: Game,
    legal: Legal,
    num_legal: int,
    weights: Weights,
    table: Games,
    features: Weights,
) -> int:
    """The legal action that weighs the most; the lowest of those that weigh as much."""
    best, most = -1, 0.0
    if num_legal == 1:
        return int(legal[0])
    for k in range(num_legal):
        action = int(legal[k])
        weight = weight_of(rules, game, action, weights, table, features)
        if best < 0 or weight > most or (weight == most and action < best):
            best, most = action, weight
    return best


@kernel
def weight_of(
    rules: RuleTable, game: Game, action: int, weights: Weights, table: Games, features: Weights
) -> float:
    """What an action weighs."""
    describe(rules, game, action, table, features)
    weight = 0.0
    for feature in range(NUM_FEATURES):
        weight += weights[feature] * features[feature]
    return weight


@kernel
def describe(rules: RuleTable, game: Game, action: int, table: Games, features: Weights) -> None:
    """Writes the features of an action."""
    for feature in range(NUM_FEATURES):
        features[feature] = 0.0
    plays = rules.tiles * rules.ends * 2
    if action < plays:
        place = action >> 1
        tile = place // rules.ends
        describe_play(rules, game, tile, place - tile * rules.ends, action & 1, table, features)
    elif game.stage != PLAY:
        features[YES] = 1.0 if action == rules.answers[game.stage, 0] else 0.0
    elif action == rules.draw:
        features[DRAWS] = 1.0
    elif action == rules.end_turn:
        features[STOPS] = 1.0
    else:
        features[PASSES] = 1.0


@kernel
def describe_play(
    rules: RuleTable, game: Game, tile: int, end: int, half: int, table: Games, features: Weights
) -> None:
    """Lays the tile on a copy of the table, and looks."""
    seat = int(game.to_move)
    table[0] = game
    after = table[0]
    take(after.hands[seat], tile)
    put(after.played[seat], tile)
    lay(rules, after, tile, end, half)
    after.hand_size[seat] -= 1
    pips = float(rules.pips[tile] * rules.per_pip) / 2.0
    features[PIPS] = pips
    features[LATE_PIPS] = pips / fewest_tiles(rules, game, seat)
    features[DOUBLE] = 1.0 if holds(rules.double, tile) else 0.0
    if rules.plays != NOTHING:
        features[POINTS] = play_points(rules, after, tile) / 10.0
    if after.hand_size[seat] == 0:
        features[OUT] = 1.0
        if rules.rates_last:
            fitted = how_it_fits(rules, game, tile)
            features[POINTS] += bonus_of_last(rules, fitted, tile) / 10.0
    elif not rules.rows:
        describe_hand(rules, after, seat, features)
    goes_on = earns_another(rules, after, tile) and features[STUCK] == 0.0
    if goes_on or must_cover(rules, after, tile):
        features[AGAIN] = 1.0
    describe_others(rules, after, seat, features)


@small
def fewest_tiles(rules: RuleTable, game: Game, seat: int) -> float:
    """How many tiles the opponent has who has the fewest."""
    fewest = 64
    for other in range(rules.seats):
        if opposed(rules, seat, other) and game.hand_size[other] > 0:
            fewest = min(fewest, int(game.hand_size[other]))
    return float(fewest)


@kernel
def describe_hand(rules: RuleTable, after: Game, seat: int, features: Weights) -> None:
    """What is left in the hand: what of it fits, and how varied it is."""
    fitting, numbers = 0, NONE
    for w in range(rules.words):
        held = after.hands[seat, w]
        fitting += count(held & after.wanted[w])
        while held != NONE:
            tile = w * 64 + lowest(held)
            held &= held - ONE
            numbers |= ONE << np.uint64(rules.half[0, tile])
            numbers |= ONE << np.uint64(rules.half[1, tile])
    size = float(after.hand_size[seat])
    features[FITTING] = fitting / size
    features[STUCK] = 1.0 if fitting == 0 else 0.0
    features[VARIED] = count(numbers) / (2.0 * size)


@kernel
def describe_others(rules: RuleTable, after: Game, seat: int, features: Weights) -> None:
    """How likely the others cannot play."""
    following = next_in(rules, after, seat) if others_left(rules, after, seat) else seat
    unseen, fitting = count_unseen(rules, after, seat)
    draws = likely_draws(rules, after, unseen, fitting) / 10.0
    features[ALONE] = part_in_hand(rules, after, seat, fitting)
    features[OWN_DRAWS] = features[STUCK] * draws
    stuck, opponents = 0.0, 0
    for other in range(rules.seats):
        if other == seat or after.hand_size[other] == 0:
            continue
        if rules.arms == OWN_ARMS:  # others are offered other ends
            turn_to(rules, after, other)
            unseen, fitting = count_unseen(rules, after, seat)
            draws = likely_draws(rules, after, unseen, fitting) / 10.0
        chance = chance_of_being_stuck(rules, after, seat, other, unseen, fitting)
        if not opposed(rules, seat, other):
            features[MATE_STUCK] = chance
            continue
        if other == following:
            features[NEXT_STUCK] = chance
            features[NEXT_DRAWS] = chance * draws
        stuck += chance
        opponents += 1
    if rules.arms == OWN_ARMS:
        turn_to(rules, after, seat)
    if opponents:
        features[OTHERS_STUCK] = stuck / opponents


@kernel
def count_unseen(rules: RuleTable, after: Game, seat: int) -> tuple[int, int]:
    """How many tiles a seat has not seen, and how many of them fit the table."""
    unseen, fitting = 0, 0
    for w in range(rules.words):
        hidden = unseen_tiles(rules, after, seat, w)
        unseen += count(hidden)
        fitting += count(hidden & after.wanted[w])
    return unseen, fitting


@small
def part_in_hand(rules: RuleTable, after: Game, seat: int, fitting: int) -> float:
    """Of the tiles that fit the table, the part that is in one's own hand and not unseen."""
    own = 0
    if not rules.rows:
        for w in range(rules.words):
            own += count(after.hands[seat, w] & after.wanted[w])
    return own / (own + fitting) if own + fitting else 0.0


@small
def likely_draws(rules: RuleTable, after: Game, unseen: int, fitting: int) -> float:
    """How many tiles a player draws who must, on average, if any tile not seen is as likely."""
    return min(float(most_draws(rules, after)), (unseen + 1.0) / (fitting + 1.0))


@small
def others_left(rules: RuleTable, game: Game, seat: int) -> bool:
    """Has anybody else tiles left?"""
    tiles = 0
    for other in range(rules.seats):
        if other != seat:
            tiles += int(game.hand_size[other])
    return tiles > 0


@kernel
def chance_of_being_stuck(
    rules: RuleTable, after: Game, seat: int, other: int, unseen: int, fitting: int
) -> float:
    """How likely none of another's tiles fits, if it is any of those not seen; but those that it
    held when it showed a lack are none of what it lacked."""
    unlacked, unlacked_fitting = 0, 0
    for w in range(rules.words):
        free = unseen_tiles(rules, after, seat, w) & ~lacked_tiles(rules, after, other, w)
        unlacked += count(free)
        unlacked_fitting += count(free & after.wanted[w])
    any_fits = fitting / unseen if unseen > 0 else 0.0
    old_fits = unlacked_fitting / unlacked if unlacked > 0 else 0.0
    size = int(after.hand_size[other])
    return float(chance_that_none_fits(after, other, size, any_fits, old_fits))


@small
def lacked_tiles(rules: RuleTable, game: Game, seat: int, w: int) -> np.uint64:
    """The tiles that a seat showed to be without, one word of them."""
    lacked, tiles = game.lacks[seat], NONE
    while lacked != NONE:
        bit = lowest(lacked)
        lacked &= lacked - ONE
        if rules.curved:
            tiles |= rules.fits[bit >> 1, bit & 1, w]
        else:
            tiles |= rules.joins[bit, w]
    return tiles
