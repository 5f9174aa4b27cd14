"""The course of a round: whose decision it is, and all that is forced in between (G5).

    open_round -> seek_decision -> (a decision) -> play, draw, stop or claim -> seek_decision -> ...

`seek_decision` carries the game to the next decision, or to the end of the round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.engine.bits import NONE, ONE, holds, lowest, meet, put
from domino_env.engine.book import (
    AFTER_ANY,
    AFTER_DOUBLE,
    NO_TILE,
    NOTHING,
    UNTIL_PLAYABLE,
)
from domino_env.engine.compiling import kernel, small
from domino_env.engine.deal import (
    choose_starter,
    hand_out,
    leave_hand,
    log_event,
    open_round,
    shuffle,
)
from domino_env.engine.layout.hexes import halves_asked_for
from domino_env.engine.layout.line import crossing_now
from domino_env.engine.layout.table import join, lay_first
from domino_env.engine.moves import can_draw, can_play
from domino_env.engine.scoring import (
    end_by_block,
    end_by_going_out,
    give,
    play_points,
    settle_match,
)
from domino_env.engine.state import (
    CALLED,
    CLAIM,
    DREW,
    FLIPPED,
    KEPT_SILENT,
    PASSED,
    PLAY,
    PUT_BACK,
    STOPPED,
    Book,
    Game,
    Log,
    seat_after,
)

# The beginning of a round ------------------------------------------------------------------------


@kernel
def new_episode(book: Book, game: Game, log: Log) -> None:
    """Begins an episode with a fresh deal."""
    clear_scores(book, game)
    new_round(book, game, log)


@kernel
def clear_scores(book: Book, game: Game) -> None:
    """Nobody has any points, and no round has begun."""
    for seat in range(book.seats):
        game.scores[seat] = 0
        game.gained[seat] = 0
    game.round_number = 0
    game.over = 0


@kernel
def new_round(book: Book, game: Game, log: Log) -> None:
    """Shuffles and deals until the deal can be played (G3, G5)."""
    game.round_number += 1
    for seat in range(book.seats):
        game.banked[seat] = game.scores[seat]
    while True:
        shuffle(book, game)
        hand_out(book, game)
        game.starter = choose_starter(book, game)
        if game.starter >= 0:
            begin_round(book, game, log)
            if not game.round_over:
                return
            take_back(book, game)


@kernel
def take_back(book: Book, game: Game) -> None:
    """Undoes what a round has scored that must be dealt again."""
    for seat in range(book.seats):
        game.scores[seat] = game.banked[seat]
        game.gained[seat] = 0
    game.over = 0


@kernel
def begin_round(book: Book, game: Game, log: Log) -> None:
    """Opens a round that has been dealt, up to its first decision."""
    seat = int(game.starter)
    begin_turn(game, seat)
    tile = open_round(book, game, log, seat)
    if tile < 0:  # the starter chooses, or the start tile is nobody's
        seek_decision(book, game, log)
    else:
        after_tile(book, game, log, tile)


# Turns -------------------------------------------------------------------------------------------


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
    """The turn goes on to the left."""
    begin_turn(game, seat_after(book, int(game.turn), 1))


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
def forced_draw_now(book: Book, game: Game) -> int:
    """What a seat that cannot play draws at this stage of the round (CR1)."""
    if book.cross_first and crossing_now(book, game):
        return int(book.forced_crossing)
    return int(book.forced)


@kernel
def draw_forced(book: Book, game: Game, log: Log, seat: int, how: int) -> None:
    """Draws one tile, or tiles until one fits (G6)."""
    before = int(game.drew[seat])
    tile = draw_tile(game, log, seat)
    while how == UNTIL_PLAYABLE and not holds(game.wanted, tile) and can_draw(game):
        tile = draw_tile(game, log, seat)
    drew = int(game.drew[seat]) - before
    if book.voluntary:  # a draw by choice looks the same, so this one shows nothing
        game.drawn_since[seat] += drew
    elif book.draw_ends_turn:  # the tile may fit, or not
        game.drawn_since[seat] += drew
        show_lack(book, game, seat)
        game.drawn_since[seat] = drew
    else:  # a last tile that fits must be played now; the others do not fit either
        game.drawn_since[seat] += drew - 1 if holds(game.wanted, tile) else drew
        show_lack(book, game, seat)


@kernel
def draw_tile(game: Game, log: Log, seat: int) -> int:
    """Draws the top tile of the boneyard."""
    tile = int(game.deck[game.next])
    game.next += 1
    put(game.hands[seat], tile)
    game.hand_size[seat] += 1
    game.drew[seat] += 1
    log_event(game, log, DREW, seat, tile, 0, 0)
    return tile


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


# What a seat has shown ---------------------------------------------------------------------------


@small
def asked_for(book: Book, game: Game) -> Any:
    """The numbers that the offered ends ask for, as bits; of curved tiles, the halves."""
    if book.curved:
        return halves_asked_for(game)
    asked = NONE
    ends = game.offered
    while ends != NONE:
        asked |= ONE << np.uint64(game.end_value[lowest(ends)])
        ends &= ends - ONE
    return asked


@kernel
def show_lack(book: Book, game: Game, seat: int) -> None:
    """A seat shows that nothing it holds has a number that is asked for.

    If it has drawn since it last showed a lack, what it showed then is out of date.
    """
    if game.drawn_since[seat] > 0:
        game.lacks[seat] = NONE
        game.drawn_since[seat] = 0
    game.lacks[seat] |= asked_for(book, game)


# Decisions ---------------------------------------------------------------------------------------


@kernel
def play_tile(book: Book, game: Game, log: Log, tile: int, end: int, half: int) -> None:
    """The mover plays a tile."""
    seat = int(game.turn)
    leave_hand(book, game, log, seat, tile, end, half)
    if book.rows:
        game.row_head[seat] = (int(game.row_head[seat]) + 1) % book.hand_size
        game.flipped = -1
    if game.opener < 0:
        lay_first(book, game, tile)
    else:
        join(book, game, tile, end, half)
    after_tile(book, game, log, tile)


@kernel
def after_tile(book: Book, game: Game, log: Log, tile: int) -> None:
    """What a tile on the table brings about: first its points, then the rest of the turn."""
    points = play_points(book, game, tile) if book.plays != NOTHING else 0
    if points and book.called:
        game.claim = points
        game.stage = CLAIM
        game.may_stop = 0
        return
    if points:
        give(book, game, int(game.turn), points)
    go_on(book, game, log, tile)


@kernel
def go_on(book: Book, game: Game, log: Log, tile: int) -> None:
    """The turn after a tile: it may end the round, earn another tile, or pass to the left."""
    seat = int(game.turn)
    if game.over or game.hand_size[seat] == 0:
        end_by_going_out(book, game, seat)
        return
    earned = book.again == AFTER_ANY or (book.again == AFTER_DOUBLE and holds(book.double, tile))
    if book.rows:
        if not earned or tile == game.opener:  # after an opening the next player flips (BL2)
            next_turn(book, game)
    elif earned and can_play(book, game, seat):
        game.may_stop = 1
        return
    else:
        next_turn(book, game)
    seek_decision(book, game, log)


@kernel
def draw_by_choice(book: Book, game: Game, log: Log) -> None:
    """A player who can play draws a tile first (MA1)."""
    seat = int(game.turn)
    draw_tile(game, log, seat)
    game.drawn_since[seat] += 1
    if book.voluntary_ends_turn:  # BN1
        next_turn(book, game)
        seek_decision(book, game, log)


@kernel
def stop(book: Book, game: Game, log: Log) -> None:
    """The mover ends a turn that could go on."""
    log_event(game, log, STOPPED, int(game.turn), 0, 0, 0)
    next_turn(book, game)
    seek_decision(book, game, log)


@kernel
def claim(book: Book, game: Game, log: Log, called: bool) -> None:
    """CALL or SILENT: the first caller gets the points; if nobody calls they are lost (G12)."""
    seat, mover = int(game.to_move), int(game.turn)
    log_event(game, log, CALLED if called else KEPT_SILENT, seat, 0, 0, 0)
    following = seat_after(book, seat, 1)
    if not called and following != mover:
        game.to_move = following
        return
    if called:
        give(book, game, seat, int(game.claim))
    game.claim = 0
    game.stage = PLAY
    game.to_move = mover
    go_on(book, game, log, int(game.last_tile))


@kernel
def take_decision(book: Book, game: Game, log: Log, action: int) -> None:
    """Carries out a legal action, and everything forced that follows it."""
    if action < book.tiles * book.ends * 2:
        half = action & 1
        place = action >> 1
        tile = place // book.ends
        play_tile(book, game, log, tile, place - tile * book.ends, half)
    elif action == book.draw:
        draw_by_choice(book, game, log)
    elif action == book.end_turn:
        stop(book, game, log)
    elif action == book.pass_turn:
        pass_turn(book, game, log)
        seek_decision(book, game, log)
    else:
        claim(book, game, log, action == book.call)
    if game.round_over:
        settle_match(book, game)
