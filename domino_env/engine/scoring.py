"""Points: of a play, of the end of a round, of a match."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, count, holds, lowest
from domino_env.engine.layout.table import ends_are_same, total
from domino_env.engine.rule_table import (
    ALL_PIPS,
    FEWEST_TILES,
    FIXED_POINTS,
    NO_DOUBLES,
    NO_POINTS,
    PLACES,
    SAME_ENDS,
)
from domino_env.engine.seats import mate_of, opposed
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


@kernel
def end_by_going_out(rules: RuleTable, game: Game) -> None:
    """The round ends because so many players have no tile left (G9, FN6)."""
    game.round_over = 1
    if not game.over:  # else an exact target was hit by the last play, and the match is over (FU3)
        score_round(rules, game, first_out(rules, game))


@kernel
def end_by_block(rules: RuleTable, game: Game) -> None:
    """The round ends because nobody can go on (G7-G9)."""
    game.round_over = 1
    score_round(rules, game, -1)


@kernel
def score_round(rules: RuleTable, game: Game, out: int) -> None:
    """Gives the round to its winner; `out` went out first, and is -1 where the round is blocked."""
    if rules.round_worth == PLACES:
        award_places(rules, game)
        return
    winner = out if out >= 0 else blocked_winner(rules, game)
    if rules.bonus_to_most:
        winner = most_points(rules, game, out)
    crown(rules, game, winner)
    if rules.penalties:
        charge_penalties(rules, game, out)
    elif winner >= 0:
        give(rules, game, winner, worth_of_round(rules, game, winner, out < 0) * int(game.stakes))


@kernel
def worth_of_round(rules: RuleTable, game: Game, winner: int, blocked: bool) -> int:
    """What the winner scores. Blocked, it is the difference that is rounded, and once (G10)."""
    if rules.round_worth == FIXED_POINTS:
        return int(rules.round_points)
    if rules.round_worth == NO_POINTS:
        return 0
    pips = 0
    for seat in range(rules.seats):
        if rules.round_worth == ALL_PIPS or opposed(rules, seat, winner):
            pips += nearest(pips_left(rules, game, seat), 1 if blocked else rules.nearest)
    if blocked:
        if rules.less_own:
            pips = max(0, pips - pips_left(rules, game, winner))
        pips = nearest(pips, rules.nearest)
    return rounded_up(pips, rules.rounded_up) // rules.pips_a_point  # FN7


@small
def first_out(rules: RuleTable, game: Game) -> int:
    """The seat that went out first."""
    for seat in range(rules.seats):
        if game.out_place[seat] == 1:
            return seat
    return -1


@kernel
def award_places(rules: RuleTable, game: Game) -> None:
    """Every place of the round has its worth (FN6); rank 1 has won, or the better team."""
    game.winners = NONE
    margin = 0  # of the seats 0 and 2
    for seat in range(rules.seats):
        rank = place_of(rules, game, seat)
        worth = int(rules.places[rank - 1]) * int(game.stakes)
        give(rules, game, seat, worth)
        margin += worth if seat % 2 == 0 else -worth
        if rank == 1 and not rules.teams:
            game.winners |= ONE << np.uint64(seat)
    if rules.teams and margin != 0:
        crown(rules, game, 0 if margin > 0 else 1)


@kernel
def place_of(rules: RuleTable, game: Game, seat: int) -> int:
    """The rank of a seat: by when it went out, then by its total; equal totals share a rank."""
    if game.out_place[seat] > 0:
        return int(game.out_place[seat])
    rank = int(game.num_out) + 1
    own = pips_left(rules, game, seat)
    for other in range(rules.seats):
        if game.out_place[other] == 0 and pips_left(rules, game, other) < own:
            rank += 1
    return rank


@kernel
def crown(rules: RuleTable, game: Game, winner: int) -> None:
    """Notes who has won the round, with their partner; -1 is nobody."""
    game.winners = NONE
    if winner >= 0:
        game.winners = ONE << np.uint64(winner)
        if rules.teams:
            game.winners |= ONE << np.uint64(mate_of(winner))


@kernel
def most_points(rules: RuleTable, game: Game, out: int) -> int:
    """Who scored most in this round (BN6).

    If that is shared, the one of them who is out, else the one with the lowest total, else nobody.
    """
    best = -(1 << 30)
    for seat in range(rules.seats):
        best = max(best, int(game.scores[seat] - game.banked[seat]))
    if out >= 0 and game.scores[out] - game.banked[out] == best:
        return out
    winner, lowest_total = -1, 1 << 30
    for seat in range(rules.seats):
        if game.scores[seat] - game.banked[seat] == best:
            pips = pips_left(rules, game, seat)
            if pips < lowest_total:
                winner, lowest_total = seat, pips
            elif pips == lowest_total and (winner < 0 or opposed(rules, seat, winner)):
                winner = -1
    return winner


@kernel
def charge_penalties(rules: RuleTable, game: Game, out: int) -> None:
    """Everyone is charged the pips they hold, and more if an opponent is out (YT4)."""
    for seat in range(rules.seats):
        points = pips_left(rules, game, seat)
        if out >= 0 and seat != out:
            points += rules.out_bonus
        give(rules, game, seat, -points * int(game.stakes))


@kernel
def blocked_winner(rules: RuleTable, game: Game) -> int:
    """The seat that a blocked round goes to; -1 if the lowest is shared (G8, BE3, BL4)."""
    winner, best = -1, 1 << 30
    for seat in range(rules.seats):
        rank = blocked_rank(rules, game, seat)
        if rank < best:
            winner, best = seat, rank
        elif rank == best and (winner < 0 or opposed(rules, seat, winner)):
            winner = -1  # shared; within a team it wins (BN4)
    return winner


@kernel
def blocked_rank(rules: RuleTable, game: Game, seat: int) -> int:
    """What a seat is compared by in a blocked round: lower wins."""
    if rules.blocked_to == FEWEST_TILES:
        return int(game.hand_size[seat])
    if rules.blocked_to == NO_DOUBLES:  # BE3: holders of doubles come after all others
        for value in range(rules.values):
            double = int(rules.double_tile[value])
            if double >= 0 and holds(game.hands[seat], double):
                return (1 << 20) + value
    return pips_left(rules, game, seat)


@kernel
def settle_match(rules: RuleTable, game: Game) -> None:
    """After a round: is the episode over, and who has won it? (G11, G15)"""
    if game.over:
        return
    if not rules.match:
        game.over = 1
        return
    best = game.scores[0]
    for seat in range(1, rules.seats):
        best = max(best, game.scores[seat])
    enough = rules.target > 0 and best >= rules.target and not rules.exact
    if not enough and not (rules.rounds > 0 and game.round_number >= rules.rounds):
        return
    game.over = 1
    game.winners = NONE
    for seat in range(rules.seats):
        if game.scores[seat] == best:
            game.winners |= ONE << np.uint64(seat)
    if count(game.winners) > (2 if rules.teams else 1):  # a shared highest total is a drawn match
        game.winners = NONE
