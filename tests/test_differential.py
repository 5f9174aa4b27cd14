"""The engine plays exactly as the reference games do: 2,000 rounds of a straight game's settings.

Curved games have more settings, and referees that measure arcs: they get fewer rounds of each here,
and as many decisions as the others from `make differential`.
"""

from contextlib import suppress
from itertools import product

import pytest

import domino_env
from domino_env import lanes
from domino_env.errors import BadRules
from domino_env.ruleset import MINI_SETS
from tests.differential import (
    Comparison,
    Differs,
    Setting,
    choices_of_options,
    compare,
    every_way,
    settings,
)
from tests.games import ALONE, AT_A_TABLE

ROUNDS = {"straight": 2_000, "optional": 200, "many": 40, "curved": 150, "alone": 40}
SETTINGS = [setting for variant in domino_env.variants() for setting in settings(variant)]
MATCHES = [setting for variant in AT_A_TABLE for setting in settings(variant, "match")]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_engine_and_reference_agree_on_every_decision_of_a_round(setting: Setting) -> None:
    rounds = ROUNDS[shape(setting)]
    assert compare(setting, seed=11, rounds=rounds).rounds >= rounds


def shape(setting: Setting) -> str:
    rules = domino_env.rules(setting.variant)
    if max(rules.players) > 5:  # long rounds, and many ways to play
        return "many"
    if setting.variant in ALONE:
        return "alone"
    kind: str = rules.layout.tiles
    return "optional" if setting.changes and kind == "straight" else kind


def is_usual(setting: Setting) -> bool:
    """The usual set; none of the options, or all of Fundomino's, or any of the world's."""
    usual = domino_env.rules(setting.variant).set
    every = len(choices_of_options(setting.variant)[-1])
    whole = shape(setting) != "curved" or len(setting.changes) in (0, every)
    return setting.set == usual and whole


@pytest.mark.slow
@pytest.mark.parametrize("setting", list(filter(is_usual, MATCHES)), ids=str)
def test_engine_and_reference_agree_on_whole_matches(setting: Setting) -> None:
    rounds = {"straight": 300, "optional": 60, "many": 30, "curved": 100}[shape(setting)]
    assert compare(setting, seed=12, rounds=rounds).rounds >= rounds


@pytest.mark.slow
@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_engine_and_reference_agree_on_hands_of_other_sizes(variant: str) -> None:
    rules = domino_env.rules(variant)
    sizes = (4,) if rules.hand_size == "all" else (3, 6)
    ways = ("automatic", "explicit") if rules.has_calls else ("automatic",)
    choices = choices_of_options(variant) if rules.is_curved else [()]
    for size, players, calls in product(sizes, rules.players, ways):
        for twists in dict.fromkeys((choices[0], choices[-1])):
            changes = (("hand_size", size), *twists)
            setting = Setting(variant, players, rules.set, calls, changes=changes)
            rounds = {"straight": 100, "optional": 100, "many": 20, "curved": 30}[shape(setting)]
            assert compare(setting, seed=13, rounds=rounds).rounds >= rounds


def ways_to_be_paid() -> list[Setting]:
    """Every game with the usual set, seat by seat, in every way that the others do not play it."""
    found = []
    for variant in AT_A_TABLE:
        for setting in filter(is_usual, [*settings(variant), *settings(variant, "match")]):
            if shape(setting) != "optional":  # what options change are points, not who is paid
                found += [way for way in every_way(setting) if not is_plain(way)]
    return found


def is_plain(setting: Setting) -> bool:
    return setting.reward == "points" and setting.autoreset


@pytest.mark.slow
@pytest.mark.parametrize("setting", ways_to_be_paid(), ids=str)
def test_engine_and_reference_agree_on_what_is_paid(setting: Setting) -> None:
    rounds = {"straight": 40, "optional": 8, "many": 4, "curved": 8}[shape(setting)]
    assert compare(setting, seed=18, rounds=rounds).rounds >= rounds


def mini_settings() -> list[Setting]:
    """Every straight game with the sets that are small enough to solve, and hands that fit."""
    found = []
    for variant, name in product(AT_A_TABLE, MINI_SETS):
        rules = domino_env.rules(variant)
        ways = ("automatic", "explicit") if rules.has_calls else ("automatic",)
        for players, size, calls in product(rules.players, (2, 3), ways):
            changes = (("hand_size", size), ("players", (players,)))
            with suppress(BadRules):  # too few tiles, or curved ones
                domino_env.rules(variant, set=name, **dict(changes))
                found.append(Setting(variant, players, name, calls, changes=changes))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("setting", mini_settings(), ids=str)
