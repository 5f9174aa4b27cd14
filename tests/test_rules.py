"""Rules: what fits together plays to its end, and house rules change what they name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import domino_env
from domino_env.batches import Batch
from domino_env.errors import BadRules, UnknownVariant
from domino_env.ruleset import (
    LISTED,
    Draw,
    Layout,
    Opening,
    Plays,
    Round,
    Rules,
    Turn,
)
from tests.drawn_rules import (
    ANY_TILE,
    HIGHEST_TILE,
    QUIET,
    SEEDS,
    Lot,
    built,
    check_features,
    describe,
    play_out,
    within,
)
from tests.witness import Course, legal_moves, whose_turn


def watch(batch: Batch) -> None:
    """Plays a round at random, and asks a witness whose turn it is and for the legal moves."""
    batch.reset()
    while batch.seat[0] >= 0:
        position = batch.position()
        course = Course(batch, position)
        assert whose_turn(batch, course) in (None, position.turn), position
        legal, told = {*position.legal}, legal_moves(batch, course)
        assert legal == told, f"{[*map(str, legal ^ told)]} are not, or should be, in\n{position}"
        batch.step(batch.sample())


def play_all(rules: Rules) -> None:
    """A thousand rounds, some short matches and a round with a witness with every number of
    players."""
    calls = ("automatic", "explicit") if rules.has_calls else ("automatic",)
    for players in rules.players:
        for way in calls:
            options: dict[str, Any] = {"seed": players, "calls": way, "autoreset": False}
            play_out(Batch(rules, 1000 // len(calls), players, **options), 1)
            few = replace(rules, rounds=min(rules.most_rounds or 3, 3))
            play_out(Batch(few, 20, players, episode="match", **options), 3)
        watch(Batch(rules, 1, players, **options))


@pytest.mark.slow
@settings(QUIET, max_examples=500)
@given(seed=SEEDS)
def test_any_rules_that_can_be_built_finish_a_thousand_random_rounds(seed: int) -> None:
    rules = Lot(seed).rules()
    describe(rules)
    within(30, lambda: play_all(rules))


@pytest.mark.slow
@settings(QUIET, max_examples=40)
@given(seed=SEEDS, target=st.integers(1, 30))
def test_a_match_to_a_target_comes_to_an_end(seed: int, target: int) -> None:
    rules = Lot(seed).rules()
    assume(not rules.round.penalties and rules.tally.cut_off is None)
    match = replace(rules, target=target, exact=False, rounds=None)
    assume(match.most_rounds is None)  # rounds that are counted by doubles end it too
    describe(match)
    batch = Batch(match, 8, seed=1, episode="match", autoreset=False)
    within(30, lambda: play_out(batch, 500))
    assert (batch.state()["scores"].max(1) >= target).all()


def test_a_start_tile_does_not_come_out_of_the_reserve() -> None:
    """Two hands of seven leave fourteen tiles: if all of them are reserve, none can be laid out."""
    rules = built("yourturnmyturn", draw=Draw(reserve=14))
    if rules is not None:
        batch = Batch(rules, 1, seed=0)
        batch.reset()
        assert len(batch.position().boneyard) >= 14
        check_features(batch)


def test_tiles_set_aside_are_not_drawn() -> None:
    """`hand_size="all"` sets the rest aside: one tile of 28 with three players."""
    rules = built("block_draw", hand_size="all", players=(3,))
    if rules is not None:
        batch = Batch(rules, 50, seed=0, autoreset=False)
        play_out(batch, 1)
        events = [event for lane in range(50) for event in batch.position(lane).events]
        assert not [event for event in events if event.kind == "draw"]


def test_the_top_of_a_row_scores_as_any_opening_does() -> None:
    rules = built("blind", lambda: {"plays": Plays(by="multiples")}, players=(2,))
    if rules is not None:
        tiles = [(low, high) for low in range(7) for high in range(low, 7) if (low, high) != (5, 5)]
        hands = [[(5, 5), *tiles[:13]], tiles[13:]]
        batch = Batch(rules, 1)
        batch.reset(options={"deal": {"hands": hands, "boneyard": [], "starter": 0}})
        assert batch.position().scores == [10, 0]  # G4: a 5-5 opening makes ten


def test_whoever_hits_an_exact_target_wins_whatever_place_the_others_have() -> None:
    rules = built(
        "block_draw",
        lambda: {"round": Round(worth="places", places=(20, 10))},
        players=(3,),
        opening=ANY_TILE,
        target=60,
        exact=True,
    )
    if rules is not None:
        play_out(Batch(rules, 200, seed=0, episode="match", autoreset=False), 50)


def test_an_exact_target_hit_with_the_last_tile_but_one_is_the_end() -> None:
    """Nothing is asked any more, not even about "Domino!"."""
    rules = built(
        "five_up",
        lambda: {"plays": Plays(by="multiples")},
        target=5,
        turn=Turn(says_domino=True),
        hand_size=3,
    )
    if rules is not None:
        for way in ("automatic", "explicit"):
            play_out(Batch(rules, 200, seed=0, calls=way, autoreset=False), 1)


def test_a_tile_that_was_drawn_may_be_kept_but_not_once_it_has_been_played() -> None:
    rules = built("bendomino", turn=Turn(again="after_any"), hand_size=4, players=(2,))
    if rules is not None:
        for seed in range(50):
            watch(Batch(rules, 1, seed=seed, autoreset=False))


FEW_DOUBLES = ("1|2", "1|1", "2|2", "1|3", "2|3", "3|3", "1|4", "2|4", "3|4")


@pytest.mark.parametrize("doubles", ["spinner", "fork"])
@pytest.mark.parametrize("arms", ["one", "two"])
@pytest.mark.parametrize(
    "opening", [ANY_TILE, Opening(starter="lot", tile="from_boneyard"), HIGHEST_TILE]
)
def test_every_double_may_branch_when_none_of_them_has_opened(
    opening: Opening, arms: Any, doubles: Any
) -> None:
    rules = built(
        "block_draw",
        set=LISTED,
        sets=(LISTED,),
        tiles=FEW_DOUBLES,
        players=(2,),
        hand_size=2,
        layout=Layout(arms=arms, doubles=doubles),
        opening=opening,
    )
    if rules is not None:
        play_out(Batch(rules, 3000, seed=0, autoreset=False), 1)


def test_the_highest_tile_stands_in_for_the_lowest_double_too() -> None:
    opening = Opening(starter="lowest_double", without_double="highest_tile")
    rules = built("block_draw", opening=opening, players=(2,), hand_size=2)
    if rules is not None:
        hands = [[(0, 1), (2, 3)], [(3, 5), (1, 5)]]
        rest = [tile for tile in rules.tile_set.faces if tile not in [*hands[0], *hands[1]]]
        batch = Batch(rules, 1)
        batch.reset(options={"deal": {"hands": hands, "boneyard": rest}})
        assert batch.position().played[0] == ((3, 5), 1)


RAISED = [["2|2", "1|2"], ["2|5", "1|1"]]
"""Seat 0 opens with the 2|2 and raises; 1 plays the 2|5; 0 is out. Seat 1 holds two pips."""


@pytest.mark.parametrize(
    ("worth", "expected"),
    [
        (Round(), [4, 0]),
        (Round(rounded_up=10), [20, 0]),
        (Round(worth="places", places=(40,)), [80, 0]),
        (Round(worth="points", points=3), [6, 0]),
        (Round(penalties=True, out_bonus=5), [0, -14]),
    ],
)
def test_accepted_stakes_count_twice_whatever_a_round_is_worth(
    worth: Round, expected: list[int]
) -> None:
    rules = built(
        "fundomino",
        lambda: {"round": worth},
        tiles=(*RAISED[0], *RAISED[1]),
        players=(2,),
        hand_size=2,
        rounds=1,
        double_stakes=True,
    )
    if rules is not None:
        batch = Batch(rules, 1, autoreset=False)
        batch.reset(options={"deal": {"hands": RAISED, "boneyard": []}})
        for word in ("RAISE", "ACCEPT", "[2|5] by 2 → end 0", "[1|2] by 2 → end 1"):
            legal = {str(m): a for m, a in zip(*legal_of(batch), strict=True)}
            batch.step([legal[word]])
        assert batch.position().scores == expected


def legal_of(batch: Batch) -> tuple[list[Any], list[int]]:
    """The legal moves of lane 0, and their actions."""
    position = batch.position()
    return position.legal, position.legal_actions


def test_who_is_out_is_not_charged_for_it_whoever_has_most_points() -> None:
    """Plays earn points and hands cost some: who is out has none to pay for."""
    rules = built(
        "all_fives",
        lambda: {"round": Round(penalties=True, out_bonus=50)},
        rounds=1,
        players=(2,),
        hand_size=2,
    )
    if rules is not None:
        batch = Batch(rules, 400, seed=1, autoreset=False)
        play_out(batch, 1)
        scores, left = batch.games["scores"][:, :2], batch.games["hand_size"][:, :2]
        assert (scores[left == 0] >= 0).all()


# House rules by name -----------------------------------------------------------------------------


def test_an_unknown_variant_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownVariant) as refusal:
        domino_env.rules("all_five")
    assert str(refusal.value) == "unknown variant 'all_five'; did you mean 'all_fives'?"


@pytest.mark.parametrize("variant", ["", "xyzzy", None, 5, ["block_draw"], {}])
def test_what_is_near_no_variant_is_answered_with_all_of_them(variant: Any) -> None:
    with pytest.raises(UnknownVariant) as refusal:
        domino_env.rules(variant)
    assert repr(variant) in str(refusal.value)
    assert all(known in str(refusal.value) for known in domino_env.variants())


@pytest.mark.parametrize(
    ("option", "nearest"),
    [("handsize", "hand_size"), ("tagret", "target"), ("Draw", "draw"), ("layouts", "layout")],
)
def test_an_unknown_option_is_answered_with_the_nearest(option: str, nearest: str) -> None:
    with pytest.raises(BadRules) as refusal:
        domino_env.rules("bergen", **{option: 1})
    assert str(refusal.value) == f"bergen has no option {option!r}; did you mean {nearest!r}?"


def test_a_house_rule_cannot_take_the_id_of_another_game() -> None:
    with pytest.raises(BadRules, match="bergen has no option 'id'"):
        domino_env.rules("bergen", id="cross")


def test_a_wrong_choice_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadRules, match="did you mean 'until_playable'"):
        Draw(forced="until_playble")  # type: ignore[arg-type]
    with pytest.raises(BadRules, match="did you mean 'double_12'"):
        domino_env.rules("bergen", set="double12")


def test_a_house_rule_changes_what_it_names_and_nothing_else() -> None:
    usual = domino_env.rules("bergen")
    house = domino_env.rules("bergen", hand_size=4, target=20)
    assert (house.hand_size, house.target) == (4, 20)
    assert replace(house, hand_size=usual.hand_size, target=usual.target) == usual
    assert domino_env.rules("bergen") == usual


@pytest.mark.parametrize("name", ["hand_size", "sets", "tiles"])
def test_lists_as_they_come_from_a_file_do_as_well_as_tuples(name: str) -> None:
    value = getattr(domino_env.rules("fundomino"), name)
    assert isinstance(value, tuple)
    house = domino_env.rules("fundomino", **{name: list(value)})
    assert house == domino_env.rules("fundomino")
    batch = Batch(house, 1, seed=0)
    batch.reset()
    assert batch.mask.any()
