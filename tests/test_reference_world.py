"""The referees of the world's line games: the rulings' worked examples, and who leads."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests import reference
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
    matches,
    new_game,
    whole,
)

OPENED_BY_6_6 = ("partnership_block", "venezuelan", "dominican", "puerto_rican", "jamaican_partner")
EVERY_LATIN = (*OPENED_BY_6_6, "cuban", "cutthroat_block")

# The table of worked examples ---------------------------------------------------------------------

TABLE = {
    "partnership_block": ({0: 3, 2: 3}, {1: 10, 3: 10}),
    "venezuelan": ({0: 7, 2: 7}, {1: 18, 3: 18}),
    "dominican": ({0: 32, 2: 32}, {0: 18, 2: 18}),
    "puerto_rican": ({0: 107, 2: 107}, {1: 18, 3: 18}),
    "cuban": ({0: 3, 2: 3}, {0: 8, 2: 8}),
    "jamaican_partner": ({0: 1, 2: 1}, {0: 1, 2: 1}),
    "cutthroat_block": ({0: 1}, {0: 1}),
}


@pytest.mark.parametrize("variant", EVERY_LATIN)
@pytest.mark.parametrize("by", range(4))
@pytest.mark.parametrize(("which", "deal"), [(0, A), (1, B)])
def test_the_table_of_worked_examples(variant: str, by: int, which: int, deal: Deal) -> None:
    game = new_game(variant, hand_size=2)
    won = {(seat + by) % 4: points for seat, points in TABLE[variant][which].items()}
    assert whole(game, deal, by) == [won.get(seat, 0) for seat in range(4)]
    assert game.winners == set(won)


def test_the_first_round_of_a_puerto_rican_match() -> None:
    assert matches("puerto_rican", A).scores == [207, 0, 207, 0]
    assert matches("puerto_rican", B).scores == [0, 118, 0, 118]


def test_a_kozel_round_opened_by_the_double_one() -> None:
    game = new_game("kozel", hand_size=2)
    begin(game, A[0])
    assert lay(game, "10 00") == [0, 33, 0, 33]


def test_passes_before_the_first_decision_of_a_dominican_round() -> None:
    game = new_game("dominican", hand_size=3)
    begin(game, "66 62 44 / 12 11 00 / 55 35 33 / 03 15 05")
    assert (game.to_move, game.scores) == (0, [25 + 25, 0, 25 + 25, 0])
    assert lay(game, "62") == [50, 0, 50, 0]


def test_the_ends_of_the_example_with_one_spinner() -> None:
    game = new_game("all_fives_spinner", 2, hand_size=5)
    begin(game, "55 52 06 33 44 / 50 53 51 34 22", 0)
    plays = ("55", "50", "52>1", "53>2", "06", "51>3", "33>2", "34>2")
    gained = [lay(game, play) for play in plays]
    points = [sum(step) for step in gained]
    assert points == [10, 10, 0, 5, 0, 0, 15, 0]
    assert game.scores == [25, 15]


def test_the_plays_of_the_example_of_fives_and_threes() -> None:
    game = new_game("fives_and_threes", 2, hand_size=5)
    begin(game, "54 55 43 66 11 / 44 52 26 00 01", 0)
    plays = ("54", "44", "55", "52", "43", "26", "66")
    gained = [lay(game, play) for play in plays]
    assert [sum(step) for step in gained] == [3, 0, 6, 2, 1, 3, 8]
    assert game.scores == [18, 5]


@pytest.mark.parametrize(("before", "after"), [(58, 61), (59, 59)])
def test_going_out_and_the_last_play_are_one_score(before: int, after: int) -> None:
    """A total of 6 and going out: 2 + 1."""
    game = new_game("fives_and_threes", 2, hand_size=1, episode="match")
    game.scores = [before, 0]
    begin(game, "51 / 00", 0)
    lay(game, "51")
    assert game.scores == [after, 0]
    assert game.round_winners == {0}
    assert game.winners == ({0} if after == 61 else set())


# Who leads ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "deal", "options", "leads"),
    [
        ("partnership_block", A, (), 1),
        ("partnership_block", EQUAL_TOTALS, (), 1),
        ("venezuelan", A, (), 1),
        ("venezuelan", A, ("winner_leads",), 0),
        ("venezuelan", EQUAL_TOTALS, ("winner_leads",), 1),
        ("dominican", C, (), 1),
        ("dominican", B, (), 0),
        ("dominican", SHARED_LOWEST, (), 0),
        ("dominican", B, ("club",), 3),
        ("dominican", EQUAL_TOTALS, ("club",), 0),
        ("puerto_rican", C, (), 1),
        ("puerto_rican", B, (), 3),
        ("puerto_rican", LESS_WITH_US, (), 0),
        ("puerto_rican", EQUAL_TOTALS, (), 0),
        ("cuban", C, (), 1),
        ("cuban", B, (), 0),
        ("cuban", SHARED_LOWEST, (), 0),
        ("cuban", B, ("team_totals",), 3),
        ("jamaican_partner", C, (), 1),
        ("cutthroat_block", C, (), 1),
    ],
)
def test_who_leads_the_next_round(
    variant: str, deal: Deal, options: Iterable[str], leads: int
) -> None:
    game = matches(variant, deal, options=options)
    begin(game, "00 11 / 01 22 / 02 33 / 03 44")
    assert game.to_move == leads
    assert len(game.legal()) == 2


@pytest.mark.parametrize("variant", ["jamaican_partner", "cutthroat_block"])
def test_the_highest_double_opens_again_after_a_drawn_round(variant: str) -> None:
    game = matches(variant, SHARED_LOWEST)
    assert game.scores == [0, 0, 0, 0]
    begin(game, "00 11 / 06 26 / 02 33 / 03 66")
    assert game.events == [("play", 3, (6, 6), 0, 0), ("pass", 0)]


def test_the_double_one_opens_again_after_a_drawn_round() -> None:
    game = new_game("kozel", episode="match", hand_size=2)
    begin(game, "11 00 / 12 36 / 14 55 / 24 01")
    lay(game, "12>0 14>1 24>1")
    assert game.round_winners == set()
    begin(game, "66 22 / 55 06 / 11 33 / 12 44")
    assert game.events == [("play", 2, (1, 1), 0, 0)]


def test_a_lot_is_drawn_again_after_a_drawn_round_with_a_spinner() -> None:
    game = new_game("all_fives_spinner", 4, options=("teams",), hand_size=2, episode="match")
    assert game.draws_lots
    whole(game, A)
    assert not game.draws_lots
    whole(game, EQUAL_TOTALS)
    assert game.draws_lots


def test_a_single_round_is_always_a_first_round() -> None:
    game = new_game("puerto_rican", hand_size=2)
    for by in (0, 1, 2):
        whole(game, A, by)
        assert game.scores[by] == 107


def test_a_deal_that_goes_back_leaves_the_match_as_it_was() -> None:
    game = matches("jamaican_partner", C, SHARED_LOWEST)
    past, scores = game.past, list(game.scores)
    with pytest.raises(reference.DealAgain):
        begin(game, "01 02 / 03 04 / 05 06 / 12 13")
    with pytest.raises(reference.DealAgain):
        begin(game, "00 25 / 12 13 / 14 15 / 23 24")
    assert (game.past, game.scores) == (past, scores)


def test_the_winner_may_leave_the_lead_to_the_partner() -> None:
    for word, leads in (("lead", 1), ("yield", 3)):
        game = matches("jamaican_partner", C, options=("team_leads",))
        begin(game, "00 11 / 01 22 / 02 33 / 03 44")
        assert game.to_move == 1
        assert game.legal() == {("lead",), ("yield",)}
        assert game.apply((word,)) == [0, 0, 0, 0]
        assert (game.to_move, game.events) == (leads, [(word, 1)])
        assert {move[1] for move in game.legal()} == set(game.hands[leads])


# What is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "settings"),
    [
        ("dominican", {"options": ("san_juan",)}),
        ("dominican", {"options": ("club", "bonus_30")}),
        ("jamaican_partner", {"options": ("straight_six", "keep_after_bruk")}),
        ("partnership_block", {"players": 3}),
        ("partnership_block", {"set": "double_9"}),
        ("cuban", {"set": "double_6"}),
        ("kozel", {"calls": "explicit"}),
        ("kozel", {"rounds": 3}),
        ("fives_and_threes", {"players": 2, "options": ("teams",)}),
        ("cutthroat_block", {"players": 3, "hand_size": 10}),
    ],
)
def test_what_a_game_does_not_have_is_refused(variant: str, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        new_game(variant, **{"players": 4, **settings})


@pytest.mark.parametrize("variant", ["all_fives_spinner", "fives_and_threes", "cuban"])
def test_a_lot_must_be_given(variant: str) -> None:
    with pytest.raises(ValueError, match="starter"):
        begin(new_game(variant, hand_size=2), A[0])
