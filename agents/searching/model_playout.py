"""Worlds weighed, and played out, by models of the players.

Nobody knows how the others play. Two models of them are supposed, each as likely before the round;
what they have done since, in a world, says which of the two it is there.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import Weights
from domino_env.agents.searching.likelihood import (
    RANDOM_SHARE,
    begin_replay,
    next_of_others,
)
from domino_env.agents.searching.model import Model, ModelScratch, best_logit, write_logits
from domino_env.agents.searching.move_stats import MoveStats, note_gain, thinned
from domino_env.agents.searching.playout import margin
from domino_env.compiling import kernel
from domino_env.engine.hidden.replays import NO_ACTION
from domino_env.engine.moves import list_moves
from domino_env.engine.rounds import take_decision
from domino_env.engine.seats import opposed
from domino_env.engine.state import Game, Games, Legal, Log, Logs, RuleTable, RuleTables

LINEAR, POLICY = 0, 1  # which model
MODELLED = 2  # choices of a playout that the policy can make; it is a costly model


class Players(NamedTuple):
    """The models."""

    linear: Model
    policy: Model  # the same, where there is no policy


class Supposed(NamedTuple):
    """What is supposed of a world."""

    log_likelihoods: Weights  # [2, W]: of what the others did, by each model
    model: npt.NDArray[np.int8]  # [W]: by which of the two they play on


def new_supposed(worlds: int) -> Supposed:
    """Memory for so many worlds."""
    return Supposed(np.zeros((2, worlds)), np.zeros(worlds, np.int8))


@kernel
def fill_model_likelihoods(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seat: int,
    model: Model,
    scratch: ModelScratch,
    log_likelihoods: Weights,
    first: int,
    last: int,
) -> None:
    """The log-likelihoods of some worlds, if the others play like the model."""
    for world in range(first, last):
        log_likelihoods[world] = model_likelihood(
            rule_tables[0], worlds[world], logs[world], seat, model, scratch
        )


@kernel
def model_likelihood(
    rules: RuleTable, world: Game, record: Log, viewer: int, model: Model, scratch: ModelScratch
) -> float:
    """Log-likelihood of the others' moves in a world, up to now."""
    total, table = 0.0, scratch.table
    action = begin_replay(rules, world, record, viewer, table)
    while action != NO_ACTION:
        number = int(table.num_legal[0])
        write_logits(rules, table.games[0], table.logs[0], table.legal[0], number, model, scratch)
        total += log(probability_of(table.legal[0], number, action, scratch.logits))
        action = next_of_others(rules, world, record, viewer, table, action)
    return total


@kernel
def probability_of(legal: Legal, number: int, action: int, logits: Weights) -> float:
    """The probability of an action, by the softmax of the logits, mixed with a little uniform
    play, so that no world is ruled out by a single surprise."""
    own, total = 0.0, 0.0
    for k in range(number):
        if legal[k] == action:
            own = logits[k]
    for k in range(number):
        total += exp(min(logits[k] - own, 500.0))
    return (1.0 - RANDOM_SHARE) / total + RANDOM_SHARE / number


@kernel
def suppose(supposed: Supposed, worlds: int, world_weights: Weights) -> None:
    """The log-likelihood of each world by both models together; and by which of them the others
    play on in it, as often as that is likely."""
    waiting = 0.5
    for world in range(worlds):
        one, other = supposed.log_likelihoods[0, world], supposed.log_likelihoods[1, world]
        higher = max(one, other)
        total = exp(one - higher) + exp(other - higher)
        world_weights[world] = higher + log(total)
        waiting += exp(other - higher) / total
        supposed.model[world] = 0
        if waiting >= 1.0:
            supposed.model[world] = 1
            waiting -= 1.0


@kernel
def try_some_by_models(
    rule_tables: RuleTables,
    worlds: Games,
    logs: Logs,
    seat: int,
    moves: npt.NDArray[np.int16],
    players: Players,
    supposed: Supposed,
    scratch: ModelScratch,
    world_weights: Weights,
    stats: MoveStats,
    choices: int,
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
                gain = gain_by_models(
                    rules,
                    worlds[world],
                    logs[world],
                    seat,
                    int(moves[move]),
                    players,
                    int(supposed.model[world]),
                    choices,
                    scratch,
                )
                note_gain(stats, move, weight * gain)
    return waiting


@kernel
def gain_by_models(
    rules: RuleTable,
    world: Game,
    log: Log,
    seat: int,
    action: int,
    players: Players,
    other: int,
    modelled: int,
    scratch: ModelScratch,
) -> float:
    """What a seat gains by a move, in what is left of the round, if then its side makes so many
    of the next choices like the policy, and the others like the model of that number; later ones
    are made like the linear model."""
    table = scratch.table
    table.games[0] = world
    game, ours, legal = table.games[0], table.logs[0], table.legal[0]
    for at in range(int(world.log_size)):
        ours[at] = log[at]
    before, choices = margin(rules, game, seat), 0
    take_decision(rules, game, ours, action)
    while not game.round_over:
        list_moves(rules, game, table.mask, table.legal, table.num_legal, 0)
        number, best = int(table.num_legal[0]), 0
        if number > 1:
            with_seat = not opposed(rules, seat, int(game.to_move))
            by_policy = choices < modelled and (with_seat or other == POLICY)
            if by_policy:  # to choose a model and then ask it would copy all that it consists of
                write_logits(rules, game, ours, legal, number, players.policy, scratch)
            else:
                write_logits(rules, game, ours, legal, number, players.linear, scratch)
            best = best_logit(scratch.logits, number)
            choices += 1
        take_decision(rules, game, ours, int(legal[best]))
    return margin(rules, game, seat) - before
