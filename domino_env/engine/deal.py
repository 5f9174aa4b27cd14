"""Shuffling, dealing and opening a round (G3, G4, G18).

The deck of a round is the deal: hands seat by seat, then the boneyard in drawing order. A start
tile is taken before the hands are dealt (YT1, TR1), and lies in front of the boneyard. Drawing
moves a cursor. In a game of rows each hand's part of the deck is a ring: the row. The deal itself
stands at the head of the log, so it can be read off a game at any time.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, put, take
from domino_env.engine.events import packed
from domino_env.engine.layout.table import clear_table, lay_first, lay_second
from domino_env.engine.rng import following, number_below, pick
from domino_env.engine.rule_table import (
    ANY,
    AS_FIRST,
    FROM_BONEYARD,
    IN_TURN,
    LOT,
    MIDDLE,
    NEXT_SEAT,
    NO_OPENER,
    ROUND_DOUBLE,
    THAT_DOUBLE,
    THE_WINNER,
    TOP_OF_ROW,
    TWO_FROM_BONEYARD,
)
from domino_env.engine.seats import CLOCKWISE, seat_after
from domino_env.engine.state import LAID_OUT, NOBODY, PLAYED, UNPLAYED, Game, Log, Logged, RuleTable
from domino_env.tileset import NO_EFFECT


@small
def log_event(game: Logged, log: Log, kind: int, seat: int, tile: int, end: int, half: int) -> None:
    """Writes an event into the log of the round."""
    log[game.log_size] = packed(kind, seat, tile, end, half)
    game.log_size += 1


@kernel
def shuffle(rules: RuleTable, game: Game) -> None:
    """Shuffles the whole set into the deck (G16)."""
    for tile in range(rules.tiles):
        game.deck[tile] = tile
    if rules.dealt < rules.tiles:
        leave_out(rules, game)
    state = game.rng
    for last in range(rules.dealt - 1, 0, -1):
        state = following(state)
        place, other = np.uint64(last), np.uint64(number_below(state, last + 1))
        game.deck[place], game.deck[other] = game.deck[other], game.deck[place]
    game.rng = state
    if rules.opening == FROM_BONEYARD:
        take_start_tile(rules, game)
    elif rules.opening == MIDDLE:
        take_middle(rules, game)


@small
def middle_of(rules: RuleTable, game: Game) -> int:
    """The double of this round: the highest in the first, the next lower in each that follows."""
    return int(rules.round_doubles[game.round_number - 1])


@kernel
def take_middle(rules: RuleTable, game: Game) -> None:
    """Takes the round's double out, before hands are dealt (TR1); the others keep their order."""
    middle, hands = middle_of(rules, game), rules.seats * rules.hand_size
    place = 0
    while game.deck[place] != middle:
        place += 1
    while place < hands:
        game.deck[place] = game.deck[place + 1]
        place += 1
    while place > hands:
        game.deck[place] = game.deck[place - 1]
        place -= 1
    game.deck[hands] = middle


@kernel
def leave_out(rules: RuleTable, game: Game) -> None:
    """Puts the tiles that are not played with behind all others."""
    last = int(rules.tiles)
    for tile in range(rules.tiles - 1, -1, -1):
        if holds(rules.left_out, tile):
            last -= 1
            game.deck[tile], game.deck[last] = game.deck[last], game.deck[tile]


@kernel
def take_start_tile(rules: RuleTable, game: Game) -> None:
    """Takes the first tile of the shuffled set that is no double, before hands are dealt (YT1). The
    doubles that were passed over go back among the others, each to any place: so all deals of the
    others are as likely, and no seat gets more doubles than another."""
    others, turned = rules.dealt - 1, 0
    while turned < others and holds(rules.double, int(game.deck[turned])):
        turned += 1
    tile = game.deck[turned]
    for place in range(turned, others):
        game.deck[place] = game.deck[place + 1]
    for place in range(turned - 1, -1, -1):
        other = place + pick(game, others - place)
        game.deck[place], game.deck[other] = game.deck[other], game.deck[place]
    hands = rules.seats * rules.hand_size
    for place in range(others, hands, -1):
        game.deck[place] = game.deck[place - 1]
    game.deck[hands] = tile


@kernel
def hand_out(rules: RuleTable, game: Game, log: Log) -> None:
    """Deals the deck: everyone's tiles, an empty table, nothing known of anybody."""
    for place in range(rules.tiles):
        log[place] = game.deck[place]
    for seat in range(rules.seats):
        for w in range(rules.words):
            game.hands[seat, w] = dealt(rules, game, seat, w)
            game.played[seat, w] = NONE
        game.hand_size[seat] = rules.hand_size
        game.row_head[seat] = 0
        game.lacks[seat] = NONE
        game.drawn_since[seat] = 0
        game.drew[seat] = 0
        game.passed[seat] = 0
        game.out_place[seat] = 0
    for w in range(rules.words):
        game.played[UNPLAYED, w] = NONE
        game.spun[w] = NONE
        game.seen[w] = NONE
    game.next = rules.seats * rules.hand_size
    game.deck_end = game.next if rules.set_aside else rules.dealt - rules.reserve
    game.log_size = rules.tiles
    game.flipped = -1
    game.claim = 0
    game.effect = NO_EFFECT
    game.last_tile = 0
    game.laid_by = -1
    game.passes = 0
    game.fitted = 0
    game.direction = CLOCKWISE
    game.stakes = 1
    game.num_out = 0
    game.round_over = 0
    game.winners = NONE
    clear_table(rules, game)


