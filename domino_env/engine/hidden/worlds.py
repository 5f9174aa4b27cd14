"""Worlds: deals that have been drawn, written down as games that can be played on.

A game so written is one that could have been played: its log begins with its deal, and every event
that the viewer has seen is as it was. Its generator is its own, so what is still to be picked at
random is not known beforehand either.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, lowest, put
from domino_env.engine.events import end_of, kind_of, seat_of, with_tile
from domino_env.engine.hidden.constraints import holder
from domino_env.engine.hidden.information_set import LEFT_OUT, STILL_THERE, Notes, word_at
from domino_env.engine.rng import pick_from, scramble
from domino_env.engine.state import DREW, TOOK, Game, Log, Numbers, RuleTable


@kernel
def write_world(rules: RuleTable, world: Game, log: Log, notes: Notes) -> None:
    """Writes a deal into a copy of the game: the deck, the hands, the log."""
    evidence, supposed = notes.evidence[0], notes.supposed
    for seat in range(rules.seats):
        if seat != evidence.viewer:
            for w in range(rules.words):
                world.hands[seat, w] = NONE
    for s in range(evidence.supposed):
        notes.filled[s] = 0
    rest = 0
    for number in range(evidence.pieces):
        piece, s = notes.pieces[number], notes.lies_in[number]
        if s == LEFT_OUT:
            notes.members[rest] = piece.tile
            rest += 1
            continue
        slots = supposed[s]
        if slots.place >= 0:
            world.deck[slots.place + notes.filled[s]] = piece.tile
            notes.filled[s] += 1
        if piece.left == STILL_THERE and slots.seat >= 0:
            put(world.hands[holder(slots, notes.takes, STILL_THERE)], piece.tile)
    shuffle_some(notes, notes.members, 0, rest)
    for place in range(rest):
        world.deck[rules.dealt - rest + place] = notes.members[place]
    write_opener_first(rules, world, notes)
    write_log(rules, world, log, notes)
    notes.rng[0] += ONE
    world.rng = scramble(notes.rng[0])


@kernel
def write_opener_first(rules: RuleTable, world: Game, notes: Notes) -> None:
    """The tile that opened is the first of its hand, so that it opens before others as good."""
    evidence = notes.evidence[0]
    if evidence.opener < 0 or evidence.first == evidence.viewer:
        return
    first = evidence.first * rules.hand_size
    place = first
    while world.deck[place] != evidence.opener:
        place += 1
    world.deck[place] = world.deck[first]
    world.deck[first] = evidence.opener


@kernel
def write_log(rules: RuleTable, world: Game, log: Log, notes: Notes) -> None:
    """The deal, and the tiles that were drawn and taken."""
    for place in range(rules.tiles):
        log[place] = world.deck[place]
    drawn, taken = rules.seats * rules.hand_size + notes.evidence[0].laid, 0
    for at in range(rules.tiles, world.log_size):
        word = word_at(log, at)
        kind, seat, end = kind_of(word), seat_of(word), end_of(word)
        if kind == DREW:
            log[at] = with_tile(word, word_at(world.deck, drawn))
            drawn += 1
        elif kind == TOOK and seat != notes.evidence[0].viewer and end != notes.evidence[0].viewer:
            log[at] = with_tile(word, tile_taken(notes, taken))
            taken += 1


@kernel
def tile_taken(notes: Notes, taken: int) -> int:
    """The tile that went unseen from hand to hand."""
    for number in range(notes.evidence[0].pieces):
        s = notes.lies_in[number]
        if s != LEFT_OUT:
            if notes.supposed[s].takes >> np.uint64(taken) & ONE != NONE:
                return int(notes.pieces[number].tile)
    return -1


@small
def copy_log(game: Game, log: Log, world_log: Log) -> None:
    """Copies the log of a game."""
    for word in range(game.log_size):
        world_log[word] = log[word]


@kernel
def turn_rows_over(rules: RuleTable, world: Game, log: Log, notes: Notes) -> None:
    """In a game of rows nobody has seen a tile before it was flipped: all the others are alike."""
    unseen, tiles = 0, notes.members
    for tile in range(rules.tiles):
        if not was_seen(rules, world, tile):
            tiles[unseen] = tile
            unseen += 1
    shuffle_some(notes, tiles, 0, unseen)
    dealt, unseen = notes.lies_in, 0  # the tile that now lies where each one lay
    for place in range(rules.tiles):
        tile = word_at(log, place)
        dealt[tile] = tile
        if not was_seen(rules, world, tile):
            dealt[tile] = tiles[unseen]
            unseen += 1
    for place in range(rules.tiles):
        log[place] = dealt[log[place]]
        world.deck[place] = dealt[world.deck[place]]
    for seat in range(rules.seats):
        for w in range(rules.words):
            held = world.hands[seat, w]
            world.hands[seat, w] = NONE
            notes.rooms[w] = held
        for w in range(rules.words):
            held = notes.rooms[w]
            while held != NONE:
                put(world.hands[seat], dealt[w * 64 + lowest(held)])
                held &= held - ONE
    notes.rng[0] += ONE
    world.rng = scramble(notes.rng[0])


@kernel
def was_seen(rules: RuleTable, world: Game, tile: int) -> bool:
    """Has this tile been flipped or played?"""
    if holds(world.seen, tile) or tile == world.flipped:
        return True
    for seat in range(rules.seats):
        if holds(world.played[seat], tile):
            return True
    return False


@small
def shuffle_some(notes: Notes, members: Numbers, first: int, size: int) -> None:
    """Shuffles a part of a list."""
    for last in range(size - 1, 0, -1):
        other = pick_from(notes.rng, 0, last + 1)
        members[first + last], members[first + other] = (
            members[first + other],
            members[first + last],
        )
