"""Replaying what a log tells of a round, from its deal, with the same tiles taken out of hands.

The worlds of a belief are replayed to see how likely what others did in them was.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import ONE, Words, count, holds, put, take
from domino_env.engine.deal import hand_out
from domino_env.engine.events import end_of, half_of, kind_of, seat_of, tile_of
from domino_env.engine.hidden.information_set import word_at
from domino_env.engine.rng import pick
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

NO_ACTION = -1


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


# Tiles that were taken out of a hand at random ---------------------------------------------------


@kernel
def lead_takes(rules: RuleTable, game: Game, record: Log, stop: int, spare: Game) -> None:
    """If what happens next takes tiles out of hands at random, they shall be those that it took:
    the generator is set to where it picks them."""
    if not (rules.effects or rules.says_domino):
        return
    now = int(game.log_size)
    then = next_choice(record, now + 1, stop)
    while not picks_alike(rules, game, record, now, then, spare):
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
