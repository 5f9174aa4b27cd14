"""Drawing tiles: by force, by choice, and out of another hand; and what that shows of a hand."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import NONE, ONE, holds, lowest, nth_of, put, take
from domino_env.engine.deal import log_event
from domino_env.engine.layout.hexes import halves_asked_for
from domino_env.engine.layout.line import crossing_now
from domino_env.engine.moves import can_draw
from domino_env.engine.rng import pick
from domino_env.engine.rule_table import UNTIL_PLAYABLE
from domino_env.engine.seats import note_out
from domino_env.engine.state import BY_FORCE, DREW, GIVEN, TOOK, Game, Log, RuleTable


@kernel
def forced_draw_now(rules: RuleTable, game: Game) -> int:
    """What a seat that cannot play draws at this stage of the round (CR1)."""
    if rules.opening_first and crossing_now(rules, game):
        return int(rules.forced_crossing)
    return int(rules.forced)


@kernel
def draw_forced(rules: RuleTable, game: Game, log: Log, seat: int, how: int) -> None:
    """Draws one tile, or tiles until one fits (G6)."""
    before = int(game.drew[seat])
    tile = draw_tile(game, log, seat, BY_FORCE)
    while how == UNTIL_PLAYABLE and not holds(game.wanted, tile) and can_draw(game):
        tile = draw_tile(game, log, seat, BY_FORCE)
    drew = int(game.drew[seat]) - before
    if rules.voluntary:  # a draw by choice looks the same, so this one shows nothing
        game.drawn_since[seat] += drew
    elif rules.draw_ends_turn:  # the tile may fit, or not
        game.drawn_since[seat] += drew
        show_lack(rules, game, seat)
        game.drawn_since[seat] = drew
    else:  # a last tile that fits must be played now; the others do not fit either
        game.drawn_since[seat] += drew - 1 if holds(game.wanted, tile) else drew
        show_lack(rules, game, seat)


@kernel
def draw_tile(game: Game, log: Log, seat: int, why: int) -> int:
    """Draws the top tile of the boneyard."""
    tile = int(game.deck[game.next])
    game.next += 1
    put(game.hands[seat], tile)
    game.hand_size[seat] += 1
    game.drew[seat] += 1
    log_event(game, log, DREW, seat, tile, why, 0)
    return tile


@kernel
def draw_one_for(game: Game, log: Log, seat: int, giver: int) -> None:
    """A seat gets a tile of the boneyard; if that is empty, one of the giver's, if any is left."""
    if can_draw(game):
        draw_tile(game, log, seat, GIVEN)
        game.drawn_since[seat] += 1
    elif game.hand_size[giver] > 0:
        take_from(game, log, seat, giver)


@kernel
def take_from(game: Game, log: Log, seat: int, giver: int) -> None:
    """A seat takes a tile out of another's hand at random (FN4, G12, G16)."""
    tile = nth_of(game.hands[giver], pick(game, int(game.hand_size[giver])))
    take(game.hands[giver], tile)
    put(game.hands[seat], tile)
    game.hand_size[giver] -= 1
    game.hand_size[seat] += 1
    game.drew[seat] += 1
    game.drawn_since[seat] += 1
    log_event(game, log, TOOK, seat, tile, giver, 0)
    note_out(game, giver)


@small
def asked_for(rules: RuleTable, game: Game) -> np.uint64:
    """The numbers that the offered ends ask for, as bits; of curved tiles, the halves."""
    if rules.curved:
        return halves_asked_for(rules, game)
    asked = NONE
    ends = game.offered
    while ends != NONE:
        asked |= ONE << np.uint64(rules.asks[game.end_value[lowest(ends)]])
        ends &= ends - ONE
    return asked


@kernel
def show_lack(rules: RuleTable, game: Game, seat: int) -> None:
    """A seat shows that nothing it holds has a number that is asked for.

    If it has drawn since it last showed a lack, what it showed then is out of date.
    """
    if game.drawn_since[seat] > 0:
        game.lacks[seat] = NONE
        game.drawn_since[seat] = 0
    game.lacks[seat] |= asked_for(rules, game)
