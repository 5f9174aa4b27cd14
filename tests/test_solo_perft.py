"""Perft of one-player games: in how many ways can a game go on? As `test_perft` has it for games at
a table; engine and reference must count the same.

    tests/perft/<variant>.json

A file holds deals, with the `options` of the game and the moves that come `before` the tree, so
that it may stand near the end of a game; and for each its `counts`: the d-th of them (from 1) is
the number of leaves of the game tree cut off after d decisions. Of Elimination, which has none
(EL1), this only tells how long a game is.

The deals were shuffled once and are data, or those of golden games. Their counts are written only
if the engine, which saves and restores one lane, and the reference, which is copied for every
decision, agree on all of them:

    python -m tests.test_solo_perft --write [variant ...]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games import ALONE
from tests.reference import puzzles
from tests.test_golden import FOLDER as GOLDEN
from tests.test_golden import Json, load, write
from tests.test_perft import affordable_counts, depth_within, every_tree, leaves, trees
from tests.test_solo_golden import EngineGame, ReferenceGame, in_columns, random_deal
from tests.walkers import EngineWalker, ReferenceWalker

FOLDER = Path(__file__).parent / "perft"
MOST_OF_THE_REFERENCE = 600  # leaves of all cuts together, when the reference is tested: it is slow
LONGEST_LINE = 150  # decisions of a game of Elimination, when it is written
RANDOM_DEALS = 5


# Two that can go on in a game and come back -----------------------------------------------------


def engine_walker(variant: str, tree: Json) -> EngineWalker:
    """The engine, after the moves before a tree."""
    return EngineWalker(played_before(EngineGame({"variant": variant, **tree}), tree).batch)


def reference_walker(variant: str, tree: Json) -> ReferenceWalker:
    """The referee, after the moves before a tree."""
    return ReferenceWalker(played_before(ReferenceGame({"variant": variant, **tree}), tree).game)


def played_before(game: Any, tree: Json) -> Any:
    for words in tree["before"]:
        game.play(words)
    return game


# The counts on file -------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "tree"), every_tree(ALONE))
def test_the_engine_counts_what_is_on_file(variant: str, tree: Json) -> None:
    assert leaves(engine_walker(variant, tree), len(tree["counts"])) == tree["counts"]


@pytest.mark.parametrize(("variant", "tree"), every_tree(ALONE))
def test_the_reference_counts_what_is_on_file_near_the_root(variant: str, tree: Json) -> None:
    counts = tree["counts"]
    depth = depth_within(counts, MOST_OF_THE_REFERENCE)
    assert leaves(reference_walker(variant, tree), depth) == counts[:depth]


@pytest.mark.parametrize("variant", ALONE)
def test_every_variant_has_trees_of_random_deals_and_one_to_the_end(variant: str) -> None:
    found = trees(variant)
    assert len([tree for tree in found if not tree["before"]]) >= RANDOM_DEALS
    ends = [leaves(engine_walker(variant, tree), len(tree["counts"]) + 1) for tree in found]
    assert any(end == tree["counts"] for end, tree in zip(ends, found, strict=True))


def test_solitaire_has_trees_in_which_it_is_won_lost_and_cut_off() -> None:
    ends = set()
    for tree in trees("solitaire"):
        ends |= ends_of(reference_walker("solitaire", tree), 2)
    assert ends == {(True, False), (False, False), (True, True), (False, True)}


def ends_of(walker: ReferenceWalker, depth: int) -> set[tuple[bool, bool]]:
    """Is the game won, and cut off, where the tree has an end within so many decisions?"""
    if walker.game.over:
        return {(walker.game.won, walker.game.truncated)}
    found, here = set(), walker.mark()
    for choice in walker.choices() if depth else ():
        walker.play(choice)
        found |= ends_of(walker, depth - 1)
        walker.back(here)
    return found


# Counted by hand ----------------------------------------------------------------------------------


every_walker = pytest.mark.parametrize("walker", [engine_walker, reference_walker])


def golden_tree(path: str, moves: int = 0) -> Json:
    """The tree of a golden game after so many of its moves."""
    game = load(GOLDEN / f"{path}.json")
    before = [step["move"] for step in game["steps"][:moves]]
    return {"options": game["options"], "deal": game["deal"], "before": before}


@every_walker
def test_a_row_in_which_three_match_counted_by_hand(walker: Any) -> None:
    """The first two of three, and then the pair that comes together; or the last two, and over."""
    tree = golden_tree("knock_out/three_that_match_in_a_row")
    assert leaves(walker("knock_out", tree), 4) == [2, 2]


@every_walker
def test_a_row_with_doubles_counted_by_hand(walker: Any) -> None:
    """The pair 5|6 6|6 is far from the others, of which there are the long way ("3|3 3|5", then
    "4|5 5|5") and the short one ("3|5 5|5"). Three ways to begin; then the far pair is followed by
    two, the long way by two, the short one by the far pair: five. The last are the far pair put
    before, between or after the long way, and before or after the short one: five again."""
    tree = golden_tree("knock_out/doubles")
    assert leaves(walker("knock_out", tree), 4) == [3, 5, 5]


@every_walker
def test_the_first_two_moves_of_columns_counted_by_hand(walker: Any) -> None:
    """3|4 goes under 0|3, and then 4|5 under it: one way. Or 4|5 goes under 3|4 first, and leaves a
    column empty: then 3|4 with 4|5 may go under 0|3, and 3|4, 4|5 and the lowest tiles of the five
    other columns to the empty one: eight."""
    tree = golden_tree("solitaire/part_of_a_run_and_an_empty_column")
    tree["options"] = {"moves": 2}
    assert leaves(walker("solitaire", tree), 4) == [2, 1 + 8]


@every_walker
def test_the_last_move_before_a_win_counted_by_hand(walker: Any) -> None:
    """There are 26 tiles in one run, and two in another column: 1|4, and the last face down above
    it. All of the run but its first tile may go to an empty column, and those with a 4 on top (4|4,
    4|5, 4|6) under 1|4; that may go under the run or to an empty column."""
    tree = golden_tree("solitaire/won_by_the_last_move_of_all", 26)
    assert leaves(walker("solitaire", tree), 4) == [25 + 3 + 2]


@every_walker
def test_the_last_move_after_a_win_counted_by_hand(walker: Any) -> None:
    """There are 27 tiles in one run, and 4|0 alone. All of the run but its first tile may go to an
    empty column, and those with a 0 on top (0|0, 0|1, 0|2, 0|3) under 4|0, the first with the whole
    run too; 4|0 may go under the run; and the player may stop."""
    tree = golden_tree("solitaire/won_and_cut_off_without_the_bonus", 27)
    assert leaves(walker("solitaire", tree), 4) == [26 + 4 + 1 + 1]


@every_walker
def test_a_line_of_counts_is_as_long_as_its_game(walker: Any) -> None:
    tree = golden_tree("elimination/stuck_with_twenty_six_tiles")
    assert leaves(walker("elimination", tree), 60) == [1] * 54


# Writing ------------------------------------------------------------------------------------------


def roots(variant: str, random: Random) -> list[Json]:
    """Where trees begin: at random deals, and at golden games of which some are near their end."""
    dealt = [new_deal(variant, random) for _ in range(RANDOM_DEALS)]
    if variant == "elimination":
        names = ["stuck_with_thirteen_tiles", "the_row_is_emptied_after_idle_passes"]
        return dealt + [golden_tree(f"{variant}/{name}") for name in names]
    if variant == "knock_out":
        names = ["three_that_match_in_a_row", "doubles", "everything_is_knocked_out"]
        return dealt + [golden_tree(f"{variant}/{name}") for name in names]
    few = [{**new_deal(variant, random), "options": {"moves": moves}} for moves in (1, 3, 5)]
    ends = [
        ("one_column_and_the_whole_bonus", 24),
        ("one_column_and_the_whole_bonus", 26),
        ("won_and_cut_off_without_the_bonus", 26),
        ("won_by_the_last_move_of_all", 25),
        ("lost_by_the_last_move", 0),
        ("lost_by_the_last_move", 2),
        ("part_of_a_run_and_an_empty_column", 0),
    ]
    return dealt + few + [golden_tree(f"{variant}/{name}", moves) for name, moves in ends]


def new_deal(variant: str, random: Random) -> Json:
    """A deal that the reference does not send back; of Elimination one that is over soon."""
    while True:
        tiles = random_deal(random)
        deal = in_columns(tiles) if variant == "solitaire" else tiles
        tree: Json = {"options": {}, "deal": deal, "before": []}
        try:
            walker = reference_walker(variant, tree)
        except puzzles.DealAgain:
            continue
        if variant != "elimination" or len(leaves(walker, LONGEST_LINE + 1)) <= LONGEST_LINE:
            return tree


def counted(variant: str, tree: Json) -> Json:
    """A tree with its counts, on which both agree."""
    counts = affordable_counts(engine_walker(variant, tree))
    theirs = leaves(reference_walker(variant, tree), len(counts))
    if theirs != counts:
        raise AssertionError(f"{variant}: the reference counts {theirs}, not {counts}, in {tree}")
    return {**tree, "counts": counts}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes tests/perft of one-player games anew.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.add_argument("variants", nargs="*", default=ALONE)
    for variant in parser.parse_args(arguments).variants:
        random = Random(f"perft {variant}")
        found = [counted(variant, tree) for tree in roots(variant, random)]
        write(FOLDER / f"{variant}.json", {"variant": variant, "trees": found})
        print(variant, *(tree["counts"][-1] for tree in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
