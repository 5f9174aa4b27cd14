"""The referees of trains and feet: positions whose outcome was worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.trains import GAMES, DealAgain, new_game


def tiles(words: str) -> list[tuple[int, int]]:
    """The tiles that are written so: "91 33"."""
    found = [sorted(map(int, word)) for word in words.split()]
    return [(low, high) for low, high in found]


def position(variant: str, hands: list[str], boneyard: str, starter: int = 0, **how: Any) -> Any:
    """A game with these few tiles, and no others."""
    game = new_game(variant, len(hands), set="double_9", hand_size=1, **how)
    game.check_deal = False
    game.start_round([tiles(hand) for hand in hands], tiles(boneyard), starter)
    return game


def play(game: Any, words: str) -> list[int]:
    """Plays each of "91>1 end_turn 93>0": a tile with the half that joins first, and its end."""
    points: list[int] = []
    for word in words.split():
        if ">" not in word:
            points = game.apply((word,))
            continue
        named, end = word.split(">")
        (tile,) = tiles(named)
        points = game.apply(("play", tile, int(end), tile.index(int(named[0]))))
    return points


def plays(game: Any) -> str:
    """What may be played, in the same words."""
    words = []
    for move in game.legal():
        if move[0] == "play":
            _, tile, end, half = move
            words.append(f"{tile[half]}{tile[1 - half]}>{end}")
        else:
            words.append(move[0])
    return " ".join(sorted(words))


def last(game: Any, count: int) -> list[tuple[Any, ...]]:
    return game.events[-count:]


def test_a_worked_round_of_mexican_train() -> None:
    game = position("mexican_train", ["94 44 27", "91 90 55"], "99 48 33 18 05")
    assert play(game, "94>1 91>2 44>1") == [0, 0]
    assert (game.duty, game.to_move, plays(game)) == (1, 0, "48>1")
    play(game, "48>1")
    assert (game.duty, game.markers) == (None, [False, False])
    play(game, "90>0")
    assert last(game, 3) == [("draw", 0, (3, 3)), ("pass", 0), ("draw", 1, (1, 8))]
    assert game.markers == [True, False]
    assert plays(game) == "18>2 81>1"
    play(game, "81>1")
    assert game.markers == [True, False]
    assert play(game, "05>0 55>0") == [-15, 0]
    assert game.winners == {1}


def test_a_worked_round_of_chickenfoot() -> None:
    game = position("chickenfoot", ["91 93 11 00", "92 94 15 16"], "99 17")
    assert plays(game) == "91>0 93>0"
    play(game, "91>0 92>1 93>2 94>3 11>0")
    assert (game.duty, game.to_move, plays(game)) == (0, 1, "15>0 16>0")
    play(game, "15>0 17>4")
    assert play(game, "16>5") == [-50, 0]
    assert game.winners == {1}


def test_a_double_that_was_drawn_is_satisfied_with_another_drawn_tile() -> None:
    """MT5, after TR3: two tiles are drawn in one turn."""
    game = position("mexican_train", ["91 56", "92 78"], "99 11 13 55")
    play(game, "91>1 92>2")
    assert last(game, 1) == [("draw", 0, (1, 1))]
    assert play(game, "11>1") == [0, 0]
    assert last(game, 1) == [("draw", 0, (1, 3))]
    assert (game.to_move, plays(game)) == (0, "13>1")


def test_without_a_boneyard_an_open_double_waits_for_who_can_satisfy_it() -> None:
    """MT4, MT5: everybody else passes, and has a marker for it, whatever they could play."""
    game = position("mexican_train", ["91 11 92", "93 94 37", "95 56 16"], "99")
    play(game, "91>1 93>2 95>3 11>1")
    assert last(game, 3) == [("play", 0, (1, 1), 1, 0), ("pass", 0), ("pass", 1)]
    assert game.markers == [True, True, False]
    assert (game.to_move, plays(game)) == (2, "16>1")


def test_an_owner_who_satisfies_the_double_takes_the_marker_off() -> None:
    game = position("mexican_train", ["91 11 77", "93 94 38"], "99 66 55 12")
    play(game, "91>1 93>2 11>1")
    assert last(game, 3) == [("draw", 1, (5, 5)), ("pass", 1), ("draw", 0, (1, 2))]
    assert game.markers == [True, True]
    play(game, "12>1")
    assert (game.markers, game.duty) == ([False, True], None)


def test_a_train_that_nobody_may_use_yet_keeps_a_round_from_being_blocked() -> None:
    """MT7: seat 0 passes, so that seat 1 may play on its train; after that nothing fits."""
    game = position("mexican_train", ["91 55", "92 12 66"], "99")
    play(game, "91>1 92>2")
    assert last(game, 1) == [("pass", 0)]
    assert plays(game) == "12>1 21>2"
    assert play(game, "12>1") == [-10, -12]
    assert last(game, 1) == [("play", 1, (1, 2), 1, 0)]
    assert game.winners == {0}


def test_a_round_blocked_by_the_last_tile_drawn_ends_without_a_pass() -> None:
    game = position("mexican_train", ["91 55", "92 66"], "99 77")
    assert play(game, "91>1 92>2") == [-24, -12]
    assert last(game, 1) == [("draw", 0, (7, 7))]
    assert game.markers == [False, False]


@pytest.mark.parametrize("variant", GAMES)
def test_a_shared_lowest_charge_wins_nothing(variant: str) -> None:
    hands = ["91 93 55 67", "92 94 88 07"] if variant == "chickenfoot" else ["91 46", "92 37"]
    game = position(variant, hands, "99")
    points = play(game, "91>0 92>1 93>2 94>3" if variant == "chickenfoot" else "91>1 92>2")
    assert points == [-23, -23] if variant == "chickenfoot" else [-10, -10]
    assert game.winners == set()


def test_who_is_out_with_a_double_need_not_satisfy_it() -> None:
    game = position("mexican_train", ["91 11", "92 15 00"], "99 13")
    assert play(game, "91>1 92>2 11>1") == [0, -6]
    assert game.winners == {0}


def test_who_is_out_with_a_double_needs_no_toes() -> None:
    game = position("chickenfoot", ["91 93 11", "92 94 38 00"], "99 13")
    assert play(game, "91>0 92>1 93>2 94>3 11>0") == [0, -61]
    assert game.winners == {0}
    assert [shown for _, (shown, *_) in sorted(game.ends().items())] == [1, 2, 3, 4, 1, 1]


def test_a_toe_that_can_never_come_blocks_the_round_when_the_last_tile_for_it_is_played() -> None:
    game = position("chickenfoot", ["91 93 11 77", "92 94 15 22"], "99 33 44")
    assert play(game, "91>0 92>1 93>2 94>3 11>0 15>0") == [-14, -4]
    assert last(game, 1) == [("play", 1, (1, 5), 0, 0)]
    assert game.winners == {1}


# Options ------------------------------------------------------------------------------------------

OWN_LINE = {"options": ["own_line_on_first_turn"]}


def test_on_the_first_turn_one_may_go_on_along_ones_own_train_or_end_the_turn() -> None:
    game = position("mexican_train", ["91 12 23 19 77", "94 45 56 88"], "99 00", **OWN_LINE)
    assert plays(game) == "91>0 91>1"
    play(game, "91>1")
    assert (game.to_move, plays(game)) == (0, "12>1 19>1 end_turn")
    play(game, "12>1 end_turn")
    assert last(game, 1) == [("end_turn", 0)]
    play(game, "94>2 45>2 56>2")  # nothing more fits: the turn ends by itself
    assert last(game, 1) == [("play", 1, (5, 6), 2, 0)]
    play(game, "23>1")  # the second turn is one tile
    assert last(game, 3) == [("play", 0, (2, 3), 1, 0), ("draw", 1, (0, 0)), ("pass", 1)]


def test_a_first_tile_on_the_mexican_train_is_the_whole_turn() -> None:
    game = position("mexican_train", ["91 12 92", "94 45"], "99", **OWN_LINE)
    play(game, "91>0")
    assert game.to_move == 1


def test_on_the_first_turn_a_double_is_satisfied_before_one_may_stop() -> None:
    game = position("mexican_train", ["91 11 15 56 77", "94 45"], "99 00", **OWN_LINE)
    play(game, "91>1 11>1")
    assert (game.duty, plays(game)) == (1, "15>1")
    play(game, "15>1")
    assert plays(game) == "56>1 end_turn"


def test_a_first_turn_that_was_passed_is_over() -> None:
    game = position("mexican_train", ["66 12 23", "94 45"], "99 77 91", **OWN_LINE)
    assert last(game, 2) == [("draw", 0, (7, 7)), ("pass", 0)]
    play(game, "94>2 end_turn")
    assert last(game, 1) == [("draw", 0, (1, 9))]
    play(game, "91>1")
    assert game.to_move == 1


def test_the_double_blank_can_count_50_in_mexican_train() -> None:
    game = position("mexican_train", ["91 12", "94 00 11"], "99", options=["double_blank_50"])
    assert play(game, "91>1 94>2 12>1") == [0, -52]


def test_the_double_blank_can_count_nothing_in_chickenfoot() -> None:
    game = position("chickenfoot", ["91 93 12", "94 95 00 22"], "99", options=["double_blank_0"])
    assert play(game, "91>0 94>1 93>2 95>3 12>0") == [0, -4]


def test_a_middle_that_is_dealt_opens_and_a_deal_without_it_goes_back() -> None:
    dealt = {"options": ["middle_is_dealt"]}
    game = position("mexican_train", ["91 12", "99 94 00", "95 56"], "", **dealt)
    assert game.events == [("play", 1, (9, 9), 0, 0)]
    assert (game.to_move, plays(game)) == (2, "95>0 95>3")
    with pytest.raises(DealAgain):
        position("mexican_train", ["91 12", "94 00"], "99 95", **dealt)
    with pytest.raises(DealAgain):
        position("mexican_train", ["99", "94"], "95", **dealt)  # out before any decision


def test_six_toes_come_first_when_they_are_on_the_middle() -> None:
    game = position(
        "chickenfoot",
        ["91 93 95 11 22", "92 94 96 33 44"],
        "99",
        options=["six_toes_on_middle"],
    )
    play(game, "91>0 92>1 93>2 94>3")
    assert plays(game) == "95>4"
    play(game, "95>4 96>5")
    assert plays(game) == "11>0 22>1"
    play(game, "11>0")
    assert sorted(game.ends()) == [0, 1, 2, 3, 4, 5, 6, 7]


def test_one_may_have_to_draw_until_a_tile_can_be_played() -> None:
    game = position(
        "chickenfoot", ["66 12", "91 34"], "99 77 88 93 00", options=["draw_until_playable"]
    )
    assert game.events[1:] == [("draw", 0, (7, 7)), ("draw", 0, (8, 8)), ("draw", 0, (3, 9))]
    assert plays(game) == "93>0"


SAID = {"options": ["say_last_tile"], "calls": "explicit"}


def test_a_last_tile_is_said_or_costs_a_tile_of_the_boneyard() -> None:
    game = position("chickenfoot", ["91 92", "93 55 56", "94 66 67"], "99 77 95", **SAID)
    play(game, "91>0")
    assert (game.to_move, plays(game)) == (0, "call silent")
    play(game, "silent silent")
    assert game.to_move == 2
    play(game, "call")
    assert last(game, 2) == [("call", 2), ("draw", 0, (7, 7))]
    assert game.to_move == 1


def test_a_last_tile_that_is_said_costs_nothing() -> None:
    game = position("chickenfoot", ["91 92", "93 55 56"], "99 77", **SAID)
    play(game, "91>0 call")
    assert (game.to_move, sorted(game.hands[0])) == (1, [(2, 9)])


def test_with_no_boneyard_the_caller_gives_a_tile_and_may_so_be_out() -> None:
    game = position("chickenfoot", ["91 92", "93 55"], "99", **SAID)
    game.pick_tile = lambda loser, gainer, tiles: tiles[-1]
    play(game, "91>0 call 93>1 silent")
    assert game.to_move == 0
    assert play(game, "call") == [0, -21]
    assert last(game, 2) == [("call", 0), ("take", 1, 0, (2, 9))]


def test_with_automatic_calls_nobody_forgets_the_last_tile() -> None:
    game = position("chickenfoot", ["91 92", "93 55 56"], "99 77", options=["say_last_tile"])
    play(game, "91>0")
    assert plays(game) == "93>1"
