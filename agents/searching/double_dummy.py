"""Double dummy: the value of a round to its end, with all tiles face up and best play of all.

Alpha-beta over the engine's own records: each node is a copy of the one above, with a move made on
it. The order of the boneyard is known to everybody, as are tiles that will be picked at random.
Positions that are reached again by another order of moves are found in a transposition table, by a
hash of all that the rest of the round can depend on. Two sides only: two players, or two teams.
"""

from __future__ import annotations

from math import inf, isnan, nan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from domino_env.agents.features.heuristic_features import NUM_FEATURES, Weights, weight_of
from domino_env.agents.searching.playout import margin
from domino_env.batches import Batch
from domino_env.compiling import kernel, small
from domino_env.engine.bits import Words
from domino_env.engine.moves import list_moves
from domino_env.engine.rng import scramble
from domino_env.engine.rounds import take_decision
from domino_env.engine.seats import opposed
from domino_env.engine.state import (
    Counts,
    Game,
    Games,
    Legal,
    Masks,
    RuleTable,
    RuleTables,
    records,
)

COMPILED = ("the double-dummy solver", 8)

EXACTLY, AT_LEAST, AT_MOST = 0, 1, 2  # what a noted value is of the true one
NO_MOVE = -1
_ODD, _HALF, _NOT_ZERO = np.uint64(0x9E3779B97F4A7C15), np.uint64(32), np.uint64(1 << 63)

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),
                ("alpha", np.float64),  # what the side is sure of elsewhere ...
                ("beta", np.float64),  # ... and what the others leave it at the most
                ("first_alpha", np.float64),
                ("first_beta", np.float64),
                ("before", np.float64),  # the margin so far
                ("best", np.float64),
                ("best_move", np.int64),
                ("next", np.int64),  # which of its moves is tried next
                ("maximizes", np.int64),
            ],
            align=True,
        ),
    )
)
NOTED = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("key", np.uint64),
                ("value", np.float64),  # of the rest of the round, for the side
                ("bound", np.int64),
                ("move", np.int64),
            ],
            align=True,
        ),
    )
)
PLACE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("depth", np.int64),
                ("value", np.float64),  # what has been found
            ],
            align=True,
        ),
    )
)

# What the rest of a round never depends on: what was seen of it, and what is added up.
_PAST = ("lacks", "drawn_since", "played", "log_size", "gained", "banked", "winners")
_PAST_TOO = ("round_number", "starter", "last_starter", "round_winner", "rounds_won")
_OF_ROWS = ("deck", "seen", "flipped")  # in other games the deck stays as it was dealt


class Memory(NamedTuple):
    """What is searched in; used again for the next round. A row for each depth."""

    games: Games  # [D]
    words: npt.NDArray[np.uint64]  # [D, W]: the same memory, word by word
    places: npt.NDArray[np.int64]  # [R]: the words of a row that the rest of a round depends on
    relevant: Words  # [R]: ... and their bits
    logs: npt.NDArray[np.uint32]  # [1, L]
    mask: Masks  # [D, A]
    legal: Legal  # [D, M]
    num_legal: Counts  # [D]
    nodes: Any  # NODE[D]
    noted: Any  # NOTED[2**k]: the transposition table
    weighed: Weights  # [M]
    table: Games  # [1]
    features: Weights  # [19]
    at: Any  # PLACE[1]: how far the search has come


def new_memory(batch: Batch, size: int = 1 << 18) -> Memory:
    """Memory for the rounds of a batch."""
    depth, dtype = batch._logs.shape[1] - batch.rules.num_tiles + 2, batch._games.dtype
    games, relevant = records(depth, dtype), relevant_bits(batch)
    places = np.flatnonzero(relevant)
    return Memory(
        games,
        np.asarray(games).view(np.uint8).view(np.uint64).reshape(depth, -1),
        places,
        relevant[places],
        np.zeros_like(batch._logs[:1]),
        np.zeros((depth, batch.num_actions), np.int8),
        np.zeros((depth, batch._legal.shape[1]), np.int16),
        np.zeros(depth, np.int32),
        records(depth, NODE),
        records(size, NOTED),
        np.zeros(batch._legal.shape[1]),
        records(1, dtype),
        np.zeros(NUM_FEATURES),
        records(1, PLACE),
    )


def relevant_bits(batch: Batch) -> Words:
    """The words of a record with all bits set that the rest of a round can depend on. Fields that
    are not known to be of the past stay in: that costs time, and never a wrong value."""
    rules, dtype = batch._rule_table[0], batch._games.dtype
    past = {*_PAST, *_PAST_TOO}
    if not (rules["effects"] or rules["says_domino"]):
        past.add("rng")
    if not rules["rows"]:
        past |= {*_OF_ROWS}
    if not rules["pays_passes"]:
        past.add("passes")
    if not rules["voluntary"]:
        past.add("drew")
    if not rules["own_line"]:
        past.add("passed")
    kept = records(1, dtype)
    kept.view(np.uint8)[:] = 0
    for name in dtype.names or ():
        if name not in past:
            kind, start = (dtype.fields or {})[name][:2]
            kept.view(np.uint8)[start : start + kind.itemsize] = 255
    return np.asarray(kept).view(np.uint8).view(np.uint64).copy()


