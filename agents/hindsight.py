"""How likely others would have done what they did, if a world were the real one.

Of two worlds that agree with all that a seat has seen, the one in which the others' moves were good
is the likelier. The round is replayed in the world, from its deal; at each decision of another, the
heavier an action is to `heuristic`, the likelier it is to be taken, and none is out of the question.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

from domino_env.agents.heuristic import Weights, weight_of
from domino_env.agents.playout import Table
from domino_env.engine.bits import NONE, ONE, holds, lowest
from domino_env.engine.compiling import kernel, small
from domino_env.engine.deal import hand_out
from domino_env.engine.hidden.evidence import word_at
from domino_env.engine.moves import list_moves
from domino_env.engine.rng import pick
from domino_env.engine.rounds import begin_round, take_decision
from domino_env.engine.state import ANSWERED, DREW, PASSED, PLAYED, STOPPED, TOOK, Book, Game, Log

KEENNESS = 2.0  # how many times likelier, as a logarithm, is what weighs one more
SURPRISES = 0.05  # the part of all decisions that are taken for no reason
NOT_TOLD = -1


@kernel
def hindsight(
    book: Book, world: Game, told: Log, viewer: int, weights: Weights, table: Table
) -> float:
    """The logarithm of how likely the others are to have done in a world what they did."""
    if book.rows:  # nobody chooses by what is hidden
        return 0.0
    likely = 0.0
    table.games[0] = world
    game, ours = table.games[0], table.logs[0]
    deal_again(book, game, told, ours)
    lead_take(book, game, told, int(world.log_size))
    begin_round(book, game, ours)
    while game.log_size < world.log_size and not game.round_over:
        list_moves(book, game, table.mask, table.legal, table.num_legal, 0)
        action = action_told(book, game, told)
        if action == NOT_TOLD or table.mask[0, action] == 0:
            break
        if game.to_move != viewer and table.num_legal[0] > 1:
            likely += log(chance_of(book, game, action, weights, table))
        lead_take(book, game, told, int(world.log_size))
        take_decision(book, game, ours, action)
    return likely


@kernel
def deal_again(book: Book, game: Game, told: Log, ours: Log) -> None:
    """Takes a game back to its deal."""
    for place in range(book.tiles):
        game.deck[place] = told[place]
    for seat in range(book.seats):
        game.scores[seat] = game.banked[seat]
    game.over = 0
    hand_out(book, game, ours)


@kernel
def action_told(book: Book, game: Game, told: Log) -> int:
    """The action that the log tells of next. Why a tile was drawn is not looked at: nobody knows."""
    word = word_at(told, int(game.log_size))
    kind, tile, end, half = word & 31, word >> 8 & 255, word >> 16 & 255, word >> 24 & 15
    if kind == PLAYED:
        return (tile * int(book.ends) + end) * 2 + half
    if kind == DREW:
        return int(book.draw)
    if kind == PASSED:
        return int(book.pass_turn)
    if kind == STOPPED:
        return int(book.end_turn)
    if kind >= ANSWERED:
        return int(book.answers[1 + (kind - ANSWERED) // 2, (kind - ANSWERED) % 2])
    return NOT_TOLD


@kernel
def chance_of(book: Book, game: Game, action: int, weights: Weights, table: Table) -> float:
    """How likely the seat to move is to do this."""
    own, others = weight_of(book, game, action, weights, table.after, table.features), 1.0
    for k in range(table.num_legal[0]):
        other = int(table.legal[0, k])
        if other != action:
            weight = weight_of(book, game, other, weights, table.after, table.features)
            others += exp(KEENNESS * (weight - own))
    return (1.0 - SURPRISES) / others + SURPRISES / table.num_legal[0]


@kernel
def lead_take(book: Book, game: Game, told: Log, stop: int) -> None:
    """If what happens next takes a tile out of a hand at random, it shall be the one it was."""
    if not (book.effects or book.says_domino):
        return
    now = int(game.log_size)
    for at in range(now + 1, stop):
        kind = word_at(told, at) & 31
        if kind == PLAYED:
            return
        if kind == TOOK:
            pick_that(book, game, word_at(told, now), word_at(told, at))
            return


@kernel
def pick_that(book: Book, game: Game, first: int, take: int) -> None:
    """Sets the generator to where it picks that tile, from the hand that an event has left."""
    giver, tile = take >> 16 & 255, take >> 8 & 255
    gone = first >> 8 & 255 if first & 31 == PLAYED and first >> 5 & 7 == giver else NOT_TOLD
    if not holds(game.hands[giver], tile):
        return
    place, size = 0, 0
    for w in range(book.words):
        held = game.hands[giver, w]
        while held != NONE:
            other = w * 64 + lowest(held)
            held &= held - ONE
            if other != gone:
                place += other < tile
                size += 1
    while True:
        before: Any = game.rng
        if pick(game, size) == place:
            game.rng = before
            return
