"""Curved tiles in a batch: symbols, questions, places, stakes and teams."""

from __future__ import annotations

from typing import Any

import pytest

import domino_env
from domino_env.batches import Batch
from domino_env.ruleset import Layout
from tests.games import TWISTS
from tests.picks import Picks
from tests.small_deals import extra, play, small


def listed(
    hands: list[list[str]], boneyard: tuple[str, ...] = (), options: Any = None, **changes: Any
) -> Batch:
    """A batch of one game of Fundomino with these tiles and no others, its opening laid."""
    tiles = [*(tile for hand in hands for tile in hand), *boneyard]
    rules = domino_env.rules(
        "fundomino", tiles=tiles, players=(len(hands),), hand_size=len(hands[0]), **changes
    )
    batch = Batch(
        rules, 1, **{"seed": 0, "autoreset": False, "reward": "points", **(options or {})}
    )
    batch.reset(options={"deal": {"hands": hands, "boneyard": boneyard}})
    return batch


def put(batch: Batch, tile: str, end: int) -> None:
    """Plays a tile, written as in the list, on an end of lane 0 that it joins in one way."""
    moves = zip(batch.position().legal_actions, batch.position().legal, strict=True)
    found = [number for number, move in moves if str(move.tile) == tile and move.end == end]
    assert len(found) == 1, f"{tile} on end {end} is {len(found)} moves\n{batch.position()}"
    batch.step(found)


def answer(batch: Batch, word: str) -> None:
    """Answers a question in lane 0."""
    batch.step([extra(batch, word)])


TAKES = [["6|6", "1|2", "4|5"], ["+1|6", "2|2", "3|3"]]
"""Seat 0 opens with the 6|6. Seat 1 plays the +1|6, and as there is no boneyard seat 0 takes one of
its other two tiles."""


def test_the_tile_that_is_taken_is_picked_by_the_games_own_generator() -> None:
    taken = set()
    for seed in range(40):
        batch = listed(TAKES, options={"seed": seed})
        picks = Picks(int(batch.games["rng"][0]), [(2, 2), (3, 3)])
        put(batch, "+1|6", 0)
        event = batch.position().events[-1]
        assert (event.kind, event.seat, event.giver) == ("take", 0, 1)
        assert event.tile == picks(1, 0, [(2, 2), (3, 3)])
        assert event.tile in batch.position().hands[0]
        assert [len(hand) for hand in batch.position().hands] == [3, 1]
        taken.add(event.tile)
    assert taken == {(2, 2), (3, 3)}


def test_a_seed_takes_the_same_tile_again() -> None:
    batch = listed(TAKES)
    deal, taken = batch.position().deal, []
    for _ in range(2):
        for seed in range(20):
            batch.reset(seed=seed, options={"deal": deal})
            put(batch, "+1|6", 0)
            taken.append(batch.position().events[-1].tile)
    assert taken[:20] == taken[20:]
    assert len({*taken}) == 2


def test_a_saved_game_takes_the_same_tile_in_any_lane() -> None:
    batch = listed(TAKES)
    other = Batch(batch.rules, 3, seed=99, autoreset=False)
    other.reset()
    other.restore(2, batch.save(0))
    plus = int(batch.position().legal_actions[0])
    batch.step([plus])
    other.step([*other.sample()[:2], plus])
    assert other.position(2).events == batch.position().events
    assert batch.position().events[-1].kind == "take"


def test_a_player_whose_last_tile_is_taken_is_out() -> None:
    batch = listed([["6|6", "1|2"], ["+1|6", "3|3"]])
    put(batch, "+1|6", 0)
    position = batch.position()
    assert position.events[-1].tile == (3, 3)
    assert (position.over, position.finished, position.winners) == (True, [1], [1])
    assert batch.reward.tolist() == [[0, 40]]


def test_a_plus_draws_from_the_boneyard_as_long_as_there_is_one() -> None:
    batch = listed(TAKES, boneyard=("5|5", "3|4"))
    put(batch, "+1|6", 0)
    position = batch.position()
    assert [(e.kind, e.seat, e.tile) for e in position.events[1:]] == [
        ("play", 1, ("+1", 6)),
        ("draw", 0, (5, 5)),
    ]
    assert position.to_move == 0


def test_a_symbol_that_is_no_open_end_does_nothing() -> None:
    """The third tile closes a ring, and its arrow lies against the first one: no PLAY AGAIN (FN4).
    Nobody can play any more, and it is the next player who draws."""
    hands = [["6|6", ">6|5", "1|1"], ["5|6", "2|2", "3|3"]]
    batch = listed(hands, ("4|4", "1|2"), layout=Layout(tiles="curved"))
    put(batch, "5|6", 0)
    put(batch, ">6|5", 0)
    position = batch.position()
    assert position.ends == []
    assert [str(event) for event in position.events[3:]] == [
        "seat 1 draws [4|4]",
        "seat 1 draws [1|2]",
    ]
    assert position.over


QUESTIONED: dict[str, Any] = {"calls": "explicit", "episode": "match", "autoreset": True}


def test_a_game_can_be_saved_in_the_middle_of_any_question() -> None:
    rules = domino_env.rules("fundomino", **dict.fromkeys(TWISTS, True))
    batch = domino_env.batch(rules, 64, 4, seed=2, **QUESTIONED)
    other = domino_env.batch(rules, 64, 4, seed=3, **QUESTIONED)
    batch.reset()
    other.reset()
    met: set[str | None] = set()
    for _ in range(150):
        met |= {batch.position(lane).question for lane in range(64)}
        for lane in range(64):
            other.restore(63 - lane, batch.save(lane))
        assert other.seat.tolist() == batch.seat.tolist()[::-1]
        assert other.mask.tobytes() == batch.mask[::-1].tobytes()
        assert other.observation.tobytes() == batch.observation[::-1].tobytes()
        actions = batch.sample()
        batch.step(actions)
        other.step(actions[::-1])
        assert other.reward.tobytes() == batch.reward[::-1].tobytes()
    assert met == {None, "points", "domino", "direction", "reverse", "raise", "accept"}