@kernel
def begin_search(
    rule_tables: RuleTables,
    games: Games,
    lane: int,
    action: int,
    seat: int,
    weights: Weights,
    memory: Memory,
) -> bool:
    """Begins a search for what a seat's side earns over the other in the rest of a lane's round,
    with what it has gained and not been paid yet, after an action if one is given: is there
    anything to search? The weights are those of
    `heuristic`, and only say which moves are looked at first."""
    rules, at = rule_tables[0], memory.at[0]
    memory.games[0] = games[lane]
    game = memory.games[0]
    at.depth = 0
    if action != NO_MOVE:
        game.log_size = rules.tiles
        take_decision(rules, game, memory.logs[0], action)
        if game.round_over:
            at.value = margin(rules, game, seat)
            return False
    begin_node(rules, seat, -inf, inf, weights, memory, 0)
    return True


@kernel
def search_on(
    rule_tables: RuleTables, seat: int, weights: Weights, most_nodes: int, memory: Memory
) -> bool:
    """Searches on, for so many moves: is there more to search?"""
    rules, nodes, at = rule_tables[0], memory.nodes, memory.at[0]
    depth = int(at.depth)
    for _ in range(most_nodes):
        while (
            nodes[depth].next == memory.num_legal[depth] or nodes[depth].alpha >= nodes[depth].beta
        ):
            note(memory, depth)
            if depth == 0:
                at.value = nodes[0].best
                return False
            depth -= 1
            take_value(nodes[depth], nodes[depth + 1].best)
        node = nodes[depth]
        value = make_move(rules, seat, memory, depth)
        if isnan(value):
            value = begin_node(rules, seat, node.alpha, node.beta, weights, memory, depth + 1)
        if isnan(value):
            depth += 1
        else:
            take_value(node, value)
    at.depth = depth
    return True


@kernel
def make_move(rules: RuleTable, seat: int, memory: Memory, depth: int) -> float:
    """Makes the next move of a node, on a copy; the margin if that ends the round."""
    memory.games[depth + 1] = memory.games[depth]
    after = memory.games[depth + 1]
    after.log_size = rules.tiles  # what has happened is of no matter any more
    action = int(memory.legal[depth, memory.nodes[depth].next])
    take_decision(rules, after, memory.logs[0], action)
    return margin(rules, after, seat) if after.round_over else nan


@kernel
def begin_node(
    rules: RuleTable,
    seat: int,
    alpha: float,
    beta: float,
    weights: Weights,
    memory: Memory,
    depth: int,
) -> float:
    """Prepares a node; its value if it is known well enough already."""
    node, game = memory.nodes[depth], memory.games[depth]
    node.key = hash_of(memory, depth)
    node.before = margin(rules, game, seat)
    node.alpha = node.first_alpha = alpha
    node.beta = node.first_beta = beta
    found = memory.noted[node.key & np.uint64(len(memory.noted) - 1)]
    move = NO_MOVE
    if found.key == node.key:
        move = int(found.move)
        value = found.value + node.before
        if found.bound == EXACTLY:
            return float(value)
        if found.bound == AT_LEAST and value >= beta:
            return float(value)
        if found.bound == AT_MOST and value <= alpha:
            return float(value)
    node.maximizes = 0 if opposed(rules, seat, int(game.to_move)) else 1
    node.best = -inf if node.maximizes else inf
    node.next = 0
    node.best_move = NO_MOVE
    list_moves(rules, game, memory.mask, memory.legal, memory.num_legal, depth)
    if memory.num_legal[depth] > 1:
        order_moves(rules, game, move, weights, memory, depth)
    return nan


@small
def hash_of(memory: Memory, depth: int) -> np.uint64:
    """A hash of all that the rest of the round depends on; never 0, which is an empty place."""
    key = np.uint64(1)
    for at in range(len(memory.places)):
        key = (key ^ (memory.words[depth, memory.places[at]] & memory.relevant[at])) * _ODD
        key ^= key >> _HALF
    return scramble(key) | _NOT_ZERO


@kernel
def order_moves(
    rules: RuleTable, game: Game, first: int, weights: Weights, memory: Memory, depth: int
) -> None:
    """Lists the moves anew, the best guesses first."""
    legal, weighed = memory.legal[depth], memory.weighed
    for k in range(int(memory.num_legal[depth])):
        action = int(legal[k])
        weight = inf
        if action != first:
            weight = weight_of(rules, game, action, weights, memory.table, memory.features)
        at = k
        while at > 0 and weighed[at - 1] < weight:
            weighed[at], legal[at] = weighed[at - 1], legal[at - 1]
            at -= 1
        weighed[at], legal[at] = weight, action


@small
def take_value(node: Any, value: float) -> None:
    """Notes the value of the move that was made at a node."""
    better = value > node.best if node.maximizes else value < node.best
    if better:
        node.best, node.best_move = value, node.next
    if node.maximizes:
        node.alpha = max(node.alpha, value)
    else:
        node.beta = min(node.beta, value)
    node.next += 1


@small
def note(memory: Memory, depth: int) -> None:
    """Keeps what has been found at a node."""
    node = memory.nodes[depth]
    place = memory.noted[node.key & np.uint64(len(memory.noted) - 1)]
    place.key, place.value = node.key, node.best - node.before
    place.move = memory.legal[depth, node.best_move] if node.best_move >= 0 else NO_MOVE
    place.bound = EXACTLY
    if node.best <= node.first_alpha:
        place.bound = AT_MOST
    elif node.best >= node.first_beta:
        place.bound = AT_LEAST