@small
def dealt(rules: RuleTable, game: Game, seat: int, w: int) -> np.uint64:
    """The tiles that the deck deals to a seat, one word of them."""
    tiles, first = NONE, seat * rules.hand_size
    for place in range(np.uint64(first), np.uint64(first + rules.hand_size)):
        tile = game.deck[place]
        if tile >> 6 == w:
            tiles |= ONE << np.uint64(tile & 63)
    return tiles


@kernel
def choose_starter(rules: RuleTable, game: Game) -> int:
    """The seat that opens; -1 if it takes a double and nobody holds one (G3), or the round's double
    was not taken out (TR1)."""
    if rules.opening == MIDDLE and game.deck[game.next] != middle_of(rules, game):
        return -1
    game.free_lead = AS_FIRST
    if rules.later != AS_FIRST and game.round_number > 1:
        game.free_lead = rules.later if game.round_winner >= 0 else rules.after_draw
        if game.free_lead != AS_FIRST:
            return leader(rules, game)
    if rules.starter == LOT or (rules.starter == IN_TURN and not rules.match):
        return pick(game, rules.seats)
    if rules.starter == IN_TURN:
        return (int(game.round_number) - 1) % rules.seats
    place = opening_place(rules, game)
    return place // rules.hand_size if place >= 0 else -1


@small
def leader(rules: RuleTable, game: Game) -> int:
    """The seat that leads a later round, with any tile."""
    if game.free_lead == THE_WINNER:
        return int(game.round_winner)
    return seat_after(rules, int(game.last_starter), 1 if game.free_lead == NEXT_SEAT else 0)


@kernel
def opening_place(rules: RuleTable, game: Game) -> int:
    """The place in the deck of the tile that opens; -1 if nobody holds such a tile (G3)."""
    best = NO_OPENER << 8
    for place in range(rules.seats * rules.hand_size):
        rank = opener_rank(rules, game, int(game.deck[place]))
        best = min(best, rank << 8 | place)
    return best & 255 if best >> 8 < NO_OPENER else -1


@small
def opener_rank(rules: RuleTable, game: Game, tile: int) -> int:
    """How good a tile is to open with, 0 the best; of one that may not, NO_OPENER."""
    if rules.starter == ROUND_DOUBLE:
        return 0 if tile == middle_of(rules, game) else NO_OPENER
    return int(rules.opener_rank[tile])


@kernel
def open_round(rules: RuleTable, game: Game, log: Log, starter: int) -> int:
    """Lays what the deal lays (G4); answers with the starter's tile, or -1 if it laid none."""
    if rules.opening == ANY or (rules.opening == THAT_DOUBLE and game.free_lead):
        return -1
    if rules.opening == FROM_BONEYARD:
        lay_start_tile(rules, game, log)
        return -1
    if rules.opening == MIDDLE:
        lay_first(rules, game, lay_out(game, log))
        return -1
    if rules.opening == TWO_FROM_BONEYARD:
        lay_two_start_tiles(rules, game, log)
        return -1
    if rules.opening == TOP_OF_ROW:
        tile = int(game.deck[starter * rules.hand_size])
        game.row_head[starter] = 1
    else:
        tile = int(game.deck[opening_place(rules, game)])
    leave_hand(rules, game, log, starter, tile, 0, 0)
    lay_first(rules, game, tile)
    return tile


@kernel
def lay_start_tile(rules: RuleTable, game: Game, log: Log) -> None:
    """Lays the start tile: the first tile of the boneyard that is no double (YT1). A shuffled deal
    has it in front; in one that is given doubles may lie before it. It is moved to the boneyard's
    front and stepped over, so that the rest keeps its order."""
    place = int(game.next)
    while place < rules.dealt - 1 and holds(rules.double, int(game.deck[place])):
        place += 1
    tile = int(game.deck[place])
    for later in range(place, int(game.next), -1):
        game.deck[later] = game.deck[later - 1]
    game.deck[game.next] = tile
    lay_first(rules, game, lay_out(game, log))


@kernel
def lay_two_start_tiles(rules: RuleTable, game: Game, log: Log) -> None:
    """Lays the first two tiles of the boneyard back to back (BN5)."""
    lay_first(rules, game, lay_out(game, log))
    lay_second(rules, game, lay_out(game, log))


@kernel
def lay_out(game: Game, log: Log) -> int:
    """Takes the first tile of the boneyard to the table, as nobody's."""
    tile = int(game.deck[game.next])
    game.next += 1
    game.deck_end = max(game.deck_end, game.next)  # where nothing is drawn it stands there
    put(game.played[UNPLAYED], tile)
    log_event(game, log, LAID_OUT, NOBODY, tile, 0, 0)
    return tile


@small
def leave_hand(
    rules: RuleTable, game: Game, log: Log, seat: int, tile: int, end: int, half: int
) -> None:
    """Moves a tile from a hand to the table."""
    take(game.hands[seat], tile)
    put(game.played[seat], tile)
    game.hand_size[seat] -= 1
    game.last_tile = tile
    game.laid_by = seat
    game.passes = 0
    log_event(game, log, PLAYED, seat, tile, end, half)
