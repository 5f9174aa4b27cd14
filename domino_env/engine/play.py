"""A tile is played, and what that brings about, one thing after the other (FN12):

    going out, the points of the play, "Domino!", the end of the round if it has come, the direction
    of play, the stakes, and what the tile itself does.

Each of these may ask somebody a question, and goes on when it is answered.
"""

from __future__ import annotations

from domino_env.engine.bits import holds
from domino_env.engine.book import AFTER_ANY, AFTER_DOUBLE, NOTHING
from domino_env.engine.compiling import kernel, small
from domino_env.engine.deal import leave_hand, log_event
from domino_env.engine.drawing import draw_one_for
from domino_env.engine.layout.table import join, lay_first
from domino_env.engine.moves import can_draw, can_play
from domino_env.engine.scoring import end_by_block, end_by_going_out, give, play_points
from domino_env.engine.seats import next_asked, note_out, played_out, reverse
from domino_env.engine.state import (
    ANSWERED,
    CLAIM,
    DIRECTION,
    GONE,
    LAST_TILE,
    PLAY,
    RAISED,
    STAKES,
    TURNING,
    Book,
    Game,
    Log,
)
from domino_env.engine.turn import begin_turn, next_turn, nobody_can_go_on, seek_decision
from domino_env.tileset import DRAW_ONE, NO_EFFECT, PLAY_AGAIN


@kernel
def play_tile(book: Book, game: Game, log: Log, tile: int, end: int, half: int) -> None:
    """The mover plays a tile."""
    seat = int(game.turn)
    leave_hand(book, game, log, seat, tile, end, half)
    game.may_pass = 0
    if book.rows:
        game.row_head[seat] = (int(game.row_head[seat]) + 1) % book.hand_size
        game.flipped = -1
    if game.opener < 0:
        lay_first(book, game, tile)
    else:
        join(book, game, tile, end, half)
        if book.effects and game.end_kind[end] != GONE:
            game.effect = book.effect[book.half[1 - half, tile]]  # FN4: the half that is the end
    after_tile(book, game, log, tile)


@kernel
def after_tile(book: Book, game: Game, log: Log, tile: int) -> None:
    """Going out, and the points of the play."""
    note_out(game, int(game.turn))
    points = play_points(book, game, tile) if book.plays != NOTHING else 0
    if points and book.called:
        game.claim = points
        ask(game, CLAIM, int(game.turn))
        return
    if points:
        give(book, game, int(game.turn), points)
    after_points(book, game, log)


@small
def after_points(book: Book, game: Game, log: Log) -> None:
    """A player with one tile left owes a word."""
    if book.says_domino and game.hand_size[game.turn] == 1 and not game.over:
        ask(game, LAST_TILE, int(game.turn))
    else:
        after_words(book, game, log)


@small
def after_words(book: Book, game: Game, log: Log) -> None:
    """The end of the round, if it has come."""
    if game.over or played_out(book, game):
        end_by_going_out(book, game)
    elif book.asks_first:
        ask_who_played(book, game, log)
    else:
        go_on(book, game, log)


@kernel
def ask_who_played(book: Book, game: Game, log: Log) -> None:
    """Who has played may choose the direction; but a blocked round ends before anything is asked,
    and before any effect (FN12)."""
    tile = int(game.last_tile)
    if not can_draw(game) and nobody_can_go_on(book, game):
        end_by_block(book, game)
    elif book.direction_chosen and tile == game.opener:
        ask(game, DIRECTION, int(game.turn))  # FN3
    elif book.double_back and holds(book.double, tile) and tile != game.opener:
        ask(game, TURNING, int(game.turn))  # FN9
    else:
        after_direction(book, game, log)


@kernel
def after_direction(book: Book, game: Game, log: Log) -> None:
    """Whoever played the double 2 may raise the stakes (FN10)."""
    if game.last_tile == book.double_two and game.stakes == 1:
        ask(game, STAKES, int(game.turn))
    else:
        take_effect(book, game, log)


@kernel
def take_effect(book: Book, game: Game, log: Log) -> None:
    """What the tile itself does (FN4)."""
    mover, effect = int(game.turn), int(game.effect)
    game.effect = NO_EFFECT
    if effect == NO_EFFECT:
        go_on(book, game, log)
        return
    if effect == PLAY_AGAIN and game.hand_size[mover] > 0:
        begin_turn(game, mover)
    else:
        next_turn(book, game)
    if effect == DRAW_ONE:
        draw_one_for(book, game, log, int(game.turn), mover)
        if played_out(book, game):  # the tile was the last of the mover's
            end_by_going_out(book, game)
    seek_decision(book, game, log)


@kernel
def go_on(book: Book, game: Game, log: Log) -> None:
    """The turn after a tile: it may go on, or pass to the next seat."""
    seat, tile = int(game.turn), int(game.last_tile)
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


# Questions ---------------------------------------------------------------------------------------


@small
def ask(game: Game, question: int, seat: int) -> None:
    """Puts a question to a seat."""
    game.stage = question
    game.to_move = seat
    game.may_stop = 0
    game.may_pass = 0


@kernel
def answer(book: Book, game: Game, log: Log, yes: bool) -> None:
    """A seat has answered, yes or no: the next is asked, or the turn goes on."""
    seat, question = int(game.to_move), int(game.stage)
    log_event(game, log, ANSWERED + 2 * (question - 1) + (0 if yes else 1), seat, 0, 0, 0)
    if yes == (question == RAISED):  # who is silent, and who accepts, leaves it to the others
        following = next_asked(book, game, seat) if asks_everybody(question) else -1
        if following >= 0:
            game.to_move = following
            return
    game.stage = PLAY
    game.to_move = game.turn
    if question == CLAIM:
        if yes:
            give(book, game, seat, int(game.claim))
        game.claim = 0
        after_points(book, game, log)
    elif question == LAST_TILE:
        if yes and seat != game.turn:  # the mover has forgotten to say it (G12)
            draw_one_for(book, game, log, int(game.turn), seat)
        after_words(book, game, log)
    elif question == DIRECTION or question == TURNING:
        if yes == (question == TURNING):
            reverse(book, game)
        after_direction(book, game, log)
    elif question == STAKES:
        raise_or_hold(book, game, log, yes)
    else:
        settle_stakes(book, game, log, yes)


@small
def asks_everybody(question: int) -> bool:
    """Is the question put to one seat after the other?"""
    return question == CLAIM or question == LAST_TILE or question == RAISED


@kernel
def raise_or_hold(book: Book, game: Game, log: Log, raised: bool) -> None:
    """Every opponent who is in must accept raised stakes (FN10)."""
    if not raised:
        take_effect(book, game, log)
        return
    game.stage = RAISED
    following = next_asked(book, game, int(game.turn))
    if following < 0:  # nobody is left to refuse
        settle_stakes(book, game, log, True)
    else:
        ask(game, RAISED, following)


@kernel
def settle_stakes(book: Book, game: Game, log: Log, accepted: bool) -> None:
    """All accept, and the round counts twice; or one refuses, and it is over at single stakes."""
    game.stage = PLAY
    if accepted:
        game.stakes = 2
        take_effect(book, game, log)
    else:
        end_by_block(book, game)