def test_engine_and_reference_agree_on_sets_that_can_be_solved(setting: Setting) -> None:
    assert compare(setting, seed=17, rounds=200).rounds >= 200


FEW_TILES = ("1|1", "2|2", "3|3", "1|2", "2|3", ">1|2", "+2|3", "+3|1", ">3|2", "*|1", "*|2", "*|*")


@pytest.mark.slow
@pytest.mark.parametrize("calls", ["automatic", "explicit"])
@pytest.mark.parametrize("variant", [v for v in AT_A_TABLE if domino_env.rules(v).tiles])
def test_engine_and_reference_agree_on_tiles_of_ones_own(variant: str, calls: str) -> None:
    """Few tiles, most of them with symbols: tiles are taken, openers are equals, rounds block."""
    rules = domino_env.rules(variant)
    for players, twists in product(rules.players, choices_of_options(variant)):
        changes = (("tiles", FEW_TILES), ("hand_size", 2), *twists)
        setting = Setting(variant, players, rules.set, calls, changes=changes)
        assert compare(setting, seed=16, rounds=60).rounds >= 60


@pytest.mark.parametrize("variant", ["block_draw", "all_fives", "bergen", "fruitominoes"])
def test_engine_and_reference_agree_on_matches_of_another_length(variant: str) -> None:
    name = "target" if domino_env.rules(variant).target else "rounds"
    setting = Setting(variant, 2, "double_6", episode="match", changes=((name, 7),))
    assert compare(setting, seed=14, rounds=300).rounds >= 300


def with_a_mistake(variant: str, players: int, part: str, number: int) -> Comparison:
    """A comparison in which one number of the engine's rule table is wrong."""
    episode = "match" if part == "exact" else "round"
    name = domino_env.rules(variant).set
    comparison = Comparison(Setting(variant, players, name, episode=episode), seed=15)
    rule_table = comparison.batch.rule_table.copy()
    assert int(rule_table[part][0]) != number
    rule_table[part] = number
    rule_table.flags.writeable = False
    batch = comparison.batch
    batch._rule_table = rule_table
    batch._step_arguments = (
        *batch._arrays_of_step(batch._taken, batch._taken),
        *(False, 0, batch.num_games),
    )
    batch._step_checked = lanes.step_checked  # the code at hand is for the table of before
    batch._compile_step()
    return comparison


def play_on(comparison: Comparison) -> None:
    for _ in range(2_000):
        comparison.step()


@pytest.mark.parametrize(
    ("variant", "part", "number"),
    [
        ("block_draw", "forced", 1),
        ("all_fives", "nearest", 1),
        ("all_fives", "plays", 0),
        ("matador", "voluntary", 0),
        ("bergen", "starter", 2),
        ("bergen", "blocked_to", 0),
        ("cross", "opening_first", 0),
        ("five_up", "doubles", 0),
        ("five_up", "exact", 0),
        ("one_arm_joe", "again", 0),
        ("fruitominoes", "draw_ends_turn", 0),
        ("fruitominoes", "doubles", 0),
        ("mexican_train", "again", 0),
        ("mexican_train", "doubles_first", 0),
        ("mexican_train", "hopeless", 0),
        ("chickenfoot", "opening_first", 0),
        ("chickenfoot", "doubles_first", 2),
        ("chickenfoot", "hopeless", 0),
        ("yourturnmyturn", "out_bonus", 0),
        ("yourturnmyturn", "stuck_ends", 0),
        ("bendomino", "draw_may_pass", 0),
        ("bendomino", "ends_may_meet", 0),
        ("bendomino_wild_draw", "voluntary_ends_turn", 0),
        ("bendomino_teams", "teams", 0),
        ("bendomino_all_five", "bonus_to_most", 0),
        ("fundomino", "effects", 0),
        ("fundomino", "outs", 1),
        ("fundomino", "direction_chosen", 0),
        ("fundomino_face_value", "rounded_up", 1),
        ("fundomino_team_play", "ends_may_meet", 1),
    ],
)
def test_the_comparison_notices_a_wrong_rule(variant: str, part: str, number: int) -> None:
    players = max(domino_env.rules(variant).players)
    comparison = with_a_mistake(variant, players, part, number)
    with pytest.raises(Differs, match=variant):
        play_on(comparison)
