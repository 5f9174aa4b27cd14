"""Rounds and decisions: how a round begins, and what a decision brings about.

new_round -> begin_round -> (a decision) -> take_decision -> (a decision) -> ... -> settle_match
"""

from __future__ import annotations

from domino_env.compiling import kernel
from domino_env.engine.bits import NONE
from domino_env.engine.deal import choose_starter, hand_out, open_round, shuffle
from domino_env.engine.playing import carry_on, play_tile
from domino_env.engine.questions import NO_STEP, POINTS, answer, ask
from domino_env.engine.rule_table import THE_WINNER
from domino_env.engine.state import LEADING, PLAY, Game, Log, RuleTable
from domino_env.engine.tally import settle_match
from domino_env.engine.turn import (
    begin_turn,
    draw_by_choice,
    pass_turn,
    seek_decision,
    stop,
)

MOST_DEALS = 10_000
"""So often a round is dealt before it is given up: any rules by which one deal in a few hundred can
be played will be dealt."""

# In the place of a starter, where dealing was given up: what was wrong with all the deals.
NOBODY_OPENS = -1  # nobody held a tile to open with (G3)
NOBODY_DECIDES = -2  # nobody had any decision, where anybody could open (G5)


@kernel
def new_episode(rules: RuleTable, game: Game, log: Log) -> bool:
    """Begins an episode with a fresh deal; False if no deal could be played."""
    clear_scores(rules, game)
    return new_round(rules, game, log)


@kernel
def clear_scores(rules: RuleTable, game: Game) -> None:
    """Nobody has any points, and no round has begun."""
    for seat in range(rules.seats):
        game.scores[seat] = 0
        game.banked[seat] = 0
        game.gained[seat] = 0
    game.round_number = 0
    game.rounds_won = 0
    game.round_winner = -1
    game.last_starter = 0
    game.over = 0


@kernel
def new_round(rules: RuleTable, game: Game, log: Log) -> bool:
    """Shuffles and deals until the deal can be played (G3, G5); False if none could."""
    game.round_number += 1
    game.last_starter = game.starter if game.round_number > 1 else 0
    for seat in range(rules.seats):
        game.banked[seat] = game.scores[seat]
    winner, won = int(game.round_winner), int(game.rounds_won)
    why = NOBODY_OPENS
    for _ in range(MOST_DEALS):
        shuffle(rules, game)
        hand_out(rules, game, log)
        game.starter = choose_starter(rules, game)
        if game.starter >= 0:
            begin_round(rules, game, log)
            if not game.round_over:
                return True
            take_back(rules, game)
            game.round_winner, game.rounds_won = winner, won
            why = NOBODY_DECIDES
    give_up(game, why)
    return False


@kernel
def give_up(game: Game, why: int) -> None:
    """Ends an episode whose next round cannot be dealt: nobody has won it."""
    game.starter = why
    game.to_move = -1
    game.round_over = 1
    game.over = 1
    game.winners = NONE


@kernel
def take_back(rules: RuleTable, game: Game) -> None:
    """Undoes what a round has scored that must be dealt again."""
    for seat in range(rules.seats):
        game.scores[seat] = game.banked[seat]
        game.gained[seat] = 0
    game.over = 0


@kernel
def begin_round(rules: RuleTable, game: Game, log: Log) -> None:
    """Opens a round that has been dealt, up to its first decision."""
    seat = int(game.starter)
    begin_turn(game, seat)
    if rules.yields and game.free_lead == THE_WINNER:
        ask(rules, game, LEADING)  # JP1
        return
    tile = open_round(rules, game, log, seat)
    # No tile: the starter chooses one, or the start tile is nobody's.
    find_next_decision(rules, game, log, NO_STEP if tile < 0 else POINTS)


@kernel
def find_next_decision(rules: RuleTable, game: Game, log: Log, step: int) -> None:
    """What a play brings about, and then all that is forced."""
    if step != NO_STEP:
        carry_on(rules, game, log, step)
    if game.stage == PLAY:
        seek_decision(rules, game, log)


@kernel
def take_decision(rules: RuleTable, game: Game, log: Log, action: int) -> None:
    """Carries out a legal action, and everything forced that follows it."""
    step = NO_STEP
    if action < rules.tiles * rules.ends * 2:
        half = action & 1
        place = action >> 1
        tile = place // rules.ends
        play_tile(rules, game, log, tile, place - tile * rules.ends, half)
        step = POINTS
    elif game.stage != PLAY:
        step = answer(rules, game, log, action == rules.answers[game.stage, 0])
    elif action == rules.draw:
        draw_by_choice(rules, game, log)
    elif action == rules.end_turn:
        stop(rules, game, log)
    else:
        pass_turn(rules, game, log)
    find_next_decision(rules, game, log, step)
    if game.round_over:
        settle_match(rules, game)
