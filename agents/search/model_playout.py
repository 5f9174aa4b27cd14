"""Worlds played out, and weighed, by a model of the players."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import Weights, best_action
from domino_env.agents.search.likelihood import (
    NO_ACTION,
    RANDOM_SHARE,
    begin_replay,
    next_of_others,
)
from domino_env.agents.search.model import Model, best_logit, write_logits
from domino_env.agents.search.move_stats import MoveStats, note_gain, thinned
from domino_env.agents.search.playout import margin
from domino_env.compiling import kernel
from domino_env.engine.moves import list_moves
from domino_env.engine.rounds import take_decision
from domino_env.engine.state import Game, Games, Log, Logs, RuleTable, RuleTables

COMPILED = ("the agent search", 15)


@kernel
def fill_likelihoods(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seat: int,
    model: Model,
    scratch: Any,
    log_likelihoods: Weights,
    first: int,
    last: int,
    keenness: float,
    share: float,
) -> None:
    """The log-likelihoods of some worlds."""
    for world in range(first, last):
        log_likelihoods[world] = model_likelihood(
            rule_tables[0], worlds[world], logs[world], seat, model, scratch, keenness, share
        )


@kernel
def model_likelihood(
    rules: RuleTable, world: Game, record: Log, viewer: int, model: Model, scratch: Any,
    keenness: float, share: float,
) -> float:
    """Log-likelihood of the others' moves in a world, up to now."""
    total, table = 0.0, scratch.table
    action = begin_replay(rules, world, record, viewer, table)
    while action != NO_ACTION:
        number = int(table.num_legal[0])
        write_logits(rules, table.games[0], table.logs[0], table.legal[0], number, model, scratch)
        total += log(softmax_share(table.legal[0], number, action, scratch.logits, keenness, share))
        action = next_of_others(rules, world, record, viewer, table, action)
    return total


@kernel
def softmax_share(
    legal: Any, number: int, action: int, logits: Weights, keenness: float, share: float
) -> float:
    """The probability of an action, by the logits, mixed with a little uniform play."""
    own, total = 0.0, 0.0
    for k in range(number):
        if legal[k] == action:
            own = logits[k]
    for k in range(number):
        total += exp(min((logits[k] - own) * keenness, 500.0))
    return (1.0 - share) / total + share / number


@kernel
def try_some(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seat: int,
    moves: npt.NDArray[np.int16],
    model: Model,
    scratch: Any,
    world_weights: Weights,
    stats: MoveStats,
    depth: int,
    weights: Weights,
    usual: float,
    waiting: float,
    first: int,
    last: int,
) -> float:
    """Tries moves in some worlds; `waiting`, which is returned too, is the weight passed over."""
    rules = rule_tables[0]
    for world in range(first, last):
        weight, waiting = thinned(world_weights[world], usual, waiting)
        if weight == 0.0:
            continue
        for move in range(len(moves)):
            if stats.tried[move]:
                gain = gain_by_model(
                    rules, worlds[world], logs[world], seat, int(moves[move]), model, scratch,
                    depth, weights
                )
                note_gain(stats, move, weight * gain)
    return waiting


@kernel
def gain_by_model(
    rules: RuleTable,
    world: Game,
    log: Log,
    seat: int,
    action: int,
    model: Model,
    scratch: Any,
    depth: int,
    weights: Weights,
) -> float:
    """What a seat gains by a move, in what is left of the round, if then all go on like the
    model."""
    table = scratch.table
    table.games[0] = world
    game, ours = table.games[0], table.logs[0]
    for at in range(int(world.log_size)):
        ours[at] = log[at]
    before = margin(rules, game, seat)
    take_decision(rules, game, ours, action)
    legal = table.legal[0]
    while not game.round_over:
        list_moves(rules, game, table.mask, table.legal, table.num_legal, 0)
        number, best = int(table.num_legal[0]), 0
        action = int(legal[0])
        if number > 1:
            if depth > 0:
                write_logits(rules, game, ours, legal, number, model, scratch)
                action = int(legal[best_logit(scratch.logits, number)])
            else:
                action = best_action(rules, game, legal, number, weights, table.after, table.features)
            depth -= 1
        take_decision(rules, game, ours, action)
    return margin(rules, game, seat) - before
