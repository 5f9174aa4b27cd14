"""The referees of the world's line games: what rounds and matches are worth, with every option."""

from collections.abc import Iterable

import pytest

from tests.world_rounds import (
    EQUAL_TOTALS,
    LESS_WITH_US,
    SHARED_LOWEST,
    A,
    B,
    C,
    Deal,
    begin,
    lay,
    leader,
    matches,
    new_game,
    whole,
)


def test_the_first_four_rounds_won_are_worth_more() -> None:
    game = new_game("puerto_rican", episode="match", hand_size=2, target=9999)
    for deal, worth in [(C, 100), (EQUAL_TOTALS, 0), (C, 75), (C, 50), (C, 25), (C, 0)]:
        gained = whole(game, deal, leader(game))
        assert max(gained) == (9 + worth if deal is C else 0)


@pytest.mark.parametrize(
    ("hands", "worth"),
    [
        ("02 22 / 11 16 / 00 06 / 03 33", 12),
        ("02 22 / 11 16 / 03 04 / 33 44", 13),
        ("22 23 / 11 16 / 66 03 / 33 44", 24),
        ("22 23 / 11 16 / 66 04 / 33 44", 25),
    ],
)
@pytest.mark.parametrize(("options", "least"), [((), 13), (("first_score_25",), 25)])
def test_a_small_first_score_is_lost(
    hands: str, worth: int, options: Iterable[str], least: int
) -> None:
    game = new_game("kozel", episode="match", hand_size=2, options=options)
    begin(game, hands)
    assert max(lay(game, "16")) == (worth if worth >= least else 0)
    assert game.round_winners == {1, 3}
    assert leader(game) == 1


def test_a_small_score_counts_for_a_team_with_points_and_in_a_single_round() -> None:
    game = new_game("kozel", episode="match", hand_size=2)
    begin(game, "02 22 / 11 16 / 03 04 / 33 44")
    lay(game, "16")
    begin(game, "02 22 / 11 16 / 00 06 / 03 33")
    assert lay(game, "11 16") == [0, 12, 0, 12]
    single = new_game("kozel", hand_size=2)
    begin(single, "02 22 / 11 16 / 00 06 / 03 33")
    assert lay(single, "16") == [0, 12, 0, 12]


def test_a_bruk_wipes_out_both() -> None:
    game = matches("jamaican_partner", A, A)
    assert game.scores == [2, 0, 2, 0]
    assert whole(game, C) == [0, 1, 0, 1]  # what is wiped is no penalty
    assert game.scores == [0, 0, 0, 0]
    assert leader(game) == 1
    assert matches("jamaican_partner", A, A, C, A).scores == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("option", "scores"), [("straight_six", [2, 1, 2, 1]), ("keep_after_bruk", [0, 1, 0, 1])]
)
def test_other_ends_of_a_row_of_wins(option: str, scores: list[int]) -> None:
    assert matches("jamaican_partner", A, A, C, options=(option,)).scores == scores


def test_six_love() -> None:
    game = matches("jamaican_partner", *[A] * 5)
    assert not game.episode_over
    whole(game, A)
    assert (game.winners, game.scores) == ({0, 2}, [6, 0, 6, 0])


def test_all_begin_again_when_everybody_has_won_a_round() -> None:
    game = matches("cutthroat_block", A, C, C)
    assert game.scores == [1, 1, 1, 0]
    assert whole(game, C, leader(game)) == [0, 0, 0, 1]
    assert game.scores == [0, 0, 0, 0]


def test_a_match_of_six_love_is_cut_off_after_500_rounds() -> None:
    game = matches("jamaican_partner", *[SHARED_LOWEST] * 499)
    assert not game.episode_over
    whole(game, SHARED_LOWEST)
    assert (game.episode_over, game.winners) == (True, set())


KEY = "66 26 54 65 / 61 63 46 11 / 15 35 06 33 / 52 55 50 44"
UP_TO_THE_KEY = "61 15 52 26>0 63>0 35 55 54>0 46>0 06>1 50"


@pytest.mark.parametrize(
    ("variant", "options", "worth"),
    [
        ("jamaican_partner", (), [2, 0, 2, 0]),
        ("jamaican_partner", ("no_key",), [1, 0, 1, 0]),
        ("cutthroat_block", (), [2, 0, 0, 0]),
        ("cutthroat_block", ("pips",), [16, 0, 0, 0]),
    ],
)
def test_the_key(variant: str, options: Iterable[str], worth: list[int]) -> None:
    game = new_game(variant, hand_size=4, options=options)
    begin(game, KEY)
    assert lay(game, UP_TO_THE_KEY + " 65") == worth


