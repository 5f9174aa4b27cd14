"""A game at a table as the loops over lanes need it (`domino_env.lanes`), beside what `rounds`,
`moves` and `observe` have: how it is dealt again, who sees it when it is over."""

from __future__ import annotations

from domino_env.compiling import kernel, small
from domino_env.engine.deal import choose_starter, hand_out
from domino_env.engine.rounds import begin_round, clear_scores, give_up, new_episode, new_round
from domino_env.engine.rule_table import (
    AS_FIRST,
    HIGHEST_DOUBLE,
    LOWEST_DOUBLE,
    MIDDLE,
    NEXT_SEAT,
    ROUND_DOUBLE,
    THE_WINNER,
)
from domino_env.engine.state import Game, Log, RuleTable, WholeNumbers

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
    for place in range(rules.tiles):
        game.deck[place] = deal[place]
    game.round_number = round_of_deal(rules, game)
    if rules.starter == ROUND_DOUBLE and starter >= 0:  # no seat is named but a round: see deals
        game.round_number = starter + 1
        starter = -1
    hand_out(rules, game, log)
    chosen = choose_starter(rules, game)
    game.starter = starter if starter >= 0 else chosen
    by_double = rules.starter == HIGHEST_DOUBLE or rules.starter == LOWEST_DOUBLE
    if starter >= 0 and by_double and rules.later != AS_FIRST:  # ... as a later round is led
        game.free_lead = THE_WINNER if rules.later == THE_WINNER else NEXT_SEAT
    if game.starter < 0 or (rules.opening == MIDDLE and chosen < 0):
        return False
    begin_round(rules, game, log)
    return not game.round_over


@kernel
def round_of_deal(rules: RuleTable, game: Game) -> int:
    """The round that a deal is for: the first, unless the double in the middle says another (TR1);
    0 if there is none."""
    if rules.opening != MIDDLE:
        return 1
    number, middle = 1, game.deck[rules.seats * rules.hand_size]
    while rules.round_doubles[number - 1] >= 0:
        if rules.round_doubles[number - 1] == middle:
            return number
        number += 1
    return 0


@small
def last_viewer(rules: RuleTable, game: Game) -> int:
    """The seat that sees a finished game: whose turn it was."""
    return int(game.turn)
