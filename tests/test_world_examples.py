"""The worked examples of rulings-world.md, played on the engine."""

from __future__ import annotations

from typing import Any

import pytest

import domino_env
from domino_env.batches import Batch

DEALS = {
    "A": (["66 35", "65 11", "63 22", "00 01"], ["66", "65", "63", "35"]),
    "B": (["66 00", "61 11", "62 55", "12 33"], ["66", "61", "62", "12"]),
}
"""Hands of two tiles each, and what is played, the opening too."""


def table(game: str, hands: list[str], **options: Any) -> Batch:
    """A game of these hands; all other tiles stay undealt."""
    held = [[f"{tile[0]}|{tile[1]}" for tile in hand.split()] for hand in hands]
    changes = options.pop("rules", {})
    rules: Any = domino_env.rules(game, hand_size=len(held[0]), **changes)
    taken = {frozenset(tile.split("|")) for hand in held for tile in hand}
    rest = [
        f"{low}|{high}"
        for low, high in rules.tile_set.faces
        if frozenset((str(low), str(high))) not in taken
    ]
    batch = Batch(rules, 1, len(held), autoreset=False, reward="points", **options)
    deal: dict[str, Any] = {"hands": held, "boneyard": rest}
    if rules.opening.starter == "lot":
        deal["starter"] = 0
    batch.reset(options={"deal": deal})
    return batch


def play(batch: Batch, tiles: list[str], points: list[int] | None = None) -> None:
    """Plays tiles, each on the first end that it fits, or as `tile@end`; what has been laid by
    force is passed over."""
    laid = {tile for tile, _ in batch.position().played}
    for number, said in enumerate(tiles):
        tile, _, end = said.partition("@")
        if number == 0 and any(str(each) == f"{tile[0]}|{tile[1]}" for each in laid):
            continue
        position = batch.position()
        fitting = [
            action
            for move, action in zip(position.legal, position.legal_actions, strict=True)
            if move.tile is not None
            and {*map(str, move.tile)} == {*tile}
            and end in ("", str(move.end))
        ]
        batch.step([fitting[0]])


EXPECTED = {
    "partnership_block": ([3, 0], [0, 10]),
    "venezuelan": ([7, 0], [0, 18]),
    "dominican": ([32, 0], [18, 0]),
    "puerto_rican": ([107, 0], [0, 18]),
    "jamaican_partner": ([1, 0], [1, 0]),
}


@pytest.mark.parametrize("name", DEALS)
@pytest.mark.parametrize("game", EXPECTED)
def test_the_same_two_deals_are_worth_what_each_nation_says(game: str, name: str) -> None:
    hands, tiles = DEALS[name]
    batch = table(game, hands)
    play(batch, tiles)
    assert batch.done[0]
    assert batch.games["scores"][0, :2].tolist() == EXPECTED[game]["AB".index(name)]


@pytest.mark.parametrize(("name", "points"), [("A", [3, 0]), ("B", [8, 0])])
def test_the_cuban_game_counts_the_other_teams_hands(name: str, points: list[int]) -> None:
    hands, tiles = DEALS[name]
    batch = table("cuban", hands)
    play(batch, tiles)
    assert batch.games["scores"][0, :2].tolist() == points


@pytest.mark.parametrize("name", DEALS)
def test_cut_throat_is_worth_one(name: str) -> None:
    hands, tiles = DEALS[name]
    batch = table("cutthroat_block", hands)
    play(batch, tiles)
    assert batch.games["scores"][0, :4].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(("name", "points"), [("A", [207, 0]), ("B", [0, 118])])
def test_the_first_round_of_a_puerto_rican_match_is_worth_a_hundred_more(
    name: str, points: list[int]
) -> None:
    hands, tiles = DEALS[name]
    batch = table("puerto_rican", hands, episode="match")
    play(batch, tiles)
    assert batch.games["scores"][0, :2].tolist() == points
    assert batch.games["rounds_won"][0] == 1


def test_kozel_opens_with_one_one() -> None:
    batch = table("kozel", DEALS["A"][0])
    play(batch, ["11", "01", "00"])
    assert batch.done[0]
    assert batch.games["scores"][0, :2].tolist() == [0, 33]


def test_a_dominican_opening_earns_two_passes_before_the_first_decision() -> None:
    batch = table("dominican", ["66 62 44", "12 11 00", "55 35 33", "03 15 05"])
    assert batch.seat[0] == 0
    assert batch.games["scores"][0, :2].tolist() == [50, 0]


def test_fives_are_counted_round_one_spinner() -> None:
    batch = table(
        "all_fives_spinner",
        ["55 25 06 33 44", "05 35 15 34 46"],
        rules={"plays": {"called": False}},
    )
    scored = []
    for tile in ("55", "05", "25", "35@2", "06", "15@3", "33", "34"):
        before = batch.games["scores"][0, :2].copy()
        play(batch, [tile] if tile != "55" else ["55"])
        scored.append(int((batch.games["scores"][0, :2] - before).sum()))
        if len(scored) == 7:
            assert batch.games["scores"][0, :2].tolist() == [25, 15]
    assert scored[:7] == [10, 10, 0, 5, 0, 0, 15]


def test_fives_and_threes_score_by_division() -> None:
    hands = ["45 55 34 66", "44 25 26 00"]
    batch = table("fives_and_threes", hands)
    play(batch, ["45", "44", "55", "25", "34", "26", "66@1"])
    assert batch.games["scores"][0, :2].tolist() == [18 + 1, 5]  # and one for going out