TEAM_OUT = [["6|6", "0|6"], ["1|6", "5|5"], ["4|4", "3|4"], ["2|2", "3|3"]]
"""Seat 0 opens; seat 1 plays the 1|6; 2 and 3 pass; seat 0 is out. Its opponents hold 20."""


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("margin", [20, -20, 20, -20]), ("points", [20, 0, 20, 0]), ("win", [1, -1, 1, -1])],
)
def test_both_members_of_a_team_are_rewarded_alike(reward: str, expected: list[float]) -> None:
    rules = domino_env.rules("bendomino_teams", hand_size=2)
    batch = small(TEAM_OUT, rules, reward=reward, autoreset=False)
    play(batch, ("1|6", 0))
    assert batch.reward.tolist() == [[0, 0, 0, 0]]
    assert batch.seat.tolist() == [0]
    play(batch, ("0|6", 1))
    assert batch.reward.tolist() == [expected]
    assert (batch.position().winners, batch.position().scores) == ([0, 2], [20, 0, 20, 0])


@pytest.mark.parametrize(
    ("reward", "expected"), [("margin", [0, 0]), ("points", [40, 40]), ("win", [1, 1])]
)
def test_who_shares_the_first_place_has_won(reward: str, expected: list[float]) -> None:
    """Nothing joins a 6 or a 5 any more, there is no boneyard, and both hold three pips."""
    batch = listed([["6|6", "1|2"], ["5|6", "0|3"]], options={"reward": reward})
    put(batch, "5|6", 0)
    assert batch.reward.tolist() == [expected]
    assert batch.position().winners == [0, 1]


@pytest.mark.parametrize(
    ("reward", "expected"), [("margin", [0] * 4), ("points", [30] * 4), ("win", [0] * 4)]
)
def test_teams_whose_places_are_worth_the_same_draw(reward: str, expected: list[float]) -> None:
    """Blocked, with 1 and 15 pips in one team, and 2 and 6 in the other: 30 and 0, 20 and 10."""
    hands = [["6|6", "0|1"], ["5|6", "0|2"], ["4|4", "3|4"], ["1|1", "1|3"]]
    batch = listed(
        hands,
        options={"reward": reward},
        teams=True,
        round=domino_env.rules("fundomino_team_play").round,
    )
    answer(batch, "clockwise")
    put(batch, "5|6", 0)
    assert batch.reward.tolist() == [expected]
    assert batch.position().winners == []


RAISING = [["2|2", "1|2"], ["2|5", "1|1"]]
"""Seat 0 opens with the double 2, and may raise the stakes."""


def test_raised_stakes_that_are_accepted_count_the_round_twice() -> None:
    batch = listed(RAISING, double_stakes=True)
    assert (batch.position().question, batch.seat.tolist()) == ("raise", [0])
    answer(batch, "raise")
    assert (batch.position().question, batch.seat.tolist()) == ("accept", [1])
    assert batch.position().stakes == 1
    answer(batch, "accept")
    assert batch.position().stakes == 2
    put(batch, "2|5", 0)
    put(batch, "1|2", 1)
    assert batch.reward.tolist() == [[80, 0]]


def test_refused_stakes_end_the_round_at_single_stakes() -> None:
    batch = listed(RAISING, double_stakes=True)
    answer(batch, "raise")
    answer(batch, "refuse")
    assert batch.done.tolist() == [True]
    assert batch.reward.tolist() == [[40, 0]]  # 3 pips are fewer than 9
    assert (batch.position().stakes, batch.position().winners) == (1, [0])


def test_a_perfect_ten_of_an_opening_is_paid_with_the_first_step() -> None:
    batch = listed([["5|5", "3|1"], ["3|5", "1|1"]], perfect_ten=True)
    assert batch.position().scores == [10, 0]
    put(batch, "3|5", 0)
    assert batch.reward.tolist() == [[10, 0]]
    assert batch.done.tolist() == [False]


def test_a_perfect_ten_can_be_called_by_another_seat() -> None:
    batch = listed(
        [["5|5", "3|1"], ["3|5", "1|1"]], perfect_ten=True, options={"calls": "explicit"}
    )
    assert (batch.position().question, batch.position().claim) == ("points", 10)
    answer(batch, "silent")
    assert batch.seat.tolist() == [1]
    answer(batch, "call")
    assert batch.reward.tolist() == [[0, 10]]
    assert (batch.position().question, batch.seat.tolist()) == ("domino", [0])


def test_who_forgets_to_say_domino_draws_if_another_notices() -> None:
    hands = [["6|6", "1|2", "1|1"], ["5|6", "5|5", "3|3"]]
    batch = listed([hand[:2] for hand in hands], ("4|4", "1|1", "3|3"), {"calls": "explicit"})
    assert batch.position().question == "domino"  # an opening is a play of its owner, too
    answer(batch, "silent")
    assert batch.seat.tolist() == [1]
    answer(batch, "call")
    position = batch.position()
    assert [str(event) for event in position.events[1:]] == [
        "seat 0 keeps silent",
        "seat 1 calls",
        "seat 0 draws [4|4]",
    ]
    assert (position.to_move, position.hands[0]) == (1, [(1, 2), (4, 4)])
