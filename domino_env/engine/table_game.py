"""A game at a table as the loops over lanes need it (`domino_env.lanes`), beside what `rounds`,
`moves` and `observe` have: how it is dealt again, what it pays, who sees it when it is over."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE
from domino_env.engine.deal import choose_starter, hand_out
from domino_env.engine.rounds import begin_round, clear_scores, give_up, new_episode, new_round
from domino_env.engine.rule_table import (
    AS_FIRST,
    HIGHEST_DOUBLE,
    LOWEST_DOUBLE,
    MARGIN,
    NEXT_SEAT,
    THE_WINNER,
    WIN,
)
from domino_env.engine.state import Game, Index, Log, Rewards, RuleTable, WholeNumbers

NOT_TRIED = -3  # in the place of a starter: another lane before it could not be dealt


@small
def must_deal(rules: RuleTable, game: Game) -> bool:
    """Has a round ended, so that another must be dealt?"""
    return bool(game.round_over)


@kernel
def deal_again(rules: RuleTable, game: Game, log: Log) -> bool:
    """Deals the next round, of this episode or of a new one; False if none could be dealt."""
    return new_episode(rules, game, log) if game.over else new_round(rules, game, log)


@kernel
def leave_undealt(rules: RuleTable, game: Game) -> None:
    """Ends an episode without trying to deal its next round."""
    give_up(game, NOT_TRIED)


@kernel
def dealt_episode(rules: RuleTable, game: Game, log: Log, deal: WholeNumbers, starter: int) -> bool:
    """Begins an episode with an explicit deal, led by a starter if one is given; False if the rules
    would deal it again (G3, G5)."""
    clear_scores(rules, game)
    game.round_number = 1
    for place in range(rules.tiles):
        game.deck[place] = deal[place]
    hand_out(rules, game, log)
    chosen = choose_starter(rules, game)
    game.starter = starter if starter >= 0 else chosen
    by_double = rules.starter == HIGHEST_DOUBLE or rules.starter == LOWEST_DOUBLE
    if starter >= 0 and by_double and rules.later != AS_FIRST:  # ... as a later round is led
        game.free_lead = THE_WINNER if rules.later == THE_WINNER else NEXT_SEAT
    if game.starter < 0:
        return False
    begin_round(rules, game, log)
    return not game.round_over


@small
def last_viewer(rules: RuleTable, game: Game) -> int:
    """The seat that sees a finished game: whose turn it was."""
    return int(game.turn)


@small
def pay(rules: RuleTable, game: Game, reward: Rewards, lane: Index) -> None:
    """Turns the points gained since the last step into rewards (G14)."""
    everyone = 0
    for seat in range(rules.seats):
        everyone += game.gained[seat]
    mates = 1 + rules.teams  # partners have gained alike
    for seat in range(rules.seats):
        own = game.gained[seat]
        if rules.reward == MARGIN:
            others = everyone - mates * own
            mean = np.float32(others) / np.float32(rules.seats - mates) if others else np.float32(0)
            reward[lane, seat] = np.float32(own) - mean
        elif rules.reward == WIN:
            reward[lane, seat] = result(game, seat)
        else:
            reward[lane, seat] = own
        game.gained[seat] = 0


@small
def result(game: Game, seat: int) -> int:
    """+1 to the winner, -1 to the others, 0 to all for a draw, at the end and not before."""
    if not game.over or game.winners == NONE:
        return 0
    return 1 if (game.winners >> np.uint64(seat)) & ONE != NONE else -1
