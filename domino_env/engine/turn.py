"""The course of a round: whose turn it is, and all that is forced between decisions (G5).

`seek_decision` carries the game to the next decision, or to the end of the round.
"""

from __future__ import annotations

from domino_env.engine.bits import holds, meet, put
from domino_env.engine.compiling import kernel, small
from domino_env.engine.deal import log_event
from domino_env.engine.drawing import draw_forced, draw_tile, forced_draw_now, show_lack
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
    Book,
    Game,
    Log,
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
def next_turn(book: Book, game: Game) -> None:
    """The turn goes on to the next seat that is still in."""
    begin_turn(game, next_in(book, game, int(game.turn)))


@kernel
def seek_decision(book: Book, game: Game, log: Log) -> None:
    """Carries out what is forced until a seat has a decision or the round is over (G5)."""
    while not game.round_over:
        if book.rows:
            if nobody_can_go_on(book, game):  # BL4
                end_by_block(book, game)
            elif flip(book, game, log):
                return
        else:
            if can_play(book, game, int(game.turn)):
                return
            draw_or_pass(book, game, log)


@kernel
def draw_or_pass(book: Book, game: Game, log: Log) -> None:
    """For a seat that cannot play: draws what it must, and passes if that does not help."""
    seat = int(game.turn)
    how = forced_draw_now(book, game)
    turn_is_over = False
    if how != NO_TILE and can_draw(game):
        draw_forced(book, game, log, seat, how)
        turn_is_over = book.draw_ends_turn > 0
        if not turn_is_over and can_play(book, game, seat):
            game.may_pass = book.draw_may_pass  # BN1
            return
    if how == NO_TILE or not can_draw(game):  # G7, YT3
        if book.stuck_ends or nobody_can_go_on(book, game):
            end_by_block(book, game)
            return
    if turn_is_over:  # FR3: a draw that ends the turn is no pass
        next_turn(book, game)
    else:
        pass_turn(book, game, log)


@kernel
def pass_turn(book: Book, game: Game, log: Log) -> None:
    """The seat passes, because it must or, after a forced draw that it may keep, by choice."""
    seat = int(game.turn)
    game.passed[seat] = 1
    log_event(game, log, PASSED, seat, 0, 0, 0)
    show_lack(book, game, seat)
    if book.draw_may_pass:  # the tile it has drawn may fit, and be kept
        game.drawn_since[seat] = game.drew[seat]
    next_turn(book, game)


@kernel
def nobody_can_go_on(book: Book, game: Game) -> bool:
    """Has no player a tile that fits? In a game of rows that ends the round at once (BL4)."""
    for seat in range(book.seats):
        if meet(game.hands[seat], game.wanted, book.words):
            return False
    return True


@kernel
def flip(book: Book, game: Game, log: Log) -> bool:
    """Flips the top of the mover's row; is there a decision? If not it goes to the bottom (BL2)."""
    seat = int(game.turn)
    size = book.hand_size
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
    next_turn(book, game)
    return False


# Decisions ---------------------------------------------------------------------------------------


@kernel
def draw_by_choice(book: Book, game: Game, log: Log) -> None:
    """A player who can play draws a tile first (MA1)."""
    seat = int(game.turn)
    draw_tile(game, log, seat, BY_CHOICE)
    game.drawn_since[seat] += 1
    if book.voluntary_ends_turn:  # BN1
        next_turn(book, game)


@kernel
def stop(book: Book, game: Game, log: Log) -> None:
    """The mover ends a turn that could go on."""
    log_event(game, log, STOPPED, int(game.turn), 0, 0, 0)
    next_turn(book, game)
