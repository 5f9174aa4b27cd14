"""Rules of games that could never be dealt, won or ended are refused."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

import domino_env
from domino_env.batches import Batch
from domino_env.errors import BadRules
from domino_env.ruleset import (
    Opening,
    Plays,
    Round,
    Rules,
)
from tests.drawn_rules import (
    ANY_TILE,
    HIGHEST_TILE,
    QUIET,
    SEEDS,
    Lot,
    built,
    check_message,
    describe,
    play_out,
    within,
)

FIVES, ENDS = Plays(by="multiples"), Plays(by="same_ends")


def worth(points: int) -> Round:
    """A round of so many points."""
    return Round(worth="points", points=points)


# Games that can never be dealt, or never end -----------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "changes"),
    [
        # Nobody can ever hold a double to open with (G3): one of symbols does not open.
        (("1|2", "2|3", "3|4", ">1|>1", "*|*", "+2|2"), {"opening": Opening()}),
        # There is one to open with, but nothing can ever follow it (G5).
        (("6|6", "1|2", "2|3", "3|4", "4|5", "5|1"), {"opening": Opening()}),
        (("1|1", "2|2", "3|3", "4|4"), {"opening": HIGHEST_TILE}),
        (("1|1", "2|3", "4|5", "6|7"), {"opening": Opening(starter="lot", tile="from_boneyard")}),
    ],
)
def test_tiles_that_would_be_dealt_again_for_ever_are_refused(
    tiles: tuple[str, ...], changes: dict[str, Any]
) -> None:
    """Asking is not done here: a deal that never comes cannot be stopped."""
    hands = 1 if changes["opening"].tile == "from_boneyard" else 2
    with pytest.raises(BadRules, match="tiles"):
        domino_env.rules("fundomino", tiles=tiles, players=(2,), hand_size=hands, **changes)


def points_of_rounds(rules: Rules) -> set[int]:
    """All that the end of a round can be worth."""
    worth, most = rules.round, 5 * max(map(rules.counted, range(rules.num_tiles)))
    found = {points for points in worth.places if points}
    if worth.worth == "points":
        found = {worth.points, worth.key} - {0}
    elif worth.counts_pips:
        rounded = range(0, most + worth.nearest, worth.nearest)
        up = worth.rounded_up
        found = {-(-pips // up) * up // worth.pips_a_point for pips in rounded} - {0}
    found |= {2 * points for points in found if rules.turn.raised_by}
    bonuses = rules.bonuses.of_rounds
    found |= {points + bonus for points in found or {0} for bonus in bonuses}
    return found | {*rules.bonuses.of_passes}


def points_of_plays(rules: Rules) -> set[int]:
    """All that a play can be worth."""
    found = _points_of_ends(rules)
    return (found | {points + rules.plays.out for points in found} | {rules.plays.out}) - {0}


def _points_of_ends(rules: Rules) -> set[int]:
    if rules.plays.by != "multiples":
        return {2, 3} if rules.plays.by == "same_ends" else set()
    totals = range(1, 20 * max(rules.plays.multiples))
    by = {pips: [m for m in rules.plays.multiples if pips % m == 0] for pips in totals}
    if rules.plays.points == "pips":
        return {pips for pips in totals if by[pips]}
    return {sum(pips // m for m in by[pips]) for pips in totals}


def check_exact(rules: Rules) -> None:
    """Whatever a player has, the least that can be scored leads on to the target."""
    points = points_of_rounds(rules) | points_of_plays(rules)
    assert rules.target is not None
    stuck = {each for each in (*points, rules.target) if each % min(points)}
    assert not stuck, f"by {min(points)} nobody comes to {sorted(stuck)[:5]}: {rules}"


@pytest.mark.slow
@settings(QUIET, max_examples=200)
@given(seed=SEEDS)
def test_an_exact_target_can_be_reached_from_every_score(seed: int) -> None:
    lot = Lot(seed)
    rules = lot.rules()
    while not rules.exact:
        rules = lot.rules()
    describe(rules)
    check_exact(rules)


@pytest.mark.parametrize("multiples", [(5,), (10,), (5, 3), (4, 6)])
@pytest.mark.parametrize("points", ["pips", "division"])
@pytest.mark.parametrize("by", ["nothing", "multiples", "same_ends"])
def test_an_exact_target_that_rounding_can_pass_by_is_refused(
    by: Any, points: Any, multiples: tuple[int, ...]
) -> None:
    """Points are rounded twice over: to the nearest, then up, and then counted by so many pips."""
    for unit, near, up, target in product(
        (1, 2, 4, 5), (1, 2, 4, 5, 10), (1, 2, 3, 5, 10), (6, 60)
    ):
        numbers: Any = {"pips_a_point": unit, "nearest": near, "rounded_up": up}
        rules = built(
            "block_draw",
            partial(_parts, Plays(by=by, points=points, multiples=multiples), numbers),
            opening=ANY_TILE,
            exact=True,
            target=target,
        )
        if rules is not None:
            check_exact(rules)


def _parts(plays: Plays, numbers: dict[str, int]) -> dict[str, Any]:
    return {"plays": plays, "round": Round(**numbers)}


# A match that nobody can ever win is no game -----------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"round": Round(nearest=1000)},  # a round is never worth 500 pips: always rounded to 0
        {"target": 1, "exact": True, "plays": ENDS, "round": worth(2)},  # 2s and 3s
        {"target": 7, "exact": True, "plays": FIVES, "round": worth(5)},
        {"target": 8, "exact": True, "plays": FIVES, "round": worth(3)},  # stuck at 5 or 6
    ],
)
def test_a_target_that_no_points_can_reach_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadRules, match="target"):
        domino_env.rules("block_draw", opening=ANY_TILE, **changes)


@pytest.mark.parametrize(
    ("target", "plays", "whole"),
    [
        (5, FIVES, worth(5)),
        (10, FIVES, Round(nearest=5)),
        (9, ENDS, worth(1)),
        (7, Plays(), worth(7)),
    ],
)
def test_an_exact_target_that_points_can_add_up_to_is_accepted(
    target: int, plays: Plays, whole: Round
) -> None:
    match = domino_env.rules(
        "block_draw", target=target, exact=True, plays=plays, round=whole, opening=ANY_TILE
    )
    batch = Batch(match, 8, seed=0, episode="match", autoreset=False)
    within(20, lambda: play_out(batch, 500))
    assert (batch.state()["scores"].max(1) == target).all()


def test_an_opening_that_hits_an_exact_target_is_not_dealt_again_for_ever() -> None:
    """Every opening double scores 2: a match to exactly 2 has no decision in it, whoever opens."""
    try:
        match = domino_env.rules("block_draw", target=2, exact=True, plays=ENDS, round=worth(1))
    except BadRules as error:
        check_message(error, {"target": 2, "exact": True})
    else:
        within(5, lambda: Batch(match, 1, seed=0, episode="match").reset())
