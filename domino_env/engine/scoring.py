"""How a round ends: who has won it, and what it is worth."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds
from domino_env.engine.bonuses import IS_KEY, bonus_of_round
from domino_env.engine.points import crown, give, nearest, pips_left, rounded_up
from domino_env.engine.rule_table import (
    ALL_PIPS,
    FEWEST_TILES,
    FIXED_POINTS,
    LOWEST_TEAM,
    NO_DOUBLES,
    NO_POINTS,
    NOBODY_WINS,
    PLACES,
)
from domino_env.engine.seats import mate_of, opposed, seat_after
from domino_env.engine.state import Game, RuleTable


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
    if winner >= 0:
        pay_winner(rules, game, winner, out < 0)


@kernel
def pay_winner(rules: RuleTable, game: Game, winner: int, blocked: bool) -> None:
    """The winner scores what the round is worth, and bonuses."""
    points = 0
    if not rules.penalties:
        points = worth_of_round(rules, game, winner, blocked) * int(game.stakes)
    if rules.match and game.scores[winner] == 0 and points < rules.least_first:  # KZ4
        points = 0
    points += bonus_of_round(rules, game, winner, blocked)
    game.rounds_won += 1
    give(rules, game, winner, points)


@kernel
def worth_of_round(rules: RuleTable, game: Game, winner: int, blocked: bool) -> int:
    """What the winner scores. Blocked, it is the difference that is rounded, and once (G10)."""
    if rules.round_worth == FIXED_POINTS:
        keyed = rules.key_points > 0 and not blocked and game.fitted & IS_KEY  # JP3
        return int(rules.key_points if keyed else rules.round_points)
    if rules.round_worth == NO_POINTS:
        return 0
    pips = 0
    for seat in range(rules.seats):
        if rules.round_worth == ALL_PIPS or opposed(rules, seat, winner):
            pips += nearest(pips_left(rules, game, seat), 1 if blocked else rules.nearest)
    if blocked:
        if rules.less_own:
            pips = max(0, pips - own_pips(rules, game, winner))
        pips = nearest(pips, rules.nearest)
    return rounded_up(pips, rules.rounded_up) // rules.pips_a_point  # FN7


@small
def own_pips(rules: RuleTable, game: Game, winner: int) -> int:
    """What is taken off for the winner's own hand, or for both of the team (PB2)."""
    pips = pips_left(rules, game, winner)
    if rules.blocked_to == LOWEST_TEAM:
        pips += pips_left(rules, game, mate_of(winner))
    return pips


@small
def first_out(rules: RuleTable, game: Game) -> int:
    """The seat that went out first; where teams go out, the one that went out last."""
    if rules.team_out:
        return int(game.laid_by)
    for seat in range(rules.seats):
        if game.out_place[seat] == 1:
            return seat
    return -1


@kernel
def award_places(rules: RuleTable, game: Game) -> None:
    """Every place of the round has its worth (FN6); rank 1 has won, or the better team."""
    game.winners = NONE
    game.round_winner = -1
    margin = 0  # of the seats 0 and 2
    for seat in range(rules.seats):
        rank = place_of(rules, game, seat)
        worth = int(rules.places[rank - 1]) * int(game.stakes)
        give(rules, game, seat, worth)
        margin += worth if seat % 2 == 0 else -worth
        if rank == 1 and not rules.teams:
            game.winners |= ONE << np.uint64(seat)
            game.round_winner = seat
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
    """The seat that a blocked round goes to; -1 if the lowest is shared (G8, BE3, BL4, W3).

    Of partners it is the one whose turn comes first after the last tile.
    """
    if rules.blocked_to == NOBODY_WINS:
        return -1
    winner, best = -1, 1 << 30
    seat = max(0, int(game.laid_by))
    for _ in range(rules.seats):
        seat = seat_after(rules, seat, int(game.direction))
        rank = blocked_rank(rules, game, seat)
        if rank < best:
            winner, best = seat, rank
        elif rank == best and (winner < 0 or opposed(rules, seat, winner)):
            winner = -1  # shared; within a team it wins (BN4)
    if winner < 0 and rules.shared_to_starter:
        winner = lowest_of_starters(rules, game, best)
    if winner >= 0 and rules.blocked_to == LOWEST_TEAM:
        layer = int(game.laid_by)
        return (
            seat_after(rules, layer, int(game.direction))
            if opposed(rules, layer, winner)
            else layer
        )
    return winner


@kernel
def lowest_of_starters(rules: RuleTable, game: Game, best: int) -> int:
    """Who has the lowest of all in the team that led the round (DO2)."""
    seat = int(game.laid_by)
    for _ in range(rules.seats):
        seat = seat_after(rules, seat, int(game.direction))
        if not opposed(rules, seat, int(game.starter)):
            if blocked_rank(rules, game, seat) == best:
                return seat
    return -1


@kernel
def blocked_rank(rules: RuleTable, game: Game, seat: int) -> int:
    """What a seat is compared by in a blocked round: lower wins."""
    if rules.blocked_to == FEWEST_TILES:
        return int(game.hand_size[seat])
    if rules.blocked_to == LOWEST_TEAM:  # PB2
        return pips_left(rules, game, seat) + pips_left(rules, game, mate_of(seat))
    if rules.blocked_to == NO_DOUBLES:  # BE3: holders of doubles come after all others
        for value in range(rules.values):
            double = int(rules.double_tile[value])
            if double >= 0 and holds(game.hands[seat], double):
                return (1 << 20) + value
    return pips_left(rules, game, seat)
