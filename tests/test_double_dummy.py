"""Double dummy: the value of rounds with all tiles face up, compared with plain minimax."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env import agents, solve
from domino_env.batches import Batch
from domino_env.errors import BadOption, DominoError, GameOver, NotReset
from domino_env.evaluate.rollout import play_episodes
from domino_env.solve.mini_games import EIGHT_TILES, MINI_GAMES
from tests.games import AT_A_TABLE

SEVEN = domino_env.rules("block_draw", hand_size=7)
ALL_FIVES = domino_env.rules("all_fives", set="double_3", hand_size=3, players=(2,))


def plain_minimax(batch: Batch, seat: int) -> float:
    """What a seat earns in the rest of lane 0's round: every line of play to its end, on copies."""
    legal = batch.legal[0, : batch.num_legal[0]]
    mover, found = int(batch.seat[0]), []
    for action in legal:
        after = batch.clone()
        after.step([action])
        earned = float(after.reward[0, seat])
        found.append(earned if after.done[0] else earned + plain_minimax(after, seat))
    with_seat = mover == seat or (batch.rules.teams and (mover - seat) % 2 == 0)
    return max(found) if with_seat else min(found)


def players_of(game: str) -> tuple[int, ...]:
    """Two, or the four of two teams."""
    return (2,) if 2 in domino_env.rules(game).players else (4,)


def small_games(game: str) -> list[Any]:
    """Versions of a game that are small enough to be searched to the end, in plain Python."""
    found = []
    sizes = {"set": "double_2", "hand_size": 2}, {"set": "double_3", "hand_size": 2}
    for changes in (*sizes, {**sizes[1], "hand_size": 3}):
        try:
            found.append(domino_env.rules(game, **changes, players=players_of(game)))
        except DominoError:
            continue
    found += [mini.rules for mini in MINI_GAMES.values() if mini.game == game]
    return found


def two_sides(rules: Any) -> bool:
    return 2 in rules.players or bool(rules.teams)


CASES = [
    pytest.param(rules, id=f"{game}-{number}")
    for game in AT_A_TABLE
    for number, rules in enumerate(small_games(game))
    if two_sides(rules)
]


def begun(rules: Any, seed: int, left: int) -> Batch:
    """A game that has been played at random until few tiles are left in the hands."""
    players = 2 if 2 in rules.players else 4
    batch = Batch(rules, 1, players, seed=seed, autoreset=False)
    batch.reset()
    while batch.games["hand_size"][0, :players].sum() > left:
        before = batch.clone()
        batch.step(batch.sample())
        if batch.done[0]:
            return before
    return batch


@pytest.mark.slow
@pytest.mark.parametrize("rules", CASES)
def test_it_is_the_value_of_plain_minimax(rules: Any) -> None:
    for seed in range(8):
        batch = begun(rules, seed, 6)
        for seat in (0, 1):
            found = solve.double_dummy(batch, seat=seat)
            assert found == pytest.approx([plain_minimax(batch, seat)])


@pytest.mark.slow
def test_every_straight_game_of_two_sides_is_compared() -> None:
    compared = {case.values[0].id for case in CASES}
    straight = {
        name
        for name in AT_A_TABLE
        if two_sides(domino_env.rules(name)) and not domino_env.rules(name).is_curved
    }
    assert straight <= compared


def test_curved_tiles_are_solved_too() -> None:
    listed = {"set": "listed", "sets": ("listed",), "tiles": EIGHT_TILES, "hand_size": 2}
    batch = begun(domino_env.rules("bendomino", **listed), 4, 4)
    assert solve.double_dummy(batch) == pytest.approx([plain_minimax(batch, 0)])


def test_moves_have_the_value_of_what_they_lead_to() -> None:
    batch = next(b for b in (begun(ALL_FIVES, seed, 5) for seed in range(99)) if b.num_legal[0] > 1)
    seat, values = int(batch.seat[0]), solve.double_dummy_moves(batch, 0)
    assert [value for _, value in values] == sorted((value for _, value in values), reverse=True)
    assert values[0][1] == solve.double_dummy(batch, seat=seat)[0]
    assert {action for action, _ in values} == set(batch.legal[0, : batch.num_legal[0]].tolist())
    for action, value in values:
        after = batch.clone()
        after.step([action])
        rest = 0.0 if after.done[0] else plain_minimax(after, seat)
        assert value == pytest.approx(float(after.reward[0, seat]) + rest)


@pytest.mark.slow
def test_who_plays_so_earns_at_least_as_much_as_it_says() -> None:
    """Against anybody: it is the value of best play by both."""
    batch = Batch(SEVEN, 20, 2, seed=1, autoreset=False)
    batch.reset()
    promised = solve.double_dummy(batch)

    class Perfect:
        def act(self, batch: Batch, lanes: Any) -> Any:
            return np.array([solve.double_dummy_moves(batch, int(lane))[0][0] for lane in lanes])

    for other in ("heuristic", "clairvoyant"):
        earned = play_episodes(batch.clone(), [Perfect(), agents.make(other)])[:, 0]
        assert (earned >= promised - 1e-6).all()


def test_nothing_changes_and_the_seats_have_opposite_values() -> None:
    batch = Batch(ALL_FIVES, 3, 2, seed=1)
    batch.reset()
    saved, done = batch.state(), []
    values = solve.double_dummy(batch, watch=done.append)
    assert (batch.state() == saved).all()
    assert done == pytest.approx([1 / 3, 2 / 3, 1])
    assert solve.double_dummy(batch, lanes=[2, 0], seat=1).tolist() == [-values[2], -values[0]]


def test_what_cannot_be_solved_is_refused() -> None:
    batch = Batch("block_draw", 1, 3, seed=1, autoreset=False)
    with pytest.raises(BadOption, match="two sides"):
        solve.double_dummy(batch)
    two = Batch("block_draw", 1, 2, seed=1, autoreset=False)
    with pytest.raises(NotReset):
        solve.double_dummy(two)
    two.reset()
    with pytest.raises(BadOption, match="more than 3 nodes"):
        solve.double_dummy(two, most_nodes=3)
    with pytest.raises(BadOption, match="most_nodes"):
        solve.double_dummy(two, most_nodes=0)
    with pytest.raises(BadOption, match="two sides"):
        solve.double_dummy(Batch("solitaire", 1))
    while two.seat[0] >= 0:
        two.step(two.sample())
    with pytest.raises(GameOver):
        solve.double_dummy(two)
