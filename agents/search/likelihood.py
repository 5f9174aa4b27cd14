"""The likelihood of a world: how probable the others' moves were, if it were the real one.

Of two worlds in the same information set, the one in which the others' moves were good is the more
likely. The round is replayed in the world, from its deal. Each other seat is modelled as a softmax
over the weights of `heuristic`, mixed with a little uniform play.
"""

from __future__ import annotations

from math import exp, log

from domino_env.agents.features.heuristic_features import Weights, weight_of
from domino_env.agents.search.playout import Scratch
from domino_env.compiling import kernel
from domino_env.engine.hidden.replays import NO_ACTION, deal_again, lead_takes, logged_action
from domino_env.engine.moves import list_moves
from domino_env.engine.rounds import begin_round, take_decision
from domino_env.engine.state import Game, Log, RuleTable

INVERSE_TEMPERATURE = 2.0  # of the softmax over weights
RANDOM_SHARE = 0.05  # of uniform play in the model of the others


@kernel
def log_likelihood(
    rules: RuleTable, world: Game, record: Log, viewer: int, weights: Weights, scratch: Scratch
) -> float:
    """Log-likelihood of the others' moves in a world, up to now."""
    if rules.rows:  # nobody chooses by what is hidden
        return 0.0
    total = 0.0
    scratch.games[0] = world
    game, ours = scratch.games[0], scratch.logs[0]
    deal_again(rules, game, record, ours)
    lead_takes(rules, game, record, int(world.log_size), scratch.after[0])
    begin_round(rules, game, ours)
    # Should it not be possible to follow the record to its end, what has been read so far counts.
    while game.log_size < world.log_size and not game.round_over:
        list_moves(rules, game, scratch.mask, scratch.legal, scratch.num_legal, 0)
        action = logged_action(rules, game, record)
        if action == NO_ACTION or scratch.mask[0, action] == 0:
            break
        if game.to_move != viewer and scratch.num_legal[0] > 1:
            total += log(action_probability(rules, game, action, weights, scratch))
        lead_takes(rules, game, record, int(world.log_size), scratch.after[0])
        take_decision(rules, game, ours, action)
    return total


@kernel
def action_probability(
    rules: RuleTable, game: Game, action: int, weights: Weights, scratch: Scratch
) -> float:
    """The probability that the seat to move takes this action."""
    own, others = weight_of(rules, game, action, weights, scratch.after, scratch.features), 1.0
    for k in range(scratch.num_legal[0]):
        other = int(scratch.legal[0, k])
        if other != action:
            weight = weight_of(rules, game, other, weights, scratch.after, scratch.features)
            others += exp(INVERSE_TEMPERATURE * (weight - own))
    return (1.0 - RANDOM_SHARE) / others + RANDOM_SHARE / scratch.num_legal[0]