@pytest.mark.parametrize(
    ("variant", "options", "deal", "worth"),
    [
        ("dominican", ("bonus_30",), A, 37),
        ("dominican", ("no_capicua_with_blank",), A, 32),
        ("dominican", ("only_different_ends",), A, 32),
        ("dominican", ("club",), A, 3),
        ("puerto_rican", ("san_juan",), A, 7),
        ("puerto_rican", ("block_bonus",), A, 107),
        ("puerto_rican", ("block_bonus",), B, 118),
        ("puerto_rican", ("block_bonus",), LESS_WITH_US, 0 + 2 + 6 + 10),
        ("cuban", ("team_totals",), B, 10),
        ("cutthroat_block", ("pips",), A, 7),
        ("cutthroat_block", ("pips",), B, 18),
    ],
)
def test_options_of_what_a_round_is_worth(
    variant: str, options: Iterable[str], deal: Deal, worth: int
) -> None:
    assert max(whole(new_game(variant, hand_size=2, options=options), deal)) == worth


@pytest.mark.parametrize(
    ("options", "bonuses"),
    [
        ((), 25 + 25),
        (("only_different_ends",), 25),
        (("no_capicua_with_blank",), 25),
        (("bonus_30",), 30 + 30),
    ],
)
def test_a_capicua_on_equal_ends_with_a_blank(options: Iterable[str], bonuses: int) -> None:
    """Two pass on the opening 6-6, and 0-2 goes out on two twos, with 10, 21 and 19 pips left."""
    game = new_game("dominican", hand_size=3, options=options)
    begin(game, "66 61 02 / 12 13 15 / 33 34 35 / 26 45 55")
    worth = 10 + 21 + 19 + bonuses
    assert lay(game, "26 61 12>1 02") == [worth, 0, worth, 0]


def test_an_opening_pass_on_a_tile_that_is_no_double() -> None:
    game = matches("dominican", A, options=("pass_on_lead_50",))
    begin(game, "36 02 / 11 22 / 13 44 / 15 55")
    assert lay(game, "36") == [50, 0, 50, 0]  # seat 1 passes
    begin(game := matches("dominican", A), "36 02 / 11 22 / 13 44 / 15 55")
    assert lay(game, "36") == [25, 0, 25, 0]


def test_in_teams_fives_and_threes_go_on_until_both_partners_are_out() -> None:
    game = new_game("fives_and_threes", hand_size=1, options=("teams",))
    begin(game, "45 / 14 / 15 / 33", 0)
    assert lay(game, "45") == [3, 0, 3, 0]  # out, but the partner is not
    assert lay(game, "14") == [0, 2, 0, 2]  # 1 + 5
    assert lay(game, "15>0") == [2 + 1, 0, 2 + 1, 0]  # 5 + 5
    assert game.winners == {0, 2}


def test_who_is_out_is_skipped_without_a_pass() -> None:
    game = new_game("fives_and_threes", hand_size=2, options=("teams",))
    begin(game, "45 55 / 00 01 / 02 12 / 44 14", 0)
    # 9, 6, 11, 10, 12, and 11 for going out.
    assert lay(game, "45 14 55 01 02 12") == [3 + 4 + 1, 2 + 2, 3 + 4 + 1, 2 + 2]
    assert [event[1] for event in game.events if event[0] == "pass"] == [1, 2, 3, 1]
    assert game.winners == {0, 2}


@pytest.mark.parametrize(
    ("deal", "gained", "winners"),
    [
        (A, [0, 0, 0, 0], {0, 2}),  # 2 and 1 pips are nothing, each rounded
        (B, [0, 0, 0, 0], {1, 3}),  # 10 less 8: the difference is rounded, not the hands
        (LESS_WITH_US, [5, 0, 5, 0], {0, 2}),  # 12 less 6
        (EQUAL_TOTALS, [0, 0, 0, 0], set()),
    ],
)
def test_texas_compares_teams(deal: Deal, gained: list[int], winners: set[int]) -> None:
    game = new_game("all_fives_spinner", hand_size=2, options=("teams",))
    assert whole(game, deal) == gained
    assert game.winners == winners


def test_a_point_for_each_five() -> None:
    """5-5, and 3-3 left in the other hand."""
    game = new_game("all_fives_spinner", 2, hand_size=2, options=("a_point_for_each_five",))
    begin(game, "55 05 / 25 33", 0)
    assert lay(game, "55 25 05") == [2 + 1, 0]
    assert game.target == 61


def test_a_partner_may_call_what_the_mover_forgets() -> None:
    game = new_game("all_fives_spinner", calls="explicit", hand_size=2, options=("teams",))
    begin(game, "55 05 / 25 33 / 11 12 / 13 44", 0)
    lay(game, "55")
    for word in ("silent", "silent", "call"):
        gained = game.apply((word,))
    assert game.events[1:] == [("silent", 0), ("silent", 1), ("call", 2)]
    assert gained == [10, 0, 10, 0]
