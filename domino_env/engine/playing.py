"""A tile is played, and what that brings about, one thing after the other (FN12).

Each step may ask somebody a question; `carry_on` then waits, and goes on with the next step when
it is answered.
"""

from __future__ import annotations

from domino_env.engine.bits import holds
from domino_env.engine.compiling import kernel, small
from domino_env.engine.deal import leave_hand, log_event
from domino_env.engine.drawing import draw_one_for
from domino_env.engine.layout.table import join, lay_first
from domino_env.engine.moves import can_draw, can_play
from domino_env.engine.rule_table import AFTER_ANY, AFTER_DOUBLE, NOTHING
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
    Game,
    Log,
    RuleTable,
)
from domino_env.engine.turn import begin_turn, next_turn, nobody_can_go_on
from domino_env.tileset import DRAW_ONE, NO_EFFECT, PLAY_AGAIN

# After a play: its points, "Domino!", the end of the round if it has come, which way turns go, the
# stakes, and what the tile itself does.
NO_STEP = -1
POINTS, WORD, END, WAY, RAISE, EFFECT = range(6)


@kernel
def play_tile(rules: RuleTable, game: Game, log: Log, tile: int, end: int, half: int) -> None:
    """The mover plays a tile."""
    seat = int(game.turn)
    leave_hand(rules, game, log, seat, tile, end, half)
    game.may_pass = 0
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
    """What a tile on the table brings about, from a step on, until somebody is asked."""
    mover, tile = int(game.turn), int(game.last_tile)
    if step == POINTS:
        note_out(game, mover)
        points = play_points(rules, game, tile) if rules.plays != NOTHING else 0
        if points and rules.called:
            game.claim = points
            ask(game, CLAIM, mover)
            return
        if points:
            give(rules, game, mover, points)
    if step <= WORD and rules.says_domino and game.hand_size[mover] == 1 and not game.over:
        ask(game, LAST_TILE, mover)
    elif step <= END and (game.over or played_out(rules, game)):
        end_by_going_out(rules, game)
    elif not rules.asks_first:
        go_on(rules, game)
    elif step <= END and not can_draw(game) and nobody_can_go_on(rules, game):
        end_by_block(rules, game)  # before anything is asked, and before any effect
    elif step <= WAY and rules.direction_chosen and tile == game.opener:
        ask(game, DIRECTION, mover)  # FN3
    elif step <= WAY and rules.double_back and holds(rules.double, tile) and tile != game.opener:
        ask(game, TURNING, mover)  # FN9
    elif step <= RAISE and tile == rules.double_two and game.stakes == 1:
        ask(game, STAKES, mover)  # FN10
    else:
        take_effect(rules, game, log)


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
def earns_another(rules: RuleTable, tile: int) -> bool:
    """May who plays this tile play again, if another fits? (FO1, OA1)"""
    return bool(
        rules.again == AFTER_ANY or (rules.again == AFTER_DOUBLE and holds(rules.double, tile))
    )


@small
def go_on(rules: RuleTable, game: Game) -> None:
    """The turn after a tile: it may go on, or pass to the next seat."""
    seat, tile = int(game.turn), int(game.last_tile)
    earned = earns_another(rules, tile)
    if rules.rows:
        if not earned or tile == game.opener:  # after an opening the next player flips (BL2)
            next_turn(rules, game)
    elif earned and can_play(rules, game, seat):
        game.may_stop = 1
    else:
        next_turn(rules, game)


# Questions ---------------------------------------------------------------------------------------


@small
def ask(game: Game, question: int, seat: int) -> None:
    """Puts a question to a seat."""
    game.stage = question
    game.to_move = seat
    game.may_stop = 0


@kernel
def answer(rules: RuleTable, game: Game, log: Log, yes: bool) -> int:
    """A seat has answered, yes or no; the step that follows, or NO_STEP if others are asked too."""
    seat, question = int(game.to_move), int(game.stage)
    log_event(game, log, ANSWERED + 2 * (question - 1) + (0 if yes else 1), seat, 0, 0, 0)
    if yes == (question == RAISED):  # who is silent, and who accepts, leaves it to the others
        following = next_asked(rules, game, seat) if asks_everybody(question) else -1
        if following >= 0:
            game.to_move = following
            return NO_STEP
    game.stage = PLAY
    game.to_move = game.turn
    if question == CLAIM:
        if yes:
            give(rules, game, seat, int(game.claim))
        game.claim = 0
        return WORD
    if question == LAST_TILE:
        if yes and seat != game.turn:  # the mover has forgotten to say it (G12)
            draw_one_for(game, log, int(game.turn), seat)
        return END
    if question == DIRECTION or question == TURNING:
        if yes == (question == TURNING):
            reverse(rules, game)
        return RAISE
    if question == STAKES:
        return ask_to_accept(rules, game) if yes else EFFECT
    return settle_stakes(rules, game, yes)


@small
def asks_everybody(question: int) -> bool:
    """Is the question put to one seat after the other?"""
    return question == CLAIM or question == LAST_TILE or question == RAISED


@small
def ask_to_accept(rules: RuleTable, game: Game) -> int:
    """Every opponent who is in must accept raised stakes (FN10)."""
    game.stage = RAISED
    following = next_asked(rules, game, int(game.turn))
    if following < 0:  # nobody is left to refuse
        return settle_stakes(rules, game, True)
    ask(game, RAISED, following)
    return NO_STEP


@small
def settle_stakes(rules: RuleTable, game: Game, accepted: bool) -> int:
    """All accept, and the round counts twice; or one refuses, and it is over at single stakes."""
    game.stage = PLAY
    if accepted:
        game.stakes = 2
        return EFFECT
    end_by_block(rules, game)
    return NO_STEP
