"""A tile is played, and what that brings about, one thing after the other (FN12).

Each step may ask somebody a question; `carry_on` then waits, and goes on when it is answered with
the step that `questions` tells.
"""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.bits import holds
from domino_env.engine.bonuses import how_it_fits
from domino_env.engine.deal import leave_hand
from domino_env.engine.drawing import draw_one_for
from domino_env.engine.layout.duty import is_hopeless
from domino_env.engine.layout.table import join, lay_first
from domino_env.engine.layout.trains import own_end, turn_to
from domino_env.engine.moves import can_draw, can_play
from domino_env.engine.points import give, play_points
from domino_env.engine.questions import ACCEPT, END, POINTS, RAISE, WAY, WORD, ask
from domino_env.engine.rule_table import AFTER_ANY, AFTER_DOUBLE, NOTHING, TO_COVER
from domino_env.engine.scoring import end_by_block, end_by_going_out
from domino_env.engine.seats import note_out, played_out
from domino_env.engine.state import (
    CLAIM,
    DIRECTION,
    GONE,
    LAST_TILE,
    RAISED,
    STAKES,
    TURNING,
    Game,
    Log,
    RuleTable,
)
from domino_env.engine.turn import begin_turn, next_turn, nobody_can_go_on
from domino_env.tileset import DRAW_ONE, NO_EFFECT, PLAY_AGAIN


@kernel
def play_tile(rules: RuleTable, game: Game, log: Log, tile: int, end: int, half: int) -> None:
    """The mover plays a tile."""
    seat = int(game.turn)
    leave_hand(rules, game, log, seat, tile, end, half)
    game.may_pass = 0
    if rules.rates_last and game.hand_size[seat] == 0:
        game.fitted = how_it_fits(rules, game, tile)
    if rules.rows:
        game.row_head[seat] = (int(game.row_head[seat]) + 1) % rules.hand_size
        game.flipped = -1
    if game.opener < 0:
        lay_first(rules, game, tile)
    else:
        join(rules, game, tile, end, half)
        if rules.effects and game.end_kind[end] != GONE:
            game.effect = rules.effect[rules.half[1 - half, tile]]  # FN4: the half that is the end


@kernel
def carry_on(rules: RuleTable, game: Game, log: Log, step: int) -> None:
    """What a tile on the table brings about, from a step on, until somebody is asked (FN12)."""
    mover, tile = int(game.turn), int(game.last_tile)
    if step == POINTS:
        note_out(game, mover)
        if not score_play(rules, game, mover, tile):
            ask(rules, game, CLAIM)  # G12
            return
    if step <= WORD and rules.says_domino and game.hand_size[mover] == 1 and not game.over:
        ask(rules, game, LAST_TILE)
    elif step <= END and (game.over or played_out(rules, game)):
        end_by_going_out(rules, game)
    elif not rules.asks_first:
        go_on(rules, game)
    elif step <= END and not can_draw(game) and nobody_can_go_on(rules, game):
        end_by_block(rules, game)  # before anything is asked, and before any effect
    elif step <= WAY and rules.direction_chosen and tile == game.opener:
        ask(rules, game, DIRECTION)  # FN3
    elif step <= WAY and rules.reversible and holds(rules.double, tile) and tile != game.opener:
        ask(rules, game, TURNING)  # FN9
    elif step <= RAISE and tile == rules.raiser and game.stakes == 1:
        ask(rules, game, STAKES)  # FN10
    elif step == ACCEPT:
        if not ask(rules, game, RAISED):  # nobody is left to refuse (FN10)
            game.stakes = 2
            take_effect(rules, game, log)
    else:
        take_effect(rules, game, log)


@small
def score_play(rules: RuleTable, game: Game, mover: int, tile: int) -> bool:
    """Gives the mover the points of a play; False if they have to be called first."""
    points = play_points(rules, game, tile) if rules.plays != NOTHING else 0
    if rules.out_points and played_out(rules, game):
        points += rules.out_points  # FT3: one score
    if points and rules.called:
        game.claim = points
        return False
    if points:
        give(rules, game, mover, points)
    return True


@kernel
def take_effect(rules: RuleTable, game: Game, log: Log) -> None:
    """What the tile itself does (FN4)."""
    mover, effect = int(game.turn), int(game.effect)
    game.effect = NO_EFFECT
    if effect == NO_EFFECT:
        go_on(rules, game)
    elif effect == PLAY_AGAIN and game.hand_size[mover] > 0:
        begin_turn(game, mover)
    else:
        next_turn(rules, game)
    if effect == DRAW_ONE:
        draw_one_for(game, log, int(game.turn), mover)
        if played_out(rules, game):  # the tile was the last of the mover's
            end_by_going_out(rules, game)


@small
def earns_another(rules: RuleTable, game: Game, tile: int) -> bool:
    """May who has played this tile play again, if another fits? (FO1, OA1)"""
    if rules.own_line and goes_along(game, tile):
        return True
    return bool(
        rules.again == AFTER_ANY or (rules.again == AFTER_DOUBLE and holds(rules.double, tile))
    )


@small
def goes_along(game: Game, tile: int) -> bool:
    """Was the tile laid on the mover's own train in their first turn, with no double due?"""
    seat = int(game.turn)
    if game.had_turn >> seat & 1 or game.due >= 0 or tile == game.opener:
        return False
    return bool(game.end_tile[np.uint64(own_end(seat))] == tile)


@small
def must_cover(rules: RuleTable, game: Game, tile: int) -> bool:
    """Must who has played this double go on, with a tile on it? (MT5)"""
    return bool(rules.again == TO_COVER and game.due == tile)


@small
def go_on(rules: RuleTable, game: Game) -> None:
    """The turn after a tile: it may go on, or pass to the next seat."""
    seat, tile = int(game.turn), int(game.last_tile)
    if is_hopeless(rules, game):  # CF4
        end_by_block(rules, game)
        return
    if must_cover(rules, game, tile):
        game.may_stop = 0
        return
    earned = earns_another(rules, game, tile)
    if rules.rows:
        if not earned or tile == game.opener:  # after an opening the next player flips (BL2)
            next_turn(rules, game)
        return
    if earned:
        game.may_stop = 1
        turn_to(rules, game, seat)
        earned = can_play(rules, game, seat)
    if not earned:
        next_turn(rules, game)
