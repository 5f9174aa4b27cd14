"""Perft: in how many ways can a game go on? Engine and reference must count the same.

    tests/perft/<variant>.json

A file holds deals, and for each `counts`: the d-th of them (from 1) is the number of leaves of the
game tree cut off after d decisions. A leaf is a sequence of exactly d decisions, or a shorter one
that ended the round; a round that is over so counts once at every depth from there on. Decisions
are those of ruling G5: a forced draw, a pass or a flip that does not fit takes no depth, and END
TURN, DRAW, CALL and SILENT are decisions like any play. The list is as long as is affordable, or as
the longest round of the tree.

Which tile is taken out of a hand is chance, and comes from the game's own generator (G16), which
starts from `CHANCE`; the reference draws on a generator that is written out here once more.

The deals were shuffled once and are data. Their counts are written only if the engine, which saves
and restores one lane, and the reference, which is copied for every decision, agree on all of them:

    python -m tests.test_perft --write [variant ...]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import domino_env
from domino_env.ruleset import LISTED
from tests import reference
from tests.games import AT_A_TABLE, TWISTS
from tests.picks import Picks
from tests.test_golden import (
    Json,
    deal_to,
    engine_batch,
    load,
    plain_options,
    random_deal,
    reference_game,
    write,
)
from tests.walkers import EngineWalker, ReferenceWalker, Walker

FOLDER = Path(__file__).parent / "perft"
MOST_LEAVES = 20_000  # of all cuts of one tree together, when it is written
MOST_OF_THE_REFERENCE = 400  # the same, when the reference is tested: it is slow
FEWEST_LEAVES = 20  # of one tree, when it is written: a deal with one way on says little ...
MOST_DEALS = 50  # ... but small hands, and rows that nobody has seen, may leave no more
CHANCE = 2007  # the state of the game's generator when the round is dealt
ALL_TWISTS = dict.fromkeys(TWISTS, True)
# Few tiles, so that every symbol and ends that total ten come up in a small tree. The double 2 is
# the highest double: it opens, and the stakes are asked at once.
NUMBERS = ["1|1", "1|2", "1|4", "1|6", "2|2", "2|4", "4|6"]
SYMBOLS = [">2|1", ">6|4", "+1|2", "+4|6", "*|2", "*|4", "*|6"]
FEW_TILES = {"tiles": NUMBERS + SYMBOLS, "hand_size": 3}


# Two that can go on in a game and come back -----------------------------------------------------


def engine_walker(variant: str, tree: Json) -> EngineWalker:
    """The engine, with the deal of a tree."""
    batch = engine_batch(variant, tree["options"])
    batch.reset(options={"deal": tree["deal"]})
    batch._games["rng"][0] = CHANCE
    return EngineWalker(batch)


def reference_walker(variant: str, tree: Json) -> ReferenceWalker:
    """The referee, with the deal of a tree."""
    game = reference_game(variant, tree["options"])
    game.pick_tile = Picks(CHANCE, game.tiles)
    deal_to(game, tree["deal"])
    return ReferenceWalker(game)


# Counting ---------------------------------------------------------------------------------------


def leaves(game: Walker, depth: int) -> list[int]:
    """The leaves of the tree cut off after 1, 2, ... decisions: `depth`, or the longest round."""
    reached, over = [0] * (depth + 1), [0] * (depth + 1)
    _walk(game, 0, reached, over)
    return [reached[cut] + sum(over[:cut]) for cut in range(1, depth + 1) if reached[cut]]


def _walk(game: Walker, here: int, reached: list[int], over: list[int]) -> None:
    """Counts the sequences that reach each depth, and those that end the round there."""
    choices = game.choices()
    if not choices:
        over[here] += 1
        return
    reached[here + 1] += len(choices)
    if here + 2 == len(reached):
        return  # the last decisions are counted, and need not be played
    mark = game.mark()
    for choice in choices:
        game.play(choice)
        _walk(game, here + 1, reached, over)
        game.back(mark)


# The counts on file -------------------------------------------------------------------------------


def trees(variant: str) -> list[Json]:
    path = FOLDER / f"{variant}.json"
    return load(path)["trees"] if path.exists() else []


def every_tree(variants: list[str]) -> list[Any]:
    """The first tree of each variant is counted between two edits too."""
    return [
        pytest.param(
            variant,
            tree,
            id=f"{variant}-{number}",
            marks=[pytest.mark.slow] if number else [],
        )
        for variant in variants
        for number, tree in enumerate(trees(variant))
    ]


@pytest.mark.parametrize(("variant", "tree"), every_tree(AT_A_TABLE))
def test_the_engine_counts_what_is_on_file(variant: str, tree: Json) -> None:
    assert leaves(engine_walker(variant, tree), len(tree["counts"])) == tree["counts"]


@pytest.mark.parametrize(("variant", "tree"), every_tree(AT_A_TABLE))
def test_the_reference_counts_what_is_on_file_near_the_root(variant: str, tree: Json) -> None:
    counts = tree["counts"]
    depth = depth_within(counts, MOST_OF_THE_REFERENCE)
    assert leaves(reference_walker(variant, tree), depth) == counts[:depth]


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_variant_has_trees_for_every_number_of_players_and_another_set(variant: str) -> None:
    rules, options = domino_env.rules(variant), [tree["options"] for tree in trees(variant)]
    assert {option["players"] for option in options} == set(rules.players)
    assert len({option["set"] for option in options}) >= min(2, len(rules.sets))
    ways = {"automatic", "explicit"} if rules.has_calls else {"automatic"}
    assert {option["calls"] for option in options} == ways


@pytest.mark.parametrize("variant", AT_A_TABLE)
def test_every_variant_with_twists_has_trees_for_each_and_for_all_together(variant: str) -> None:
    played = [
        {twist for twist in TWISTS if tree["options"]["rules"].get(twist)}
        for tree in trees(variant)
    ]
    for twists in twists_of(domino_env.rules(variant)):
        assert {*twists} in played


@pytest.mark.parametrize("walker", [engine_walker, reference_walker])
def test_a_tree_counted_by_hand(walker: Callable[[str, Json], Walker]) -> None:
    """The opener is out with the 5-6, or ends the turn; then there is one way on, thrice."""
    tree = {
        "options": {
            "set": "double_6",
            "players": 2,
            "calls": "automatic",
            "episode": "round",
            "rules": {"hand_size": 2},
        },
        "deal": {"hands": [["6|6", "5|6"], ["3|3", "0|6"]], "boneyard": ["0|1", "1|3"]},
    }
    used = {*tree["deal"]["boneyard"]}.union(*tree["deal"]["hands"])
    rest = [f"{low}|{high}" for low in range(7) for high in range(low, 7)]
    tree["deal"]["boneyard"] += [tile for tile in rest if tile not in used]
    # 5|6 and out; or END TURN, 0|6, 0|1 (drawn), 1|3 (drawn), and on
    assert leaves(walker("one_arm_joe", tree), 4) == [2, 2, 2, 2]


# Writing ------------------------------------------------------------------------------------------


def depth_within(counts: list[int], most: int) -> int:
    """How deep the cuts go that have so many leaves together; 1 at least."""
    depth, total = 0, 0
    while depth < len(counts) and total + counts[depth] <= most:
        total += counts[depth]
        depth += 1
    return max(1, depth)


def settings(variant: str) -> list[Json]:
    """Every number of players, another set, explicit calls, small hands that reach the end, and
    twists."""
    rules = domino_env.rules(variant)
    plain = plain_options(min(rules.players), rules.set)
    found = [plain_options(players, rules.set) for players in rules.players]
    for name in rules.sets[1:2]:
        fewest = min(domino_env.rules(variant, set=name).players)
        found.append({**plain, "set": name, "players": fewest})
    found += [{**plain, "calls": "explicit"}] if rules.has_calls else []
    small = () if rules.rows else (2, 3)  # rows go to the end as they are
    found += [{**plain, "rules": {"hand_size": size}} for size in small]
    return found + twisted_settings(rules)


def twisted_settings(rules: domino_env.Rules) -> list[Json]:
    """Each twist, and all of them with everything that can be called, on few tiles."""
    found = [
        {**plain_options(max(rules.players), rules.set), "rules": {**FEW_TILES, **twists}}
        for twists in twists_of(rules)
    ]
    called = [{**options, "calls": "explicit"} for options in found[-1:]]
    return found + called + [{**options, "players": min(rules.players)} for options in called]


def twists_of(rules: domino_env.Rules) -> list[dict[str, bool]]:
    """Each twist that a game can be played with, and all together."""
    return [*({twist: True} for twist in TWISTS), ALL_TWISTS] if rules.set == LISTED else []


def new_tree(variant: str, options: Json, random: Random) -> Json:
    """The first of many deals that leaves enough to decide, or else the one that leaves most."""
    best: Json = {"counts": [0]}
    for _ in range(MOST_DEALS):
        tree = new_deal(variant, options, random)
        tree["counts"] = affordable_counts(engine_walker(variant, tree))
        best = max(best, tree, key=lambda tree: tree["counts"][-1])
        if best["counts"][-1] >= FEWEST_LEAVES:
            break
    theirs = leaves(reference_walker(variant, best), len(best["counts"]))
    if theirs != best["counts"]:
        raise AssertionError(f"{variant}: the reference counts {theirs}, the engine as in {best}")
    return best


def new_deal(variant: str, options: Json, random: Random) -> Json:
    """A deal that the reference does not send back."""
    game = reference_game(variant, options)
    while True:
        deal = random_deal(game, random)
        try:
            deal_to(game, deal)
        except reference.DealAgain:
            continue
        return {"options": options, "deal": deal}


def affordable_counts(game: Walker) -> list[int]:
    """Goes deeper until the tree is too large, or every round is over."""
    counts: list[int] = []
    while True:
        deeper = leaves(game, len(counts) + 1)
        if len(deeper) == len(counts) or (counts and sum(deeper) > MOST_LEAVES):
            return counts
        counts = deeper


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Writes tests/perft anew.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.add_argument("variants", nargs="*", default=AT_A_TABLE)
    for variant in parser.parse_args(arguments).variants:
        random = Random(f"perft {variant}")
        found = [new_tree(variant, options, random) for options in settings(variant)]
        write(FOLDER / f"{variant}.json", {"variant": variant, "trees": found})
        print(variant, *(tree["counts"][-1] for tree in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
