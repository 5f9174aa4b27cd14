"""The likelihood of a world: how probable the others' moves were, if it were the real one.

Of two worlds in the same information set, the one in which the others' moves were good is the more
likely. The round is replayed in the world, from its deal. Each other seat is modelled as a softmax
over the weights of `heuristic`, mixed with a little uniform play.
"""

from __future__ import annotations

from math import exp, log

import numpy as np

from domino_env.agents.features.heuristic_features import Weights, weight_of
from domino_env.agents.searching.playout import Scratch
from domino_env.compiling import kernel, small
from domino_env.engine.bits import ONE, Words, count, holds, put, take
from domino_env.engine.deal import hand_out
from domino_env.engine.events import end_of, half_of, kind_of, seat_of, tile_of
from domino_env.engine.hidden.information_set import word_at
from domino_env.engine.moves import list_moves
from domino_env.engine.rng import pick
from domino_env.engine.rounds import begin_round, take_decision
from domino_env.engine.state import (
    ANSWERED,
    DREW,
    PASSED,
    PLAYED,
    STOPPED,
    TOOK,
    Game,
    Log,
    RuleTable,
)

INVERSE_TEMPERATURE = 2.0  # of the softmax over weights
RANDOM_SHARE = 0.05  # of uniform play in the model of the others
NO_ACTION = -1


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
    lead_takes(rules, game, record, int(world.log_size), scratch)
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
    lead_takes(rules, game, record, int(world.log_size), scratch)
    take_decision(rules, game, ours, action)


@kernel
def deal_again(rules: RuleTable, game: Game, record: Log, ours: Log) -> None:
    """Takes a game back to its deal."""
    for place in range(rules.tiles):
        game.deck[place] = record[place]
    for seat in range(rules.seats):
        game.scores[seat] = game.banked[seat]
    game.over = 0
    hand_out(rules, game, ours)


@kernel
def logged_action(rules: RuleTable, game: Game, record: Log) -> int:
    """The action that the log tells of next. Nobody knows why a tile was drawn: if the world has
    not drawn it by force, it was by choice."""
    word = word_at(record, int(game.log_size))
    kind, tile, end, half = kind_of(word), tile_of(word), end_of(word), half_of(word)
    if kind == PLAYED:
        return (tile * int(rules.ends) + end) * 2 + half
    if kind == DREW:
        return int(rules.draw)
    if kind == PASSED:
        return int(rules.pass_turn)
    if kind == STOPPED:
        return int(rules.end_turn)
    if kind >= ANSWERED:
        return int(rules.answers[1 + (kind - ANSWERED) // 2, (kind - ANSWERED) % 2])
    return NO_ACTION


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


# Tiles that were taken out of a hand at random ---------------------------------------------------


@kernel
def lead_takes(rules: RuleTable, game: Game, record: Log, stop: int, scratch: Scratch) -> None:
    """If what happens next takes tiles out of hands at random, they shall be those that it took:
    the generator is set to where it picks them."""
    if not (rules.effects or rules.says_domino):
        return
    now = int(game.log_size)
    then = next_choice(record, now + 1, stop)
    while not picks_alike(rules, game, record, now, then, scratch.after[0]):
        game.rng += ONE


@small
def next_choice(record: Log, at: int, stop: int) -> int:
    """Where the log tells of the next play or answer: tiles are taken after no other choice."""
    while at < stop:
        kind = kind_of(word_at(record, at))
        if kind == PLAYED or kind >= ANSWERED:
            break
        at += 1
    return at


@kernel
def picks_alike(
    rules: RuleTable, game: Game, record: Log, now: int, then: int, scratch: Game
) -> bool:
    """Does the generator, as it stands, pick the tiles that were taken?"""
    before = game.rng
    alike = True
    for at in range(now, then):
        if kind_of(word_at(record, at)) == TOOK:
            place, size = place_of_taken(rules, game, record, now, at, scratch)
            alike = place < 0 or pick(game, size) == place
            if not alike:
                break
    game.rng = before
    return alike


@kernel
def place_of_taken(
    rules: RuleTable, game: Game, record: Log, now: int, at: int, scratch: Game
) -> tuple[int, int]:
    """The place of a taken tile in its hand as that was then, and the size of the hand; -1 if the
    tile was not in it."""
    word = word_at(record, at)
    tile, giver = tile_of(word), end_of(word)
    hand = scratch.hands[giver]
    for w in range(len(hand)):
        hand[w] = game.hands[giver, w]
    for earlier in range(now, at):
        change_hand(hand, giver, word_at(record, earlier))
    place, size = 0, 0
    for w in range(rules.words):
        size += count(hand[w])
        if w < tile >> 6:
            place += count(hand[w])
    place += count(hand[tile >> 6] & ((ONE << np.uint64(tile & 63)) - ONE))
    return place if holds(hand, tile) else -1, size


@small
def change_hand(hand: Words, owner: int, word: int) -> None:
    """What an event does to a hand."""
    kind, seat, tile = kind_of(word), seat_of(word), tile_of(word)
    if seat == owner and kind == PLAYED:
        take(hand, tile)
    elif seat == owner and kind in (DREW, TOOK):
        put(hand, tile)
    elif kind == TOOK and end_of(word) == owner:
        take(hand, tile)
