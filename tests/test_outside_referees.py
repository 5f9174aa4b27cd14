"""The Latin games beside programs of others: OpenSpiel's `python_team_dominoes`, and the package
`dominoes`, which plays the San Juan game.

Both tell plays apart by the number that they join, so two ends that show the same number are one
action there and two here: actions are compared as tiles and numbers.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import dominoes
import numpy as np
import pytest

import domino_env
from domino_env.actions import decode
from domino_env.batches import Batch
from domino_env.ruleset import Opening

FREE = Opening(starter="lot", tile="any")
Play = tuple[str, int | None]
"""A tile, and the number that it joins; None: it leads."""


def plays_of(batch: Batch) -> dict[Play, list[int]]:
    """The legal plays of the seat to move, and the actions that each can be."""
    found = defaultdict(list)
    leads = batch.games["opener"][0] < 0
    for action in batch.legal[0, : batch.num_legal[0]].tolist():
        move = decode(batch.rules, action)
        assert move.tile is not None
        assert move.half is not None
        number = None if leads else int(move.tile[move.half])
        found[str(move.tile), number].append(action)
    return dict(found)


def dealt(batch: Batch, hands: list[list[tuple[int, int]]], **starter: int) -> None:
    batch.reset(options={"deal": {"hands": hands, "boneyard": [], **starter}})


# OpenSpiel ---------------------------------------------------------------------------------------


def test_openspiels_team_dominoes_are_the_latin_game_but_for_who_wins() -> None:
    """Seat 0 leads with any tile. Moves and passes are the same. Points are too wherever the round
    is blocked, or the team that is out has fewer pips: there the lower total wins in any case."""
    pyspiel = pytest.importorskip("pyspiel")
    games = pytest.importorskip("open_spiel.python.games.team_dominoes")
    theirs = pyspiel.load_game("python_team_dominoes")
    ours = domino_env.batch(domino_env.rules("partnership_block", opening=FREE), 1, autoreset=False)
    rng, alike, blocked = np.random.default_rng(0), 0, 0
    for _ in range(300):
        state = theirs.new_initial_state()
        while state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
        hands = [[(int(low), int(high)) for low, high in hand] for hand in state.hands]
        dealt(ours, hands, starter=0)
        while not state.is_terminal():
            assert state.current_player() == ours.seat[0]
            known = {_told(games._ACTIONS[action]): action for action in state.legal_actions()}
            mine = plays_of(ours)
            assert mine.keys() == known.keys()
            chosen = sorted(known, key=str)[rng.integers(len(known))]
            state.apply_action(known[chosen])
            ours.step_one(int(rng.choice(mine[chosen])))
        assert ours.done[0]
        out = ours.games["hand_size"][0, :4].min() == 0
        lower = int(np.argmax(state.returns())) % 2  # the team that they let win
        won_by_both = any(state.returns()) and ours.games["out_place"][0, lower:4:2].any()
        if not out or won_by_both:
            assert ours.reward[0].tolist() == state.returns()
            alike, blocked = alike + 1, blocked + (not out)
    assert alike > 200
    assert blocked > 20


def _told(action: Any) -> Play:
    low, high = map(int, action.tile)
    return f"{low}|{high}", None if action.edge is None else int(action.edge)


# The package `dominoes` --------------------------------------------------------------------------


def test_san_juan_is_the_game_of_the_package_dominoes() -> None:
    """Series to 200: moves, points, and who leads the next round."""
    opened = domino_env.batch(domino_env.rules("puerto_rican", san_juan=True), 1, autoreset=False)
    free = domino_env.rules("puerto_rican", san_juan=True, opening=FREE)
    led = domino_env.batch(free, 1, autoreset=False)
    rng, rounds, drawn = np.random.default_rng(1), 0, 0
    for _ in range(60):
        series = dominoes.Series()
        game, leader = series.games[0], -1
        while game is not None:
            first = leader < 0
            ours = opened if first else led
            hands = [[(tile.first, tile.second) for tile in hand] for hand in game.hands]
            if first:  # the opening has left the hand already
                hands[game.starting_player].append((6, 6))
                dealt(ours, hands)
            else:
                assert game.starting_player == leader
                dealt(ours, hands, starter=leader)
            _play_alike(game, ours, rng)
            points = game.result.points
            expected = [max(points, 0), max(-points, 0)]
            assert ours.games["scores"][0, :2].tolist() == expected
            winner = int(ours.games["round_winner"][0])
            rounds, drawn = rounds + 1, drawn + (winner < 0)
            leader = winner if winner >= 0 else game.starting_player
            game = series.next_game()
    assert rounds > 300
    assert drawn > 0


def _play_alike(game: Any, ours: Batch, rng: np.random.Generator) -> None:
    """Plays a game of theirs at random, and the same on our table."""
    while game.result is None:
        assert game.turn == ours.seat[0]
        known = {_joined(game, *move): move for move in game.valid_moves}
        mine = plays_of(ours)
        assert mine.keys() == known.keys()
        chosen = sorted(known, key=str)[rng.integers(len(known))]
        tile, left = known[chosen]
        # Of two ends that show the same number theirs is the left one; ours it does not matter.
        game.make_move(tile, left)
        ours.step_one(mine[chosen][0])
    assert ours.done[0]


def _joined(game: Any, tile: Any, left: bool) -> Play:
    name = f"{min(tile.first, tile.second)}|{max(tile.first, tile.second)}"
    if not len(game.board):
        return name, None
    return name, game.board.left_end() if left else game.board.right_end()
