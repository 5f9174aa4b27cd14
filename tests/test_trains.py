"""Middles, trains, markers, feet, and doubles that must have tiles first: what the two games of
trains are made of, and what other games can take from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import domino_env
from domino_env.actions import Move, Tile
from domino_env.batches import Batch
from domino_env.engine.log import unpack
from domino_env.engine.state import LAID_OUT, NOBODY
from domino_env.errors import BadDeal, BadOption, BadRules
from domino_env.position import Position
from domino_env.ruleset import Layout

SMALL = {"set": "double_3", "players": (2,), "hand_size": 2}


def dealt(rules: Any, hands: list[str], boneyard: str, starter: int | None = 0) -> Batch:
    """A batch of one with a deal whose tiles are written like "94 00"; those not named come last in
    the boneyard."""
    tiles = [tile_of(word) for word in " ".join([*hands, boneyard]).split()]
    rest = [Tile(*faces) for faces in rules.tile_set.faces if Tile(*faces) not in tiles]
    deal: dict[str, Any] = {
        "hands": [[*map(tile_of, hand.split())] for hand in hands],
        "boneyard": [*map(tile_of, boneyard.split()), *rest],
    }
    if starter is not None:
        deal["starter"] = starter
    batch = domino_env.batch(rules, 1, len(hands), autoreset=False)
    batch.reset(options={"deal": deal})
    return batch


def tile_of(word: str) -> Tile:
    return Tile(*sorted(map(int, word)))


def play(batch: Batch, tile: str, end: int) -> Position:
    """Plays a tile on an end, by whichever half fits."""
    before = batch.position(0)
    fits = [
        action
        for action, move in zip(before.legal_actions, before.legal, strict=True)
        if move.tile == tile_of(tile) and move.end == end
    ]
    assert fits, f"{tile} on end {end} is none of {[*map(str, before.legal)]}"
    batch.step([fits[0]])
    return batch.position(0)


def numbers(position: Position) -> dict[int, Any]:
    """The ends that are offered, and what they ask for."""
    return {end.number: end.value for end in position.ends if end.offered}


# The middle (TR1, TR2) ---------------------------------------------------------------------------


def test_a_match_goes_down_the_doubles_and_the_lead_goes_round() -> None:
    rules = domino_env.rules("mexican_train", set="double_3", players=(3,), hand_size=2)
    batch = domino_env.batch(rules, 1, episode="match", seed=3, autoreset=False)
    batch.reset()
    seen = {}
    while batch.seat[0] >= 0:
        position = batch.position(0)
        seen[position.round] = position.played[0], int(batch.games["starter"][0])
        batch.step(batch.sample())
    middles, leads = zip(*seen.values(), strict=True)
    assert middles == tuple((Tile(n, n), None) for n in (3, 2, 1, 0))
    assert leads == tuple((leads[0] + step) % 3 for step in range(4))


def test_rounds_may_be_fewer_than_doubles_but_not_more() -> None:
    assert domino_env.rules("chickenfoot").most_rounds == 10
    assert domino_env.rules("chickenfoot", rounds=3).most_rounds == 3
    with pytest.raises(BadRules, match="rounds must be from 1 to 10, one for each double"):
        domino_env.rules("chickenfoot", rounds=11)
    assert domino_env.rules("block_draw").most_rounds is None


def test_a_deal_says_which_round_it_is_by_its_middle() -> None:
    rules = domino_env.rules("chickenfoot", **SMALL)
    position = dealt(rules, ["31 30", "32 11"], "22").position(0)
    assert (position.round, position.played) == (2, [(Tile(2, 2), None)])
    again = domino_env.batch(rules, 1)
    again.reset(options={"deal": position.deal})
    assert again.position(0).deal == position.deal
    with pytest.raises(BadDeal, match="in front of the boneyard"):
        dealt(rules, ["31 30", "32 11"], "21")


def test_the_middle_may_be_dealt_and_opens_then() -> None:
    rules = domino_env.rules("mexican_train", middle_is_dealt=True, **SMALL)
    position = dealt(rules, ["31 30", "33 11"], "22", None).position(0)
    assert (position.played, position.to_move) == ([(Tile(3, 3), 1)], 0)
    with pytest.raises(BadDeal, match="deal this again"):
        dealt(rules, ["31 30", "22 11"], "33", None)


def test_nobody_is_told_from_eight_seats() -> None:
    batch = domino_env.batch("mexican_train", 1, 8, seed=1)
    batch.reset()
    seats = set()
    for _ in range(40):
        for word in batch.events[0, 91 : batch.games["log_size"][0]].tolist():
            event = unpack(word)
            assert (event.kind == LAID_OUT) == (event.seat == NOBODY)
            seats.add(event.seat)
        batch.step(batch.sample())
    assert seats == {*range(8), NOBODY}


# Hands by the set (MT1, CF1) ---------------------------------------------------------------------


def test_hands_and_players_go_by_the_set() -> None:
    sizes = {
        name: [rules.hand_size_for(players) for players in sorted(rules.players)]
        for name in ("double_9", "double_12", "double_15")
        for rules in [domino_env.rules("chickenfoot", set=name)]
    }
    assert sizes == {
        "double_9": [21, 14, 11, 8, 7, 6, 5],
        "double_12": [12, 10, 8, 7, 6],
        "double_15": [12, 10, 9],
    }
    with pytest.raises(BadOption, match="mexican_train is for 4 or 2 or 3 players, not 5"):
        domino_env.batch(domino_env.rules("mexican_train", set="double_9"), 1, 5)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hand_size": (("double_9", ((2, 5),)),)}, "said for set 'double_12' too"),
        ({"hand_size": (("double_12", ((2, 5, 1),)),)}, "for each set like"),
        ({"hand_size": (("double_12", ((2, 5),)),), "players": (3,)}, "players must be some of 2"),
    ],
)
def test_hands_by_the_set_that_say_too_little_are_refused(
    changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadRules, match=words):
        domino_env.rules("mexican_train", **changes)


# Trains (MT2-MT7) --------------------------------------------------------------------------------


def test_others_play_on_a_train_while_its_marker_lies_there() -> None:
    rules = domino_env.rules("mexican_train", set="double_9", players=(2,), hand_size=3)
    batch = dealt(rules, ["94 42 77", "91 18 55"], "99 33 82 20")
    play(batch, "94", 1)
    position = play(batch, "91", 2)
    assert numbers(position) == {0: 9, 1: 4}
    position = play(batch, "42", 1)
    assert [(end.number, end.owner, end.offered) for end in position.ends] == [
        (0, None, True),
        (1, 0, False),
        (2, 1, True),
    ]
    position = play(batch, "18", 2)  # seat 0 draws 3-3, and seat 1 draws 8-2
    assert (position.to_move, position.markers) == (1, [0])
    assert [event.kind for event in position.events[-3:]] == ["draw", "pass", "draw"]
    assert "marked    trains of seat 0" in str(position)


def test_a_marker_comes_off_when_its_owner_plays_there_and_not_when_others_do() -> None:
    rules = domino_env.rules("mexican_train", set="double_9", players=(2,), hand_size=2)
    batch = dealt(rules, ["88 41", "96 61"], "99 33 91 50 92")
    position = play_first(batch)
    assert position.markers == [0]  # seat 0 had nothing and drew 3-3; seat 1 has played
    assert play(batch, "91", 1).markers == []


def play_first(batch: Batch) -> Position:
    """Seat 1 plays where it may, until seat 0 is to move."""
    position = batch.position(0)
    while position.to_move == 1:
        batch.step([position.legal_actions[0]])
        position = batch.position(0)
    return position


def test_a_line_may_go_on_in_a_first_turn_and_not_in_a_second() -> None:
    rules = domino_env.rules(
        "mexican_train", set="double_9", players=(2,), hand_size=4, own_line_on_first_turn=True
    )
    batch = dealt(rules, ["94 42 22 21", "91 18 87 76"], "99 33 61 20")
    position = play(batch, "94", 1)
    assert [*map(str, position.legal)] == ["[2|4] by 4 → end 1", "END TURN"]
    position = play(batch, "42", 1)
    position = play(batch, "22", 1)  # it is covered first
    assert (position.due, [*map(str, position.legal)]) == (Tile(2, 2), ["[1|2] by 2 → end 1"])
    position = play(batch, "21", 1)
    assert position.over  # out
    batch = dealt(rules, ["94 42 22 21", "91 18 87 76"], "99 33 61 20")
    play(batch, "94", 0)  # on the Mexican train the turn is over
    assert play(batch, "91", 2).to_move == 1
    stop = domino_env.actions.encode(rules, Move("end_turn"), num_players=2)
    batch.step([stop])
    play(batch, "42", 0)
    assert play(batch, "18", 2).to_move == 0  # a second turn is one tile


def test_the_actions_of_trains_go_by_the_players() -> None:
    for players in (2, 4, 8):
        batch = domino_env.batch("mexican_train", 1, players)
        assert batch.num_actions == 91 * (1 + players) * 2
        size = domino_env.actions.size("mexican_train", num_players=players)
        assert size == batch.num_actions
    for action in (0, 17, 909):
        move = domino_env.actions.decode("mexican_train", action, num_players=4)
        if action != 909:
            assert domino_env.actions.encode("mexican_train", move, num_players=4) == action


# Doubles that must have tiles (CR1, MT5, MT6, CF3, CF4) ------------------------------------------


def test_a_foot_takes_the_next_two_unused_numbers() -> None:
    rules = domino_env.rules("chickenfoot", players=(2,), hand_size=4)
    batch = dealt(rules, ["91 93 11 00", "92 94 15 16"], "99 17")
    for tile, end in (("91", 0), ("92", 1), ("93", 2), ("94", 3)):
        assert numbers(batch.position(0)) == {end: 9}
        play(batch, tile, end)
    position = play(batch, "11", 0)
    assert (position.due, position.due_left, numbers(position)) == (Tile(1, 1), 3, {0: 1})
    assert [end.number for end in position.ends if end.like == 0] == [4, 5]
    position = play(batch, "15", 0)
    assert (position.due_left, numbers(position)) == (2, {4: 1})
    play(batch, "17", 4)
    assert batch.position(0).to_move == 1
    position = play(batch, "16", 5)
    assert (position.over, position.scores) == (True, [-50, 0])


@pytest.mark.parametrize("opening_first", [1, 2, 3, 4])
def test_so_many_tiles_lie_on_the_opening_double_before_anything_else(opening_first: int) -> None:
    layout = Layout(arms="four", opening_first=opening_first)
    batch = domino_env.batch(domino_env.rules("cross", layout=layout), 32, 2, seed=opening_first)
    batch.reset()
    for _ in range(12):
        for lane in range(32):
            position = batch.position(lane)
            opener, laid = position.played[0][0], len(position.played) - 1
            asked = {end.value for end in position.ends if end.offered}
            assert (asked == {opener.first}) or laid >= opening_first
            assert position.due_left == max(0, opening_first - laid)
        batch.step(batch.sample())


@pytest.mark.parametrize(
    ("hopeless", "kinds"),
    [
        ("blocks", ["play"] * 4),
        ("stays", ["play"] * 4 + ["draw", "pass"] * 3 + ["draw"]),
        ("lifted", ["play"] * 4),
    ],
)
def test_what_becomes_of_a_double_that_nothing_can_cover(hopeless: Any, kinds: list[str]) -> None:
    """With double three a three has but three other tiles: the fourth side stays free."""
    rules = domino_env.rules(
        "cross",
        set="double_3",
        players=(2,),
        hand_size=3,
        layout={"hopeless": hopeless},
        draw={"while_crossing": "one"},
    )
    batch = dealt(rules, ["33 32 11", "31 30 22"], "21 20 10 00", None)
    play(batch, "31", 0)
    play(batch, "32", 1)
    position = play(batch, "30", 2)
    # If it stays all that is left is drawn, a tile a turn, before nobody can go on.
    assert [event.kind for event in position.events] == kinds
    assert position.over == (hopeless != "lifted")
    if hopeless == "lifted":
        assert (position.due, numbers(position)) == (None, {0: 1, 1: 2, 2: 0, 3: 3})


def test_a_double_that_nothing_can_cover_needs_nothing() -> None:
    rules = domino_env.rules("mexican_train", **SMALL | {"hand_size": 4})
    batch = dealt(rules, ["32 21 10 00", "31 22 11 20"], "33 30")
    play(batch, "32", 1)
    play(batch, "31", 2)
    play(batch, "21", 1)
    position = play(batch, "11", 2)
    assert (position.due, position.to_move) == (Tile(1, 1), 0)  # seat 1 had none, and drew 3-0
    position = play(batch, "10", 2)
    assert position.due is None
    assert all(1 not in tile for hand in position.hands for tile in hand)


def test_a_random_game_of_every_size_ends() -> None:
    for variant in ("mexican_train", "chickenfoot"):
        for name in domino_env.rules(variant).sets:
            rules = domino_env.rules(variant, set=name)
            for players in (min(rules.players), max(rules.players)):
                batch = domino_env.batch(rules, 4, players, seed=players, autoreset=False)
                batch.reset()
                while (batch.seat >= 0).any():
                    batch.step(np.where(batch.seat >= 0, batch.sample(), -1))
                assert (batch.games["log_size"] <= batch.events.shape[1]).all()
