"""The course of a round: whose turn it is, and all that is forced between decisions (G5).

`seek_decision` carries the game to the next decision, or to the end of the round.
"""

from __future__ import annotations

from domino_env.compiling import kernel, small
from domino_env.engine.bits import holds, meet, put
from domino_env.engine.bonuses import pay_for_pass
from domino_env.engine.deal import log_event
from domino_env.engine.drawing import draw_forced, draw_tile, forced_draw_now, show_lack
from domino_env.engine.game_setup import OWN_ARMS
from domino_env.engine.layout.trains import put_marker, somebody_fits, turn_to
from domino_env.engine.moves import can_draw, can_play
from domino_env.engine.rule_table import NO_TILE
from domino_env.engine.scoring import end_by_block
from domino_env.engine.seats import next_in
from domino_env.engine.state import (
    BY_CHOICE,
    FLIPPED,
    PASSED,
    PLAY,
    PUT_BACK,
    STOPPED,
    Game,
    Log,
    RuleTable,
)


@small
def begin_turn(game: Game, seat: int) -> None:
    """The turn comes to a seat."""
    game.turn = seat
    game.to_move = seat
    game.stage = PLAY
    game.may_stop = 0
    game.may_pass = 0
    game.drew[seat] = 0
    game.passed[seat] = 0


@small
def next_turn(rules: RuleTable, game: Game) -> None:
    """The turn goes on to the next seat that is still in."""
    if rules.own_line:
        note_turn(game, int(game.turn))
    begin_turn(game, next_in(rules, game, int(game.turn)))
    turn_to(rules, game, int(game.turn))


@small
def note_turn(game: Game, seat: int) -> None:
    """A seat has had a turn, unless it was but the opening that the deal laid (G4)."""
    opened = game.last_tile == game.opener and holds(game.played[seat], int(game.opener))
    if not opened or game.passed[seat]:
        game.had_turn |= 1 << seat


@kernel
def seek_decision(rules: RuleTable, game: Game, log: Log) -> None:
    """Carries out what is forced until a seat has a decision or the round is over (G5)."""
    while not game.round_over:
        if rules.rows:
            if nobody_can_go_on(rules, game):  # BL4
                end_by_block(rules, game)
            elif flip(rules, game, log):
                return
        else:
            if can_play(rules, game, int(game.turn)):
                return
            draw_or_pass(rules, game, log)


@kernel
def draw_or_pass(rules: RuleTable, game: Game, log: Log) -> None:
    """For a seat that cannot play: draws what it must, and passes if that does not help."""
    seat = int(game.turn)
    how = forced_draw_now(rules, game)
    turn_is_over = False
    if how != NO_TILE and can_draw(game):
        draw_forced(rules, game, log, seat, how)
        turn_is_over = rules.draw_ends_turn > 0
        if not turn_is_over and can_play(rules, game, seat):
            game.may_pass = rules.draw_may_pass  # BN1
            return
    if how == NO_TILE or not can_draw(game):  # G7, YT3
        if rules.stuck_ends or nobody_can_go_on(rules, game):
            end_by_block(rules, game)
            return
    if turn_is_over:  # FR3: a draw that ends the turn is no pass
        next_turn(rules, game)
    else:
        if rules.pays_passes:
            pay_for_pass(rules, game)
        pass_turn(rules, game, log)


@kernel
def pass_turn(rules: RuleTable, game: Game, log: Log) -> None:
    """The seat passes, because it must or, after a forced draw that it may keep, by choice."""
    seat = int(game.turn)
    game.passed[seat] = 1
    game.passes += 1
    log_event(game, log, PASSED, seat, 0, 0, 0)
    show_lack(rules, game, seat)
    put_marker(rules, game, seat)
    if rules.draw_may_pass:  # the tile it has drawn may fit, and be kept
        game.drawn_since[seat] = game.drew[seat]
    next_turn(rules, game)


@kernel
def nobody_can_go_on(rules: RuleTable, game: Game) -> bool:
    """Has no player a tile that fits? In a game of rows that ends the round at once (BL4)."""
    if rules.arms == OWN_ARMS:
        return not somebody_fits(rules, game)
    for seat in range(rules.seats):
        if meet(game.hands[seat], game.wanted, rules.words):
            return False
    return True


@kernel
def flip(rules: RuleTable, game: Game, log: Log) -> bool:
    """Flips the top of the mover's row; is there a decision? If not it goes to the bottom (BL2)."""
    seat = int(game.turn)
    size = rules.hand_size
    first = seat * size
    head = int(game.row_head[seat])
    tile = int(game.deck[first + head])
    log_event(game, log, FLIPPED, seat, tile, 0, 0)
    if holds(game.wanted, tile):
        game.flipped = tile
        return True
    game.row_head[seat] = (head + 1) % size
    game.deck[first + (head + int(game.hand_size[seat])) % size] = tile
    put(game.seen, tile)
    log_event(game, log, PUT_BACK, seat, tile, 0, 0)
    next_turn(rules, game)
    return False


# Decisions ---------------------------------------------------------------------------------------


@kernel
def draw_by_choice(rules: RuleTable, game: Game, log: Log) -> None:
    """A player who can play draws a tile first (MA1)."""
    seat = int(game.turn)
    draw_tile(game, log, seat, BY_CHOICE)
    game.drawn_since[seat] += 1
    if rules.voluntary_ends_turn:  # BN1
        next_turn(rules, game)


@kernel
def stop(rules: RuleTable, game: Game, log: Log) -> None:
    """The mover ends a turn that could go on."""
    log_event(game, log, STOPPED, int(game.turn), 0, 0, 0)
    next_turn(rules, game)
