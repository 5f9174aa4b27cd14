"""The loops over lanes, with the same arguments as those of games at a table (`engine.lanes`), and
like there without a sign."""

from __future__ import annotations

from typing import Any

import numpy as np

from domino_env.engine.compiling import kernel, small
from domino_env.engine.lanes import HOLD, UNDEALT, first_refused
from domino_env.engine.rng import pick
from domino_env.engine.rounds import MOST_DEALS
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
from domino_env.puzzles.puzzle_state import COUNTING, PAIRS, TURNED, Log, Puzzle, RuleTable


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
    game.score = 0
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


@kernel
def step_lanes(
    rule_tables: Any,
    games: Any,
    logs: Any,
    actions: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    observation: Any,
    seat: Any,
    reward: Any,
    done: Any,
    autoreset: bool,
    start: int,
    stop: int,
) -> int:
    """Takes one legal action in each lane, and prepares the next decision; answers with the first
    lane that could not be dealt again, which is over, or -1."""
    rules = rule_tables[0]
    undealt: Any = -1
    for lane in range(np.uint64(start), np.uint64(stop)):
        game = games[lane]
        if num_legal[lane] == 0 or actions[lane] == HOLD:
            reward[lane, 0] = 0
            continue
        take_decision(rules, game, logs[lane], actions[lane])
        pay(rules, game, reward, lane)
        done[lane] = game.over
        if game.over:
            if not autoreset:
                game.to_move = -1
            elif not new_episode(rules, game, logs[lane]):
                undealt = np.int64(lane)
        show(rules, game, mask, legal, num_legal, observation, seat, lane)
    return int(undealt)


@kernel
def step_checked(
    rule_tables: Any,
    games: Any,
    logs: Any,
    actions: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    observation: Any,
    seat: Any,
    reward: Any,
    done: Any,
    autoreset: bool,
    may_hold: bool,
    start: int,
    stop: int,
) -> int:
    """`step_lanes`, if all the actions can be taken; the first lane whose cannot be, or -1. If a
    lane could not be dealt again, `UNDEALT` less that lane."""
    refused = first_refused(legal, num_legal, actions, may_hold, start, stop)
    if refused >= 0:
        return refused
    return UNDEALT - step_lanes(
        rule_tables,
        games,
        logs,
        actions,
        mask,
        legal,
        num_legal,
        observation,
        seat,
        reward,
        done,
        autoreset,
        start,
        stop,
    )


@small
def pay(rules: RuleTable, game: Puzzle, reward: Any, lane: int) -> None:
    """Solitaire games give points (G14); or +1 for a win and -1 for none, at the end."""
    game.score += game.gained
    reward[lane, 0] = game.gained
    if rules.pays_win:
        reward[lane, 0] = 0 if not game.over else 1 if game.won else -1
    game.gained = 0


@small
def show(
    rules: RuleTable,
    game: Puzzle,
    mask: Any,
    legal: Any,
    num_legal: Any,
    observation: Any,
    seat: Any,
    lane: int,
) -> None:
    """Writes a lane's moves and observation over those that stood there."""
    seat[lane] = game.to_move
    for place in range(num_legal[lane]):
        mask[lane, np.uint64(legal[lane, place])] = 0
    num_legal[lane] = 0
    if game.to_move >= 0:
        num_legal[lane] = list_moves(rules, game, mask, legal, lane)
    observe(rules, game, observation, lane)


@small
def list_moves(rules: RuleTable, game: Puzzle, mask: Any, legal: Any, lane: int) -> int:
    """Writes the legal moves; how many there are."""
    if rules.play == COUNTING:
        return list_count(mask, legal, lane)
    if rules.play == PAIRS:
        return list_knocks(game, mask, legal, lane)
    return list_column_moves(game, mask, legal, lane)


@small
def observe(rules: RuleTable, game: Puzzle, out: Any, row: int) -> None:
    """Writes what the player sees into a row of `out`."""
    lane = np.uint64(row)
    for at in range(np.uint64(rules.features)):
        out[lane, at] = 0
    if rules.play == COUNTING:
        observe_count(game, out, lane)
    elif rules.play == PAIRS:
        observe_row(game, out, lane)
    else:
        observe_columns(rules, game, out, lane)


@kernel
def deal_lanes(
    rule_tables: Any,
    games: Any,
    logs: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    observation: Any,
    seat: Any,
    reward: Any,
    done: Any,
    deals: Any,
    starters: Any,
    start: int,
    stop: int,
) -> int:
    """Begins a game with an explicit deal in each lane; answers with the first lane whose deal
    leaves nothing to do, or -1."""
    rules = rule_tables[0]
    for lane in range(np.uint64(start), np.uint64(stop)):
        game = games[lane]
        game.cut_off = 0
        for place in range(rules.tiles):
            logs[lane, place] = deals[lane, place]
        if not lay_out(rules, game, logs[lane]):
            return int(np.int64(lane))
        done[lane] = 0
        reward[lane, 0] = 0
        show(rules, game, mask, legal, num_legal, observation, seat, lane)
    return -1


@kernel
def show_lanes(
    rule_tables: Any,
    games: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    observation: Any,
    seat: Any,
    start: int,
    stop: int,
) -> None:
    """Writes anew all that is shown of a range of lanes, after their state has been replaced."""
    for lane in range(np.uint64(start), np.uint64(stop)):
        show(rule_tables[0], games[lane], mask, legal, num_legal, observation, seat, lane)


@kernel
def restart_lanes(
    rule_tables: Any,
    games: Any,
    logs: Any,
    mask: Any,
    legal: Any,
    num_legal: Any,
    observation: Any,
    seat: Any,
    reward: Any,
    done: Any,
    lanes: Any,
    start: int,
    stop: int,
) -> int:
    """Begins a new game in some lanes; their generators go on. Answers with the first that could
    not be dealt, which is over, or -1."""
    undealt: Any = -1
    for place in range(start, stop):
        lane: Any = np.uint64(lanes[place])
        games[lane].cut_off = 0
        if not new_episode(rule_tables[0], games[lane], logs[lane]):
            undealt = np.int64(lane)
        done[lane] = games[lane].over
        reward[lane, 0] = 0
        show(rule_tables[0], games[lane], mask, legal, num_legal, observation, seat, lane)
    return int(undealt)


@kernel
def observe_lanes(rule_tables: Any, games: Any, lanes: Any, seats: Any, out: Any) -> None:
    """What the player of each of some lanes sees now."""
    for place in range(len(lanes)):
        observe(rule_tables[0], games[lanes[place]], out, place)
