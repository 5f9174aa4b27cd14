"""The engine plays exactly as the reference games do: 2,000 rounds of each setting."""

import pytest

import domino_env
from tests.differential import Comparison, Differs, Setting, compare, settings

ROUNDS = 2_000
SETTINGS = [setting for variant in domino_env.variants() for setting in settings(variant)]
MATCHES = [setting for variant in domino_env.variants() for setting in settings(variant, "match")]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_engine_and_reference_agree_on_every_decision_of_a_round(setting: Setting) -> None:
    assert compare(setting, seed=11, rounds=ROUNDS).rounds >= ROUNDS


@pytest.mark.parametrize("setting", [s for s in MATCHES if s.set == "double_6"], ids=str)
def test_engine_and_reference_agree_on_whole_matches(setting: Setting) -> None:
    assert compare(setting, seed=12, rounds=300).rounds >= 300


@pytest.mark.parametrize("variant", domino_env.variants())
def test_engine_and_reference_agree_on_hands_of_other_sizes(variant: str) -> None:
    if domino_env.rules(variant).hand_size == "all":
        changes: tuple[tuple[str, int], ...] = (("hand_size", 4),)
    else:
        changes = (("hand_size", 6),)
    for players in domino_env.rules(variant).players:
        setting = Setting(variant, players, "double_6", changes=changes)
        assert compare(setting, seed=13, rounds=200).rounds >= 200


@pytest.mark.parametrize("variant", ["block_draw", "all_fives", "bergen", "fruitominoes"])
def test_engine_and_reference_agree_on_matches_of_another_length(variant: str) -> None:
    name = "target" if domino_env.rules(variant).target else "rounds"
    setting = Setting(variant, 2, "double_6", episode="match", changes=((name, 7),))
    assert compare(setting, seed=14, rounds=300).rounds >= 300


def with_a_mistake(variant: str, players: int, part: str, number: int) -> Comparison:
    """A comparison in which one number of the engine's book is wrong."""
    episode = "match" if part == "exact" else "round"
    comparison = Comparison(Setting(variant, players, "double_6", episode=episode), seed=15)
    book = comparison.batch.book.copy()
    assert int(book[part][0]) != number
    book[part] = number
    book.flags.writeable = False
    comparison.batch._book = book
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
        ("bergen", "starter", 0),
        ("bergen", "blocked_to", 0),
        ("cross", "cross_first", 0),
        ("five_up", "doubles", 0),
        ("five_up", "exact", 0),
        ("one_arm_joe", "again", 0),
        ("fruitominoes", "draw_ends_turn", 0),
        ("fruitominoes", "doubles", 0),
        ("yourturnmyturn", "out_bonus", 0),
        ("yourturnmyturn", "stuck_ends", 0),
    ],
)
def test_the_comparison_notices_a_wrong_rule(variant: str, part: str, number: int) -> None:
    comparison = with_a_mistake(variant, 2, part, number)
    with pytest.raises(Differs, match=variant):
        play_on(comparison)
