"""Rollouts by the weights of `heuristic`, in compiled code, for searches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from domino_env.agents.features.heuristic_features import NUM_FEATURES, Weights, best_action
from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.moves import list_moves
from domino_env.engine.rounds import take_decision
from domino_env.engine.seats import opposed
from domino_env.engine.state import (
    Counts,
    Game,
    Games,
    Legal,
    Logs,
    Masks,
    RuleTable,
    records,
)


class Scratch(NamedTuple):
    """Where a game is played on: memory that is used again for the next."""

    games: Games  # [1]
    logs: Logs  # [1, L]
    mask: Masks  # [1, A]
    legal: Legal  # [1, M]
    num_legal: Counts  # [1]
    after: Games  # [1]: the table after a move that is weighed
    features: Weights  # [F]: ... and what it looks like


def new_scratch(batch: Batch) -> Scratch:
    """A table for the games of a batch."""
    return Scratch(
        games=records(1, batch._games.dtype),
        logs=np.zeros_like(batch._logs[:1]),
        mask=np.zeros((1, batch.num_actions), np.int8),
        legal=np.zeros((1, batch._legal.shape[1]), np.int16),
        num_legal=np.zeros(1, np.int32),
        after=records(1, batch._games.dtype),
        features=np.zeros(NUM_FEATURES),
    )


@kernel
def gain_of(
    rules: RuleTable, game: Game, seat: int, action: int, weights: Weights, scratch: Scratch
) -> float:
    """What a seat gains by a move, in what is left of the round, if then all go on by the
    weights."""
    scratch.games[0] = game
    ours, log = scratch.games[0], scratch.logs[0]
    before = margin(rules, ours, seat)
    ours.log_size = rules.tiles  # what has happened is of no matter any more
    take_decision(rules, ours, log, action)
    while not ours.round_over:
        ours.log_size = rules.tiles
        list_moves(rules, ours, scratch.mask, scratch.legal, scratch.num_legal, 0)
        action = best_action(
            rules,
            ours,
            scratch.legal[0],
            int(scratch.num_legal[0]),
            weights,
            scratch.after,
            scratch.features,
        )
        take_decision(rules, ours, log, action)
    return margin(rules, ours, seat) - before


@small
def margin(rules: RuleTable, game: Game, seat: int) -> float:
    """What a seat has gained over the mean of its opponents' gains (G14): scores may be wiped out
    at the end of a round, gains are not."""
    others, opponents = 0.0, 0
    for other in range(rules.seats):
        if opposed(rules, seat, other):
            others += game.gained[other]
            opponents += 1
    return float(game.gained[seat]) - others / opponents
