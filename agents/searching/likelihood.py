"""The likelihood of a world: how probable the others' moves were, if it were the real one.

Of two worlds in the same information set, the one in which the others' moves were good is the more
likely. The round is replayed in the world, from its deal. Each other seat is modelled as a softmax
over the weights of `heuristic`, mixed with a little uniform play.
"""

from __future__ import annotations

from math import exp, log

from domino_env.agents.features.heuristic_features import Weights, weight_of
from domino_env.agents.searching.playout import Scratch
from domino_env.compiling import kernel, small
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
    total = 0.0
    game = scratch.games[0]
    action = begin_replay(rules, world, record, viewer, scratch)
    while action != NO_ACTION:
        total += log(action_probability(rules, game, action, weights, scratch))
        action = next_of_others(rules, world, record, viewer, scratch, action)
    return total


@kernel
def begin_replay(rules: RuleTable, world: Game, record: Log, viewer: int, scratch: Scratch) -> int:
    """Takes a world back to its deal, on the table of the scratch, and then on to the first choice
    that another seat had, whose moves are listed there; the action that it took, or NO_ACTION if
    there is no such choice up to now."""
    if rules.rows:  # nobody chooses by what is hidden
        return NO_ACTION
    scratch.games[0] = world
    game, ours = scratch.games[0], scratch.logs[0]
    deal_again(rules, game, record, ours)
    lead_takes(rules, game, record, int(world.log_size), scratch.after[0])
    begin_round(rules, game, ours)
    return seek_choice(rules, world, record, viewer, scratch)


@kernel
def next_of_others(
    rules: RuleTable, world: Game, record: Log, viewer: int, scratch: Scratch, action: int
) -> int:
    """Takes the action, and goes on to the next choice of another seat."""
    follow(rules, world, record, scratch, action)
    return seek_choice(rules, world, record, viewer, scratch)


@kernel
def seek_choice(rules: RuleTable, world: Game, record: Log, viewer: int, scratch: Scratch) -> int:
    """Goes on to the next choice of another seat than the viewer's, unless it is here. Should it
    not be possible to follow the record to its end, what has been read so far counts."""
    game = scratch.games[0]
    while game.log_size < world.log_size and not game.round_over:
        list_moves(rules, game, scratch.mask, scratch.legal, scratch.num_legal, 0)
        action = logged_action(rules, game, record)
        if action == NO_ACTION or scratch.mask[0, action] == 0:
            return NO_ACTION
        if game.to_move != viewer and scratch.num_legal[0] > 1:
            return action
        follow(rules, world, record, scratch, action)
    return NO_ACTION


@small
def follow(rules: RuleTable, world: Game, record: Log, scratch: Scratch, action: int) -> None:
    """Takes an action that the record tells of."""
    game, ours = scratch.games[0], scratch.logs[0]
    lead_takes(rules, game, record, int(world.log_size), scratch.after[0])
    take_decision(rules, game, ours, action)


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
