"""A one-player game as the loops over lanes need it (`domino_env.lanes`): how it is dealt, what a
decision does, what it pays, and what is shown of it."""

from __future__ import annotations

import numpy as np

from domino_env.compiling import kernel, small
from domino_env.engine.moves import clear_mask
from domino_env.engine.rng import pick
from domino_env.engine.rounds import MOST_DEALS
from domino_env.engine.state import Counts, Index, Legal, Masks, Observations, Rewards, WholeNumbers
from domino_env.puzzles.columns import (
    STOP,
    TARGETS,
    lay_columns,
    list_column_moves,
    move_run,
    observe_columns,
    see_how_it_stands,
    stop_playing,
)
from domino_env.puzzles.counting import count_on, lay_row, list_count, observe_count
from domino_env.puzzles.pairs import end_without_pairs, knock, list_knocks, observe_row
from domino_env.puzzles.puzzle_state import (
    COUNTING,
    PAIRS,
    TURNED,
    TURNING_UP,
    Log,
    Puzzle,
    RuleTable,
)


@kernel
def shuffle(rules: RuleTable, game: Puzzle, log: Log) -> None:
    """Shuffles the set into the head of the log, each tile lying either way (G16)."""
    for tile in range(rules.tiles):
        log[tile] = tile
    for last in range(rules.tiles - 1, 0, -1):
        other = pick(game, last + 1)
        log[last], log[other] = log[other], log[last]
    for place in range(rules.tiles):
        log[place] += TURNED * pick(game, 2)


@kernel
def lay_out(rules: RuleTable, game: Puzzle, log: Log) -> bool:
    """Lays out the deal; False if it leaves nothing to do, and must be dealt again (G5)."""
    for place in range(rules.tiles):
        tile = log[place] & 127
        turned = 1 if log[place] >= TURNED else 0
        game.first[tile] = rules.half[turned, tile]
        game.second[tile] = rules.half[1 - turned, tile]
    game.log_size = rules.tiles
    game.to_move = 0
    game.over = 0
    game.won = 0
    game.moves = 0
    game.scores[0] = 0
    game.gained = 0
    if rules.play == COUNTING:
        lay_row(rules, game, log)
    elif rules.play == PAIRS:
        lay_row(rules, game, log)
        end_without_pairs(game, log)
    else:
        lay_columns(game, log)
        see_how_it_stands(rules, game, log)
    return game.over == 0


@kernel
def new_episode(rules: RuleTable, game: Puzzle, log: Log) -> bool:
    """Shuffles and lays out until there is something to do; False if there never is."""
    for _ in range(MOST_DEALS):
        shuffle(rules, game, log)
        if lay_out(rules, game, log):
            return True
    game.to_move = -1
    return False


@kernel
def dealt_episode(
    rules: RuleTable, game: Puzzle, log: Log, deal: WholeNumbers, starter: int
) -> bool:
    """Begins a game with an explicit deal; False if it leaves nothing to do (G5)."""
    clear(rules, game)
    for place in range(rules.tiles):
        log[place] = deal[place]
    return lay_out(rules, game, log)


@small
def clear(rules: RuleTable, game: Puzzle) -> None:
    """Nothing is known of an episode before."""
    game.cut_off = 0


@small
def must_deal(rules: RuleTable, game: Puzzle) -> bool:
    """Has a game ended, so that another must be dealt?"""
    return bool(game.over)


@small
def leave_undealt(rules: RuleTable, game: Puzzle) -> None:
    """Ends a lane without trying to deal another game."""
    game.to_move = -1
    game.over = 1
    game.won = 0


@kernel
def take_decision(rules: RuleTable, game: Puzzle, log: Log, action: int) -> None:
    """Carries out a legal action."""
    game.cut_off = 0
    if rules.play == COUNTING:
        count_on(rules, game, log)
    elif rules.play == PAIRS:
        knock(game, log, action)
    elif action == STOP:
        stop_playing(game, log)
    else:
        move_run(game, log, action // TARGETS, action % TARGETS)
        see_how_it_stands(rules, game, log)


@small
def pay(rules: RuleTable, game: Puzzle, reward: Rewards, lane: Index) -> None:
    """Solitaire games give points (G14); or +1 for a win and -1 for none, at the end."""
    game.scores[0] += game.gained
    reward[lane, 0] = game.gained
    if rules.pays_win:
        reward[lane, 0] = 0 if not game.over else 1 if game.won else -1
    game.gained = 0


@small
def last_viewer(rules: RuleTable, game: Puzzle) -> int:
    """The seat that sees a finished game: the only one."""
    return 0


@small
def list_moves(
    rules: RuleTable, game: Puzzle, mask: Masks, legal: Legal, num_legal: Counts, lane: Index
) -> None:
    """Writes a lane's legal moves over the ones that stood there."""
    clear_mask(mask, legal, num_legal, lane)
    num_legal[lane] = 0
    if game.to_move >= 0:
        num_legal[lane] = list_new_moves(rules, game, mask, legal, lane)


@small
def list_new_moves(rules: RuleTable, game: Puzzle, mask: Masks, legal: Legal, lane: Index) -> int:
    """Writes the legal moves; how many there are."""
    if rules.play == COUNTING:
        return list_count(mask, legal, lane)
    if rules.play == PAIRS:
        return list_knocks(game, mask, legal, lane)
    return list_column_moves(game, mask, legal, lane)


@small
def observe(rules: RuleTable, game: Puzzle, seat: int, out: Observations, row: Index) -> None:
    """Writes what the player sees into a row of `out`."""
    lane = np.uint64(row)
    if rules.play == TURNING_UP:
        observe_columns(rules, game, out, lane)
        return
    for at in range(np.uint64(rules.features)):
        out[lane, at] = 0
    if rules.play == COUNTING:
        observe_count(game, out, lane)
    else:
        observe_row(game, out, lane)
